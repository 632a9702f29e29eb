"""What a function returns: content, or structured content with a schema; and which versions hear of it."""

from collections.abc import Callable
from typing import Any, NotRequired

import pytest
from pydantic import BaseModel
from typing_extensions import TypedDict

from mcpcore import (
    Audio,
    ContentBlock,
    DefinitionError,
    EmbeddedResource,
    Image,
    ResourceLink,
    Text,
    ToolResult,
)
from mcpcore.definitions.schemas import OutputSchema
from mcpcore.definitions.type_schemas import output_schema
from tests.support.messages import SUPPORTED


class Place(TypedDict):
    """Where."""

    city: str
    number: NotRequired[int]


class Trip(TypedDict):
    start: Place


class Titled(TypedDict):
    title: str
    properties: int


class Model(BaseModel):
    name: str
    number: int = 3


def giving(hint: object) -> Callable[..., Any]:
    """A function that says that it returns `hint`."""

    def tool() -> None:
        return None

    tool.__annotations__["return"] = hint
    return tool


def schema_of(hint: object) -> OutputSchema:
    """The schema of a function that returns `hint`."""
    schema = output_schema(giving(hint), "tool")
    assert schema is not None
    return schema


PLACE = {
    "type": "object",
    "description": "Where.",
    "properties": {"city": {"type": "string"}, "number": {"type": "integer"}},
    "required": ["city"],
}
TRIP = {
    "type": "object",
    "$defs": {"Place": PLACE},
    "properties": {"start": {"$ref": "#/$defs/Place"}},
    "required": ["start"],
}
TITLED = {
    "type": "object",
    "properties": {"title": {"type": "string"}, "properties": {"type": "integer"}},
    "required": ["title", "properties"],
}
MODEL = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "number": {"default": 3, "type": "integer"}},
    "required": ["name"],
}
NUMBERS = {"additionalProperties": {"type": "integer"}, "type": "object"}
OR_NULL = {"anyOf": [{"type": "integer"}, {"type": "null"}]}
STRINGS = {"items": {"type": "string"}, "type": "array"}

# Structured content is an object until 2025-11-25, any JSON since.
OBJECTS: list[tuple[Any, dict[str, Any]]] = [
    (Place, PLACE),
    (Trip, TRIP),
    (Titled, TITLED),
    (Model, MODEL),
    (dict[str, int], NUMBERS),
]
OTHERS: list[tuple[Any, dict[str, Any]]] = [
    (int, {"type": "integer"}),
    (float, {"type": "number"}),
    (bool, {"type": "boolean"}),
    (list[int], {"items": {"type": "integer"}, "type": "array"}),
    (list[str], STRINGS),
    (tuple[str, ...], STRINGS),
    (int | None, OR_NULL),
]


@pytest.mark.parametrize(("hint", "expected"), OBJECTS + OTHERS)
def test_the_type_that_a_function_returns_becomes_its_schema(hint: Any, expected: dict[str, Any]) -> None:
    assert schema_of(hint).json == expected


@pytest.mark.parametrize(("hint", "expected"), [*OBJECTS, *OTHERS, (str, {"type": "string"})])
def test_the_type_inside_a_tool_result_becomes_its_schema(hint: Any, expected: dict[str, Any]) -> None:
    assert schema_of(ToolResult[hint]).json == expected


@pytest.mark.parametrize(
    "hint",
    [
        None,
        type(None),
        str,
        str | None,
        Any,
        Text,
        Image,
        Audio,
        ResourceLink,
        EmbeddedResource,
        ContentBlock,
        Text | Image,
        str | Text | None,
        list[ContentBlock],
        list[Text | Image],
        list[Text],
        tuple[Text, Image],
        tuple[ContentBlock, ...],
    ],
)
def test_text_and_content_blocks_have_no_schema(hint: object) -> None:
    assert output_schema(giving(hint), "tool") is None


def test_a_function_that_does_not_say_what_it_returns_gives_content() -> None:
    silent = giving(str)
    del silent.__annotations__["return"]

    assert output_schema(silent, "tool") is None


@pytest.mark.parametrize(
    ("hint", "problem"),
    [
        ("Nope", "a type hint cannot be resolved: name 'Nope' is not defined"),
        (ToolResult, "say what is structured: annotate the result as ToolResult[T]"),
    ],
)
def test_a_result_that_cannot_be_described_is_refused(hint: object, problem: str) -> None:
    with pytest.raises(DefinitionError) as refused:
        output_schema(giving(hint), "tool")

    assert (refused.value.where, refused.value.problem) == ("tool", problem)


@pytest.mark.parametrize(
    ("hint", "known"),
    [
        *((hint, SUPPORTED[:3]) for hint, _ in OBJECTS),
        *((hint, SUPPORTED[:1]) for hint, _ in OTHERS),
    ],
)
def test_objects_are_sent_since_2025_06_18_and_all_else_since_2026_07_28(hint: Any, known: list[str]) -> None:
    schema = schema_of(hint)

    assert [version for version in SUPPORTED if schema.sent_to(version)] == known


@pytest.mark.parametrize(
    ("structured", "expected"),
    [
        ({"city": "a"}, {"city": "a"}),
        ({"city": "a", "number": 1, "more": 2}, {"city": "a", "number": 1}),
    ],
)
def test_structured_content_is_sent_as_its_schema_says(
    structured: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert schema_of(ToolResult[Place]).checked(structured) == expected


@pytest.mark.parametrize(
    ("hint", "structured", "expected"),
    [
        (Model, Model(name="x"), '{"name":"x","number":3}'),
        (list[int], [1, 2], "[1,2]"),
        (int, 7, "7"),
        (int | None, None, "null"),
        (dict[str, str], {"ü": "€"}, '{"\\u00fc":"\\u20ac"}'),
    ],
)
def test_structured_content_is_told_in_text_as_json_too(hint: Any, structured: object, expected: str) -> None:
    assert schema_of(hint).as_text(structured) == expected


@pytest.mark.requirement("output-schema-kept")
@pytest.mark.parametrize("structured", [None, {}, {"city": 1}, {"city": "a", "number": "x"}, "a", ["a"]])
def test_structured_content_that_breaks_its_schema_is_refused(structured: object) -> None:
    with pytest.raises(ValueError, match="validation error"):
        schema_of(ToolResult[Place]).checked(structured)
