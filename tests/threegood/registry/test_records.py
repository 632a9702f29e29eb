"""Records: immutable, complete, and refused with every breach at once."""

from typing import Any

import pytest
from pydantic import ValidationError

from tests.support.registries import a_category, a_source, content_of
from threegood.registry.records import (
    BREACH,
    Category,
    Curator,
    Endorsement,
    OutOfScopeFile,
    OutOfScopeTopic,
    RegistryFile,
    Source,
)

RECORDS: list[tuple[type[Any], dict[str, Any]]] = [
    (Source, a_source(1)),
    (Category, a_category("Apples")),
    (Curator, content_of("valid")["curator"]),
    (Endorsement, content_of("valid")["endorsements"][0]),
    (OutOfScopeTopic, {"name": "Pears", "keywords": ["pear", "pear tree"]}),
    (OutOfScopeFile, {"topics": [{"name": "Pears", "keywords": ["pear"]}]}),
    (RegistryFile, content_of("valid")),
]


@pytest.mark.parametrize(("record", "content"), RECORDS)
def test_a_record_is_immutable(record: type[Any], content: dict[str, Any]) -> None:
    made = record(**content)

    with pytest.raises(ValidationError, match="frozen"):
        setattr(made, next(iter(content)), None)


@pytest.mark.parametrize(("record", "content"), RECORDS)
def test_a_record_requires_its_fields_and_refuses_others(record: type[Any], content: dict[str, Any]) -> None:
    with pytest.raises(ValidationError) as refusal:
        record(other=1)

    assert [(error["type"], error["loc"]) for error in refusal.value.errors()] == [
        *(("missing", (name,)) for name in content),
        ("extra_forbidden", ("other",)),
    ]


def test_the_breaches_of_a_whole_are_listed_with_those_of_its_parts() -> None:
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
