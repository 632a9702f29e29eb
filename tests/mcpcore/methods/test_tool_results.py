"""What tools can give back, in every revision: blocks, structured content of any type, and nothing at all."""

import asyncio
import inspect
import json
from collections.abc import Callable
from typing import Any

import pytest
from typing_extensions import TypedDict

from mcpcore import (
    Audio,
    BuiltServer,
    ContentBlock,
    Context,
    EmbeddedResource,
    Icon,
    Image,
    ResourceContents,
    ResourceLink,
    Server,
    Text,
    ToolResult,
)
from mcpcore.http import HttpRequest, HttpResponse
from mcpcore.protocol.errors import DeadlineExceeded
from mcpcore.request.context import run_directly
from tests.support.messages import (
    LEGACY_VERSIONS,
    METADATA,
    MODERN,
    SERVER_INFO_KEY,
    error,
    events,
    initialize,
    legacy,
    message,
    modern,
    one_line,
    result,
)
from tests.support.servers import WORK_SECONDS, Wire

EVERY_VERSION = [*LEGACY_VERSIONS, MODERN]
TAIL = {"resultType": "complete", "_meta": {SERVER_INFO_KEY: {"name": "r", "version": "1"}}}


class Place(TypedDict):
    """Where."""

    city: str


def nothing() -> None:
    """Give nothing."""


def image() -> Image:
    """Give an image."""
    return Image(b"\xff", "image/png", {"priority": 1})


def blocks() -> list[ContentBlock]:
    """Give every block."""
    return [
        Text("Text", {"audience": ["assistant"]}),
        Audio(b"\xff", "audio/wav"),
        ResourceLink("a:b", "B"),
        EmbeddedResource(ResourceContents("a:b", "x", "text/plain")),
    ]


def no_blocks() -> tuple[Text, ...]:
    """Give an empty list of blocks."""
    return ()


def place() -> Place:
    """Give structured content."""
    return {"city": "Oslo"}


def numbers() -> list[int]:
    """Give an array."""
    return [1, 2]


def number() -> int | None:
    """Give a scalar."""
    return None


def wrapped() -> ToolResult[int]:
    """Give a scalar with words of its own."""
    return ToolResult(7, "Seven.")


def shown() -> ToolResult[Place]:
    """Give structured content with blocks."""
    return ToolResult({"city": "Oslo"}, [Text("Oslo."), Image(b"", "image/png")])


async def awaited(word: str) -> str:
    """Give a word later."""
    await asyncio.sleep(0)
    return word


def mixed() -> list[ContentBlock]:
    """Give a string where a block is due."""
    return ["x"]  # type: ignore[list-item]  # the fault under test


def sized() -> Place:
    """Give something else than is promised."""
    return {"city": 5}  # type: ignore[typeddict-item]  # the fault under test


def steps(*, context: Context) -> str:
    """Tell of three steps."""
    for value in (0, 50, 100):
        context.progress(value, total=100)
    return "done"


@pytest.fixture(scope="module")
def built() -> BuiltServer:
    """A server whose tools give everything."""
    server = Server("r", version="1")
    for function in (nothing, image, blocks, no_blocks, place, numbers, number, wrapped, shown, mixed, sized):
        server.tool()(function)
    server.tool()(awaited)
    server.tool()(steps)
    return server.build()


@pytest.fixture
def wire(built: BuiltServer) -> Wire:
    return Wire(built)


def request_of(version: str, params: dict[str, Any], **more: object) -> HttpRequest:
    both: dict[str, Callable[..., HttpRequest]] = {MODERN: modern}
    return both.get(version, legacy)("tools/call", {**params, **more})


def called(wire: Wire, version: str, tool: str) -> HttpResponse:
    wire.send(initialize(version))
    return wire.send(request_of(version, {"name": tool}))


def got(version: str, *content: Any, **structured: object) -> HttpResponse:
    members = {"content": [*content], **structured, "isError": False}
    return result(1, {**members, **{MODERN: TAIL}.get(version, {})})


def text(words: str) -> dict[str, str]:
    return {"type": "text", "text": words}


