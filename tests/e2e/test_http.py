"""The served Lambda over plain HTTP: sessions from their first to their last request, notifications, ids."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import pytest

from tests.support.exchanges import Reply, Sent, error, initialize, legacy, metadata, modern, over_http
from tests.support.serving import Served

UNINITIALIZED: Final = "Server not initialized. Call initialize first."
GONE: Final = {"reason": "The session is unknown, expired or ended; initialize again without a session id"}
NOTIFICATIONS: Final = [
    "notifications/initialized",
    "notifications/cancelled",
    "notifications/progress",
    "notifications/roots/list_changed",
    "notifications/unheard_of",
    "tools/call",
    "",
]


def notification(method: str, sent: Sent, **params: Any) -> Sent:
    """The request made into a notification, its headers as they are."""
    return sent._replace(body=json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode())


@pytest.mark.parametrize("method", NOTIFICATIONS)
def test_a_notification_outside_a_session_is_accepted_without_a_body(served: Served, method: str) -> None:
    assert over_http(served.url)(notification(method, legacy(""))) == Reply(202, {}, b"")


@pytest.mark.requirement("notification-accepted")
@pytest.mark.parametrize("method", NOTIFICATIONS)
def test_a_notification_in_a_session_is_accepted_without_a_body(served: Served, method: str) -> None:
    send = over_http(served.url)
    session = send(initialize()).headers["mcp-session-id"]
    assert send(notification(method, legacy("", session=session))) == Reply(202, {}, b"")


@pytest.mark.requirement("modern-notification")
@pytest.mark.parametrize("method", NOTIFICATIONS)
def test_a_notification_of_2026_07_28_is_accepted_without_a_body(served: Served, method: str) -> None:
    sent = notification(method, modern(method), _meta=metadata())
    assert over_http(served.url)(sent) == Reply(202, {}, b"")


def test_a_notification_in_an_ended_session_is_refused(served: Served) -> None:
    reply = over_http(served.url)(notification("notifications/initialized", legacy("", session="a" * 32)))
    assert (reply.status, reply.message()) == (404, error(..., -32002, UNINITIALIZED, GONE))


@pytest.mark.requirement("id-echoed")
@pytest.mark.parametrize("request_id", [0, -1, 1, 2**53, 10**30, "", "1", "a b", "\x00", "ü\U0001f600"])
def test_a_response_has_the_id_of_its_request(served: Served, request_id: str | int) -> None:
    message = over_http(served.url)(modern("tools/list", request_id)).message()
    assert (message["id"], type(message["id"])) == (request_id, type(request_id))


@pytest.mark.requirement("initialized-not-waited-for")
def test_tools_work_right_after_initialize(served: Served) -> None:
    send = over_http(served.url)
    session = send(initialize()).headers["mcp-session-id"]
    reply = send(legacy("tools/call", session=session, name="get_sources", arguments={"query": "rust"}))
    assert reply.message()["result"]["structuredContent"]["category"]["slug"] == "rust-learning"


@pytest.mark.requirement("version-never-stateless")
@pytest.mark.parametrize("requested", ["2026-07-28", "2024-10-07", "1.0", ""])
def test_a_version_that_has_no_handshake_is_answered_with_the_newest_that_has(
    served: Served, requested: str
) -> None:
    reply = over_http(served.url)(initialize(requested))
    assert reply.message()["result"]["protocolVersion"] == "2025-11-25"


def test_a_second_handshake_opens_a_session_of_its_own(served: Served) -> None:
    send = over_http(served.url)
    first = send(initialize()).headers["mcp-session-id"]
    again = initialize()
    second = send(again._replace(headers={**again.headers, "mcp-session-id": first})).headers[
        "mcp-session-id"
    ]
    assert first != second
    assert [send(legacy("ping", session=session)).status for session in (first, second)] == [200, 200]


@pytest.mark.requirement("session-ended")
def test_a_session_ends_once_and_stays_ended(served: Served) -> None:
    send = over_http(served.url)
    session = send(initialize()).headers["mcp-session-id"]
    end = Sent(b"", {"mcp-session-id": session}, "DELETE")
    assert send(end) == Reply(200, {}, b"")
    later = [end, legacy("ping", session=session), Sent(b"", {"mcp-session-id": session}, "GET")]
    assert [send(sent).status for sent in later] == [404, 404, 404]


@pytest.mark.requirement("session-minted")
def test_only_the_handshake_gives_a_session(served: Served) -> None:
    send = over_http(served.url)
    session = send(initialize()).headers["mcp-session-id"]
    headers = [send(sent).headers for sent in (legacy("ping", session=session), modern("tools/list"))]
    assert headers == [{"content-type": "application/json"}] * 2


def test_a_preflight_request_is_answered_for_an_allowed_origin_only(served: Served) -> None:
    origin = served.url.removesuffix("/mcp")
    asked = {"origin": origin, "access-control-request-method": "POST"}
    reply = over_http(served.url)(Sent(b"", asked, "OPTIONS"))
    assert (reply.status, reply.headers["access-control-allow-origin"]) == (204, origin)
    foreign = over_http(served.url)(Sent(b"", asked | {"origin": "https://evil.example.com"}, "OPTIONS"))
    assert (foreign.status, "access-control-allow-origin" in foreign.headers) == (403, False)


def test_one_session_may_be_used_many_times_at_once(served: Served) -> None:
    send = over_http(served.url)
    session = send(initialize()).headers["mcp-session-id"]
    with ThreadPoolExecutor(8) as clients:
        replies = clients.map(send, [legacy("ping", number, session=session) for number in range(40)])
        answers = [reply.message() for reply in replies]
    assert answers == [{"jsonrpc": "2.0", "id": number, "result": {}} for number in range(40)]


def test_many_sessions_may_be_opened_at_once(served: Served) -> None:
    with ThreadPoolExecutor(8) as clients:
        replies = list(clients.map(over_http(served.url), [initialize()] * 24))
    assert len({reply.headers["mcp-session-id"] for reply in replies}) == 24
