"""tools/call in every version: results, protocol errors and tool errors."""

import base64
from typing import Any

import pytest

from mcpcore import BuiltServer, Context, Server, StoreUnavailable
from mcpcore.http import HttpResponse
from mcpcore.protocol.error_map import OutcomeKind
from mcpcore.testing import Client
from tests.support.messages import (
    CAPABILITIES_KEY,
    LEGACY_VERSIONS,
    METADATA,
    MODERN,
    SERVER_INFO_KEY,
    error,
    handshake,
    legacy,
    message,
    modern,
    post,
    result,
)
from tests.support.servers import Wire, add, echo, refuse, sample
from tests.support.versions import EVERY_VERSION, ask

MODERN_MEMBERS = {"resultType": "complete", "_meta": {SERVER_INFO_KEY: {"name": "tools", "version": "1"}}}


def nothing() -> str:
    """Take nothing."""
    return "nothing"


def crash() -> str:
    """Fail."""
    raise RuntimeError("password=hunter2 at table sessions-prod")


def unavailable() -> str:
    """Fail as the store does."""
    raise StoreUnavailable


def observe(word: str, *, context: Context) -> str:
    """Count the word."""
    context.count_metric(word)
    context.count_metric("observed", 2)
    return f"{context.protocol_version} {context.client_name} {context.deadline}"


@pytest.fixture(scope="module")
def built() -> BuiltServer:
    """A server with tools that succeed and tools that fail."""
    server = Server("tools", version="1")
    for function in (echo, add, nothing, refuse, crash, unavailable, observe):
        server.tool(function)
    server.tool(requires={"sampling": {}})(sample)
    return server.build()


@pytest.fixture
def wire(built: BuiltServer) -> Wire:
    """The server, with no session yet."""
    return Wire(built)


def called(wire: Wire, version: str, name: object, arguments: object = None) -> HttpResponse:
    params = {"name": name} if arguments is None else {"name": name, "arguments": arguments}
    return ask(wire, version, "tools/call", params)


def returned(version: str, text: str, *, failed: bool = False) -> HttpResponse:
    members = {"content": [{"type": "text", "text": text}], "isError": failed}
    return result(1, {**members, **{MODERN: MODERN_MEMBERS}.get(version, {})})


@pytest.mark.parametrize("version", EVERY_VERSION)
def test_a_string_is_one_text_block(wire: Wire, version: str) -> None:
    assert called(wire, version, "echo", {"text": "ü \ud83d\ude00"}) == returned(version, "ü \ud83d\ude00")


@pytest.mark.requirement("call-arguments-absent")
@pytest.mark.parametrize("version", EVERY_VERSION)
@pytest.mark.parametrize("arguments", [None, {}])
def test_arguments_may_be_left_out(wire: Wire, version: str, arguments: object) -> None:
    assert called(wire, version, "nothing", arguments) == returned(version, "nothing")


def test_an_argument_with_a_default_may_be_left_out(built: BuiltServer) -> None:
    assert Client(built).call_tool("add", a=1).structured == {"sum": 2}


@pytest.mark.requirement("call-params-extra")
def test_unknown_params_are_ignored(wire: Wire) -> None:
    params = {"name": "nothing", "task": {"ttl": 1}, "extra": 1}

    assert ask(wire, "2025-11-25", "tools/call", params) == returned("2025-11-25", "nothing")


@pytest.mark.requirement("tool-unknown")
@pytest.mark.parametrize("version", EVERY_VERSION)
@pytest.mark.parametrize(
    ("name", "quoted"),
    [*((name, name) for name in ("nope", "Echo", "echo ", "", "tools/call")), ("x" * 5000, "x" * 100 + "…")],
)
def test_an_unknown_tool_is_a_protocol_error_in_every_version(
    wire: Wire, version: str, name: str, quoted: str
) -> None:
    encoded = base64.b64encode(name.encode()).decode()
    headers = {"mcp-name": f"=?base64?{encoded}?="}
    request = modern("tools/call", {"name": name}, headers=headers)
    answer = wire.send(request) if version == MODERN else called(wire, version, name)

    text = f"Unknown tool: {quoted}. tools/list names the tools there are"
    assert answer == error(200, 1, -32602, text)


