"""Validation: one broken file per rule, all faults at once, and none in a valid file."""

import json
import re
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.registries import FIXTURES, VOCABULARIES, content_of, fixture, vocabulary_fixture
from threegood.registry import files, patterns, rules, vocabulary
from threegood.registry.faults import Fault, FaultyRegistry
from threegood.registry.files import read_vocabulary
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

# The same for vocabularies, with the file first.
VOCABULARY_FAULTS: Final[dict[str, list[tuple[str, int, int, str, str]]]] = {
    "covered-outside": [("out-of-scope.json", 7, 9, "/topics/0/keywords/1", "covered-outside")],
    "shared-alias": [("sourdough-bread.json", 4, 5, "/aliases/1", "shared-alias")],
    "vocabulary-file": [("learn-rusty.json", 1, 1, "", "vocabulary-file")],
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


def faults_in(data: bytes, vocabulary: Mapping[str, bytes] | None = None) -> tuple[Fault, ...]:
    with pytest.raises(FaultyRegistry) as refusal:
        validate(data, vocabulary or {})
    return refusal.value.faults


def faults_of(content: Any) -> list[tuple[str, str]]:
    """Pointer and rule of each fault in a registry that says `content`."""
    return [(fault.pointer, fault.rule) for fault in faults_in(json.dumps(content).encode("utf-8"))]


def faults_with(**vocabulary: Any) -> list[tuple[str, str, str]]:
    """File, pointer and rule of each fault in a vocabulary of these contents, with a valid registry."""
    files = {
        f"vocabulary/{name.replace('_', '-')}.json": json.dumps(content).encode()
        for name, content in vocabulary.items()
    }
    faults = faults_in(fixture("valid"), files)
    return [(fault.file.removeprefix("vocabulary/"), fault.pointer, fault.rule) for fault in faults]


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_has_position_pointer_and_rule(name: str) -> None:
    found = [(fault.line, fault.column, fault.pointer, fault.rule) for fault in faults_in(fixture(name))]

    assert found == FAULTS[name]


@pytest.mark.parametrize("name", VOCABULARY_FAULTS)
def test_a_fault_of_a_vocabulary_has_its_file_too(name: str) -> None:
    faults = faults_in(fixture("valid"), vocabulary_fixture(name))

    assert [(Path(fault.file).name, *fault[1:5]) for fault in faults] == VOCABULARY_FAULTS[name]
    assert {Path(fault.file).parent.name for fault in faults} == {"vocabulary"}


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


def test_a_valid_file_becomes_the_registry_that_it_says() -> None:
    words = {"aliases": ["rustlang"], "keywords": ["cargo", "crate"]}
    topics = [{"name": "Zig", "keywords": ["ziglang"]}]
    content, uri = content_of("valid"), {"$schema": "any.schema.json"}
    files: dict[str, Any] = {
        "vocabulary/learn-rust.json": words,
        "vocabulary/out-of-scope.json": {"topics": topics},
    }

    registry = validate(
        json.dumps({**uri, **content}).encode(),
        {file: json.dumps({**uri, **each}).encode() for file, each in files.items()},
    )

    assert registry.model_dump(mode="json", exclude_unset=True) == {
        **content,
        "vocabulary": {"categories": {"learn-rust": words}, "out_of_scope": topics},
    }
    assert registry.vocabulary.of("learn-rust").aliases == ("rustlang",)
    assert registry.vocabulary.of("sourdough-bread").aliases == ()


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
WRONG: Final[tuple[Any, ...]] = (None, True, "book", [])
WORDS: Final = (("learn_rust", "aliases"), ("learn_rust", "keywords"), ("out_of_scope", "topics"))


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


@pytest.mark.parametrize(
    ("name", "content", "pointer"),
    [
        *(("learn_rust", wrong, "") for wrong in WRONG),
        *((name, {field: wrong}, f"/{field}") for name, field in WORDS for wrong in (*WRONG[:-1], {})),
        *((name, {field: [wrong]}, f"/{field}/0") for name, field in WORDS for wrong in (*WRONG[:2], [])),
        ("out_of_scope", {"topics": [{"name": 1, "keywords": ["zig"]}]}, "/topics/0/name"),
    ],
    ids=repr,
)
def test_a_value_of_the_wrong_type_in_a_vocabulary_is_a_fault(name: str, content: Any, pointer: str) -> None:
    assert faults_with(**{name: content}) == [(f"{name.replace('_', '-')}.json", pointer, "type")]


def test_a_number_of_ten_thousand_digits_is_a_fault() -> None:
    data = fixture("valid").replace(b'"rank": 1', b'"rank": ' + b"9" * 10_000, 1)

    assert [(fault.pointer, fault.rule) for fault in faults_in(data)] == [
        ("/categories/learn-rust/sources/0/rank", "type")
    ]


def test_deep_nesting_is_a_fault() -> None:
    data = b"[" * 100_000

    assert [(fault.line, fault.column, fault.rule) for fault in faults_in(data)] == [(1, 33, "nesting")]


def test_all_faults_of_all_files_are_listed_at_once() -> None:
    files = {
        "vocabulary/learn-rust.json": b'{"aliases": ["rust!", "RUST", " "], "keywords": ["how", "a\\tb"]}',
        "vocabulary/notes.txt": b"",
        "vocabulary/out-of-scope.json": b'{"topics": [{"name": "Rust", "keywords": [], "keyword": "z"}, 1]}',
        "vocabulary/rust.json": b"[",
        "vocabulary/sourdough-bread.json": b'{"aliases": ["rust", "%s"]}' % (b"x" * 61),
    }
    faults = faults_in(fixture("version"), files)

    assert [(fault.file.removeprefix("vocabulary/"), fault.pointer, fault.rule) for fault in faults] == [
        ("", "/version", "version"),
        ("learn-rust.json", "/aliases/1", "same-words"),
        ("learn-rust.json", "/aliases/2", "text-blank"),
        ("learn-rust.json", "/keywords/0", "empty-words"),
        ("learn-rust.json", "/keywords/1", "text-characters"),
        ("notes.txt", "", "vocabulary-file"),
        ("out-of-scope.json", "/topics/0/name", "covered-outside"),
        ("out-of-scope.json", "/topics/0/keywords", "outside-keyword-count"),
        ("out-of-scope.json", "/topics/0/keyword", "unknown-field"),
        ("out-of-scope.json", "/topics/1", "type"),
        ("rust.json", "", "vocabulary-file"),
        ("rust.json", "", "syntax"),
        ("sourdough-bread.json", "/aliases/0", "shared-alias"),
        ("sourdough-bread.json", "/aliases/1", "text-length"),
    ]


def test_a_vocabulary_is_checked_beside_a_registry_that_is_no_json() -> None:
    faults = faults_in(b"{", {"vocabulary/any.json": b'{"keyword": []}'})

    assert [(fault.file, fault.rule) for fault in faults] == [
        ("", "syntax"),
        ("vocabulary/any.json", "unknown-field"),
    ]


def test_vocabulary_met_in_the_registry_file_gets_the_place_where_it_belongs() -> None:
    assert [fault.message.partition(". ")[2] for fault in faults_in(fixture("moved-field"))] == [
        'Move this array to vocabulary/learn-rust.json, as {"aliases": […]}.',
        'Move this array to vocabulary/learn-rust.json, as {"keywords": […]}.',
        'Move this array to vocabulary/out-of-scope.json, as {"topics": […]}.',
    ]


def test_the_vocabulary_is_in_a_folder_beside_the_registry_and_may_be_missing(tmp_path: Path) -> None:
    assert read_vocabulary(tmp_path) == {}

    (tmp_path / "vocabulary" / "drafts").mkdir(parents=True)
    for name in ("learn-rust.json", ".learn-rust.json.swp", "notes.txt"):
        (tmp_path / "vocabulary" / name).write_bytes(b"{}")

    assert read_vocabulary(tmp_path) == {
        "vocabulary/drafts": b"",
        "vocabulary/learn-rust.json": b"{}",
        "vocabulary/notes.txt": b"",
    }


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


@pytest.mark.parametrize(
    ("name", "content", "fields"),
    [
        ("learn-rust", {"xyzzy": 1}, "$schema, aliases, keywords"),
        ("out-of-scope", {"topics": [], "xyzzy": 1}, "$schema, topics"),
        ("out-of-scope", {"topics": [{"name": "Zig", "keywords": ["zig"], "xyzzy": 1}]}, "name, keywords"),
    ],
)
def test_the_fault_of_an_unknown_field_in_a_vocabulary_lists_those_of_its_record(
    name: str, content: Any, fields: str
) -> None:
    (fault,) = faults_in(fixture("valid"), {f"vocabulary/{name}.json": json.dumps(content).encode()})

    assert fault.message.endswith(f"The fields here are {fields}.")


def test_faults_behind_a_byte_order_mark_are_found_too() -> None:
    data = b"\xef\xbb\xbf" + fixture("version")

    assert [(fault.line, fault.column, fault.rule) for fault in faults_in(data)] == [
        (1, 1, "byte-order-mark"),
        (2, 14, "version"),
    ]
