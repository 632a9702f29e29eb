"""Sessions: the store of one process, ids, and how a session is opened, used, refreshed and ended."""

from collections.abc import Iterable
from typing import Any, Final

import pytest

from mcpcore import MemorySessions, Session, SessionId, SessionStore
from mcpcore.http import HttpRequest, HttpResponse
from mcpcore.sessions.store import (
    Action,
    CloseSession,
    CreateExchange,
    Exchange,
    ExchangeId,
    ExtendSession,
    OpenSession,
    extension_due,
    is_session_id,
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
from tests.support.store_suite import SESSION as SUITE_SESSION

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

    def test_what_a_session_waits_for_ends_with_it(self, store: SessionStore) -> None:
        apply_all(
            store, [OpenSession(SUITE_SESSION), CreateExchange(EXCHANGE), CreateExchange(ELSEWHERE)], NOW
        )
        store.apply(CloseSession(SUITE_SESSION.id), NOW)

        assert store.load_exchange(SUITE_SESSION.id, EXCHANGE.id, NOW) is None
        assert store.load_exchange(ELSEWHERE.session_id, ELSEWHERE.id, NOW) == ELSEWHERE

    def test_what_has_expired_is_forgotten_with_the_next_action(self, store: SessionStore) -> None:
        lasting = EXCHANGE._replace(
            id=ExchangeId("lasting"), session_id=SessionId("x"), expires_at=EXPIRY + 1
        )
        apply_all(
            store, [OpenSession(SUITE_SESSION), CreateExchange(ELSEWHERE), CreateExchange(lasting)], NOW
        )
        store.apply(CloseSession(SessionId("another")), EXPIRY)

        # As it was before: nobody is asked for the past but to see what is still there.
        assert store.load(SUITE_SESSION.id, NOW) is None
        assert store.load_exchange(ELSEWHERE.session_id, ELSEWHERE.id, NOW) is None
        assert store.load_exchange(lasting.session_id, lasting.id, NOW) == lasting


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", True),
        ("!", True),
        ("~", True),
        ("0123456789-abc_DEF", True),
        ("x" * 128, True),
        ("x" * 129, False),
        ("", False),
        (" ", False),
        ("a b", False),
        ("a\n", False),
        ("\x7f", False),
        ("\xe9", False),
        ("\ud800", False),
    ],
)
def test_a_session_id_is_up_to_128_visible_ascii_characters(text: str, expected: bool) -> None:
    assert is_session_id(text) is expected


@pytest.mark.parametrize(
    ("left", "expected"),
    [
        (100, ()),
        (50.5, ()),
        (50, (ExtendSession(ID, NOW + 150),)),
        (0.5, (ExtendSession(ID, NOW + 199),)),
    ],
)
def test_a_refresh_is_due_from_half_life_on(left: float, expected: tuple[Action, ...]) -> None:
    session = OPENED._replace(expires_at=NOW + 100)

    assert extension_due(session, now=NOW + 100 - left, ttl_seconds=100) == expected


@pytest.mark.requirement("session-minted")
def test_initialize_opens_a_session_of_what_was_agreed_and_names_it_in_a_header() -> None:
    wire = Wire()
    capabilities: dict[str, Any] = {"sampling": {}, "elicitation": {"form": {}}}
    request = post(message("initialize", handshake(capabilities=capabilities, protocolVersion="2025-06-18")))

    outcome = wire.outcome(request)

    agreed = OPENED._replace(version="2025-06-18", capabilities=capabilities)
    assert outcome.actions == (OpenSession(agreed),)
    assert wire.sessions.load(ID, NOW) == agreed
    assert wire.send(request).headers == {"content-type": "application/json", "mcp-session-id": "session-2"}


def test_a_refused_initialize_opens_no_session() -> None:
    wire = Wire()

    answer = wire.send(post(message("initialize", {})))

    assert answer.headers == {"content-type": "application/json"}
    assert wire.sessions.load(ID, NOW) is None


METHODS = ["ping", "tools/list", "tools/call", "server/discover", "nope", ""]


@pytest.mark.requirement("initialize-first", "session-missing")
@pytest.mark.parametrize("method", METHODS)
def test_every_request_outside_a_session_is_told_to_initialize(method: str) -> None:
    assert Wire().send(post(message(method))) == no_session(1)


@pytest.mark.requirement("session-unknown")
@pytest.mark.parametrize("method", METHODS)
def test_every_request_in_an_unknown_session_is_told_to_initialize(method: str) -> None:
    assert Wire().send(legacy(method)) == lost_session(1)


@pytest.mark.parametrize("text", ["", " ", "session", "session-1 x", "ü", "\ud800", "x" * 5000, "a, b"])
def test_an_id_of_another_shape_is_an_unknown_session(text: str) -> None:
    wire = Wire()
    wire.send(initialize())

    assert wire.send(post(message("ping"), {"mcp-session-id": text})) == lost_session(1)


