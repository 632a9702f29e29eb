"""Records that break a rule do not come into being, and those that exist do not change."""

from typing import Any

import pytest
from pydantic import ValidationError

from tests.support.registries import a_category, a_source, content_of
from threegood.registry.records import (
    BREACH,
    Category,
    Curator,
    Endorsement,
    OutOfScopeTopic,
    Registry,
    Source,
)

RECORDS: list[tuple[type[Any], dict[str, Any]]] = [
    (Source, a_source(1)),
    (Category, a_category("Apples")),
    (Curator, content_of("valid")["curator"]),
    (Endorsement, content_of("valid")["endorsements"][0]),
    (OutOfScopeTopic, {"name": "Pears", "keywords": ["pear", "pear tree"]}),
    (Registry, content_of("valid")),
]


@pytest.mark.parametrize(("record", "content"), RECORDS)
def test_a_record_does_not_change(record: type[Any], content: dict[str, Any]) -> None:
    made = record(**content)

    with pytest.raises(ValidationError, match="frozen"):
        setattr(made, next(iter(content)), None)


@pytest.mark.parametrize(("record", "content"), RECORDS)
def test_a_record_needs_all_its_fields_and_knows_no_others(
    record: type[Any], content: dict[str, Any]
) -> None:
    with pytest.raises(ValidationError) as refusal:
        record(other=1)

    assert [(error["type"], error["loc"]) for error in refusal.value.errors()] == [
        *(("missing", (name,)) for name in content),
        ("extra_forbidden", ("other",)),
    ]


def breaches_of(record: type[Any], content: dict[str, Any]) -> list[tuple[tuple[int | str, ...], str]]:
    """Position and rule of each breach that keeps the record from being made of `content`."""
    with pytest.raises(ValidationError) as refusal:
        record(**content)
    return [(error["loc"], error["ctx"]["rule"]) for error in refusal.value.errors()]


def test_a_vocabulary_may_be_left_out_and_is_then_empty() -> None:
    category = Category(**a_category("Apples"))
    registry = Registry(**content_of("valid"))

    assert (category.aliases, category.keywords, registry.outside) == ((), (), ())


@pytest.mark.parametrize("field", ["aliases", "keywords"])
@pytest.mark.parametrize(
    ("text", "rule"),
    [("", "text-blank"), ("x" * 61, "text-length"), (" pip", "text-trimmed"), ("`pip`", "text-markdown")],
)
def test_the_words_of_a_vocabulary_are_short_plain_texts(field: str, text: str, rule: str) -> None:
    assert breaches_of(Category, a_category("Apples", **{field: ["x" * 60, text]})) == [((field, 1), rule)]
    assert breaches_of(OutOfScopeTopic, {"name": "Pears", "keywords": ["pear", text]}) == [
        (("keywords", 1), rule)
    ]


@pytest.mark.parametrize(
    ("most", "field", "rule"), [(60, "aliases", "alias-count"), (400, "keywords", "keyword-count")]
)
def test_too_long_a_vocabulary_is_told_so_beside_what_is_wrong_in_it(
    most: int, field: str, rule: str
) -> None:
    words = [f"word {number}" for number in range(most)]

    assert len(getattr(Category(**a_category("Apples", **{field: words})), field)) == most
    assert breaches_of(Category, a_category("Apples", **{field: [*words, ""]})) == [
        ((field, most), "text-blank"),
        ((field,), rule),
    ]


def test_rules_over_a_whole_are_told_beside_those_over_its_parts() -> None:
    sources = [a_source(1), a_source(3, why=""), a_source(2, url="http://example.org/1")]

    with pytest.raises(ValidationError) as refusal:
        Category(**a_category("Apples", sources=sources))

    found = [(error["loc"], error["ctx"]["rule"]) for error in refusal.value.errors()]
    assert {error["type"] for error in refusal.value.errors()} == {BREACH}
    assert found == [
        (("sources", 1, "why"), "text-blank"),
        (("sources", 2, "url"), "http-unexplained"),
        (("sources", 1, "rank"), "rank-order"),
        (("sources", 2, "rank"), "rank-order"),
        (("sources", 2, "url"), "same-url"),
    ]
