"""Events in, replies out: each source end to end, both eras, and every way in which the inside can fail."""

import gzip
import json
import time
from typing import Any, Final, NamedTuple

import pytest

from mcpcore import MemorySessions, Server, SessionId, SessionStore, StoreUnavailable
from mcpcore.http import Policy
from mcpcore.sessions.store import OpenSession, StoreAction
from mcpcore_aws.adapter import LambdaAdapter
from mcpcore_aws.event_sources import UnknownEvent
from mcpcore_aws.settings import SettingsError
from tests.support.adapters import (
    NOW,
    SECRET,
    BrokenSessions,
    SessionsAreDown,
    UntouchableSessions,
    adapter,
    get_sources,
    small_server,
    written,
)
from tests.support.event_sources import through_event_source
from tests.support.events import EVENT_SOURCES, captured, headers_of, with_body, with_headers
from tests.support.exchanges import (
    LambdaContext,
    Reply,
    Sent,
    body_of,
    error,
    initialize,
    legacy,
    metadata,
    modern,
    through_handler,
)

CONTEXT: Final = LambdaContext()

UNINITIALIZED: Final = "Server not initialized. Call initialize first."
GONE: Final = {"reason": "The session is unknown, expired or ended; initialize again without a session id"}


def answer(request_id: int, text: str, *, failed: bool = False) -> dict[str, Any]:
    """A result of the modern era with one text."""
    return {
        "jsonrpc": "2.0",
        "id": request_id,
        "result": {
            "content": [{"type": "text", "text": text}],
            "isError": failed,
            "resultType": "complete",
            "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "small", "version": "1.0"}},
        },
    }


def opened(handler: LambdaAdapter) -> str:
    """The id of a new session."""
    return through_handler(handler)(initialize()).headers["mcp-session-id"]


# Each source


@pytest.mark.parametrize("source", EVENT_SOURCES)
def test_a_call_through_each_event_source_is_answered(source: str) -> None:
    reply = adapter()(captured(source), CONTEXT)
    assert (reply["statusCode"], headers_of(reply)) == (200, {"content-type": "application/json"})
    assert json.loads(reply["body"]) == answer(1, "Sources for learn rust")


LARGE: Final = {
    "a constant": modern("server/discover"),
    "a result": modern("tools/call", name="get_sources", arguments={"query": "rust " * 200}),
}
GZIP: Final = {"content-encoding": "gzip", "vary": "Accept-Encoding"}


