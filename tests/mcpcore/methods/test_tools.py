"""tools/call in every revision: what succeeds, what is a protocol error, what is a tool error."""

from collections.abc import Callable
from typing import Any

import pytest
from typing_extensions import TypedDict

from mcpcore import BuiltServer, Context, Server, StoreUnavailable, ToolResult
from mcpcore.http import HttpRequest, HttpResponse
from tests.support.messages import (
    CAPABILITIES_KEY,
    LEGACY_VERSIONS,
    METADATA,
    MODERN,
    SERVER_INFO_KEY,
    error,
    handshake,
    initialize,
    legacy,
    message,
    modern,
    post,
    result,
)
from tests.support.servers import Sum, Wire, add, echo, refuse, sample

EVERY_VERSION = [*LEGACY_VERSIONS, MODERN]
BEFORE_STRUCTURE = ["2024-11-05", "2025-03-26"]
SINCE_STRUCTURE = ["2025-06-18", "2025-11-25", MODERN]
MODERN_MEMBERS = {"resultType": "complete", "_meta": {SERVER_INFO_KEY: {"name": "tools", "version": "1"}}}


class Half(TypedDict):
    half: float


def nothing() -> str:
    """Take nothing."""
    return "nothing"


def crash() -> str:
    """Fail."""
    raise RuntimeError("password=hunter2 at table sessions-prod")


def unavailable() -> str:
    """Fail as the store does."""
    raise StoreUnavailable


def misfit() -> ToolResult[Sum]:
    """Promise a sum and give something else."""
    return ToolResult({"sum": "secret"}, "misfit")  # type: ignore[typeddict-item]  # the fault under test


def shapeless() -> ToolResult[Sum]:
    """Promise structure and give only text."""
    return "secret"  # type: ignore[return-value]  # the fault under test


def wordless() -> ToolResult[Sum]:
    """Give something else than words beside the structure."""
    return ToolResult({"sum": 1}, 1)  # type: ignore[arg-type]  # the fault under test


def numeric() -> str:
    """Promise a text and give a number."""
    return 1  # type: ignore[return-value]  # the fault under test


def talkative() -> str:
    """Promise only a text."""
    return ToolResult({"sum": 1}, "secret")  # type: ignore[return-value]  # the fault under test


def endless() -> ToolResult[Half]:
    """Give a number that JSON has not."""
    return ToolResult({"half": float("nan")}, "secret")


def observe(word: str, *, context: Context) -> str:
    """Count the word."""
    context.count(word)
    context.count("observed", 2)
    return f"{context.envelope.version} {context.envelope.client_name} {context.environment.now}"


TOOLS: list[Callable[..., object]] = [
    echo,
    add,
    nothing,
    refuse,
    crash,
    unavailable,
    misfit,
    shapeless,
    wordless,
    numeric,
    talkative,
    endless,
    observe,
]


@pytest.fixture(scope="module")
def built() -> BuiltServer:
    """A server with good tools and bad ones."""
    server = Server("tools", version="1")
    for function in TOOLS:
        server.tool()(function)
    server.tool(requires={"sampling": {}})(sample)
    return server.build()


@pytest.fixture
def wire(built: BuiltServer) -> Wire:
    """The server, with no session yet."""
    return Wire(built)


def called(wire: Wire, version: str, params: dict[str, Any], capabilities: object = None) -> HttpResponse:
    """The answer to tools/call in any version, with the handshake where there is one."""
    wire.send(
        post(message("initialize", handshake(protocolVersion=version, capabilities=capabilities or {})))
    )
    return wire.send(request_of(version, params, capabilities or {}))


def request_of(version: str, params: dict[str, Any], capabilities: object) -> HttpRequest:
    metadata = {**METADATA, CAPABILITIES_KEY: capabilities}
    both = {
        MODERN: modern("tools/call", params, metadata=metadata),
    }
    return both.get(version, legacy("tools/call", params, version=version))


def said(version: str, text: str, *, failed: bool = False, **structured: object) -> HttpResponse:
    members = {"content": [{"type": "text", "text": text}], **structured, "isError": failed}
    return result(1, {**members, **{MODERN: MODERN_MEMBERS}.get(version, {})})