def test_white_space_around_a_session_id_is_no_part_of_it() -> None:
    wire = Wire()
    wire.send(initialize())

    assert wire.send(post(message("ping"), {"mcp-session-id": f" {SESSION}\t"})) == result(1, {})


@pytest.mark.requirement("session-unknown")
@pytest.mark.parametrize(
    ("elapsed", "expected"),
    [(TTL_SECONDS - 0.5, result(1, {})), (TTL_SECONDS, lost_session(1)), (TTL_SECONDS + 1, lost_session(1))],
)
def test_a_session_that_is_not_used_expires(elapsed: float, expected: HttpResponse) -> None:
    wire = Wire()
    wire.send(initialize())

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
@pytest.mark.parametrize("method", ["ping", "tools/list", "nope"])
def test_a_session_that_is_used_after_half_of_its_life_lives_a_whole_one_more(
    method: str, elapsed: int, expected: int
) -> None:
    wire = Wire()
    wire.send(initialize())
    wire.send(legacy(method), now=NOW + elapsed)

    assert wire.sessions.load(ID, NOW + elapsed) == OPENED._replace(expires_at=expected)


def test_a_session_that_is_used_now_and_then_outlives_its_first_expiry() -> None:
    wire = Wire()
    wire.send(initialize())
    wire.send(legacy("ping"), now=NOW + 3000)
    wire.send(legacy("ping"), now=NOW + 6000)

    assert wire.send(legacy("ping"), now=NOW + 9000) == result(1, {})


END = HttpRequest("DELETE", in_session(), b"")


@pytest.mark.requirement("session-ended")
def test_a_session_ends_once() -> None:
    wire = Wire()
    wire.send(initialize())

    assert wire.outcome(END).actions == (CloseSession(ID),)
    assert wire.send(END) == lost_session(NO_ID)


@pytest.mark.requirement("session-unknown")
@pytest.mark.parametrize(
    "request_", [legacy("ping"), legacy("tools/list"), legacy("nope")], ids=["ping", "list", "unknown"]
)
def test_nothing_is_answered_in_a_session_that_ended(request_: HttpRequest) -> None:
    wire = Wire()
    wire.send(initialize())
    wire.send(END)

    assert wire.send(request_) == lost_session(1)


@pytest.mark.requirement("session-anew")
def test_after_its_session_ended_a_client_can_initialize_again_with_the_old_id() -> None:
    wire = Wire()
    wire.send(initialize())
    wire.send(END)
    again = wire.send(initialize(headers={"mcp-session-id": SESSION}))

    assert again.headers["mcp-session-id"] == "session-2"
    assert wire.send(legacy("ping")) == lost_session(1)


@pytest.mark.requirement("initialized-not-waited-for")
def test_tools_work_right_after_initialize_without_the_initialized_notification() -> None:
    wire = Wire()
    wire.send(initialize())
    request = legacy("tools/call", {"name": "echo", "arguments": {"text": "x"}})

    assert wire.send(request) == result(1, {"content": [{"type": "text", "text": "x"}], "isError": False})


def test_a_session_id_may_be_used_again_by_requests_with_the_same_id() -> None:
    wire = Wire()
    wire.send(initialize())
    wire.send(legacy("ping"))

    assert wire.send(legacy("ping")) == result(1, {})


class Untouchable:
    """A store that nobody may ask."""

    def load(self, session_id: SessionId, now: float) -> Session | None:
        raise AssertionError(f"the store was asked for {session_id} at {now}")

    def load_exchange(self, session_id: SessionId, exchange_id: ExchangeId, now: float) -> Exchange | None:
        raise AssertionError(f"the store was asked for {exchange_id} of {session_id} at {now}")

    def claim(self, exchange: Exchange, *, now: float, until: float) -> bool:
        raise AssertionError(f"{exchange.id} was claimed from {now} until {until}")

    def apply(self, actions: Iterable[Action], now: float) -> None:
        raise AssertionError(f"the store was told {[*actions]} at {now}")


@pytest.mark.requirement("stateless")
@pytest.mark.parametrize(
    "request_",
    [
        modern("server/discover", headers={"mcp-session-id": SESSION}),
        modern("tools/list", headers={"mcp-session-id": SESSION}),
        modern("tools/call", {"name": "add", "arguments": {"a": 1}}, headers={"mcp-session-id": SESSION}),
        modern("nope", headers={"mcp-session-id": SESSION}),
        modern("server/discover", metadata={}, headers={"mcp-session-id": SESSION}),
        post(notification("notifications/cancelled"), {"mcp-protocol-version": "2026-07-28"}),
    ],
    ids=["discover", "list", "call", "unknown", "no metadata", "notification"],
)
def test_a_modern_request_touches_no_store_and_is_given_no_session(request_: HttpRequest) -> None:
    assert "mcp-session-id" not in Wire(sessions=Untouchable()).send(request_).headers
