"""prompts/list and prompts/get in every version."""

from collections.abc import Callable
from typing import Annotated, Any

import pytest
from pydantic import Field

from mcpcore import (
    BuiltServer,
    CacheHint,
    Icon,
    Image,
    PromptMessage,
    Server,
    Text,
    ToolError,
)
from mcpcore.testing import Client
from tests.support.functions import returning
from tests.support.messages import MODERN, SERVER_INFO_KEY, error, modern, result
from tests.support.servers import Wire
from tests.support.versions import EVERY_VERSION, ask

TAIL = {"resultType": "complete", "_meta": {SERVER_INFO_KEY: {"name": "p", "version": "1"}}}


def greet(
    name: Annotated[str, Field(description="Whom.")], tone: str = "warm", note: str | None = None
) -> str:
    """Greet somebody."""
    return f"A {tone} hello to {name}. {note}"


def broken() -> str:
    """Break."""
    raise RuntimeError("secret")


def refusing() -> str:
    """Say no."""
    raise ToolError("Not today.")


@pytest.fixture(scope="module")
def built() -> BuiltServer:
    """A server with prompts that succeed and prompts that fail."""
    server = Server("p", version="1", cache=CacheHint(5, "private"))
    server.prompt(title="Greeting", icons=[Icon("a:b", "image/png", ("48x48", "any"), "dark")])(greet)
    server.prompt("plain", description="")(returning(str, "Plain."))
    server.prompt(broken)
    server.prompt(refusing)
    return server.build()


@pytest.fixture
def wire(built: BuiltServer) -> Wire:
    """The server, with no session yet."""
    return Wire(built)


def user(content: Any) -> dict[str, Any]:
    return {"role": "user", "content": content}


def text(words: str) -> dict[str, str]:
    return {"type": "text", "text": words}


NAMED: dict[str, Any] = {"name": "greet"}
REST: dict[str, Any] = {
    "description": "Greet somebody.",
    "arguments": [
        {"name": "name", "required": True, "description": "Whom."},
        {"name": "tone", "required": False},
        {"name": "note", "required": False},
    ],
}
ICONS = {"icons": [{"src": "a:b", "mimeType": "image/png", "sizes": ["48x48", "any"], "theme": "dark"}]}
COMPLETE = {**NAMED, "title": "Greeting", **REST, **ICONS}
OTHERS = [
    {"name": "plain"},
    {"name": "broken", "description": "Break."},
    {"name": "refusing", "description": "Say no."},
]


@pytest.mark.requirement("prompts-listed")
@pytest.mark.parametrize(
    ("version", "first", "members"),
    [
        ("2024-11-05", {**NAMED, **REST}, {}),
        ("2025-03-26", {**NAMED, **REST}, {}),
        ("2025-06-18", {**NAMED, "title": "Greeting", **REST}, {}),
        ("2025-11-25", COMPLETE, {}),
        (MODERN, COMPLETE, {"ttlMs": 5, "cacheScope": "private", **TAIL}),
    ],
)
def test_a_list_has_the_members_that_its_version_knows(
    wire: Wire, version: str, first: dict[str, Any], members: dict[str, Any]
) -> None:
    assert ask(wire, version, "prompts/list") == result(1, {"prompts": [first, *OTHERS], **members})


@pytest.mark.requirement("prompt-arguments")
@pytest.mark.parametrize("version", EVERY_VERSION)
@pytest.mark.parametrize(
    ("params", "members"),
    [
        (
            {"name": "greet", "arguments": {"name": "Ada"}},
            {"description": "Greet somebody.", "messages": [user(text("A warm hello to Ada. None"))]},
        ),
        (
            {"name": "greet", "arguments": {"name": "", "tone": "cool", "note": "\ud83d\ude00"}},
            {"description": "Greet somebody.", "messages": [user(text("A cool hello to . \ud83d\ude00"))]},
        ),
        ({"name": "plain"}, {"messages": [user(text("Plain."))]}),
        ({"name": "plain", "arguments": {}}, {"messages": [user(text("Plain."))]}),
    ],
)
def test_arguments_are_filled_in_and_those_with_a_default_may_be_left_out(
    wire: Wire, version: str, params: dict[str, Any], members: dict[str, Any]
) -> None:
    expected = result(1, {**members, **{MODERN: TAIL}.get(version, {})})

    assert ask(wire, version, "prompts/get", params) == expected


def client_of(hint: object, value: object, version: str = MODERN) -> Client:
    """A client of a server with a prompt that returns `value`."""
    server = Server("p", version="1")
    server.prompt("prompt")(returning(hint, value))
    return Client(server, protocol_version=version)


PICTURE = {"type": "image", "data": "", "mimeType": "image/png"}
TALK = [PromptMessage("user", Text("Hi")), PromptMessage("assistant", Image(b"", "image/png"))]
MIXED = ["a", Text("b"), PromptMessage("user", Text("c"))]


