"""The table of methods is total: every row answers, and everything else is refused or taken."""

from collections.abc import Callable
from typing import Any

import pytest

from mcpcore import RequestEnvironment, Server, SessionId
from mcpcore.engine.dispatch import METHODS, NOTIFICATIONS, answer_legacy, require_method
from mcpcore.http import HttpRequest
from mcpcore.protocol.errors import MethodNotFound
from mcpcore.protocol.jsonrpc import NoId, Notification
from mcpcore.protocol.versions import Era
from mcpcore.request.outcome import Completed, Failed, NoReply, RequestRecord
from tests.support.messages import (
    ACCEPTED,
    CAPABILITIES_KEY,
    LEGACY,
    LEGACY_VERSIONS,
    METADATA,
    MODERN,
    answer,
    come_back,
    error,
    handshake,
    in_session,
    initialize,
    legacy,
    message,
    modern,
    notification,
    post,
)
from tests.support.servers import Wire, full_server, motto

ECHO = {"name": "echo", "arguments": {"text": "x"}}
PARAMS: dict[str, dict[str, Any]] = {
    "initialize": handshake(),
    "server/discover": {},
    "ping": {},
    "tools/list": {},
    "tools/call": ECHO,
    "resources/list": {},
    "resources/templates/list": {},
    "resources/read": {"uri": "book://pages/3"},
    "resources/subscribe": {"uri": "book://motto"},
    "resources/unsubscribe": {"uri": "book://motto"},
    "prompts/list": {},
    "prompts/get": {"name": "greet", "arguments": {"name": "Ada"}},
    "completion/complete": {
        "ref": {"type": "ref/prompt", "name": "greet"},
        "argument": {"name": "tone", "value": "c"},
    },
    "logging/setLevel": {"level": "info"},
}
IN_BOTH = set(PARAMS) - {
    "initialize",
    "ping",
    "logging/setLevel",
    "resources/subscribe",
    "resources/unsubscribe",
    "server/discover",
}
ASK: dict[Era, Callable[..., HttpRequest]] = {Era.LEGACY: legacy, Era.MODERN: modern}


@pytest.fixture
def wire() -> Wire:
    """A server with one session."""
    made = Wire()
    made.send(initialize())
    return made


def test_the_methods_of_each_era_are_these() -> None:
    assert {name for era, name in METHODS if era is Era.LEGACY} == set(PARAMS) - {"server/discover"}
    assert {name for era, name in METHODS if era is Era.MODERN} == IN_BOTH | {"server/discover"}


@pytest.mark.parametrize(("era", "method"), METHODS, ids=[f"{era.value} {name}" for era, name in METHODS])
def test_every_row_of_the_table_answers_with_a_result(era: Era, method: str) -> None:
    wire = Wire(full_server())
    wire.send(initialize())

    outcome = wire.outcome(ASK[era](method, PARAMS[method]))

    assert isinstance(outcome.reply, Completed)
    assert (outcome.reply.request_id, outcome.record.era, outcome.record.method) == (1, era, method)


OLD_ROWS = [(version, name) for version in LEGACY_VERSIONS for era, name in METHODS if era is Era.LEGACY]


@pytest.mark.parametrize(("version", "method"), OLD_ROWS)
def test_every_legacy_method_answers_in_every_version_that_has_it(version: str, method: str) -> None:
    wire = Wire(full_server())
    wire.send(initialize(version))

    assert isinstance(wire.outcome(legacy(method, PARAMS[method], version=version)).reply, Completed)


UNKNOWN = [
    "nope",
    "",
    "tools",
    "tools/",
    "tools/List",
    "Ping",
    "rpc.discover",
    "é",
    "notifications/initialized",
]


@pytest.mark.parametrize("method", [*UNKNOWN, "server/discover", "subscriptions/listen", "tasks/get"])
def test_what_the_legacy_era_has_not_is_method_not_found_with_200(wire: Wire, method: str) -> None:
    assert wire.send(legacy(method)) == error(200, 1, -32601, f"Method not found: {method}")


