"""Validation: one broken file per rule, all faults at once, and none in a valid file."""

import json
import re
from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.registries import FIXTURES, content_of, fixture
from threegood.registry import patterns, rules, vocabulary
from threegood.registry.faults import Fault, FaultyRegistry
from threegood.registry.positions import pointer_to
from threegood.registry.validate import validate

Expected = list[tuple[int, int, str, str]]

LEARN_RUST: Final = "/categories/learn-rust"
SOURDOUGH_BREAD: Final = "/categories/sourdough-bread"
SOURDOUGH: Final = "/categories/sourdough bread"  # the slug that `many-faults` breaks

# Name of the file → line, column, pointer and rule of each fault. All but the last are named after a rule.
BROKEN: Final[dict[str, Expected]] = {
    "alias-count": [(25, 18, f"{LEARN_RUST}/aliases", "alias-count")],
    "byte-order-mark": [(1, 1, "", "byte-order-mark")],
    "constant": [(41, 19, "", "constant")],
    "covered-outside": [(91, 9, "/outside/0/keywords/1", "covered-outside")],
    "date": [(3, 14, "/updated", "date")],
    "duplicate-name": [(4, 3, "/version", "duplicate-name")],
    "empty-pattern": [(22, 9, f"{LEARN_RUST}/query_patterns/1", "empty-pattern")],
    "empty-words": [(27, 9, f"{LEARN_RUST}/aliases/1", "empty-words")],
    "encoding": [(5, 16, "", "encoding")],
    "http-reason": [(71, 26, f"{SOURDOUGH_BREAD}/sources/1/http_reason", "http-reason")],
    "http-unexplained": [(29, 18, f"{LEARN_RUST}/sources/0/url", "http-unexplained")],
    "keyword-count": [(25, 19, f"{LEARN_RUST}/keywords", "keyword-count")],
    "known-pattern": [(22, 9, f"{LEARN_RUST}/query_patterns/1", "known-pattern")],
    "missing-field": [(40, 9, f"{LEARN_RUST}/sources/2", "missing-field")],
    "nesting": [(28, 46, "", "nesting")],
    "no-categories": [(16, 17, "/categories", "no-categories")],
    "outside-keyword-count": [(92, 19, "/outside/1/keywords", "outside-keyword-count")],
    "pattern-count": [(20, 25, f"{LEARN_RUST}/query_patterns", "pattern-count")],
    "pubkey": [(6, 15, "/curator/pubkey", "pubkey")],
    "rank": [(41, 19, f"{LEARN_RUST}/sources/2/rank", "rank")],
    "rank-order": [
        (27, 19, f"{LEARN_RUST}/sources/0/rank", "rank-order"),
        (34, 19, f"{LEARN_RUST}/sources/1/rank", "rank-order"),
    ],
    "same-outside": [(91, 15, "/outside/1/name", "same-outside")],
    "same-pattern": [(22, 9, f"{LEARN_RUST}/query_patterns/1", "same-pattern")],
    "same-url": [(43, 18, f"{LEARN_RUST}/sources/2/url", "same-url")],
    "same-words": [(30, 9, f"{LEARN_RUST}/keywords/1", "same-words")],
    "shared-alias": [(62, 9, f"{SOURDOUGH_BREAD}/aliases/1", "shared-alias")],
    "slug": [(17, 5, "/categories/Learn_Rust", "slug")],
    "source-count": [(25, 18, f"{LEARN_RUST}/sources", "source-count")],
    "source-type": [(44, 19, f"{LEARN_RUST}/sources/2/type", "source-type")],
    "surrogate": [(28, 19, "", "surrogate")],
    "syntax": [(3, 3, "", "syntax")],
    "text-blank": [(5, 13, "/curator/name", "text-blank")],
    "text-characters": [(5, 13, "/curator/name", "text-characters")],
    "text-length": [(5, 13, "/curator/name", "text-length")],
    "text-markdown": [(38, 18, f"{LEARN_RUST}/sources/1/why", "text-markdown")],
    "text-trimmed": [(5, 13, "/curator/name", "text-trimmed")],
    "type": [(34, 19, f"{LEARN_RUST}/sources/1/rank", "type")],
    "unknown-field": [(45, 11, f"{LEARN_RUST}/sources/2/reason", "unknown-field")],
    "url": [(11, 14, "/endorsements/0/url", "url")],
    "url-credentials": [(29, 18, f"{LEARN_RUST}/sources/0/url", "url-credentials")],
    "url-host": [(29, 18, f"{LEARN_RUST}/sources/0/url", "url-host")],
    "url-length": [(29, 18, f"{LEARN_RUST}/sources/0/url", "url-length")],
    "url-scheme": [(29, 18, f"{LEARN_RUST}/sources/0/url", "url-scheme")],
    "url-whitespace": [(29, 18, f"{LEARN_RUST}/sources/0/url", "url-whitespace")],
    "version": [(2, 14, "/version", "version")],
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

# The rules that are not about a value: what JSON itself and the shape of the records ask for.
STRUCTURE: Final = {
    "byte-order-mark",
    "constant",
    "duplicate-name",
    "encoding",
    "missing-field",
    "nesting",
    "surrogate",
    "syntax",
    "type",
    "unknown-field",
}


def faults_in(data: bytes) -> tuple[Fault, ...]:
    with pytest.raises(FaultyRegistry) as refusal:
        validate(data)
    return refusal.value.faults


def faults_of(content: Any) -> list[tuple[str, str]]:
    """Pointer and rule of each fault in a registry that says `content`."""
    return [(fault.pointer, fault.rule) for fault in faults_in(json.dumps(content).encode("utf-8"))]


@pytest.mark.parametrize("name", BROKEN)
def test_each_fault_of_a_broken_file_has_position_pointer_and_rule(name: str) -> None:
    found = [(fault.line, fault.column, fault.pointer, fault.rule) for fault in faults_in(fixture(name))]

    assert found == BROKEN[name]


def test_every_rule_has_a_broken_file_named_after_it() -> None:
    written = [Path(str(module.__file__)).read_text("utf-8") for module in (rules, patterns, vocabulary)]
    about_values = set(re.findall(r'Breach\(\s*"([a-z-]+)"', "".join(written)))

    assert set(BROKEN) - {"many-faults"} == about_values | STRUCTURE
    assert {file.stem for file in FIXTURES.glob("*.json")} == {*BROKEN, "valid"}


@pytest.mark.parametrize("name", BROKEN)
def test_every_message_is_a_sentence_and_none_is_pydantics(name: str) -> None:
    messages = [fault.message for fault in faults_in(fixture(name))]

    assert [message for message in messages if not message.endswith((".", "@."))] == []
    assert [message for message in messages if "Input should" in message or "Field required" in message] == []


def test_a_valid_file_becomes_the_registry_that_it_says() -> None:
    registry = validate(fixture("valid"))

    assert registry.model_dump(mode="json", exclude_unset=True) == content_of("valid")


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
ALIAS: Final = ("categories", "learn-rust", "aliases", 0)
TOPIC: Final = ("outside", 0)
ARRAYS: Final = (
    ("endorsements",),
    ("outside",),
    *(("categories", "learn-rust", field) for field in ("query_patterns", "aliases", "keywords", "sources")),
)
OBJECTS: Final = (("curator",), ("categories", "learn-rust"), (*RANK[:-1],), TOPIC)


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        *product([HTTP_REASON], [None, [], {}]),
        *product([TEXT, ALIAS, (*TOPIC, "name")], [None, True, 1, 1.5, [], {}]),
        *product([RANK], [None, True, "1", 1.0, 1.5, [], {}]),
        *product(ARRAYS, [None, True, 1, "book", {}]),
        *product(OBJECTS, [None, True, 1, "book", []]),
    ],
    ids=repr,
)
def test_a_value_of_the_wrong_type_is_a_fault_of_its_own(path: tuple[Any, ...], wrong: Any) -> None:
    content = {**content_of("valid"), "outside": [{"name": "Zig", "keywords": ["ziglang"]}]}
    content["categories"]["learn-rust"]["aliases"] = ["rustlang"]
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


