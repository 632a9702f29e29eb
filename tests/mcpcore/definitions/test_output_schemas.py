"""Return types: content, or structured content with a schema, and the versions that support it."""

from typing import Any, NotRequired

import pytest
from jsonschema import Draft202012Validator
from pydantic import BaseModel
from typing_extensions import TypedDict

from mcpcore import Audio, ContentBlock, EmbeddedResource, Image, ResourceLink, Text, ToolResult
from mcpcore.definitions.schemas import OutputSchema, declared_output
from mcpcore.definitions.type_schemas import output_schema
from tests.support.functions import output_of, returning
from tests.support.messages import SUPPORTED


class Place(TypedDict):
    """Where."""

    city: str
    number: NotRequired[int]


class Model(BaseModel):
    name: str
    number: int = 3


def schema_of(hint: object) -> OutputSchema:
    schema = output_of(hint)
    assert schema is not None
    return schema


PLACE = {
    "type": "object",
    "description": "Where.",
    "properties": {"city": {"type": "string"}, "number": {"type": "integer"}},
    "required": ["city"],
}
MODEL = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "number": {"default": 3, "type": "integer"}},
    "required": ["name"],
}
STRINGS = {"items": {"type": "string"}, "type": "array"}

# Any type may be structured content since 2026-07-28; before, one that is no object is wrapped in one.
STRUCTURED: list[tuple[Any, dict[str, Any], list[str]]] = [
    *(
        (hint, schema, SUPPORTED[:3])
        for hint, schema in (
            (Place, PLACE),
            (Model, MODEL),
            (dict[str, int], {"additionalProperties": {"type": "integer"}, "type": "object"}),
        )
    ),
    *(
        (hint, schema, SUPPORTED[:1])
        for hint, schema in (
            (int, {"type": "integer"}),
            (float, {"type": "number"}),
            (bool, {"type": "boolean"}),
            (list[str], STRINGS),
            (tuple[str, ...], STRINGS),
            (int | None, {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        )
    ),
]


@pytest.mark.parametrize(("hint", "expected", "versions"), STRUCTURED)
def test_a_return_type_becomes_the_output_schema_of_the_versions_that_support_it(
    hint: Any, expected: dict[str, Any], versions: list[str]
) -> None:
    schema = schema_of(hint)

    assert schema.json == schema_of(ToolResult[hint]).json == expected
    assert [version for version in SUPPORTED if schema.listed_for(version) == expected] == versions


def test_a_string_is_structured_content_inside_a_tool_result() -> None:
    assert schema_of(ToolResult[str]).json == {"type": "string"}


@pytest.mark.parametrize(("hint", "plain"), [(str, True), (list[int] | None, True), (Model, False)])
def test_an_output_schema_is_plain_if_it_describes_the_type_fully(hint: Any, plain: bool) -> None:
    assert schema_of(ToolResult[hint]).plain is plain


CONTENT: list[object] = [
    *(None, type(None), str, str | None, Any),
    *(Text, Image, Audio, ResourceLink, EmbeddedResource, ContentBlock, Text | Image, str | Text | None),
    *(list[ContentBlock], list[Text | Image], list[Text], tuple[Text, Image], tuple[ContentBlock, ...]),
]


@pytest.mark.parametrize("hint", CONTENT)
def test_text_and_content_blocks_have_no_schema(hint: object) -> None:
    assert output_of(hint) is None


def test_a_function_without_a_return_type_returns_content() -> None:
    function = returning(str)
    del function.__annotations__["return"]

    assert output_schema(function, "tool") is None


@pytest.mark.parametrize(
    ("structured", "expected"),
    [
        ({"city": "a"}, {"city": "a"}),
        ({"city": "a", "number": 1, "more": 2}, {"city": "a", "number": 1}),
    ],
)
def test_structured_content_has_the_members_of_its_schema(
    structured: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert schema_of(ToolResult[Place]).checked(structured) == expected


@pytest.mark.requirement("output-schema-kept")
@pytest.mark.parametrize("structured", [None, {}, {"city": 1}, {"city": "a", "number": "x"}, "a", ["a"]])
def test_structured_content_that_breaks_its_schema_is_refused(structured: object) -> None:
    with pytest.raises(ValueError, match="validation error"):
        schema_of(ToolResult[Place]).checked(structured)


TREE = {
    "$defs": {"leaf": {"const": {"$ref": "#/no-reference"}}},
    "type": "array",
    "items": {"anyOf": [{"$ref": "#"}, {"$ref": "#/$defs/leaf"}]},
    "properties": {"default": {"$ref": "#/$defs/leaf"}, "$ref": {"type": "null"}},
}


@pytest.mark.requirement("output-schema-listed")
def test_the_references_of_a_wrapped_schema_still_lead_to_their_targets() -> None:
    schema = declared_output(TREE, "tool").listed_for("2025-11-25")
    assert schema is not None
    validator = Draft202012Validator(schema)

    assert validator.is_valid({"result": [[], [{"$ref": "#/no-reference"}]]})
    assert not validator.is_valid({"result": [[1]]})
    assert not validator.is_valid([])


INTEGER = {"$defs": {"n": {"type": "integer"}}}


@pytest.mark.parametrize(
    "schema",
    [
        {**INTEGER, "$dynamicRef": "#/$defs/n"},
        {**INTEGER, "$ref": "#/$defs/n", "$id": "https://a.example/n"},
        {**INTEGER, "anyOf": [{**INTEGER, "$ref": "#/$defs/n", "$id": "https://a.example/n"}]},
        {"type": "integer", "discriminator": {"mapping": {"a": "#/$defs/n"}}},
        {"type": "integer", "$schema": "https://json-schema.org/draft/2020-12/schema"},
        {"type": "integer", "dependentRequired": {"$ref": ["a"]}, "x-note": {"$ref": 5, "properties": 5}},
    ],
)
@pytest.mark.requirement("output-schema-listed")
def test_any_schema_that_can_be_declared_can_be_wrapped(schema: dict[str, Any]) -> None:
    wrapped = declared_output(schema, "tool").listed_for("2025-11-25")
    assert wrapped is not None

    assert [Draft202012Validator(wrapped).is_valid({"result": n}) for n in (1, "1")] == [True, False]
    assert {"$schema", "discriminator"}.isdisjoint(wrapped["properties"]["result"])