@pytest.mark.requirement("content-always")
@pytest.mark.parametrize("version", EVERY_VERSION)
@pytest.mark.parametrize("tool", ["nothing", "no_blocks"])
def test_nothing_is_an_empty_array_of_content(wire: Wire, version: str, tool: str) -> None:
    assert called(wire, version, tool) == got(version)


@pytest.mark.parametrize("version", EVERY_VERSION)
def test_one_block_is_an_array_of_one(wire: Wire, version: str) -> None:
    block = {"type": "image", "data": "/w==", "mimeType": "image/png", "annotations": {"priority": 1}}

    assert called(wire, version, "image") == got(version, block)


AUDIO = {"type": "audio", "data": "/w==", "mimeType": "audio/wav"}
LINK = {"type": "resource_link", "uri": "a:b", "name": "B"}
EMBEDDED = {"type": "resource", "resource": {"uri": "a:b", "mimeType": "text/plain", "text": "x"}}


@pytest.mark.requirement("content-blocks")
@pytest.mark.parametrize(
    ("version", "audio", "link"),
    [
        ("2024-11-05", text("[audio, audio/wav, 1 bytes]"), text("B: a:b")),
        ("2025-03-26", AUDIO, text("B: a:b")),
        ("2025-06-18", AUDIO, LINK),
        ("2025-11-25", AUDIO, LINK),
        (MODERN, AUDIO, LINK),
    ],
)
def test_blocks_keep_their_order_and_are_converted_for_versions_that_do_not_know_them(
    wire: Wire, version: str, audio: dict[str, str], link: dict[str, str]
) -> None:
    first = {**text("Text"), "annotations": {"audience": ["assistant"]}}

    assert called(wire, version, "blocks") == got(version, first, audio, link, EMBEDDED)


@pytest.mark.requirement("structured-content")
@pytest.mark.parametrize(
    ("version", "structured"),
    [
        ("2024-11-05", {}),
        ("2025-03-26", {}),
        ("2025-06-18", {"structuredContent": {"city": "Oslo"}}),
        ("2025-11-25", {"structuredContent": {"city": "Oslo"}}),
        (MODERN, {"structuredContent": {"city": "Oslo"}}),
    ],
)
def test_an_object_is_structured_content_since_2025_06_18_and_told_in_text_to_all(
    wire: Wire, version: str, structured: dict[str, Any]
) -> None:
    assert called(wire, version, "place") == got(version, text('{"city":"Oslo"}'), **structured)
    assert called(wire, version, "shown") == got(
        version, text("Oslo."), {"type": "image", "data": "", "mimeType": "image/png"}, **structured
    )


@pytest.mark.requirement("structured-any-json")
@pytest.mark.parametrize(
    ("tool", "words", "structured"),
    [("numbers", "[1,2]", [1, 2]), ("number", "null", None), ("wrapped", "Seven.", 7)],
)
@pytest.mark.parametrize("version", EVERY_VERSION)
def test_other_json_is_structured_content_in_the_modern_era_only(
    wire: Wire, version: str, tool: str, words: str, structured: object
) -> None:
    known = {MODERN: {"structuredContent": structured}}

    assert called(wire, version, tool) == got(version, text(words), **known.get(version, {}))


OBJECTS = ["place", "shown", "sized"]


@pytest.mark.requirement("output-schema-listed")
@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("2024-11-05", []),
        ("2025-03-26", []),
        ("2025-06-18", OBJECTS),
        ("2025-11-25", OBJECTS),
        (MODERN, ["place", "numbers", "number", "wrapped", "shown", "sized"]),
    ],
)
def test_an_output_schema_is_listed_where_its_structured_content_is_sent(
    wire: Wire, version: str, expected: list[str]
) -> None:
    wire.send(initialize(version))
    both: dict[str, Callable[..., HttpRequest]] = {MODERN: modern}
    tools = json.loads(wire.send(both.get(version, legacy)("tools/list")).body)["result"]["tools"]

    assert [tool["name"] for tool in tools if "outputSchema" in tool] == expected