@pytest.mark.parametrize("version", LEGACY_VERSIONS)
@pytest.mark.parametrize("params", [{}, {"name": None}, {"name": 1}, {"name": ["echo"]}])
def test_a_name_that_is_not_a_string_is_a_protocol_error(
    wire: Wire, version: str, params: dict[str, Any]
) -> None:
    assert ask(wire, version, "tools/call", params) == error(
        200, 1, -32602, "Invalid params: name must be a string, the name of a tool"
    )


@pytest.mark.requirement("tool-arguments-no-object")
@pytest.mark.parametrize("version", EVERY_VERSION)
@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        *((["x"], "an array"), ("x", "a string"), ("", "a string"), (0, "a number"), (1, "a number")),
        *((False, "a boolean"), (True, "a boolean")),
    ],
)
def test_arguments_that_are_not_an_object_are_a_protocol_error(
    wire: Wire, version: str, arguments: object, shown: str
) -> None:
    params = {"name": "echo", "arguments": arguments}

    assert ask(wire, version, "tools/call", params) == error(
        200, 1, -32602, f"Invalid params: arguments must be an object, not {shown}"
    )


@pytest.mark.parametrize("version", EVERY_VERSION)
@pytest.mark.parametrize("arguments", [None, []])
def test_arguments_that_are_null_or_an_empty_array_are_absent(
    wire: Wire, version: str, arguments: object
) -> None:
    absent = ask(wire, version, "tools/call", {"name": "echo"})

    assert b"text: field required" in absent.body
    assert ask(wire, version, "tools/call", {"name": "echo", "arguments": arguments}) == absent


FAULTS: list[tuple[str, dict[str, Any], str]] = [
    ("echo", {"text": None}, "text: input should be a valid string"),
    ("echo", {"text": "a\ud800"}, "text: has half of a surrogate pair, which is no character"),
    (
        "echo",
        {f"x{number}": "\ud800" for number in range(1244)},
        "; ".join(
            [*(f"x{number}: no such argument (known: text)" for number in range(10)), "and 1,234 more"]
        ),
    ),
    ("observe", {"word": "x", "context": {}}, "context: no such argument (known: word)"),
    (
        "add",
        {"b": "x", "c": 1},
        "a: field required; b: input should be a valid integer; c: no such argument (known: a, b)",
    ),
]


def broken(tool: str, faults: str) -> str:
    return f"Invalid arguments for tool {tool}: {faults}. Correct them and call again."


@pytest.mark.requirement("tool-arguments-wrong")
@pytest.mark.parametrize(("tool", "arguments", "faults"), FAULTS)
@pytest.mark.parametrize("version", ["2025-11-25", MODERN])
def test_arguments_that_break_the_schema_are_a_tool_error_since_2025_11_25(
    wire: Wire, version: str, tool: str, arguments: dict[str, Any], faults: str
) -> None:
    assert called(wire, version, tool, arguments) == returned(version, broken(tool, faults), failed=True)


@pytest.mark.requirement("tool-arguments-wrong-before")
@pytest.mark.parametrize(("tool", "arguments", "faults"), FAULTS)
@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18"])
def test_arguments_that_break_the_schema_are_invalid_params_before_2025_11_25(
    wire: Wire, version: str, tool: str, arguments: dict[str, Any], faults: str
) -> None:
    assert called(wire, version, tool, arguments) == error(200, 1, -32602, broken(tool, faults))


@pytest.mark.requirement("tool-error", "tool-fault")
@pytest.mark.parametrize("version", EVERY_VERSION)
@pytest.mark.parametrize(
    ("tool", "text"),
    [
        ("refuse", "Nothing matched. Try other words."),
        ("crash", "The tool crash failed. Try again later."),
    ],
)
def test_a_tool_error_is_a_result_and_an_exception_is_one_without_its_text(
    wire: Wire, version: str, tool: str, text: str
) -> None:
    assert called(wire, version, tool) == returned(version, text, failed=True)


