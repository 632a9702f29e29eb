"""Type hints of parameters become JSON Schema, and arguments are validated by it."""

import dataclasses
import datetime
import enum
from collections.abc import Callable
from typing import Annotated, Any, Literal, NotRequired

import pytest
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, Tag, WithJsonSchema, with_config
from typing_extensions import TypedDict

from mcpcore import Param
from mcpcore.protocol.errors import InvalidArguments
from tests.support.functions import arguments_of, taking


class Colour(enum.Enum):
    RED = "red"


class Place(TypedDict):
    """Where."""

    city: str
    number: NotRequired[int]


class Trip(TypedDict):
    start: Place
    stops: Annotated[list[Place], Field(max_length=2, description="On the way.")]


class Titled(TypedDict):
    title: str
    properties: int


class Model(BaseModel):
    name: str
    number: int = 3


@dataclasses.dataclass
class Point:
    x: int


@with_config(ConfigDict(str_strip_whitespace=True))
class Trimmed(TypedDict):
    name: str


@with_config(ConfigDict(json_schema_extra={"required": []}))
class Changed(TypedDict):
    name: str


class Renamed(TypedDict):
    name: Annotated[str, Field(alias="Name")]


class Defaulted(TypedDict):
    name: Annotated[NotRequired[str], Field(default="x")]


def nothing() -> str:
    return ""


def defaults(i: int = 1, s: str = "", n: int | None = None, c: list[int] = [], b: bool = False) -> str:  # noqa: B006  # shown to clients
    return f"{i}{s}{n}{c}{b}"


def limits(
    q: Annotated[str, Field(min_length=1, max_length=5, pattern="^a", description="What.")],
    t: Annotated[float, Field(ge=0, le=1)] = 0.5,
    choice: Literal["x", "y"] = "x",
    *,
    colour: Colour | None = None,
) -> str:
    return f"{q}{t}{choice}{colour}"


def ranges(
    portion: Annotated[float, Field(ge=0)],
    people: Annotated[int, Field(ge=1, le=50)],
    more: Annotated[int | None, Field(ge=2, le=8)] = None,
) -> str:
    return f"{portion}{people}{more}"


def nested(trip: Trip, titled: Titled | None = None, model: Model | None = None) -> str:
    return f"{trip}{titled}{model}"


CLOSED = {"additionalProperties": False, "type": "object"}
PLACE = {
    **CLOSED,
    "description": "Where.",
    "properties": {"city": {"type": "string"}, "number": {"type": "integer"}},
    "required": ["city"],
}
STOPS = {
    "description": "On the way.",
    "items": {"$ref": "#/$defs/Place"},
    "maxItems": 2,
    "type": "array",
}
TRIP = {
    **CLOSED,
    "properties": {"start": {"$ref": "#/$defs/Place"}, "stops": STOPS},
    "required": ["start", "stops"],
}
TITLED = {
    **CLOSED,
    "properties": {"title": {"type": "string"}, "properties": {"type": "integer"}},
    "required": ["title", "properties"],
}
MODEL = {
    "properties": {"name": {"type": "string"}, "number": {"default": 3, "type": "integer"}},
    "required": ["name"],
    "type": "object",
}