@pytest.mark.requirement("output-schema-kept")
@pytest.mark.parametrize(("tool", "cause"), [("mixed", "TypeError"), ("sized", "ValidationError")])
def test_a_result_that_is_not_what_was_promised_is_an_internal_error(
    wire: Wire, tool: str, cause: str
) -> None:
    record = wire.outcome(modern("tools/call", {"name": tool})).record

    assert called(wire, MODERN, tool) == error(200, 1, -32603, "Internal error")
    assert type(record.cause).__name__ == cause


ICON = Icon("https://a.example/i.png", "image/png", ("48x48",), "light")
ICONS = [{"src": ICON.src, "mimeType": "image/png", "sizes": ["48x48"], "theme": "light"}]


@pytest.mark.requirement("tool-icons")
@pytest.mark.parametrize(
    ("version", "expected"),
    [*((version, None) for version in LEGACY_VERSIONS[:3]), ("2025-11-25", ICONS), (MODERN, ICONS)],
)
def test_icons_are_shown_since_2025_11_25(version: str, expected: object) -> None:
    server = Server("r", version="1", icons=[ICON])
    server.tool(icons=[ICON])(nothing)
    wire = Wire(server)
    opened = json.loads(wire.send(initialize(version)).body)["result"]
    both: dict[str, Callable[..., HttpRequest]] = {MODERN: modern}
    (tool,) = json.loads(wire.send(both.get(version, legacy)("tools/list")).body)["result"]["tools"]

    assert tool.get("icons") == expected
    assert opened["serverInfo"].get("icons") == {"2025-11-25": ICONS, MODERN: ICONS}.get(version)


STEPS = [
    {
        "jsonrpc": "2.0",
        "method": "notifications/progress",
        "params": {"progressToken": "t", "progress": value, "total": 100},
    }
    for value in (0, 50, 100)
]


@pytest.mark.requirement("events-of-this-request")
@pytest.mark.parametrize("version", EVERY_VERSION)
def test_progress_goes_before_the_response_in_one_complete_body(wire: Wire, version: str) -> None:
    wire.send(initialize(version))
    token = {"progressToken": "t"}
    meta = {MODERN: {**METADATA, **token}}.get(version, token)
    request = request_of(version, {"name": "steps"})
    body = message("tools/call", {"name": "steps", "_meta": meta})
    response = json.loads(got(version, text("done")).body)

    assert wire.send(request._replace(body=one_line(body))) == events(*STEPS, response)


@pytest.mark.parametrize("version", EVERY_VERSION)
def test_a_client_that_takes_no_events_gets_the_response_alone(wire: Wire, version: str) -> None:
    wire.send(initialize(version))
    request = request_of(version, {"name": "steps"})
    only_json = {**request.headers, "accept": "application/json"}

    assert wire.send(request._replace(headers=only_json)) == got(version, text("done"))


def in_a_loop(work: Callable[[], Any], _seconds: float) -> Any:
    """Run work, and await what it gives."""
    found = work()
    return asyncio.run(found) if inspect.iscoroutine(found) else found


@pytest.mark.requirement("call-async")
@pytest.mark.parametrize("version", EVERY_VERSION)
def test_an_asynchronous_tool_is_awaited_by_the_door(built: BuiltServer, version: str) -> None:
    wire = Wire(built, run=in_a_loop)
    wire.send(initialize(version))

    answer = wire.send(request_of(version, {"name": "awaited", "arguments": {"word": "later"}}))

    assert answer == got(version, text("later"))


def test_a_tool_is_given_as_long_as_the_door_allows(built: BuiltServer) -> None:
    allowed: list[float] = []

    def measured(work: Callable[[], Any], seconds: float) -> Any:
        allowed.append(seconds)
        return run_directly(work, seconds)

    Wire(built, run=measured).send(modern("tools/call", {"name": "place"}))

    assert allowed == [WORK_SECONDS]


@pytest.mark.requirement("call-deadline")
@pytest.mark.parametrize("version", EVERY_VERSION)
def test_a_tool_that_is_too_late_is_an_error_before_the_gateway_gives_up(
    built: BuiltServer, version: str
) -> None:
    def too_late(_work: Callable[[], Any], seconds: float) -> Any:
        raise DeadlineExceeded(seconds)

    answer = called(Wire(built, run=too_late), version, "place")

    assert answer == error(200, 1, -32603, "Not done within 20 seconds; try again, or ask for less")
