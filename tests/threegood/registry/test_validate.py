"""Validation: one broken file per rule, all faults at once, and none in a valid file."""

import json
import re
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import pytest

from tests.support.registries import FIXTURES, VOCABULARIES, content_of, fixture, vocabulary_fixture
from threegood.registry import files, patterns, rules, vocabulary
from threegood.registry.faults import Fault, FaultyRegistry
from threegood.registry.positions import pointer_to
from threegood.registry.validate import validate

LEARN_RUST: Final = "/categories/learn-rust"
SOURDOUGH: Final = "/categories/sourdough bread"  # the slug that `many-faults` breaks

# Name of the file → line, column, pointer and rule of each fault.
FAULTS: Final[dict[str, list[tuple[int, int, str, str]]]] = {
    "byte-order-mark": [(1, 1, "", "byte-order-mark")],
    "duplicate-name": [(4, 3, "/version", "duplicate-name")],
    "encoding": [(5, 16, "", "encoding")],
    "many-faults": [
        (2, 14, "/version", "version"),
        (11, 14, "/endorsements/0/url", "url-scheme"),
        (34, 19, f"{LEARN_RUST}/sources/1/rank", "rank-order"),
        (36, 18, f"{LEARN_RUST}/sources/1/url", "same-url"),
        (40, 9, f"{LEARN_RUST}/sources/2", "missing-field"),
        (48, 5, SOURDOUGH, "slug"),
        (53, 9, f"{SOURDOUGH}/query_patterns/1", "same-pattern"),
        (54, 9, f"{SOURDOUGH}/query_patterns/2", "type"),
        (72, 9, f"{SOURDOUGH}/sources/2", "missing-field"),
        (74, 11, f"{SOURDOUGH}/sources/2/nmae", "unknown-field"),
    ],
}

# Every file but these two is named after the one rule that it breaks, and so is every folder of a vocabulary.
BROKEN: Final = sorted({file.stem for file in FIXTURES.glob("*.json")} - {"valid", "many-faults"})
BROKEN_VOCABULARIES: Final = sorted(folder.name for folder in VOCABULARIES.iterdir())

# The rules that are not about a value: what JSON itself and the shape of the records ask for.
STRUCTURE: Final = {
    "byte-order-mark",
    "constant",
    "duplicate-name",
    "encoding",
    "missing-field",
    "moved-field",
    "nesting",
    "surrogate",
    "syntax",
    "type",
    "unknown-field",
}


def faults_in(data: bytes, vocabulary: Mapping[str, bytes] = MappingProxyType({})) -> tuple[Fault, ...]:
    with pytest.raises(FaultyRegistry) as refusal:
        validate(data, vocabulary)
    return refusal.value.faults


def faults_of(content: Any) -> list[tuple[str, str]]:
    """Pointer and rule of each fault in a registry that says `content`."""
    return [(fault.pointer, fault.rule) for fault in faults_in(json.dumps(content).encode("utf-8"))]


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_has_position_pointer_and_rule(name: str) -> None:
    found = [(fault.line, fault.column, fault.pointer, fault.rule) for fault in faults_in(fixture(name))]

    assert found == FAULTS[name]


@pytest.mark.parametrize("name", [*BROKEN, *BROKEN_VOCABULARIES])
def test_a_broken_file_breaks_one_rule_and_gets_sentences_of_ours(name: str) -> None:
    faults = (
        faults_in(fixture(name)) if name in BROKEN else faults_in(fixture("valid"), vocabulary_fixture(name))
    )

    assert {fault.rule for fault in faults} == {name}
    assert [fault.message for fault in faults if not fault.message.endswith((".", "@."))] == []
    assert [fault.message for fault in faults if "Input should" in fault.message] == []


def test_every_rule_has_a_broken_file_named_after_it() -> None:
    modules = (files, rules, patterns, vocabulary)
    written = [Path(str(module.__file__)).read_text("utf-8") for module in modules]
    about_values = set(re.findall(r'Breach\(\s*"([a-z-]+)"', "".join(written)))

    assert {*BROKEN, *BROKEN_VOCABULARIES} == about_values | STRUCTURE


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ([], [("", "type")]),
        (None, [("", "type")]),
        ("registry", [("", "type")]),
        ({}, [("", "missing-field")]),
    ],
)
def test_a_document_that_is_no_registry_is_refused(content: Any, found: list[tuple[str, str]]) -> None:
    assert set(faults_of(content)) == set(found)


