"""Sessions: the store of one process, ids, and how a session is opened, used, extended and closed."""

from collections.abc import Callable
from typing import Any, Final

import pytest

from mcpcore import MemorySessions, Session, SessionId, SessionStore
from mcpcore.http import HttpRequest, HttpResponse
from mcpcore.sessions.ids import ExchangeId, is_valid_id
from mcpcore.sessions.session import Exchange
from mcpcore.sessions.store import (
    CloseSession,
    CreateExchange,
    ExtendSession,
    OpenSession,
    StoreAction,
    extension_due,
)
from tests.support.messages import (
    LEGACY,
    NO_ID,
    SESSION,
    handshake,
    in_session,
    initialize,
    legacy,
    lost_session,
    message,
    modern,
    no_session,
    notification,
    post,
    result,
)
from tests.support.servers import NOW, TTL_SECONDS, Wire
from tests.support.store_suite import ELSEWHERE, EXCHANGE, EXPIRY, StoreSuite, apply_all
from tests.support.store_suite import SESSION as STORED

ID: Final = SessionId(SESSION)
HALF_LIFE: Final = TTL_SECONDS // 2
OPENED: Final = Session(
    id=ID,
    version=LEGACY,
    client_name="tests",
    client_version="1.2",
    capabilities={},
    created_at=NOW,
    expires_at=NOW + TTL_SECONDS,
)


class TestMemorySessions(StoreSuite):
    @pytest.fixture
    def store(self) -> SessionStore:
        return MemorySessions()

    def test_the_exchanges_of_a_session_end_with_it(self, store: SessionStore) -> None:
        apply_all(store, [OpenSession(STORED), CreateExchange(EXCHANGE), CreateExchange(ELSEWHERE)], NOW)
        store.apply(CloseSession(STORED.id), NOW)

        assert store.load_exchange(STORED.id, EXCHANGE.id, NOW) is None
        assert store.load_exchange(ELSEWHERE.session_id, ELSEWHERE.id, NOW) == ELSEWHERE

    def test_what_has_expired_is_deleted_with_the_next_action(self, store: SessionStore) -> None:
        lasting = EXCHANGE._replace(
            id=ExchangeId("lasting"), session_id=SessionId("x"), expires_at=EXPIRY + 1
        )
        apply_all(store, [OpenSession(STORED), CreateExchange(ELSEWHERE), CreateExchange(lasting)], NOW)
        store.apply(CloseSession(SessionId("another")), EXPIRY)

        # A time in the past shows what is still stored.
        assert store.load(STORED.id, NOW) is None
        assert store.load_exchange(ELSEWHERE.session_id, ELSEWHERE.id, NOW) is None
        assert store.load_exchange(lasting.session_id, lasting.id, NOW) == lasting


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["a", "!", "~", "0123456789-abc_DEF", "x" * 128], True),
        (["x" * 129, "", " ", "a b", "a\n", "\x7f", "\xe9", "\ud800"], False),
    ],
)
def test_a_session_id_is_up_to_128_visible_ascii_characters(texts: list[str], expected: bool) -> None:
    assert {is_valid_id(text) for text in texts} == {expected}


@pytest.mark.parametrize(
    ("left", "expected"),
    [(100, None), (50.5, None), (50, ExtendSession(ID, NOW + 150)), (0.5, ExtendSession(ID, NOW + 199))],
)
def test_an_extension_is_due_from_half_life_on(left: float, expected: ExtendSession | None) -> None:
    session = OPENED._replace(expires_at=NOW + 100)

    assert extension_due(session, now=NOW + 100 - left, ttl_seconds=100) == expected


@pytest.fixture
def wire() -> Wire:
    """A server with one session."""
    made = Wire()
    made.send(initialize())
    return made


@pytest.mark.requirement("session-minted")
def test_initialize_opens_a_session_and_names_it_in_a_header() -> None:
    wire = Wire()
    capabilities: dict[str, Any] = {"sampling": {}, "elicitation": {"form": {}}}
    request = post(message("initialize", handshake(capabilities=capabilities, protocolVersion="2025-06-18")))

    outcome = wire.outcome(request)

    opened = OPENED._replace(version="2025-06-18", capabilities=capabilities)
    assert outcome.required == OpenSession(opened)
    assert wire.sessions.load(ID, NOW) == opened
    assert wire.send(request).headers == {"content-type": "application/json", "mcp-session-id": "session-2"}


def test_a_refused_initialize_opens_no_session() -> None:
    wire = Wire()

    answer = wire.send(post(message("initialize", {})))

    assert answer.headers == {"content-type": "application/json"}
    assert wire.sessions.load(ID, NOW) is None


@pytest.mark.requirement("initialize-first", "session-missing", "session-unknown")
@pytest.mark.parametrize("method", ["tools/call", "nope", ""])
def test_a_request_in_no_session_or_an_unknown_one_has_to_initialize_first(method: str) -> None:
    assert Wire().send(post(message(method))) == no_session(1)
    assert Wire().send(legacy(method)) == lost_session(1)