def large_replies(source: str, sent: Sent) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The reply to a client that accepts no gzip, and two to one that does, all through `source`."""
    server = Server("large", version="1", instructions="Say please. " * 100)
    server.tool()(get_sources)
    handler = LambdaAdapter(server, sessions=MemorySessions())
    event = with_body(captured(source), sent.body.decode())
    accepting = {**sent.headers, "accept-encoding": "gzip, deflate, br"}
    plain = handler(with_headers(event, dict(sent.headers)), CONTEXT)
    return plain, [handler(with_headers(event, accepting), CONTEXT) for _ in range(2)]


@pytest.mark.parametrize("source", [source for source in EVENT_SOURCES if source != "rest_api"])
@pytest.mark.parametrize("name", LARGE)
def test_a_large_reply_is_compressed_for_a_client_that_accepts_it(source: str, name: str) -> None:
    plain, replies = large_replies(source, LARGE[name])
    for reply in replies:
        assert headers_of(reply) == {**headers_of(plain), **GZIP}
        assert gzip.decompress(body_of(reply)) == plain["body"].encode()
        assert len(body_of(reply)) < len(plain["body"]) / 2


@pytest.mark.parametrize("name", LARGE)
def test_a_rest_api_gets_no_compressed_reply_because_it_would_send_base64(name: str) -> None:
    plain, replies = large_replies("rest_api", LARGE[name])
    assert replies == [plain, plain]


@pytest.mark.parametrize("source", EVENT_SOURCES)
def test_a_session_lives_and_ends_behind_each_event_source(source: str) -> None:
    send = through_event_source(adapter(), source)
    session = send(initialize()).headers["mcp-session-id"]
    called = legacy("tools/call", session=session, name="get_sources", arguments={"query": "rust"})
    result = {"content": [{"type": "text", "text": "Sources for rust"}], "isError": False}
    assert send(called).message() == {"jsonrpc": "2.0", "id": 1, "result": result}
    assert send(Sent(b"", {"mcp-session-id": session}, "DELETE")) == Reply(200, {}, b"")
    gone = send(called)
    assert (gone.status, gone.message()) == (404, error(1, -32002, UNINITIALIZED, GONE))


@pytest.mark.parametrize("source", EVENT_SOURCES)
def test_a_body_of_invalid_base64_is_a_parse_error(source: str) -> None:
    event = with_headers(with_body(captured(source), "a", base64=True), {"content-type": "application/json"})
    reply = adapter()(event, CONTEXT)
    assert (reply["statusCode"], headers_of(reply)) == (400, {"content-type": "application/json"})
    assert json.loads(reply["body"]) == error(None, -32700, "Parse error: the body is not valid Base64")


@pytest.mark.parametrize("source", EVENT_SOURCES)
def test_a_request_without_headers_is_refused_for_its_type(source: str) -> None:
    reply = adapter()({**captured(source), "headers": None, "multiValueHeaders": None}, CONTEXT)
    assert reply["statusCode"] == 415


@pytest.mark.parametrize("event", [{}, [], {"Records": [{"eventSource": "aws:s3"}]}])
def test_an_event_of_no_source_ends_the_invocation(event: Any) -> None:
    with pytest.raises(UnknownEvent):
        adapter()(event, CONTEXT)


def test_a_server_may_be_built_beforehand() -> None:
    handler = LambdaAdapter(small_server().build(), sessions=MemorySessions())
    assert handler(captured("http_api"), CONTEXT)["statusCode"] == 200


@pytest.mark.parametrize("server", [small_server, small_server(), small_server().build()])
def test_a_server_from_the_environment_may_be_a_function_and_have_a_store_of_its_own(server: Any) -> None:
    sessions = MemorySessions()
    handler = LambdaAdapter.from_environment(server, sessions=sessions, environment={})
    session_id = SessionId(opened(handler))
    assert sessions.load(session_id, time.time()) is not None


def test_a_server_from_the_environment_keeps_sessions_in_its_table() -> None:
    with pytest.raises(SettingsError, match="SESSIONS_TABLE must be set"):
        LambdaAdapter.from_environment(small_server, environment={})


@pytest.mark.parametrize("server", [None, lambda: None, lambda: "server"])
def test_what_is_no_server_is_refused(server: Any) -> None:
    with pytest.raises(TypeError, match="a LambdaAdapter serves a Server, and this is"):
        LambdaAdapter.from_environment(server, environment={"SESSIONS_TABLE": "sessions"})


def test_the_policy_of_the_adapter_is_applied() -> None:
    allowed = adapter(policy=Policy(allowed_origins=frozenset({"https://a.example"})))
    event = captured("http_api")
    event["headers"]["origin"] = "https://a.example"
    assert allowed(event, CONTEXT)["headers"] == {
        "content-type": "application/json",
        "access-control-allow-origin": "https://a.example",
        "access-control-expose-headers": "Mcp-Session-Id, WWW-Authenticate",
        "vary": "Origin",
    }
    assert adapter()(event, CONTEXT)["statusCode"] == 403


# 2026-07-28 and the store


NOTIFIED: Final = json.dumps(
    {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"_meta": metadata()}}
)

STATELESS: Final = {
    "discover": (modern("server/discover"), 200),
    "list": (modern("tools/list"), 200),
    "call": (modern("tools/call", name="get_sources", arguments={"query": "rust"}), 200),
    "call that finds nothing": (
        modern("tools/call", name="get_sources", arguments={"query": "nothing"}),
        200,
    ),
    "call of a broken tool": (modern("tools/call", name="broken"), 200),
    "wrong arguments": (modern("tools/call", name="get_sources", arguments={}), 200),
    "unknown tool": (modern("tools/call", name="rm"), 200),
    "unknown method": (modern("rm"), 404),
    "initialize": (modern("initialize"), 404),
    "notification": (Sent(NOTIFIED.encode(), modern("a").headers), 202),
    "not JSON": (modern("tools/list")._replace(body=b"{"), 400),
    "stream": (Sent(b"", {"mcp-protocol-version": "2026-07-28"}, "GET"), 405),
    "end of a session": (Sent(b"", {"mcp-protocol-version": "2026-07-28"}, "DELETE"), 405),
}


@pytest.mark.requirement("stateless")
@pytest.mark.parametrize("name", STATELESS)
def test_nothing_of_2026_07_28_reaches_the_store(name: str) -> None:
    sent, status = STATELESS[name]
    assert through_handler(adapter(UntouchableSessions()))(sent).status == status


@pytest.mark.parametrize(
    "sent",
    [
        Sent(b"", {}, "GET"),
        Sent(b"", {"last-event-id": "x.1"}, "GET"),
        Sent(b"", {}, "DELETE"),
        legacy("ping")._replace(body=b"[]"),
        legacy("ping", session="a")._replace(body=b"{"),
        legacy("ping", session="a")._replace(headers={"mcp-session-id": "a"}),
        legacy("", session="a")._replace(body=b'{"jsonrpc":"2.0","id":1,"result":{}}'),
        legacy("")._replace(body=b'{"jsonrpc":"2.0","id":"x.key","result":{}}'),
    ],
)
def test_refused_requests_do_not_access_the_store(sent: Sent) -> None:
    assert 400 <= through_handler(adapter(UntouchableSessions()))(sent).status < 500


# A store that does not answer


EVENTS: Final = {"accept": "text/event-stream"}

IN_SESSION: Final = {
    "initialize": (initialize(), 1),
    "list": (legacy("tools/list", 7, session="a"), 7),
    "call": (legacy("tools/call", "x", session="a", name="get_sources"), "x"),
    "notification": (
        legacy("", session="a")._replace(body=b'{"jsonrpc":"2.0","method":"notifications/initialized"}'),
        ...,
    ),
    "answer": (legacy("", session="a")._replace(body=b'{"jsonrpc":"2.0","id":"x.key","result":{}}'), ...),
    "rest of an answer": (Sent(b"", {**EVENTS, "mcp-session-id": "a", "last-event-id": "x.1"}, "GET"), ...),
    "no stream": (Sent(b"", {"mcp-session-id": "a"}, "GET"), ...),
    "end": (Sent(b"", {"mcp-session-id": "a"}, "DELETE"), ...),
}


@pytest.mark.parametrize("name", IN_SESSION)
def test_without_the_store_a_client_gets_503_with_retry_after(name: str) -> None:
    sent, request_id = IN_SESSION[name]
    reply = through_handler(adapter(SessionsAreDown()))(sent)
    assert (reply.status, reply.headers) == (503, {"content-type": "application/json", "retry-after": "1"})
    text = "Sessions are unavailable at the moment; try again shortly"
    assert reply.message() == error(request_id, -32603, text)


def test_the_error_of_the_store_is_in_the_log_only(capsys: pytest.CaptureFixture[str]) -> None:
    reply = through_handler(adapter(SessionsAreDown()))(legacy("tools/list", session="a"))
    (line,) = written(capsys).logs
    assert SECRET not in f"{reply}"
    assert (line["level"], line["message"]) == ("ERROR", "request failed inside")
    assert SECRET in line["exception"]


class SessionsThatOnlyRead(MemorySessions):
    """A store that is down whenever something is to be changed in a session that is open already."""

    def apply(self, action: StoreAction, now: float) -> None:
        if not isinstance(action, OpenSession):
            raise StoreUnavailable from RuntimeError(SECRET)
        super().apply(action, now)


def test_the_result_is_sent_although_the_session_could_not_be_refreshed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    times = iter([0.0, 2000.0, 2001.0])
    send = through_handler(adapter(SessionsThatOnlyRead(), clock=lambda: next(times)))
    session = send(initialize()).headers["mcp-session-id"]
    written(capsys)
    assert send(legacy("ping", session=session)).status == 200
    (line,) = written(capsys).logs
    assert (line["level"], line["status"], line["outcome"]) == ("ERROR", 200, "ok")
    assert SECRET in line["exception"]
    assert send(Sent(b"", {"mcp-session-id": session}, "DELETE")).status == 503


# Faults that nobody has foreseen


def broken_clock() -> float:
    raise RuntimeError(SECRET)


FAULTS: Final[dict[str, tuple[dict[str, Any], Sent]]] = {
    "the store": ({"sessions": BrokenSessions()}, legacy("tools/list", session="a")),
    "the clock": ({"clock": broken_clock}, modern("tools/list")),
}
INTERNAL: Final = Reply(
    500,
    {"content-type": "application/json"},
    b'{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error"}}',
)
WITHOUT_ID: Final = b'{"jsonrpc":"2.0","error":{"code":-32603,"message":"Internal error"}}'


@pytest.mark.requirement("error-internals-hidden")
@pytest.mark.parametrize("name", FAULTS)
def test_an_unexpected_exception_is_an_internal_error_without_its_details(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    parts, sent = FAULTS[name]
    assert through_handler(adapter(**parts))(sent) == INTERNAL
    (line,) = written(capsys).logs
    assert (line["level"], line["status"], line["outcome"]) == ("ERROR", 500, "internal_error")
    assert SECRET in line["exception"]


@pytest.mark.parametrize("source", EVENT_SOURCES)
def test_a_malformed_event_is_an_internal_error(source: str) -> None:
    reply = adapter()({**captured(source), "headers": ["a"], "multiValueHeaders": ["a"]}, CONTEXT)
    assert (reply["statusCode"], reply["body"].encode()) == (500, WITHOUT_ID)


@pytest.mark.parametrize("source", EVENT_SOURCES)
@pytest.mark.parametrize("allowed", ["*", "https://a.example"])
@pytest.mark.parametrize("name", ["origin", "host", "accept", "mcp-session-id"])
@pytest.mark.parametrize("value", [5, None, ["a"], {"a": "b"}])
def test_a_header_that_is_no_text_never_ends_the_invocation(
    source: str, allowed: str, name: str, value: object
) -> None:
    event = captured(source)
    places = event.keys() & {"headers", "multiValueHeaders"}
    event |= {place: {**event[place], name: value} for place in places}
    handler = adapter(policy=Policy(allowed_origins=frozenset({allowed})))
    assert handler(event, CONTEXT)["statusCode"] in {200, 400, 403, 406, 500}


class ContextWithoutTime(NamedTuple):
    """A context that cannot tell how much time is left."""

    aws_request_id: str = "an id"

    def get_remaining_time_in_millis(self) -> int:
        raise RuntimeError(SECRET)


@pytest.mark.parametrize("context", [ContextWithoutTime(), None])
def test_a_context_that_raises_is_an_internal_error(context: Any) -> None:
    reply = adapter()(captured("http_api"), context)
    assert (reply["statusCode"], reply["body"].encode()) == (500, INTERNAL.body)


@pytest.mark.requirement("tool-fault")
def test_an_exception_in_a_tool_is_a_tool_error_without_its_details(
    capsys: pytest.CaptureFixture[str],
) -> None:
    reply = through_handler(adapter())(modern("tools/call", name="broken"))
    assert (reply.status, reply.message()) == (
        200,
        answer(1, "The tool broken failed. Try again later.", failed=True),
    )
    (line,) = written(capsys).logs
    assert (line["level"], line["tool"], line["outcome"]) == ("ERROR", "broken", "crash")
    assert SECRET in line["exception"]


def test_the_function_answers_the_next_request_after_an_exception() -> None:
    handler = adapter(BrokenSessions())
    send = through_handler(handler)
    assert [send(initialize()).status, send(modern("tools/list")).status] == [500, 200]


# Sessions


@pytest.mark.requirement("session-id-unguessable")
def test_a_session_id_is_long_visible_and_never_the_same() -> None:
    handler = adapter()
    ids = {opened(handler) for _ in range(50)}
    assert len(ids) == 50
    assert {len(session) for session in ids} == {32}
    assert all(session.isascii() and session.isprintable() and " " not in session for session in ids)


def test_an_unused_session_expires() -> None:
    assert statuses_at(0, 3599, store=MemorySessions()) == [200, 200]
    assert statuses_at(3600, store=MemorySessions()) == [404]


def test_a_session_in_use_does_not_expire() -> None:
    assert statuses_at(1800, 5399, 8998, store=MemorySessions()) == [200, 200, 200]
    assert statuses_at(1800, 5400, store=MemorySessions()) == [200, 404]


def test_a_session_is_not_written_for_every_request() -> None:
    # Before half of its life it needs no refresh, so the hour is still counted from the start.
    assert statuses_at(1799, 3600, store=MemorySessions()) == [200, 404]


def statuses_at(*seconds: int, store: SessionStore) -> list[int]:
    """What a ping gets in one session, at these times after it was opened."""
    times = iter([NOW, *(NOW + passed for passed in seconds)])
    handler = adapter(store, clock=lambda: next(times))
    session = opened(handler)
    return [through_handler(handler)(legacy("ping", session=session)).status for _ in seconds]