def or_null(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


ARGUMENTS: list[tuple[Callable[..., str], dict[str, Any]]] = [
    (nothing, {"properties": {}}),
    (
        defaults,
        {
            "properties": {
                "i": {"type": "integer", "default": 1},
                "s": {"type": "string", "default": ""},
                "n": or_null({"type": "integer"}),
                "c": {"items": {"type": "integer"}, "type": "array", "default": []},
                "b": {"type": "boolean", "default": False},
            },
        },
    ),
    (
        limits,
        {
            "$defs": {"Colour": {"enum": ["red"], "type": "string"}},
            "properties": {
                "q": {
                    "description": "What.",
                    "maxLength": 5,
                    "minLength": 1,
                    "pattern": "^a",
                    "type": "string",
                },
                "t": {"maximum": 1, "minimum": 0, "type": "number", "default": 0.5},
                "choice": {"enum": ["x", "y"], "type": "string", "default": "x"},
                "colour": or_null({"$ref": "#/$defs/Colour"}),
            },
            "required": ["q"],
        },
    ),
    (
        nested,
        {
            "$defs": {"Place": PLACE, "Trip": TRIP, "Titled": TITLED, "Model": MODEL},
            "properties": {
                "trip": {"$ref": "#/$defs/Trip"},
                "titled": or_null({"$ref": "#/$defs/Titled"}),
                "model": or_null({"$ref": "#/$defs/Model"}),
            },
            "required": ["trip"],
        },
    ),
]


@pytest.mark.requirement("tool-input-schema")
@pytest.mark.parametrize(("function", "expected"), ARGUMENTS, ids=[f.__name__ for f, _ in ARGUMENTS])
def test_parameters_become_a_closed_object_schema(
    function: Callable[..., str], expected: dict[str, Any]
) -> None:
    assert arguments_of(function).json == {**CLOSED, **expected}


@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        (int, {"type": "integer"}),
        (float, {"type": "number"}),
        (bool, {"type": "boolean"}),
        (str, {"type": "string"}),
        (Any, {}),
        (dict[str, int], {"additionalProperties": {"type": "integer"}, "type": "object"}),
        (datetime.date, {"format": "date", "type": "string"}),
    ],
)
def test_the_type_of_a_parameter_becomes_its_schema(hint: Any, expected: dict[str, Any]) -> None:
    assert arguments_of(taking(hint)).json["properties"] == {"value": expected}


def doubled(value: int) -> int:
    return value * 2


PLAIN: list[tuple[Any, Any, Any]] = [
    (int, 10**30, 10**30),
    (float, 1, 1.0),
    (bool, True, True),
    (str, "\u20ac", "€"),
    (Trip, {"start": {"city": "a"}, "stops": []}, {"start": {"city": "a"}, "stops": []}),
    (Annotated[str, Param("Words.", max_length=2)], "a", "a"),
    (Annotated[str, Field(max_length=2, description="Words.", examples=["a"])], "a", "a"),
    (Annotated[list[int] | None, Param(max_length=2)], None, None),
    (Literal["a", 1], 1, 1),
]
NOT_PLAIN: list[tuple[Any, Any, Any]] = [
    (datetime.date, "2026-07-28", datetime.date(2026, 7, 28)),
    (Colour, "red", Colour.RED),
    (Colour | None, None, None),
    (Model, {"name": "a"}, Model(name="a")),
    (Point, {"x": 1}, Point(1)),
    (Trimmed, {"name": " a "}, {"name": "a"}),
    (Renamed, {"Name": "a"}, {"name": "a"}),
    (Defaulted, {}, {"name": "x"}),
    (Annotated[int, AfterValidator(doubled)], 2, 4),
    (Annotated[int, Field(multiple_of=2)], 2, 2),
    (Annotated[str, Field(pattern="^a")], "ab", "ab"),
    (Annotated[str, WithJsonSchema({"type": "integer"})], "a", "a"),
    (Annotated[str, Field(max_length=2, json_schema_extra={"maxLength": 9})], "ab", "ab"),
    (Changed, {"name": "a"}, {"name": "a"}),
    (Annotated[int, Tag("number")] | str, 1, 1),
    (dict[str, int], {"a": 1}, {"a": 1}),
    (tuple[int, ...], [1], (1,)),
    (Any, [{"x": None}], [{"x": None}]),
]


@pytest.mark.parametrize(
    ("hint", "value", "expected", "plain"),
    [*((*row, True) for row in PLAIN), *((*row, False) for row in NOT_PLAIN)],
)
def test_a_valid_argument_is_passed_as_its_type_and_a_type_is_plain_if_json_schema_describes_it_fully(
    hint: Any, value: object, expected: object, plain: bool
) -> None:
    schema = arguments_of(taking(hint))

    assert schema.checked("tool", {"value": value}) == {"value": expected}
    assert schema.plain is plain