@pytest.mark.requirement("prompt-messages")
@pytest.mark.parametrize("version", EVERY_VERSION)
@pytest.mark.parametrize(
    ("hint", "value", "messages"),
    [
        (list[PromptMessage], TALK, [user(text("Hi")), {"role": "assistant", "content": PICTURE}]),
        (Text, Text("x"), [user(text("x"))]),
        (list[str | Text | PromptMessage], MIXED, [user(text("a")), user(text("b")), user(text("c"))]),
        (list[str], [], []),
    ],
)
def test_each_message_has_its_role_and_one_block(
    version: str, hint: object, value: object, messages: list[Any]
) -> None:
    assert client_of(hint, value, version).get_prompt("prompt") == messages


NO_NAME = "Invalid params: name must be a string"


def unknown(name: str) -> str:
    return f"Unknown prompt: {name}. prompts/list names the prompts there are"


def invalid(faults: str) -> str:
    return f"Invalid arguments for prompt greet: {faults}"


@pytest.mark.requirement("prompt-invalid")
@pytest.mark.parametrize("version", EVERY_VERSION)
@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"name": "nope"}, unknown("nope")),
        ({"name": "Greet"}, unknown("Greet")),
        ({"name": "x" * 101}, unknown("x" * 100 + "…")),
        *((params, NO_NAME) for params in ({}, {"name": None}, {"name": ["greet"]})),
        ({"name": "greet"}, invalid("name is missing")),
        ({"name": "greet", "arguments": {}}, invalid("name is missing")),
        ({"name": "greet", "arguments": {"tone": "cool"}}, invalid("name is missing")),
        ({"name": "greet", "arguments": {"name": 5}}, invalid("name must be a string")),
        ({"name": "greet", "arguments": {"name": None}}, invalid("name must be a string")),
        ({"name": "greet", "arguments": {"name": "x", "tone": ["cool"]}}, invalid("tone must be a string")),
        ({"name": "greet", "arguments": {"name": "x", "nmae": "y"}}, invalid("there is no nmae")),
        ({"name": "greet", "arguments": {"name": "x", "context": "y"}}, invalid("there is no context")),
        (
            {"name": "greet", "arguments": {"y" * 101: 1}},
            invalid(f"{'y' * 100}… must be a string; there is no {'y' * 100}…; name is missing"),
        ),
        ({"name": "greet", "arguments": "x"}, "Invalid params: arguments must be an object, not a string"),
        ({"name": "greet", "arguments": None}, invalid("name is missing")),
        ({"name": "greet", "arguments": []}, invalid("name is missing")),
    ],
)
def test_params_that_do_not_fit_the_prompt_are_invalid_in_every_version(
    wire: Wire, version: str, params: dict[str, Any], sentence: str
) -> None:
    assert ask(wire, version, "prompts/get", params) == error(200, 1, -32602, sentence)


@pytest.mark.requirement("prompt-fault")
@pytest.mark.parametrize("version", EVERY_VERSION)
@pytest.mark.parametrize(
    ("name", "code", "sentence"), [("broken", -32603, "Internal error"), ("refusing", -32602, "Not today.")]
)
def test_an_exception_is_an_internal_error_and_a_refusal_an_error_of_the_params(
    wire: Wire, version: str, name: str, code: int, sentence: str
) -> None:
    assert ask(wire, version, "prompts/get", {"name": name}) == error(200, 1, code, sentence)


def raising() -> str:
    raise RuntimeError("secret")


@pytest.mark.parametrize(
    ("function", "cause"),
    [
        (raising, "RuntimeError('secret')"),
        (returning(str, 5), "TypeError('the prompt prompt returned int, which is not a message')"),
        (returning(str), "TypeError('the prompt prompt returned NoneType, which is not a message')"),
        (returning(PromptMessage, PromptMessage("system", Text("x"))), "ValueError("),
        (returning(PromptMessage, PromptMessage("user", "x")), "TypeError("),  # type: ignore[arg-type]  # the fault
        (returning(Text, Text(5)), "TypeError("),  # type: ignore[arg-type]  # the fault under test
        (returning(Image, Image("x", "image/png")), "TypeError("),  # type: ignore[arg-type]  # the fault
        (returning(Text, Text("x", {"priority": object()})), "TypeError("),
    ],
)
def test_a_message_that_cannot_be_sent_is_an_internal_error_with_the_cause_for_the_log(
    function: Callable[..., Any], cause: str
) -> None:
    server = Server("p", version="1")
    server.prompt("prompt")(function)
    wire = Wire(server)
    record = wire.outcome(modern("prompts/get", {"name": "prompt"})).record

    assert ask(wire, MODERN, "prompts/get", {"name": "prompt"}) == error(200, 1, -32603, "Internal error")
    assert (record.error, repr(record.cause)[: len(cause)]) == ("HandlerCrashed", cause)
