"""Records that break a rule do not come into being, and those that exist do not change."""

from typing import Any

import pytest
from pydantic import ValidationError

from sources.records import BREACH, Category, Curator, Endorsement, Registry, Source
from tests.support.registries import a_category, a_source, content_of

RECORDS: list[tuple[type[Any], dict[str, Any]]] = [
    (Source, a_source(1)),
    (Category, a_category("Apples")),
    (Curator, content_of("valid")["curator"]),
    (Endorsement, content_of("valid")["endorsements"][0]),
    (Registry, content_of("valid")),
]


@pytest.mark.parametrize(("record", "content"), RECORDS)
def test_a_record_says_what_it_was_made_of(record: type[Any], content: dict[str, Any]) -> None:
    assert record(**content).model_dump(mode="json", exclude_unset=True) == content


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


def test_a_category_may_be_made_of_sources_that_exist() -> None:
    sources = tuple(Source(**a_source(rank)) for rank in (1, 2, 3))

    assert Category(**a_category("Apples", sources=sources)).sources == sources


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
