"""The JSON Schemas: as committed, true of the shipped files, and false of broken ones."""

import json
from pathlib import Path
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from tests.support.commands import threegood
from tests.support.processes import ROOT
from tests.support.registries import content_of
from threegood.registry.schemas import schema_files

SCHEMAS: Final = {
    name: Draft202012Validator(json.loads(data), format_checker=FormatChecker())
    for name, data in schema_files().items()
}
FILES: Final = (ROOT / "registry.json", *sorted((ROOT / "vocabulary").iterdir()))

# Broken fixtures → what the schema says of them: the path, and the keyword that fails.
BROKEN: Final = {
    "date": ("updated", "format"),
    "http-unexplained": ("categories/learn-rust/sources/0", "required"),
    "missing-field": ("categories/learn-rust/sources/2", "required"),
    "moved-field": ("", "additionalProperties"),
    "no-categories": ("categories", "minProperties"),
    "pubkey": ("curator/pubkey", "pattern"),
    "rank": ("categories/learn-rust/sources/2/rank", "maximum"),
    "slug": ("categories", "pattern"),
    "source-count": ("categories/learn-rust/sources", "minItems"),
    "source-type": ("categories/learn-rust/sources/2/type", "enum"),
    "text-length": ("curator/name", "maxLength"),
    "url-scheme": ("categories/learn-rust/sources/0/url", "pattern"),
    "version": ("version", "pattern"),
}


def errors(schema: str, content: Any) -> list[tuple[str, str]]:
    """The path and the failing keyword of each error."""
    return [
        ("/".join(map(str, error.absolute_path)), str(error.validator))
        for error in SCHEMAS[schema].iter_errors(content)
    ]


def test_the_committed_schemas_are_what_the_command_writes(tmp_path: Path) -> None:
    ended = threegood("schemas", tmp_path / "made")

    assert ended.out.count(": written\n") == len(SCHEMAS)
    assert {file.name: file.read_bytes() for file in (tmp_path / "made").iterdir()} == {
        file.name: file.read_bytes() for file in (ROOT / "schemas").iterdir()
    }, "run `threegood schemas`"


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_valid_itself_and_describes_every_member(name: str) -> None:
    schema: dict[str, Any] = json.loads(schema_files()[name])

    Draft202012Validator.check_schema(schema)
    records = [schema, *schema.get("$defs", {}).values()]
    members = [member for record in records for member in record["properties"].values()]
    assert [each for each in (*records, *members) if not each.keys() & {"description", "$ref"}] == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_shipped_file_names_its_schema_and_is_valid_by_it(file: Path) -> None:
    content = json.loads(file.read_bytes())
    schema = file.parent / content["$schema"]

    assert schema.resolve().parent == ROOT / "schemas"
    assert errors(schema.name, content) == []


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_registry_is_not_valid(name: str) -> None:
    assert BROKEN[name] in errors("registry.schema.json", content_of(name))


def test_a_reason_for_plain_http_is_only_beside_such_a_url() -> None:
    assert errors("registry.schema.json", content_of("valid")) == []
    assert errors("registry.schema.json", content_of("http-reason")) != []


@pytest.mark.parametrize(
    ("schema", "content", "error"),
    [
        ("vocabulary", {"aliases": ["k8s"] * 2}, ("aliases", "uniqueItems")),
        ("vocabulary", {"keywords": [f"word {n}" for n in range(501)]}, ("keywords", "maxItems")),
        ("vocabulary", {"keyword": []}, ("", "additionalProperties")),
        ("out-of-scope", {}, ("", "required")),
        ("out-of-scope", {"topics": [{"name": "Zig", "keywords": []}]}, ("topics/0/keywords", "minItems")),
    ],
)
def test_a_broken_vocabulary_is_not_valid(schema: str, content: Any, error: tuple[str, str]) -> None:
    assert errors(f"{schema}.schema.json", content) == [error]