GONE = ["ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "subscriptions/listen"]


@pytest.mark.requirement("method-not-found")
@pytest.mark.parametrize("method", [*UNKNOWN, *GONE])
def test_what_the_modern_era_has_not_is_method_not_found_with_404(method: str) -> None:
    assert Wire().send(modern(method)) == error(404, 1, -32601, f"Method not found: {method}")


def test_a_long_method_is_cut_in_the_answer(wire: Wire) -> None:
    assert wire.send(legacy("x" * 5000)) == error(200, 1, -32601, f"Method not found: {'x' * 100}…")


OFFERED = sorted((era.value, name) for (era, name), row in METHODS.items() if row.capability is not None)
STATUS = {"legacy": 200, "modern": 404}


@pytest.mark.requirement("capabilities-not-offered")
@pytest.mark.parametrize(("era", "method"), OFFERED)
def test_a_method_whose_capability_is_not_offered_does_not_exist(era: str, method: str) -> None:
    wire = Wire(Server("bare", version="1"))
    wire.send(initialize())

    answer = wire.send(ASK[Era(era)](method, PARAMS[method]))

    assert answer == error(STATUS[era], 1, -32601, f"Method not found: {method}")


@pytest.mark.requirement("subscribe-offered")
def test_subscribing_is_offered_only_where_the_server_asks_for_it() -> None:
    server = Server("book", version="1")
    server.resource("book://motto")(motto)
    wire = Wire(server)
    wire.send(initialize())

    read = wire.outcome(legacy("resources/read", {"uri": "book://motto"})).reply
    answer = wire.send(legacy("resources/subscribe", {"uri": "book://motto"}))

    assert isinstance(read, Completed)
    assert answer == error(200, 1, -32601, "Method not found: resources/subscribe")


@pytest.mark.requirement("era-by-opening")
def test_the_era_decides_which_row_is_taken() -> None:
    built = Wire().server

    assert require_method(built, LEGACY, Era.LEGACY, "ping") == METHODS[Era.LEGACY, "ping"]
    with pytest.raises(MethodNotFound):
        require_method(built, MODERN, Era.MODERN, "ping")


NAMES = [
    *sorted(NOTIFICATIONS),
    "notifications/unknown",
    "notifications/tasks/status",
    "ping",
    "initialize",
    "",
]


@pytest.mark.requirement("jsonrpc-notification-silence")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "headers", [{}, in_session(), {"mcp-protocol-version": MODERN}], ids=["no session", "session", "modern"]
)
def test_a_notification_is_taken_with_202_and_nothing_else_known_or_not(
    wire: Wire, headers: dict[str, str], name: str
) -> None:
    assert wire.send(post(notification(name), headers)) == ACCEPTED


@pytest.mark.parametrize(
    ("headers", "era"), [(in_session(), Era.LEGACY), ({"mcp-protocol-version": MODERN}, Era.MODERN)]
)
def test_a_notification_changes_nothing_and_is_told_by_its_method(
    wire: Wire, headers: dict[str, str], era: Era
) -> None:
    outcome = wire.outcome(post(notification("notifications/progress", {"progress": 1}), headers))

    assert outcome == (NoReply(), RequestRecord("notification", era, method="notifications/progress"), ())


CLIENT = "io.modelcontextprotocol/clientInfo"
TRACE = {"traceparent": "00-1-2-03", "tracestate": "a=1", "baggage": "b=2"}


def test_a_modern_request_is_told_with_its_client_its_tool_and_its_trace() -> None:
    metadata = {**METADATA, **TRACE, CLIENT: {"name": "tests", "version": "1.2"}}

    outcome = Wire().outcome(modern("tools/call", {**ECHO, "x": 1}, metadata=metadata))

    assert outcome.record == RequestRecord(
        "request",
        Era.MODERN,
        MODERN,
        "tools/call",
        "echo",
        client_name="tests",
        client_version="1.2",
        trace=TRACE,
    )


def test_a_legacy_request_is_told_with_the_client_of_its_session(wire: Wire) -> None:
    params = {"name": "refuse", "_meta": {"traceparent": 1, "tracestate": "a=1", CAPABILITIES_KEY: {}}}

    assert wire.outcome(legacy("tools/call", params)).record == RequestRecord(
        "request",
        Era.LEGACY,
        "2025-11-25",
        "tools/call",
        "refuse",
        tool_failed=True,
        client_name="tests",
        client_version="1.2",
        trace={"tracestate": "a=1"},
    )


def test_a_tool_that_is_not_ours_is_not_told_by_its_name(wire: Wire) -> None:
    outcome = wire.outcome(legacy("tools/call", {"name": "nope"}))

    assert (type(outcome.reply), outcome.record.tool) == (Failed, "")


@pytest.mark.parametrize(
    ("request_", "kind", "method"),
    [
        (post(b"["), "refusal", ""),
        (post(message("ping")), "request", "ping"),
        (post({"jsonrpc": "2.0", "id": 1, "result": {}}, {"mcp-session-id": "x"}), "refusal", ""),
        (answer("stream.key", {}), "answer", ""),
        (come_back("stream.1"), "resume", ""),
        (post(notification("n"), {"mcp-session-id": "x"}), "notification", "n"),
        (modern("nope"), "refusal", "nope"),
        (HttpRequest("DELETE", {"mcp-session-id": "x"}, b""), "session end", ""),
    ],
)
def test_a_refusal_is_told_by_what_was_refused(request_: HttpRequest, kind: str, method: str) -> None:
    outcome = Wire().outcome(request_)

    assert isinstance(outcome.reply, Failed)
    assert (outcome.record.kind, outcome.record.method, outcome.actions) == (kind, method, ())


def test_a_refusal_without_a_request_has_no_id() -> None:
    reply = Wire().outcome(HttpRequest("GET", {}, b"")).reply

    assert isinstance(reply, Failed)
    assert reply.request_id is NoId.ABSENT


@pytest.mark.parametrize("name", NAMES)
def test_a_notification_outside_any_session_is_taken_behind_every_door(name: str) -> None:
    environment = RequestEnvironment(0, lambda: SessionId("unused"), 1)
    message = Notification(name, {})

    outcome = answer_legacy(Wire().server, message, session_id=None, session=None, environment=environment)

    assert outcome == (NoReply(), RequestRecord("notification", Era.LEGACY, method=name), ())