@pytest.mark.parametrize(
    ("tool", "arguments", "kind", "name", "cause"),
    [
        ("echo", {"text": "x"}, OutcomeKind.OK, "", "None"),
        ("echo", {"text": "\ud800"}, OutcomeKind.TOOL_ERROR, "ToolError", "None"),
        ("refuse", {}, OutcomeKind.TOOL_ERROR, "ToolError", "None"),
        (
            "crash",
            {},
            OutcomeKind.CRASH,
            "HandlerCrashed",
            "RuntimeError('password=hunter2 at table sessions-prod')",
        ),
    ],
)
def test_the_record_of_a_call_tells_a_tool_error_from_an_exception(
    wire: Wire, tool: str, arguments: dict[str, Any], kind: OutcomeKind, name: str, cause: str
) -> None:
    record = wire.outcome(modern("tools/call", {"name": tool, "arguments": arguments})).record

    assert (record.tool, record.outcome, record.error or "", repr(record.cause)) == (tool, kind, name, cause)


def test_an_error_of_the_protocol_that_a_tool_raises_keeps_its_code(wire: Wire) -> None:
    text = "Sessions are unavailable at the moment; try again shortly"

    assert called(wire, MODERN, "unavailable") == error(503, 1, -32603, text, headers={"retry-after": "1"})


NEEDS = "This needs a client that declares the capability sampling"


@pytest.mark.parametrize("version", EVERY_VERSION)
@pytest.mark.parametrize("capabilities", [{"sampling": {}}, {"sampling": {"tools": {}}, "roots": {}}])
def test_a_tool_runs_for_a_client_with_the_capability_that_it_requires(
    built: BuiltServer, version: str, capabilities: dict[str, Any]
) -> None:
    client = Client(built, protocol_version=version, capabilities=capabilities)

    assert client.call_tool("sample").text == "sampled"


@pytest.mark.requirement("mrtr-missing-capability")
@pytest.mark.parametrize("capabilities", [{}, {"roots": {}}, {"sampling": None}, {"sampling": True}])
def test_a_missing_capability_is_an_error_of_its_own_in_the_modern_era(
    wire: Wire, capabilities: object
) -> None:
    metadata = {**METADATA, CAPABILITIES_KEY: capabilities}

    assert wire.send(modern("tools/call", {"name": "sample"}, metadata=metadata)) == error(
        400, 1, -32021, NEEDS, data={"requiredCapabilities": {"sampling": {}}}
    )


@pytest.mark.requirement("ask-legacy-capability")
@pytest.mark.parametrize("version", LEGACY_VERSIONS)
def test_a_missing_capability_is_a_tool_error_in_the_legacy_era(wire: Wire, version: str) -> None:
    assert called(wire, version, "sample") == returned(version, NEEDS, failed=True)


@pytest.mark.requirement("capabilities-of-the-handshake")
@pytest.mark.parametrize(
    ("declared", "text", "failed"), [({}, NEEDS, True), ({"sampling": {}}, "sampled", False)]
)
def test_a_legacy_request_has_the_capabilities_of_its_session_whatever_its_metadata(
    wire: Wire, declared: object, text: str, failed: bool
) -> None:
    wire.send(post(message("initialize", handshake(capabilities=declared))))
    params = {"name": "sample", "_meta": {CAPABILITIES_KEY: {} if declared else {"sampling": {}}}}

    assert wire.send(legacy("tools/call", params)) == returned("2025-11-25", text, failed=failed)


def test_a_tool_sees_the_client_and_the_deadline_and_counts_metrics(built: BuiltServer) -> None:
    client = Client(built, clock=lambda: 12.5)

    assert client.call_tool("observe", word="tea").text == "2026-07-28 test 32.5"
    assert client.record.counts == {"tea": 1, "observed": 2}