@pytest.mark.requirement("ping-before-initialize")
def test_a_ping_needs_no_session_but_none_that_has_ended() -> None:
    assert Wire().send(post(message("ping"))) == result(1, {})
    assert Wire().send(legacy("ping")) == lost_session(1)


@pytest.mark.parametrize("text", ["", " ", "session", "session-1 x", "ü", "\ud800", "x" * 5000, "a, b"])
def test_a_malformed_session_id_is_an_unknown_session(wire: Wire, text: str) -> None:
    assert wire.send(post(message("ping"), {"mcp-session-id": text})) == lost_session(1)


def test_white_space_around_a_session_id_is_ignored(wire: Wire) -> None:
    assert wire.send(post(message("ping"), {"mcp-session-id": f" {SESSION}\t"})) == result(1, {})


@pytest.mark.requirement("session-unknown")
@pytest.mark.parametrize(
    ("elapsed", "expected"),
    [(TTL_SECONDS - 0.5, result(1, {})), (TTL_SECONDS, lost_session(1)), (TTL_SECONDS + 1, lost_session(1))],
)
def test_a_session_that_is_not_used_expires(wire: Wire, elapsed: float, expected: HttpResponse) -> None:
    assert wire.send(legacy("ping"), now=NOW + elapsed) == expected


@pytest.mark.parametrize(
    ("elapsed", "expected"),
    [
        (0, NOW + TTL_SECONDS),
        (HALF_LIFE - 1, NOW + TTL_SECONDS),
        (HALF_LIFE, NOW + HALF_LIFE + TTL_SECONDS),
        (TTL_SECONDS - 1, NOW + 2 * TTL_SECONDS - 1),
    ],
)
@pytest.mark.parametrize("method", ["ping", "nope"])
def test_a_session_that_is_used_in_its_second_half_is_extended(
    wire: Wire, method: str, elapsed: int, expected: int
) -> None:
    wire.send(legacy(method), now=NOW + elapsed)

    assert wire.sessions.load(ID, NOW + elapsed) == OPENED._replace(expires_at=expected)


END = HttpRequest("DELETE", in_session(), b"")


@pytest.mark.requirement("session-ended", "session-unknown")
def test_a_session_ends_once_and_answers_nothing_afterwards(wire: Wire) -> None:
    assert wire.outcome(END).required == CloseSession(ID)
    assert wire.send(END) == lost_session(NO_ID)
    assert [wire.send(legacy(method)) for method in ("ping", "nope")] == [lost_session(1)] * 2


@pytest.mark.requirement("session-anew")
def test_a_client_can_initialize_again_with_the_id_of_a_session_that_ended(wire: Wire) -> None:
    wire.send(END)
    again = wire.send(initialize(headers={"mcp-session-id": SESSION}))

    assert again.headers["mcp-session-id"] == "session-2"
    assert wire.send(legacy("ping")) == lost_session(1)


@pytest.mark.requirement("initialized-not-waited-for")
def test_a_request_may_follow_initialize_at_once_and_be_repeated(wire: Wire) -> None:
    request = legacy("tools/call", {"name": "echo", "arguments": {"text": "x"}})
    expected = result(1, {"content": [{"type": "text", "text": "x"}], "isError": False})

    assert [wire.send(request), wire.send(request)] == [expected] * 2


class UnusedSessions:
    """A store that must not be used."""

    def load(self, session_id: SessionId, now: float) -> Session | None:
        raise AssertionError(f"{session_id} was loaded at {now}")

    def load_exchange(self, session_id: SessionId, exchange_id: ExchangeId, now: float) -> Exchange | None:
        raise AssertionError(f"{exchange_id} of {session_id} was loaded at {now}")

    def claim(self, exchange: Exchange, *, now: float, until: float) -> bool:
        raise AssertionError(f"{exchange.id} was claimed from {now} until {until}")

    def within(self, _seconds_left: Callable[[], float], /) -> SessionStore:
        raise AssertionError("the store was asked for")

    def apply(self, action: StoreAction, now: float) -> None:
        raise AssertionError(f"{action} was applied at {now}")


@pytest.mark.requirement("stateless")
@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (modern("server/discover", headers={"mcp-session-id": SESSION}), 200),
        (modern("tools/list", headers={"mcp-session-id": SESSION}), 200),
        (
            modern("tools/call", {"name": "add", "arguments": {"a": 1}}, headers={"mcp-session-id": SESSION}),
            200,
        ),
        (modern("nope", headers={"mcp-session-id": SESSION}), 404),
        (modern("server/discover", metadata={}, headers={"mcp-session-id": SESSION}), 400),
        (post(notification("notifications/cancelled"), {"mcp-protocol-version": "2026-07-28"}), 202),
    ],
    ids=["discover", "list", "call", "unknown", "no metadata", "notification"],
)
def test_a_modern_request_uses_no_store_and_gets_no_session(request_: HttpRequest, status: int) -> None:
    response = Wire(sessions=UnusedSessions()).send(request_)

    assert (response.status, "mcp-session-id" in response.headers) == (status, False)
