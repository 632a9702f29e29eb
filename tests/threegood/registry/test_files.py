"""The files of a vocabulary: found beside the registry, and checked together with it."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.registries import content_of, fixture, vocabulary_fixture
from threegood.registry.faults import Fault, FaultyRegistry
from threegood.registry.files import read_files
from threegood.registry.validate import read_registry, validate

# Name of the folder → file, line, column, pointer and rule of each fault.
FAULTS: Final[dict[str, list[tuple[str, int, int, str, str]]]] = {
    "covered-outside": [("out-of-scope.json", 7, 9, "/topics/0/keywords/1", "covered-outside")],
    "shared-alias": [("sourdough-bread.json", 4, 5, "/aliases/1", "shared-alias")],
    "vocabulary-file": [("learn-rusty.json", 1, 1, "", "vocabulary-file")],
}

WRONG: Final[tuple[Any, ...]] = (None, True, "book", [])
WORDS: Final = (("learn_rust", "aliases"), ("learn_rust", "keywords"), ("out_of_scope", "topics"))


def faults_in(data: bytes, vocabulary: dict[str, bytes]) -> tuple[Fault, ...]:
    with pytest.raises(FaultyRegistry) as refusal:
        validate(data, vocabulary)
    return refusal.value.faults


def faults_with(**vocabulary: Any) -> list[tuple[str, str, str]]:
    """File, pointer and rule of each fault in a vocabulary of these contents, with a valid registry."""
    files = {
        f"vocabulary/{name.replace('_', '-')}.json": json.dumps(content).encode()
        for name, content in vocabulary.items()
    }
    faults = faults_in(fixture("valid"), files)
    return [(fault.file.removeprefix("vocabulary/"), fault.pointer, fault.rule) for fault in faults]


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_a_vocabulary_has_its_file_too(name: str) -> None:
    faults = faults_in(fixture("valid"), vocabulary_fixture(name))

    assert [(Path(fault.file).name, *fault[1:5]) for fault in faults] == FAULTS[name]
    assert {Path(fault.file).parent.name for fault in faults} == {"vocabulary"}


def test_valid_files_become_the_registry_that_they_say() -> None:
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


def test_the_vocabulary_is_in_a_folder_beside_the_registry_and_may_be_missing(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_bytes(fixture("valid"))

    assert read_files(file) == (fixture("valid"), {})
    assert read_registry(file) == validate(fixture("valid"))

    (tmp_path / "vocabulary" / "drafts").mkdir(parents=True)
    for name in ("learn-rust.json", ".learn-rust.json.swp", "notes.txt"):
        (tmp_path / "vocabulary" / name).write_bytes(b"{}")

    assert read_files(file).vocabulary == {
        "vocabulary/drafts": b"",
        "vocabulary/learn-rust.json": b"{}",
        "vocabulary/notes.txt": b"",
    }
