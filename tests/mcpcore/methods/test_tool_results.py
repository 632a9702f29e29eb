"""Results of tools in every version: content blocks, structured content, and results that cannot be sent."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from jsonschema import Draft202012Validator
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
    ToolError,
    ToolResult,
)
from mcpcore.definitions.built import ToolText
from mcpcore.protocol.errors import DeadlineExceeded, McpError
from mcpcore.protocol.versions import at_least
from mcpcore.request.environment import run_directly
from mcpcore.testing import Client
from tests.support.functions import returning
from tests.support.messages import (
    LEGACY_VERSIONS,
    METADATA,
    MODERN,
    error,
    events,
    initialize,
    message,
    modern,
    one_line,
)
from tests.support.servers import WORK_SECONDS, Wire
from tests.support.versions import EVERY_VERSION, ask, request_in


class Place(TypedDict):
    """Where."""

    city: str


class Half(TypedDict):
    half: float


def text(words: str) -> dict[str, str]:
    return {"type": "text", "text": words}


def client_of(function: Callable[..., Any], version: str = MODERN) -> Client:
    """A client of a server with this tool."""
    server = Server("r", version="1")
    server.tool("tool")(function)
    return Client(server, protocol_version=version)


IMAGE = {"type": "image", "data": "/w==", "mimeType": "image/png", "annotations": {"priority": 1}}


@pytest.mark.requirement("content-always")
@pytest.mark.parametrize("version", EVERY_VERSION)
@pytest.mark.parametrize(
    ("hint", "value", "content"),
    [
        (None, None, []),
        (tuple[Text, ...], (), []),
        (Image, Image(b"\xff", "image/png", {"priority": 1}), [IMAGE]),
    ],
)
def test_content_is_an_array_of_blocks_even_without_one(
    version: str, hint: object, value: object, content: list[Any]
) -> None:
    found = client_of(returning(hint, value), version).request("tools/call", {"name": "tool"})

    assert (found["content"], found["isError"]) == (content, False)


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
    version: str, audio: dict[str, str], link: dict[str, str]
) -> None:
    blocks = [
        Text("Text", {"audience": ["assistant"]}),
        Audio(b"\xff", "audio/wav"),
        ResourceLink("a:b", "B"),
        EmbeddedResource(ResourceContents("a:b", "x", "text/plain")),
    ]
    first = {**text("Text"), "annotations": {"audience": ["assistant"]}}

    found = client_of(returning(list[ContentBlock], blocks), version).call_tool("tool")

    assert found.content == [first, audio, link, EMBEDDED]


PICTURE = {"type": "image", "data": "", "mimeType": "image/png"}
WITH_BLOCKS = ToolResult(Place(city="Oslo"), [Text("Oslo."), Image(b"", "image/png")])


@pytest.mark.requirement(
    "structured-content", "structured-any-json", "structured-as-text", "output-schema-listed"
)
@pytest.mark.parametrize("version", EVERY_VERSION)
@pytest.mark.parametrize(
    ("hint", "value", "content", "structured", "since"),
    [
        (Place, {"city": "Oslo"}, [text('{"city":"Oslo"}')], {"city": "Oslo"}, "2025-06-18"),
        (
            ToolResult[Place],
            WITH_BLOCKS,
            [text("Oslo."), PICTURE, text('{"city":"Oslo"}')],
            {"city": "Oslo"},
            "2025-06-18",
        ),
        (list[int], [1, 2], [text("[1,2]")], [1, 2], MODERN),
        (int | None, None, [text("null")], None, MODERN),
        (ToolResult[int], ToolResult(7, "Seven."), [text("Seven."), text("7")], 7, MODERN),
        (dict[str, str], {"ü": "\ud800"}, [text('{"ü":"\ud800"}')], {"ü": "\ud800"}, "2025-06-18"),
    ],
)
def test_structured_content_is_sent_to_versions_that_know_it_wrapped_where_only_objects_are_allowed(
    version: str, hint: object, value: object, content: list[Any], structured: object, since: str
) -> None:
    client = client_of(returning(hint, value), version)
    found = client.request("tools/call", {"name": "tool"})
    schema = client.list_tools()[0].get("outputSchema")

    assert found["content"] == content
    if not at_least(version, "2025-06-18"):
        assert (schema, "structuredContent" in found) == (None, False)
        return
    sent = structured if at_least(version, since) else {"result": structured}
    assert found["structuredContent"] == sent
    assert schema is not None
    Draft202012Validator(schema).validate(sent)
    assert at_least(version, MODERN) or schema["type"] == "object"


@pytest.mark.requirement("structured-as-text")
@pytest.mark.parametrize(
    ("tool_text", "content"),
    [
        ("own", [text("Oslo."), PICTURE]),
        ("json", [PICTURE, text('{"city":"Oslo"}')]),
        ("both", [text("Oslo."), PICTURE, text('{"city":"Oslo"}')]),
    ],
)
def test_the_server_decides_whether_json_stands_beside_or_in_place_of_the_text_of_a_tool(
    tool_text: ToolText, content: list[Any]
) -> None:
    server = Server("r", version="1", tool_text=tool_text)
    server.tool("tool")(returning(ToolResult[Place], WITH_BLOCKS))
    server.tool("textless")(returning(Place, {"city": "Oslo"}))
    server.tool("empty")(returning(ToolResult[Place], ToolResult(Place(city="Oslo"), "")))
    server.tool("picture")(
        returning(ToolResult[Place], ToolResult(Place(city="Oslo"), [Image(b"", "image/png")]))
    )
    client = Client(server)

    assert client.call_tool("tool").content == content
    assert client.call_tool("textless").content == [text('{"city":"Oslo"}')]
    assert client.call_tool("empty").content == [text('{"city":"Oslo"}')]
    assert client.call_tool("picture").content == [PICTURE, text('{"city":"Oslo"}')]


NUMBER_AS_TEXT = ToolResult({"city": "Oslo"}, 1)  # type: ignore[arg-type]  # the fault under test
UNSENDABLE = "a value that cannot be sent"


@pytest.mark.requirement("output-schema-kept")
@pytest.mark.parametrize("version", EVERY_VERSION)
@pytest.mark.parametrize(
    ("hint", "value", "reason", "cause"),
    [
        (ToolResult[Place], ToolResult({"city": 5}, "secret"), UNSENDABLE, "ValidationError"),
        (ToolResult[Place], "secret", UNSENDABLE, "ValidationError"),
        (Place, {"city": 5}, UNSENDABLE, "ValidationError"),
        (ToolResult[Place], NUMBER_AS_TEXT, "int, which is not content", "NoneType"),
        (str, 1, "int, which is not content", "NoneType"),
        (list[ContentBlock], ["x"], "list, which is not content", "NoneType"),
        (
            str,
            ToolResult({"sum": 1}, "secret"),
            "structured content that it does not declare",
            "NoneType",
        ),
        (Text, Text(5), UNSENDABLE, "TypeError"),  # type: ignore[arg-type]  # the fault under test
        (Text, Text("x", {"priority": object()}), UNSENDABLE, "TypeError"),
        (list[Text], [Text("x", 5)], UNSENDABLE, "TypeError"),  # type: ignore[arg-type]  # as above
    ],
)
def test_a_result_that_the_tool_does_not_declare_is_an_internal_error_with_a_reason_for_the_log(
    version: str, hint: object, value: object, reason: str, cause: str
) -> None:
    server = Server("r", version="1")
    server.tool(returning(hint, value))
    wire = Wire(server)

    assert ask(wire, version, "tools/call", {"name": "tool"}) == error(200, 1, -32603, "Internal error")
    record = wire.outcome(request_in(version, "tools/call", {"name": "tool"})).record
    assert (record.tool, record.error) == ("tool", "InternalError")
    assert (record.reason, type(record.cause).__name__) == (f"tool returned {reason}", cause)


@pytest.mark.parametrize("version", ["2025-06-18", "2025-11-25", MODERN])
def test_a_number_that_json_does_not_have_is_an_internal_error(version: str) -> None:
    server = Server("r", version="1")
    server.tool(returning(ToolResult[Half], ToolResult({"half": float("nan")}, "secret")))

    answer = ask(Wire(server), version, "tools/call", {"name": "tool"})

    assert answer == error(200, 1, -32603, "Internal error")


ICON = Icon("https://a.example/i.png", "image/png", ("48x48",), "light")
ICONS = [{"src": ICON.src, "mimeType": "image/png", "sizes": ["48x48"], "theme": "light"}]


@pytest.mark.requirement("tool-icons")
@pytest.mark.parametrize(
    ("version", "expected"),
    [*((version, None) for version in LEGACY_VERSIONS[:3]), ("2025-11-25", ICONS), (MODERN, ICONS)],
)
def test_icons_of_tools_and_of_the_server_are_listed_since_2025_11_25(version: str, expected: object) -> None:
    server = Server("r", version="1", icons=[ICON])
    server.tool(icons=[ICON])(returning(str, ""))
    opened = json.loads(Wire(server).send(initialize(version)).body)["result"]["serverInfo"]

    assert Client(server, protocol_version=version).list_tools()[0].get("icons") == expected
    assert opened.get("icons") == (expected if version in LEGACY_VERSIONS else ICONS)


async def awaited(word: str) -> str:
    """Give a word later."""
    await asyncio.sleep(0)
    return word


def steps(*, context: Context) -> str:
    """Tell of three steps."""
    for value in (0, 50, 100):
        context.report_progress(value, total=100)
    return "done"


def place() -> Place:
    """Give structured content."""
    return {"city": "Oslo"}


@pytest.fixture(scope="module")
def built() -> BuiltServer:
    server = Server("r", version="1")
    for function in (awaited, steps, place):
        server.tool(function)
    return server.build()


def with_meta(version: str, members: dict[str, Any]) -> dict[str, Any]:
    """The metadata of a request, with what a modern request needs."""
    return {**METADATA, **members} if version == MODERN else members


@pytest.mark.requirement("events-of-this-request")
@pytest.mark.parametrize("version", EVERY_VERSION)
def test_progress_is_sent_before_the_response_in_one_body_unless_the_client_takes_no_events(
    built: BuiltServer, version: str
) -> None:
    wire = Wire(built)
    wire.send(initialize(version))
    params = {"name": "steps", "_meta": with_meta(version, {"progressToken": "t"})}
    request = request_in(version, "tools/call", {"name": "steps"})
    request = request._replace(body=one_line(message("tools/call", params)))
    only_json = request._replace(headers={**request.headers, "accept": "application/json"})

    plain = wire.send(only_json)
    assert json.loads(plain.body)["result"]["content"] == [text("done")]
    assert wire.send(request) == events(
        *(
            {
                "jsonrpc": "2.0",
                "method": "notifications/progress",
                "params": {"progressToken": "t", "progress": value, "total": 100},
            }
            for value in (0, 50, 100)
        ),
        json.loads(plain.body),
    )


@pytest.mark.requirement("call-async")
@pytest.mark.parametrize("version", EVERY_VERSION)
def test_an_asynchronous_tool_is_awaited(built: BuiltServer, version: str) -> None:
    assert Client(built, protocol_version=version).call_tool("awaited", word="later").text == "later"


def test_a_tool_has_the_time_until_the_deadline(built: BuiltServer) -> None:
    allowed: list[float] = []

    def measured(work: Callable[[], Any], seconds: float) -> Any:
        allowed.append(seconds)
        return run_directly(work, seconds)

    Wire(built, run=measured).send(modern("tools/call", {"name": "place"}))

    assert allowed == [WORK_SECONDS]


@pytest.mark.requirement("call-deadline")
@pytest.mark.parametrize("version", EVERY_VERSION)
def test_a_tool_that_misses_the_deadline_is_an_error(built: BuiltServer, version: str) -> None:
    def too_late(_work: Callable[[], Any], seconds: float) -> Any:
        raise DeadlineExceeded(seconds)

    answer = ask(Wire(built, run=too_late), version, "tools/call", {"name": "place"})

    assert answer == error(200, 1, -32603, "Not done within 20 seconds; try again, or ask for less")


META = {"com.example/batch": {"id": 7}, "batch-of.example.mcp/": "seven"}
SERVER_INFO = {"io.modelcontextprotocol/serverInfo": {"name": "r", "version": "1"}}


@pytest.mark.parametrize(
    ("version", "added"), [("2024-11-05", {}), ("2025-11-25", {}), (MODERN, SERVER_INFO)]
)
def test_a_result_carries_the_meta_that_its_tool_gave(version: str, added: dict[str, Any]) -> None:
    result = ToolResult(Place(city="Oslo"), "Oslo.", META)

    found = client_of(returning(ToolResult[Place], result), version).call_tool("tool")

    assert found.meta == {**META, **added}
    assert found.text.startswith("Oslo.")


@pytest.mark.parametrize(("version", "added"), [("2025-11-25", {}), (MODERN, SERVER_INFO)])
def test_a_tool_error_carries_its_meta(version: str, added: dict[str, Any]) -> None:
    def tool() -> str:
        """Fail."""
        raise ToolError("Not today.", meta=META)

    found = client_of(tool, version).call_tool("tool")

    assert (found.text, found.is_error, found.meta) == ("Not today.", True, {**META, **added})


@pytest.mark.requirement("meta-names")
@pytest.mark.parametrize(
    "meta",
    [
        {"batch": 1},
        {"/batch": 1},
        {"com.example/-batch": 1},
        {"com.example/batch_": 1},
        {"com.example/ba tch": 1},
        {"com.exämple/batch": 1},
        {"com..example/batch": 1},
        {"com.1example/batch": 1},
        {"com.example-/batch": 1},
        {"com/example/batch": 1},
        {"io.modelcontextprotocol/serverInfo": {}},
        {"dev.mcp/batch": 1},
        {"com.mcp.tools/batch": 1},
        {7: 1},
        {"com.example/batch": object()},
    ],
)
def test_meta_that_the_specification_does_not_allow_cannot_be_sent(meta: Any) -> None:
    result = ToolResult(Place(city="Oslo"), "Oslo.", meta)

    def failing() -> str:
        """Fail."""
        raise ToolError("Not today.", meta=meta)

    returned = client_of(returning(ToolResult[Place], result))
    raised = client_of(failing)

    with pytest.raises(McpError, match="Internal error"):
        returned.call_tool("tool")
    with pytest.raises(McpError, match="Internal error"):
        raised.call_tool("tool")
