"""The table of methods has every method of the specification, and each row answers."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from mcp_types.methods import CLIENT_NOTIFICATIONS, CLIENT_REQUESTS, INPUT_REQUIRED_METHODS

from mcpcore import Server
from mcpcore.engine.dispatch import METHODS, NOTIFICATIONS
from mcpcore.http import HttpRequest, HttpResponse
from mcpcore.protocol.error_map import ErrorKind, OutcomeKind
from mcpcore.protocol.versions import HANDSHAKE_VERSIONS, Era
from mcpcore.request.outcome import (
    Completed,
    Failed,
    NoReply,
    Outcome,
    RequestKind,
    RequestRecord,
    SessionEvent,
)
from mcpcore.sessions.ids import SessionId
from tests.support.messages import (
    ACCEPTED,
    CAPABILITIES_KEY,
    LEGACY,
    METADATA,
    MODERN,
    SESSION,
    answer,
    error,
    handshake,
    in_session,
    initialize,
    legacy,
    message,
    modern,
    notification,
    one_line,
    post,
    resume,
)
from tests.support.official_schemas import optional_members
from tests.support.servers import Wire, full_server, motto

ECHO = {"name": "echo", "arguments": {"text": "x"}}
PARAMS: dict[str, dict[str, Any]] = {
    "initialize": handshake(),
    "tools/call": ECHO,
    "resources/read": {"uri": "book://pages/3"},
    "resources/subscribe": {"uri": "book://motto"},
    "resources/unsubscribe": {"uri": "book://motto"},
    "prompts/get": {"name": "greet", "arguments": {"name": "Ada"}},
    "completion/complete": {
        "ref": {"type": "ref/prompt", "name": "greet"},
        "argument": {"name": "tone", "value": "c"},
    },
    "logging/setLevel": {"level": "info"},
    "subscriptions/listen": {"notifications": {}},
}
REFUSES_NULL = {("inputResponses",)}  # the answers of a user, which are never taken for none
SEND: dict[Era, Callable[..., HttpRequest]] = {Era.LEGACY: legacy, Era.MODERN: modern}


@pytest.fixture
def wire() -> Wire:
    """A server with one session."""
    made = Wire()
    made.send(initialize())
    return made


def era_of(version: str) -> Era:
    return Era.LEGACY if version in HANDSHAKE_VERSIONS else Era.MODERN


@pytest.mark.parametrize(("method", "version"), sorted(CLIENT_REQUESTS))
def test_null_is_absent_for_every_optional_member(method: str, version: str) -> None:
    for path in optional_members(version, method) - REFUSES_NULL:
        without, null = (answered(method, version, path, present) for present in (False, True))
        assert null == without, path


def answered(method: str, version: str, path: tuple[str, ...], present: bool) -> HttpResponse:
    """The response to a request whose member at `path` is null if it is present."""
    wire = Wire(full_server())
    wire.send(initialize(version))
    request = SEND[era_of(version)](method, PARAMS.get(method, {}))
    body = json.loads(request.body or b"")
    inner = body
    for name in ("params", *path[:-1]):
        inner = inner.setdefault(name, {})
    inner.pop(path[-1], None)
    if present:
        inner[path[-1]] = None
    return wire.send(request._replace(body=one_line(body)))


def test_the_table_has_the_methods_of_the_specification() -> None:
    assert set(METHODS) == {(era_of(version), method) for method, version in CLIENT_REQUESTS}
    assert {name for name, _ in CLIENT_NOTIFICATIONS} == NOTIFICATIONS


@pytest.mark.requirement("mrtr-methods")
def test_the_methods_that_may_ask_are_those_of_the_specification() -> None:
    assert {name for (_, name), method in METHODS.items() if method.may_ask} == INPUT_REQUIRED_METHODS


@pytest.mark.parametrize(("method", "version"), sorted(CLIENT_REQUESTS))
def test_every_method_is_answered_in_every_version_that_has_it(method: str, version: str) -> None:
    wire, era = Wire(full_server()), era_of(version)
    wire.send(initialize(version))

    outcome = wire.outcome(SEND[era](method, PARAMS.get(method, {})))

    assert isinstance(outcome.reply, Completed)
    assert (outcome.reply.request_id, outcome.record.era, outcome.record.method) == (1, era, method)


UNKNOWN = ["nope", "", "tools/", "tools/List", "Ping", "é", "notifications/initialized"]
LEGACY_ONLY = sorted(
    name for era, name in METHODS if (Era.MODERN, name) not in METHODS and name != "initialize"
)


@pytest.mark.parametrize("method", [*UNKNOWN, "server/discover", "subscriptions/listen", "tasks/get"])
def test_a_method_that_the_legacy_era_lacks_is_not_found_with_200(wire: Wire, method: str) -> None:
    assert wire.send(legacy(method)) == error(200, 1, -32601, f"Method not found: {method}")


@pytest.mark.requirement("method-not-found", "era-by-opening")
@pytest.mark.parametrize("method", [*UNKNOWN, *LEGACY_ONLY])
def test_a_method_that_the_modern_era_lacks_is_not_found_with_404(method: str) -> None:
    assert Wire().send(modern(method)) == error(404, 1, -32601, f"Method not found: {method}")


def test_a_long_method_is_truncated_in_the_error(wire: Wire) -> None:
    assert wire.send(legacy("x" * 5000)) == error(200, 1, -32601, f"Method not found: {'x' * 100}…")


OPTIONAL = sorted((era.value, name) for (era, name), method in METHODS.items() if method.capability)


@pytest.mark.requirement("capabilities-not-offered")
@pytest.mark.parametrize(("era", "method"), OPTIONAL)
def test_a_method_whose_capability_the_server_does_not_offer_is_not_found(era: str, method: str) -> None:
    wire = Wire(Server("bare", version="1"))
    wire.send(initialize())
    status = {"legacy": 200, "modern": 404}[era]

    found = wire.send(SEND[Era(era)](method, PARAMS.get(method, {})))

    assert found == error(status, 1, -32601, f"Method not found: {method}")


@pytest.mark.requirement("subscribe-offered")
def test_a_server_with_resources_offers_subscriptions_only_if_it_says_so() -> None:
    server = Server("book", version="1")
    server.resource("book://motto")(motto)
    wire = Wire(server)
    wire.send(initialize())

    read = wire.outcome(legacy("resources/read", {"uri": "book://motto"})).reply
    found = wire.send(legacy("resources/subscribe", {"uri": "book://motto"}))

    assert isinstance(read, Completed)
    assert found == error(200, 1, -32601, "Method not found: resources/subscribe")


NAMES = [*sorted(NOTIFICATIONS), "notifications/unknown", "ping", "initialize", ""]


@pytest.mark.requirement("jsonrpc-notification-silence")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "headers", [{}, in_session(), {"mcp-protocol-version": MODERN}], ids=["no session", "session", "modern"]
)
def test_a_notification_is_accepted_with_202_known_or_not(
    wire: Wire, headers: dict[str, str], name: str
) -> None:
    assert wire.send(post(notification(name), headers)) == ACCEPTED


@pytest.mark.parametrize(
    ("headers", "era", "session_id"),
    [(in_session(), Era.LEGACY, SessionId(SESSION)), ({"mcp-protocol-version": MODERN}, Era.MODERN, None)],
)
def test_a_notification_stores_nothing(
    wire: Wire, headers: dict[str, str], era: Era, session_id: SessionId | None
) -> None:
    outcome = wire.outcome(post(notification("notifications/progress", {"progress": 1}), headers))

    assert outcome == Outcome(
        NoReply(),
        RequestRecord(RequestKind.NOTIFICATION, era, method="notifications/progress", session_id=session_id),
    )


CLIENT = "io.modelcontextprotocol/clientInfo"
TRACE = {"traceparent": "00-1-2-03", "tracestate": "a=1", "baggage": "b=2"}


def test_the_record_of_a_modern_request_names_its_client_its_tool_and_its_trace() -> None:
    metadata = {**METADATA, **TRACE, CLIENT: {"name": "tests", "version": "1.2"}}

    outcome = Wire().outcome(modern("tools/call", {**ECHO, "x": 1}, metadata=metadata))

    assert outcome.record == RequestRecord(
        RequestKind.REQUEST,
        Era.MODERN,
        MODERN,
        "tools/call",
        "echo",
        client_name="tests",
        client_version="1.2",
        trace=TRACE,
    )


def test_the_record_of_a_legacy_request_names_the_client_of_its_session(wire: Wire) -> None:
    params = {"name": "refuse", "_meta": {"traceparent": 1, "tracestate": "a=1", CAPABILITIES_KEY: {}}}

    assert wire.outcome(legacy("tools/call", params)).record == RequestRecord(
        RequestKind.REQUEST,
        Era.LEGACY,
        LEGACY,
        "tools/call",
        "refuse",
        outcome=OutcomeKind.TOOL_ERROR,
        error=ErrorKind.TOOL_ERROR,
        client_name="tests",
        client_version="1.2",
        session_id=SessionId(SESSION),
        trace={"tracestate": "a=1"},
    )


def test_the_record_has_no_tool_that_the_server_lacks(wire: Wire) -> None:
    record = wire.outcome(legacy("tools/call", {"name": "nope"})).record

    assert (record.outcome, record.error, record.tool) == (OutcomeKind.REFUSED, "InvalidParams", "")


@pytest.mark.parametrize(
    ("request_", "kind", "method", "name"),
    [
        (post(b"["), RequestKind.REFUSAL, "", "ParseError"),
        (post(message("tools/list")), RequestKind.REQUEST, "tools/list", "SessionMissing"),
        (answer("stream", {}), RequestKind.REFUSAL, "", "InvalidRequest"),
        (answer("stream.key", {}), RequestKind.ANSWER, "", "SessionUnknown"),
        (resume("stream.1"), RequestKind.RESUME, "", "SessionUnknown"),
        (post(notification("n"), in_session()), RequestKind.NOTIFICATION, "n", "SessionUnknown"),
        (modern("nope"), RequestKind.REFUSAL, "nope", "MethodNotFound"),
        (HttpRequest("DELETE", {"mcp-session-id": "x"}, b""), RequestKind.SESSION_END, "", "SessionUnknown"),
    ],
)
def test_the_record_of_a_refusal_says_what_was_refused_and_why(
    request_: HttpRequest, kind: RequestKind, method: str, name: str
) -> None:
    outcome = Wire().outcome(request_)
    record = outcome.record

    assert isinstance(outcome.reply, Failed)
    assert (outcome.required, outcome.best_effort) == (None, None)
    assert (record.kind, record.method, record.outcome, record.error) == (
        kind,
        method,
        OutcomeKind.REFUSED,
        name,
    )
    assert (record.session_event is SessionEvent.REJECTED) is name.startswith("Session")
