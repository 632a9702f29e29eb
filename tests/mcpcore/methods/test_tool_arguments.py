"""Arguments of tools/call that do not fit: a protocol error, and a tool error since 2025-11-25."""

from collections.abc import Callable
from typing import Any

import pytest

from mcpcore import BuiltServer, Context, Server
from mcpcore.http import HttpRequest, HttpResponse
from tests.support.messages import (
    LEGACY_VERSIONS,
    MODERN,
    SERVER_INFO_KEY,
    error,
    initialize,
    legacy,
    modern,
    result,
)
from tests.support.servers import Wire, add, echo

EVERY_VERSION = [*LEGACY_VERSIONS, MODERN]
BEFORE_TOOL_ERRORS = ["2024-11-05", "2025-03-26", "2025-06-18"]
SINCE_TOOL_ERRORS = ["2025-11-25", MODERN]
MODERN_MEMBERS = {"resultType": "complete", "_meta": {SERVER_INFO_KEY: {"name": "tools", "version": "1"}}}


def nothing() -> str:
    """Take nothing."""
    return "nothing"


def observe(word: str, *, context: Context) -> str:
    """Take a word, and see the request."""
    return f"{word} {context.envelope.version}"


@pytest.fixture(scope="module")
def built() -> BuiltServer:
    """A server with tools that take something and one that takes nothing."""
    server = Server("tools", version="1")
    for function in (echo, add, nothing, observe):
        server.tool()(function)
    return server.build()


@pytest.fixture
def wire(built: BuiltServer) -> Wire:
    """The server, with no session yet."""
    return Wire(built)


def called(wire: Wire, version: str, params: dict[str, Any]) -> HttpResponse:
    """The answer to tools/call in any version, with the handshake where there is one."""
    wire.send(initialize(version))
    both: dict[str, Callable[..., HttpRequest]] = {MODERN: modern}
    return wire.send(both.get(version, legacy)("tools/call", params))


def failed(version: str, text: str) -> HttpResponse:
    members = {"content": [{"type": "text", "text": text}], "isError": True}
    return result(1, {**members, **{MODERN: MODERN_MEMBERS}.get(version, {})})


@pytest.mark.requirement("tool-arguments-no-object")
@pytest.mark.parametrize("version", EVERY_VERSION)
@pytest.mark.parametrize("arguments", [None, [], ["x"], "x", "", 0, 1, False, True])
def test_arguments_that_are_no_object_are_a_protocol_error(
    wire: Wire, version: str, arguments: object
) -> None:
    assert called(wire, version, {"name": "echo", "arguments": arguments}) == error(
        200, 1, -32602, "Invalid params: arguments must be an object"
    )


FAULTS = {
    "missing": ("echo", {}, "text: field required"),
    "null": ("echo", {"text": None}, "text: input should be a valid string"),
    "a number for a string": ("echo", {"text": 1}, "text: input should be a valid string"),
    "a string for a number": ("add", {"a": "1"}, "a: input should be a valid integer"),
    "a boolean for a number": ("add", {"a": True}, "a: input should be a valid integer"),
    "a fraction for an integer": ("add", {"a": 1.5}, "a: input should be a valid integer"),
    "null for a default": ("add", {"a": 1, "b": None}, "b: input should be a valid integer"),
    "unknown": ("echo", {"text": "x", "txt": "y"}, "txt: no such argument (known: text)"),
    "unknown, of a tool that takes none": ("nothing", {"x": 1}, "x: no such argument (known: none)"),
    "the context": (
        "observe",
        {"word": "x", "context": {}},
        "context: no such argument (known: word)",
    ),
    "several": (
        "add",
        {"b": "x", "c": 1},
        "a: field required; b: input should be a valid integer; c: no such argument (known: a, b)",
    ),
    "a long name": (
        "nothing",
        {"x" * 5000: 1},
        f"{'x' * 100}…: no such argument (known: none)",
    ),
    "more than ten": (
        "nothing",
        {f"x{number}": 1 for number in range(20)},
        "; ".join(f"x{number}: no such argument (known: none)" for number in range(10)),
    ),
}


def broken(tool: str, faults: str) -> str:
    return f"Invalid arguments for tool {tool}: {faults}. Correct them and call again."


@pytest.mark.requirement("tool-arguments-wrong")
@pytest.mark.parametrize(("tool", "arguments", "faults"), FAULTS.values(), ids=FAULTS.keys())
@pytest.mark.parametrize("version", SINCE_TOOL_ERRORS)
def test_arguments_that_break_the_schema_are_a_tool_error_since_2025_11_25(
    wire: Wire, version: str, tool: str, arguments: dict[str, Any], faults: str
) -> None:
    answer = called(wire, version, {"name": tool, "arguments": arguments})

    assert answer == failed(version, broken(tool, faults))


@pytest.mark.requirement("tool-arguments-wrong-before")
@pytest.mark.parametrize(("tool", "arguments", "faults"), FAULTS.values(), ids=FAULTS.keys())
@pytest.mark.parametrize("version", BEFORE_TOOL_ERRORS)
def test_arguments_that_break_the_schema_are_invalid_params_before_2025_11_25(
    wire: Wire, version: str, tool: str, arguments: dict[str, Any], faults: str
) -> None:
    answer = called(wire, version, {"name": tool, "arguments": arguments})

    assert answer == error(200, 1, -32602, broken(tool, faults))


def test_an_argument_with_a_lone_surrogate_is_a_tool_error(wire: Wire) -> None:
    outcome = wire.outcome(modern("tools/call", {"name": "echo", "arguments": {"text": "\ud800"}}))

    assert (outcome.record.tool_failed, outcome.record.cause) == (True, None)
