"""Handlers that ask, in both eras: plain and awaited questions, and forms given as types."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from mcpcore import Context, Elicit, ListRoots, Sample, Server
from mcpcore.protocol.errors import InvalidParams
from mcpcore.questions.form import filled_in
from mcpcore.testing import Client
from tests.support.messages import LEGACY, MODERN
from tests.support.questions import tool_server
from tests.support.servers import NAME

BOTH = pytest.mark.parametrize("version", [LEGACY, MODERN])


def all_kinds(*, context: Context) -> str:
    """Ask for a form, a page, a message and the roots."""
    name = context.elicit("Who?", NAME).content["name"]
    visited = context.elicit_url("Sign in.", "https://a.example").action
    said = context.sample(f"Greet {name}.", max_tokens=9).text
    return f"{said} {visited} {[root.uri for root in context.roots()]}"


async def all_awaited(*, context: Context) -> str:
    """Ask the same, and await each answer."""
    await asyncio.sleep(0)
    name = (await context.elicit("Who?", NAME)).content["name"]
    visited = (await context.elicit_url("Sign in.", "https://a.example")).action
    said = (await context.sample(f"Greet {name}.", max_tokens=9)).text
    return f"{said} {visited} {[root.uri for root in await context.roots()]}"


async def at_once(*, context: Context) -> str:
    """Ask for three things at once, and await the answers."""
    answers = await context.ask({"who": Elicit("Who?", NAME), "said": Sample("Hi", 9), "where": ListRoots()})
    return ", ".join(f"{key}: {type(answer).__name__}" for key, answer in answers.items())


async def in_tasks(*, context: Context) -> str:
    """Ask in two tasks at once."""

    async def ask(key: str) -> str:
        return str((await context.elicit("Who?", NAME, key=key)).content["name"])

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(ask(key)) for key in ("a", "b")]
    return " and ".join(task.result() for task in tasks)


@BOTH
@pytest.mark.parametrize(
    ("tool", "text"),
    [
        (all_kinds, "GREET ADA. accept ['file:///a', 'file:///b']"),
        (all_awaited, "GREET ADA. accept ['file:///a', 'file:///b']"),
        (at_once, "who: Elicited, said: Sampled, where: Roots"),
        (in_tasks, "Ada and Ada"),
    ],
)
def test_a_handler_asks_everything_awaited_or_not(tool: Any, text: str, version: str) -> None:
    client = Client(
        tool_server(tool),
        protocol_version=version,
        on_elicit=lambda _message, _schema: {"name": "Ada"},
        on_sample=lambda params: params["messages"][0]["content"]["text"].upper(),
        roots=["file:///a", "file:///b"],
    )

    assert client.call_tool(tool.__name__).text == text


@BOTH
def test_a_client_for_tests_sees_the_page_and_sends_no_content_for_it(version: str) -> None:
    def visit(*, context: Context) -> str:
        """Send the user to a page."""
        return str(context.elicit_url("Sign in.", "https://a.example"))

    seen: list[object] = []
    client = Client(tool_server(visit), protocol_version=version, on_elicit=lambda *asked: seen.append(asked))

    assert client.call_tool("visit").text == "Elicited(action='accept', content={})"
    assert seen == [("Sign in.", {"mode": "url", "url": "https://a.example"})]


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class SeatModel(BaseModel):
    """A seat."""

    row: int
    colour: Colour = Colour.RED
    extras: list[Literal["meal", "window"]] = []


@dataclass
class SeatDataclass:
    row: Annotated[int, Field(ge=1)]
    name: str = "Ada"
    remark: str | None = None
    side: Colour | None = None
    kind: Literal["seat"] = "seat"


class SeatDict(TypedDict):
    row: int


def asking_for(form: type, seen: list[object]) -> Server:
    """A tool that asks for `form`, and keeps the content of the answer."""

    def reserve(*, context: Context) -> str:
        """Reserve a seat."""
        answer = context.elicit("Which seat?", form, key="seat")
        seen.append(answer.content)
        return answer.action

    return tool_server(reserve)


ROW = {"type": "integer"}
EXTRAS = {"type": "array", "items": {"type": "string", "enum": ["meal", "window"]}, "default": []}
FORMS: list[tuple[type, dict[str, Any], dict[str, Any], object]] = [
    (
        SeatModel,
        {
            "row": ROW,
            "colour": {"type": "string", "enum": ["red", "blue"], "default": "red"},
            "extras": EXTRAS,
        },
        {"row": 3, "colour": "blue", "extras": ["meal"]},
        SeatModel(row=3, colour=Colour.BLUE, extras=["meal"]),
    ),
    (
        SeatDataclass,
        {
            "row": {**ROW, "minimum": 1},
            "name": {"type": "string", "default": "Ada"},
            "remark": {"type": "string"},
            "side": {"type": "string", "enum": ["red", "blue"]},
            "kind": {"type": "string", "enum": ["seat"], "default": "seat"},
        },
        {"row": 3},
        SeatDataclass(3),
    ),
    (SeatDict, {"row": ROW}, {"row": 3}, {"row": 3}),
]


@BOTH
@pytest.mark.requirement("elicit-request", "elicit-actions")
@pytest.mark.parametrize(("form", "properties", "content", "expected"), FORMS)
def test_a_form_is_a_type_and_its_content_an_instance(
    version: str, form: type, properties: dict[str, Any], content: dict[str, Any], expected: object
) -> None:
    schemas: list[Mapping[str, Any]] = []
    contents: list[object] = []

    def on_elicit(_message: str, schema: Mapping[str, Any]) -> object:
        schemas.append(schema)
        return content

    client = Client(asking_for(form, contents), protocol_version=version, on_elicit=on_elicit)
    assert client.call_tool("reserve").text == "accept"
    assert (schemas[0]["properties"], schemas[0]["required"]) == (properties, ["row"])
    assert (contents, type(contents[0])) == ([expected], type(expected))


@BOTH
@pytest.mark.parametrize("action", ["decline", "cancel"])
@pytest.mark.parametrize(("form", "content"), [(SeatModel, None), (SeatDict, None), (NAME, {})])
def test_a_form_that_is_not_accepted_has_no_content(
    version: str, action: str, form: Any, content: object
) -> None:
    contents: list[object] = []
    server = asking_for(form, contents)

    client = Client(server, protocol_version=version, on_elicit=lambda *_: action)

    assert (client.call_tool("reserve").text, contents) == (action, [content])


@pytest.mark.requirement("elicit-checked")
@pytest.mark.parametrize(
    ("form", "content", "reason"),
    [
        (SeatModel, {}, "row: Field required"),
        (SeatModel, {"row": "3"}, "row: Input should be a valid integer"),
        (SeatModel, {"row": 3, "colour": "green"}, "colour: Input should be 'red' or 'blue'"),
        (SeatDataclass, {"row": 0}, "row: Input should be greater than or equal to 1"),
        (SeatDict, {"row": None, "x": 1}, "row: Input should be a valid integer"),
    ],
)
def test_content_that_does_not_fit_the_type_is_an_invalid_answer(
    form: type, content: dict[str, Any], reason: str
) -> None:
    contents: list[object] = []
    text = f"Invalid answer to seat: {reason}"
    legacy, modern = (
        Client(asking_for(form, contents), protocol_version=version, on_elicit=lambda *_: content)
        for version in (LEGACY, MODERN)
    )

    assert legacy.call_tool("reserve").text == text
    with pytest.raises(InvalidParams) as refused:
        modern.call_tool("reserve")
    assert (refused.value.message, contents) == (text, [])


@dataclass
class Nested:
    seat: SeatDict


@dataclass
class Token:
    token: UUID


@dataclass
class Row:
    row: Annotated[int, Field(gt=0)]


class Level(IntEnum):
    LOW = 1
    HIGH = 2


@dataclass
class Alarm:
    level: Level


@dataclass
class Remark:
    text: str | None


@dataclass
class NotJson:
    seat: asyncio.Lock


@pytest.mark.parametrize(
    ("form", "reason"),
    [
        (Nested, "seat cannot be a field of a form: it is nested or has no single type; use a string"),
        (Token, "token cannot be a field of a form: clients do not know the format uuid; use email"),
        (Row, "row cannot be a field of a form: clients do not apply exclusiveMinimum; use minimum"),
        (Alarm, "level cannot be a field of a form: write its choices as an enum of strings"),
        (Remark, "text cannot be a field of a form: give it the default None, or no None"),
        (dict, "dict cannot be a form: it names no fields"),
        (Colour, 'the schema of a form must have "type": "object" at its root'),
        (NotJson, "NotJson cannot be a form: "),
    ],
)
def test_a_form_that_a_client_cannot_show_is_not_asked(form: type, reason: str) -> None:
    client = Client(asking_for(form, []), on_elicit=lambda *_: {})

    assert client.call_tool("reserve").is_error
    assert reason in str(client.record.cause)


class Closed(BaseModel, extra="forbid"):
    """A form that allows no other members."""

    name: str


CLOSED = {"type": "object", "properties": {"name": {"type": "string"}}, "additionalProperties": False}


@pytest.mark.parametrize("form", [Closed, CLOSED])
def test_an_answer_with_many_faults_is_refused_with_the_first(form: Any) -> None:
    content = {"name": "Ada", **{f"{'x' * 1000}{number}": "" for number in range(900)}}
    with pytest.raises(ValueError, match=r"x{10}") as refused:
        filled_in(form, content)
    assert len(str(refused.value)) < 2_000