@pytest.mark.parametrize("version", EVERY_VERSION)
def test_a_tool_that_returns_text_answers_one_text_block(wire: Wire, version: str) -> None:
    answer = called(wire, version, {"name": "echo", "arguments": {"text": "ü \ud83d\ude00"}})

    assert answer == said(version, "ü \ud83d\ude00")


@pytest.mark.requirement("structured-as-text")
@pytest.mark.parametrize("version", SINCE_STRUCTURE)
def test_structured_content_is_sent_with_the_text_that_says_the_same(wire: Wire, version: str) -> None:
    answer = called(wire, version, {"name": "add", "arguments": {"a": 1, "b": 2}})

    assert answer == said(version, "The sum is 3.", structuredContent={"sum": 3})


@pytest.mark.parametrize("version", BEFORE_STRUCTURE)
def test_a_client_older_than_structured_content_is_sent_the_text_alone(wire: Wire, version: str) -> None:
    answer = called(wire, version, {"name": "add", "arguments": {"a": 1, "b": 2}})

    assert answer == said(version, "The sum is 3.")


@pytest.mark.requirement("call-arguments-absent")
@pytest.mark.parametrize("version", EVERY_VERSION)
@pytest.mark.parametrize("params", [{"name": "nothing"}, {"name": "nothing", "arguments": {}}])
def test_arguments_may_be_left_out(wire: Wire, version: str, params: dict[str, Any]) -> None:
    assert called(wire, version, params) == said(version, "nothing")


def test_a_default_stands_for_an_argument_that_is_left_out(wire: Wire) -> None:
    answer = called(wire, MODERN, {"name": "add", "arguments": {"a": 1}})

    assert answer == said(MODERN, "The sum is 2.", structuredContent={"sum": 2})


@pytest.mark.requirement("tool-unknown")
@pytest.mark.parametrize("version", EVERY_VERSION)
@pytest.mark.parametrize("name", ["nope", "Echo", "echo ", "", "tools/call"])
def test_an_unknown_tool_is_a_protocol_error_in_every_revision(wire: Wire, version: str, name: str) -> None:
    text = f"Unknown tool: {name}. tools/list names the tools there are"
    request = request_of(version, {"name": name}, {})
    wire.send(initialize(version))

    headers = {**request.headers, "mcp-name": f"=?base64?{BASE64[name]}?="}
    assert wire.send(request._replace(headers=headers)) == error(200, 1, -32602, text)


BASE64 = {
    "nope": "bm9wZQ==",
    "Echo": "RWNobw==",
    "echo ": "ZWNobyA=",
    "": "",
    "tools/call": "dG9vbHMvY2FsbA==",
}


def test_a_long_name_is_cut_in_the_answer(wire: Wire) -> None:
    assert called(wire, "2025-11-25", {"name": "x" * 5000}) == error(
        200, 1, -32602, f"Unknown tool: {'x' * 100}…. tools/list names the tools there are"
    )


@pytest.mark.parametrize("version", LEGACY_VERSIONS)
@pytest.mark.parametrize("params", [{}, {"name": None}, {"name": 1}, {"name": ["echo"]}])
def test_a_name_that_is_no_string_is_a_protocol_error(
    wire: Wire, version: str, params: dict[str, Any]
) -> None:
    assert called(wire, version, params) == error(
        200, 1, -32602, "Invalid params: name must be a string, the name of a tool"
    )


@pytest.mark.requirement("tool-error")
@pytest.mark.parametrize("version", EVERY_VERSION)
def test_a_tool_s_own_refusal_is_a_tool_error_in_every_revision(wire: Wire, version: str) -> None:
    answer = called(wire, version, {"name": "refuse"})

    assert answer == said(version, "Nothing matched. Try other words.", failed=True)


@pytest.mark.requirement("tool-fault")
@pytest.mark.parametrize("version", EVERY_VERSION)
def test_an_exception_in_a_tool_is_a_tool_error_that_tells_nothing_of_it(wire: Wire, version: str) -> None:
    answer = called(wire, version, {"name": "crash"})

    assert answer == said(version, "The tool crash failed. Try again later.", failed=True)


def test_an_exception_in_a_tool_is_told_to_the_edge(wire: Wire) -> None:
    record = wire.outcome(modern("tools/call", {"name": "crash"})).record

    assert (record.tool, record.tool_failed, repr(record.cause)) == (
        "crash",
        True,
        "RuntimeError('password=hunter2 at table sessions-prod')",
    )