TEXT: Final = ("curator", "name")
RANK: Final = ("categories", "learn-rust", "sources", 0, "rank")
HTTP_REASON: Final = ("categories", "learn-rust", "sources", 0, "http_reason")
ARRAYS: Final = (
    ("endorsements",),
    *(("categories", "learn-rust", field) for field in ("query_patterns", "sources")),
)
OBJECTS: Final = (("curator",), ("categories", "learn-rust"), (*RANK[:-1],))


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        *product([HTTP_REASON], [None, [], {}]),
        *product([TEXT, ("$schema",)], [None, True, 1, 1.5, [], {}]),
        *product([RANK], [None, True, "1", 1.0, 1.5, [], {}]),
        *product(ARRAYS, [None, True, 1, "book", {}]),
        *product(OBJECTS, [None, True, 1, "book", []]),
    ],
    ids=repr,
)
def test_a_value_of_the_wrong_type_is_a_fault_of_its_own(path: tuple[Any, ...], wrong: Any) -> None:
    content = content_of("valid")
    *steps, last = path
    record: Any = content
    for step in steps:
        record = record[step]
    record[last] = wrong

    assert faults_of(content) == [(pointer_to(*path), "type")]


def test_a_number_of_ten_thousand_digits_is_a_fault() -> None:
    data = fixture("valid").replace(b'"rank": 1', b'"rank": ' + b"9" * 10_000, 1)

    assert [(fault.pointer, fault.rule) for fault in faults_in(data)] == [
        ("/categories/learn-rust/sources/0/rank", "type")
    ]


def test_deep_nesting_is_a_fault() -> None:
    data = b"[" * 100_000

    assert [(fault.line, fault.column, fault.rule) for fault in faults_in(data)] == [(1, 33, "nesting")]


def test_vocabulary_met_in_the_registry_file_gets_the_place_where_it_belongs() -> None:
    assert [fault.message.partition(". ")[2] for fault in faults_in(fixture("moved-field"))] == [
        'Move this array to vocabulary/learn-rust.json, as {"aliases": […]}.',
        'Move this array to vocabulary/learn-rust.json, as {"keywords": […]}.',
        'Move this array to vocabulary/out-of-scope.json, as {"topics": […]}.',
    ]


def test_a_misspelt_field_is_both_missing_and_unknown() -> None:
    content = content_of("valid")
    source = content["categories"]["learn-rust"]["sources"][0]
    source["reason_why"] = source.pop("why")

    (missing, unknown) = faults_in(json.dumps(content).encode())

    assert missing.message == 'The field "why" is missing here. Add it.'
    assert unknown.message == (
        "There is no such field. Remove it. The fields here are rank, name, url, type, why, http_reason."
    )


@pytest.mark.parametrize(
    ("place", "fields"),
    [
        ((), "$schema, version, updated, curator, endorsements, categories"),
        (("curator",), "name, pubkey"),
        (("endorsements", 0), "name, url, since, statement"),
        (("categories", "learn-rust"), "name, description, query_patterns, sources"),
        (("categories", "learn-rust", "sources", 1), "rank, name, url, type, why, http_reason"),
    ],
    ids=str,
)
def test_the_fault_of_an_unknown_field_lists_the_fields_of_its_record(
    place: tuple[Any, ...], fields: str
) -> None:
    content = content_of("valid")
    record: Any = content
    for step in place:
        record = record[step]
    record["xyzzy"] = 1

    (fault,) = faults_in(json.dumps(content).encode())

    assert fault.message == f"There is no such field. Remove it. The fields here are {fields}."


def test_faults_behind_a_byte_order_mark_are_found_too() -> None:
    data = b"\xef\xbb\xbf" + fixture("version")

    assert [(fault.line, fault.column, fault.rule) for fault in faults_in(data)] == [
        (1, 1, "byte-order-mark"),
        (2, 14, "version"),
    ]