def test_a_literal_that_is_not_a_json_value_is_not_plain() -> None:
    assert not arguments_of(taking(Literal[Colour.RED])).plain


def test_a_default_is_left_to_the_function() -> None:
    assert arguments_of(defaults).checked("tool", {}) == {}


START = {"city": "a"}
FAULTS: list[tuple[Callable[..., str], dict[str, Any], list[str]]] = [
    (limits, {"q": ""}, ["q: string should have at least 1 character"]),
    (limits, {"q": "aaaaaa"}, ["q: string should have at most 5 characters"]),
    (limits, {"q": "b"}, ["q: string should match pattern '^a'"]),
    (limits, {"q": "a", "t": 2}, ["t: input should be a number from 0 to 1"]),
    (limits, {"q": "a", "t": "0.5"}, ["t: input should be a number from 0 to 1"]),
    (ranges, {}, ["portion: field required", "people: field required"]),
    (ranges, {"portion": 0.5, "people": 0}, ["people: input should be a whole number from 1 to 50"]),
    (ranges, {"portion": 0.5, "people": 1, "more": 9}, ["more: input should be a whole number from 2 to 8"]),
    (ranges, {"portion": -1, "people": 1}, ["portion: input should be greater than or equal to 0"]),
    (limits, {"q": "a", "choice": "z"}, ["choice: input should be 'x' or 'y'"]),
    (limits, {"q": "a", "colour": "blue"}, ["colour: input should be 'red'"]),
    (defaults, {"b": 1}, ["b: input should be a valid boolean"]),
    (defaults, {"b": "true"}, ["b: input should be a valid boolean"]),
    (
        defaults,
        {"c": ["x", 1, None]},
        ["c.0: input should be a valid integer", "c.2: input should be a valid integer"],
    ),
    (nested, {"trip": []}, ["trip: input should be an object"]),
    (nested, {"trip": {"start": {**START, "zip": 1}, "stops": []}}, ["trip.start.zip: no such field"]),
    (
        nested,
        {"trip": {"start": {}, "stops": [{}]}},
        ["trip.start.city: field required", "trip.stops.0.city: field required"],
    ),
    (
        nested,
        {"trip": {"start": START, "stops": []}, "model": {"name": "x", "number": "1"}},
        ["model.number: input should be a valid integer"],
    ),
    (defaults, {"i": "1"}, ["i: input should be a valid integer"]),
    (defaults, {"i": True}, ["i: input should be a valid integer"]),
    (defaults, {"i": 1.5}, ["i: input should be a valid integer"]),
    (defaults, {"i": None}, ["i: input should be a valid integer"]),
    (defaults, {"x": "x"}, ["x: no such argument (known: i, s, n, c, b)"]),
    (nothing, {"x" * 5000: 1}, [f"{'x' * 100}…: no such argument (known: none)"]),
    (
        nothing,
        {f"x{number}": 1 for number in range(20)},
        [f"x{number}: no such argument (known: none)" for number in range(10)],
    ),
]


def test_values_of_unknown_arguments_are_not_looked_at() -> None:
    no_json = {f"x{number}": object() for number in range(20)}
    for arguments in (no_json, {"x": object()}):
        with pytest.raises(InvalidArguments):
            arguments_of(nothing).checked("tool", arguments)


@pytest.mark.parametrize(("function", "arguments", "faults"), FAULTS)
def test_each_fault_of_the_arguments_is_named_with_its_place(
    function: Callable[..., str], arguments: dict[str, Any], faults: list[str]
) -> None:
    with pytest.raises(InvalidArguments) as refused:
        arguments_of(function).checked("tool", arguments)

    assert (refused.value.tool, refused.value.faults) == ("tool", tuple(faults))