@pytest.mark.parametrize("version", EVERY_VERSION)
@pytest.mark.parametrize("tool", ["misfit", "shapeless", "wordless", "numeric", "talkative"])
def test_a_tool_that_breaks_its_promise_is_an_internal_error_that_tells_nothing(
    wire: Wire, version: str, tool: str
) -> None:
    assert called(wire, version, {"name": tool}) == error(200, 1, -32603, "Internal error")


@pytest.mark.parametrize("version", SINCE_STRUCTURE)
def test_structured_content_that_json_has_not_is_an_internal_error(wire: Wire, version: str) -> None:
    assert called(wire, version, {"name": "endless"}) == error(200, 1, -32603, "Internal error")


@pytest.mark.parametrize(
    ("tool", "cause"),
    [
        ("misfit", "ValidationError"),
        ("shapeless", "ValidationError"),
        ("wordless", "TypeError"),
        ("numeric", "TypeError"),
        ("talkative", "TypeError"),
        ("endless", "ValueError"),
    ],
)
def test_a_promise_that_a_tool_breaks_is_told_to_the_edge(wire: Wire, tool: str, cause: str) -> None:
    record = wire.outcome(modern("tools/call", {"name": tool})).record

    assert (record.tool, type(record.cause).__name__) == (tool, cause)


def test_an_error_of_the_protocol_that_a_tool_raises_keeps_its_code(wire: Wire) -> None:
    assert called(wire, MODERN, {"name": "unavailable"}) == error(
        503,
        1,
        -32603,
        "Sessions are unavailable at the moment; try again shortly",
        headers={"retry-after": "1"},
    )


NEEDS = "This needs a client that declares the capability sampling"


@pytest.mark.parametrize("version", EVERY_VERSION)
@pytest.mark.parametrize("capabilities", [{"sampling": {}}, {"sampling": {"tools": {}}, "roots": {}}])
def test_a_tool_runs_for_a_client_that_has_the_capability_it_needs(
    wire: Wire, version: str, capabilities: object
) -> None:
    assert called(wire, version, {"name": "sample"}, capabilities) == said(version, "sampled")


@pytest.mark.requirement("mrtr-missing-capability")
@pytest.mark.parametrize("capabilities", [{}, {"roots": {}}, {"sampling": None}, {"sampling": True}])
def test_a_capability_that_is_missing_is_an_error_of_its_own_in_the_modern_era(
    wire: Wire, capabilities: object
) -> None:
    assert called(wire, MODERN, {"name": "sample"}, capabilities) == error(
        400, 1, -32021, NEEDS, data={"requiredCapabilities": {"sampling": {}}}
    )


@pytest.mark.requirement("ask-legacy-capability")
@pytest.mark.parametrize("version", LEGACY_VERSIONS)
def test_a_capability_that_is_missing_is_a_tool_error_in_the_legacy_era(wire: Wire, version: str) -> None:
    assert called(wire, version, {"name": "sample"}) == said(version, NEEDS, failed=True)


@pytest.mark.requirement("capabilities-of-the-handshake")
def test_capabilities_are_of_the_session_in_the_legacy_era_whatever_the_metadata(wire: Wire) -> None:
    params = {"name": "sample", "_meta": {CAPABILITIES_KEY: {"sampling": {}}}}

    assert called(wire, "2025-11-25", params) == said("2025-11-25", NEEDS, failed=True)


def test_a_tool_sees_who_asks_and_counts_for_the_edge(wire: Wire) -> None:
    metadata = {**METADATA, "io.modelcontextprotocol/clientInfo": {"name": "tests", "version": "1.2"}}
    params = {"name": "observe", "arguments": {"word": "tea"}}

    outcome = wire.outcome(modern("tools/call", params, metadata=metadata), now=12.5)

    assert outcome.record.counts == {"tea": 1, "observed": 2}
    assert (
        b"2026-07-28 tests 12.5" in wire.send(modern("tools/call", params, metadata=metadata), now=12.5).body
    )


@pytest.mark.requirement("call-params-extra")
def test_extra_members_of_the_params_are_ignored(wire: Wire) -> None:
    params = {"name": "nothing", "task": {"ttl": 1}, "extra": 1}

    assert called(wire, "2025-11-25", params) == said("2025-11-25", "nothing")