def test_all_faults_of_a_vocabulary_are_listed_at_once() -> None:
    content = content_of("valid")
    content["categories"]["learn-rust"] |= {"aliases": ["rust!", "RUST", " "], "keywords": ["how", "a\tb"]}
    content["categories"]["sourdough-bread"]["aliases"] = ["rust", "x" * 61]
    content["outside"] = [{"name": "Rust", "keywords": [], "keyword": "z"}, 1]

    assert faults_of(content) == [
        ("/categories/learn-rust/aliases/1", "same-words"),
        ("/categories/learn-rust/aliases/2", "text-blank"),
        ("/categories/learn-rust/keywords/0", "empty-words"),
        ("/categories/learn-rust/keywords/1", "text-characters"),
        ("/categories/sourdough-bread/aliases/0", "shared-alias"),
        ("/categories/sourdough-bread/aliases/1", "text-length"),
        ("/outside/0/name", "covered-outside"),
        ("/outside/0/keywords", "outside-keyword-count"),
        ("/outside/0/keyword", "unknown-field"),
        ("/outside/1", "type"),
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
        ((), "version, updated, curator, endorsements, categories, outside"),
        (("curator",), "name, pubkey"),
        (("endorsements", 0), "name, url, since, statement"),
        (("categories", "learn-rust"), "name, description, query_patterns, aliases, keywords, sources"),
        (("categories", "learn-rust", "sources", 1), "rank, name, url, type, why, http_reason"),
        (("outside", 0), "name, keywords"),
    ],
    ids=str,
)
def test_the_fault_of_an_unknown_field_lists_the_fields_of_its_record(
    place: tuple[Any, ...], fields: str
) -> None:
    content = {**content_of("valid"), "outside": [{"name": "Zig", "keywords": ["ziglang"]}]}
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
