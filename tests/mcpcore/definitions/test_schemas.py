"""Type hints become JSON Schema, to the word; what clients are shown is what is enforced."""

import datetime
import enum
from collections.abc import Callable
from typing import Annotated, Any, Literal, NotRequired

import pytest
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from mcpcore import Context
from mcpcore.definitions.type_schemas import arguments_schema, takes_context
from mcpcore.protocol.errors import InvalidArguments


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


def nothing() -> str:
    return ""


def scalars(i: int, f: float, b: bool, s: str) -> str:
    return f"{i}{f}{b}{s}"


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


def titles(title: str, titled: Titled) -> str:
    return f"{title}{titled}"


def loose(anything: Any, by_name: dict[str, int], day: datetime.date) -> str:
    return f"{anything}{by_name}{day}"


def with_context(word: str, *, context: Context) -> str:
    return f"{word}{context}"


def context_of_its_own(context: str) -> str:
    return context


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
    (nothing, {**CLOSED, "properties": {}}),
    (
        scalars,
        {
            **CLOSED,
            "properties": {
                "i": {"type": "integer"},
                "f": {"type": "number"},
                "b": {"type": "boolean"},
                "s": {"type": "string"},
            },
            "required": ["i", "f", "b", "s"],
        },
    ),
    (
        defaults,
        {
            **CLOSED,
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
            **CLOSED,
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
            **CLOSED,
            "$defs": {"Place": PLACE, "Trip": TRIP, "Titled": TITLED, "Model": MODEL},
            "properties": {
                "trip": {"$ref": "#/$defs/Trip"},
                "titled": or_null({"$ref": "#/$defs/Titled"}),
                "model": or_null({"$ref": "#/$defs/Model"}),
            },
            "required": ["trip"],
        },
    ),
    (
        titles,
        {
            **CLOSED,
            "$defs": {"Titled": TITLED},
            "properties": {"title": {"type": "string"}, "titled": {"$ref": "#/$defs/Titled"}},
            "required": ["title", "titled"],
        },
    ),
    (
        loose,
        {
            **CLOSED,
            "properties": {
                "anything": {},
                "by_name": {"additionalProperties": {"type": "integer"}, "type": "object"},
                "day": {"format": "date", "type": "string"},
            },
            "required": ["anything", "by_name", "day"],
        },
    ),
    (with_context, {**CLOSED, "properties": {"word": {"type": "string"}}, "required": ["word"]}),
    (
        context_of_its_own,
        {**CLOSED, "properties": {"context": {"type": "string"}}, "required": ["context"]},
    ),
]


@pytest.mark.requirement("tool-input-schema")
@pytest.mark.parametrize(("function", "expected"), ARGUMENTS, ids=[f.__name__ for f, _ in ARGUMENTS])
def test_parameters_become_a_closed_object_schema(
    function: Callable[..., str], expected: dict[str, Any]
) -> None:
    assert arguments_schema(function, "tool").json == expected


@pytest.mark.parametrize(
    ("function", "expected"), [(nothing, False), (with_context, True), (context_of_its_own, False)]
)
def test_only_a_keyword_only_parameter_called_context_is_handed_the_context(
    function: Callable[..., str], expected: bool
) -> None:
    assert takes_context(function) is expected


@pytest.mark.parametrize(
    ("function", "arguments", "expected"),
    [
        (nothing, {}, {}),
        (
            scalars,
            {"i": 10**30, "f": 1, "b": True, "s": "\u20ac"},
            {"i": 10**30, "f": 1.0, "b": True, "s": "€"},
        ),
        (defaults, {}, {}),
        (limits, {"q": "a", "colour": "red"}, {"q": "a", "colour": Colour.RED}),
        (limits, {"q": "a", "colour": None}, {"q": "a", "colour": None}),
        (
            loose,
            {"anything": [{"x": None}], "by_name": {}, "day": "2026-07-28"},
            {"anything": [{"x": None}], "by_name": {}, "day": datetime.date(2026, 7, 28)},
        ),
        (
            nested,
            {"trip": {"start": {"city": "a"}, "stops": []}, "model": {"name": "b"}},
            {"trip": {"start": {"city": "a"}, "stops": []}, "model": Model(name="b")},
        ),
    ],
)
def test_arguments_that_fit_become_keyword_arguments(
    function: Callable[..., str], arguments: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert arguments_schema(function, "tool").checked("tool", arguments) == expected


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
        {"trip": {"start": {**START, "number": "1"}, "stops": []}},
        ["trip.start.number: input should be a valid integer"],
    ),
    (
        nested,
        {"trip": {"start": START, "stops": []}, "model": {"name": "x", "number": "1"}},
        ["model.number: input should be a valid integer"],
    ),
    (with_context, {"word": "x", "context": {}}, ["context: no such argument (known: word)"]),
]


@pytest.mark.parametrize(("function", "arguments", "faults"), FAULTS)
def test_arguments_that_do_not_fit_are_named_by_place_and_fault(
    function: Callable[..., str], arguments: dict[str, Any], faults: list[str]
) -> None:
    with pytest.raises(InvalidArguments) as refused:
        arguments_schema(function, "tool").checked("tool", arguments)

    assert (refused.value.tool, refused.value.faults) == ("tool", tuple(faults))
