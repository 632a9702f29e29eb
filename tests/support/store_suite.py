"""Tests that every `SessionStore` must pass. Subclass `StoreSuite` in a module with a `store` fixture."""

from collections.abc import Iterable
from typing import Final

import pytest

from mcpcore import Session, SessionId, SessionStore
from mcpcore.sessions.ids import ExchangeId
from mcpcore.sessions.session import Exchange
from mcpcore.sessions.store import (
    CloseSession,
    CreateExchange,
    DeleteExchange,
    ExtendSession,
    OpenSession,
    RecordAnswer,
    SetLogLevel,
    StoreAction,
    UpdateExchange,
)

NOW: Final = 1_800_000_000
EXPIRY: Final = NOW + 60

SESSION: Final = Session(
    id=SessionId("0123456789-abc_DEF"),
    version="2025-11-25",
    client_name="tests",
    client_version="1.2",
    capabilities={"elicitation": {"form": {}}, "experimental": {"x": [1, 2.5, None, True, "ü \U0001f600"]}},
    created_at=NOW,
    expires_at=EXPIRY,
)
OTHER: Final = SESSION._replace(id=SessionId("other"), version="2024-11-05", client_name="")

EXCHANGE: Final = Exchange(
    id=ExchangeId("abc_DEF-123"),
    session_id=SESSION.id,
    request_id="ü 7",
    method="tools/call",
    params={"name": "book", "arguments": {"seats": [1, 2.5, None, True, "ü \U0001f600"]}},
    asked=("name", "a.b #:c"),
    answers={},
    refused=frozenset(),
    saved={"price": [1, {"x": None}]},
    events=('{"a":1}', "\\u00fc"),
    notified=1,
    round=1,
    finished=False,
    created_at=NOW,
    expires_at=EXPIRY,
)
"""An exchange that has run once and has asked two questions."""

ELSEWHERE: Final = EXCHANGE._replace(session_id=OTHER.id, request_id=7)
"""An exchange of the same id in another session."""

ANSWERED: Final = EXCHANGE._replace(answers={"name": {"action": "accept", "content": {"x": "ü"}}})
REFUSED: Final = EXCHANGE._replace(
    answers={"name": {"code": -1, "message": "no"}}, refused=frozenset({"name"})
)

NOT_IDS: Final = [
    "",
    " ",
    "session",
    SESSION.id.upper(),
    SESSION.id + " ",
    "a" * 129,
    "a" * 5000,
    "a,b",
    "\x00",
    "ü",
    "\U0001f600",
    "\ud800",
    "line\nbreak",
    "*",
    "#session",
]


def apply_all(store: SessionStore, actions: Iterable[StoreAction], now: float) -> None:
    """Make several changes, in order."""
    for action in actions:
        store.apply(action, now)


class StoreSuite:
    """Tests of one store, which starts empty."""

    @pytest.fixture
    def store(self) -> SessionStore:
        """The store under test, empty."""
        raise NotImplementedError("a suite for a store overrides this fixture")

    @pytest.mark.parametrize("session", [SESSION, SESSION._replace(log_level="notice")])
    def test_a_session_that_was_opened_is_loaded_as_it_was(
        self, store: SessionStore, session: Session
    ) -> None:
        store.apply(OpenSession(session), NOW)

        assert store.load(session.id, NOW) == session

    @pytest.mark.parametrize("text", NOT_IDS)
    def test_an_unknown_or_malformed_id_is_no_session(self, store: SessionStore, text: str) -> None:
        store.apply(OpenSession(SESSION), NOW)

        assert store.load(SessionId(text), NOW) is None

    @pytest.mark.parametrize(
        ("now", "expected"),
        [(EXPIRY - 1, SESSION), (EXPIRY - 0.001, SESSION), (EXPIRY, None), (EXPIRY + 0.001, None)],
    )
    def test_a_session_lives_until_its_expiry_and_not_at_it(
        self, store: SessionStore, now: float, expected: Session | None
    ) -> None:
        store.apply(OpenSession(SESSION), NOW)

        assert store.load(SESSION.id, now) == expected

    @pytest.mark.parametrize(
        ("change", "expected"),
        [
            (ExtendSession(SESSION.id, EXPIRY + 60), SESSION._replace(expires_at=EXPIRY + 60)),
            (SetLogLevel(SESSION.id, "debug"), SESSION._replace(log_level="debug")),
            (CloseSession(SESSION.id), None),
        ],
    )
    def test_a_change_of_a_session_leaves_all_else_as_it_was(
        self, store: SessionStore, change: StoreAction, expected: Session | None
    ) -> None:
        apply_all(store, [OpenSession(SESSION), OpenSession(OTHER), change], NOW + 30)

        assert (store.load(SESSION.id, NOW), store.load(OTHER.id, NOW)) == (expected, OTHER)

    @pytest.mark.parametrize("now", [EXPIRY, EXPIRY + 1])
    def test_an_expired_session_cannot_be_changed(self, store: SessionStore, now: float) -> None:
        store.apply(OpenSession(SESSION), NOW)
        apply_all(store, [ExtendSession(SESSION.id, EXPIRY + 600), SetLogLevel(SESSION.id, "info")], now)

        assert store.load(SESSION.id, EXPIRY + 10) is None

    @pytest.mark.parametrize(
        "before",
        [[], [OpenSession(SESSION), CloseSession(SESSION.id)], [CloseSession(SESSION.id)] * 2],
        ids=["unknown", "closed", "closed unopened"],
    )
    def test_a_change_does_not_make_a_session(self, store: SessionStore, before: list[StoreAction]) -> None:
        apply_all(store, before, NOW)
        apply_all(store, [ExtendSession(SESSION.id, EXPIRY + 60), SetLogLevel(SESSION.id, "info")], NOW)

        assert store.load(SESSION.id, NOW) is None

    def test_the_last_log_level_stays_through_an_extension(self, store: SessionStore) -> None:
        apply_all(store, [OpenSession(SESSION), SetLogLevel(SESSION.id, "error")], NOW)
        apply_all(store, [SetLogLevel(SESSION.id, "info"), ExtendSession(SESSION.id, EXPIRY + 60)], NOW)

        assert store.load(SESSION.id, NOW) == SESSION._replace(log_level="info", expires_at=EXPIRY + 60)

    @pytest.mark.parametrize("exchange", [EXCHANGE, ELSEWHERE, ANSWERED, REFUSED])
    def test_an_exchange_that_was_stored_is_loaded_as_it_was(
        self, store: SessionStore, exchange: Exchange
    ) -> None:
        store.apply(CreateExchange(exchange), NOW)

        assert store.load_exchange(exchange.session_id, exchange.id, NOW) == exchange

    def test_an_exchange_is_found_in_its_own_session_only(self, store: SessionStore) -> None:
        store.apply(CreateExchange(EXCHANGE), NOW)
        before = store.load_exchange(OTHER.id, EXCHANGE.id, NOW)
        store.apply(CreateExchange(ELSEWHERE), NOW)

        assert before is None
        assert _both(store) == (EXCHANGE, ELSEWHERE)

    @pytest.mark.parametrize("text", NOT_IDS)
    def test_an_unknown_or_malformed_id_is_no_exchange(self, store: SessionStore, text: str) -> None:
        store.apply(CreateExchange(EXCHANGE), NOW)

        assert store.load_exchange(SESSION.id, ExchangeId(text), NOW) is None
        assert store.load_exchange(SessionId(text), EXCHANGE.id, NOW) is None

    @pytest.mark.parametrize(("now", "there"), [(EXPIRY - 1, True), (EXPIRY, False), (EXPIRY + 1, False)])
    def test_an_exchange_lives_until_its_expiry_and_not_at_it(
        self, store: SessionStore, now: float, there: bool
    ) -> None:
        store.apply(CreateExchange(EXCHANGE), NOW)

        assert (store.load_exchange(SESSION.id, EXCHANGE.id, now) is not None) is there

    def test_an_exchange_replaces_one_of_the_same_id(self, store: SessionStore) -> None:
        later = EXCHANGE._replace(params={}, asked=("other",), saved={}, created_at=NOW + 1)
        apply_all(store, [CreateExchange(ANSWERED), CreateExchange(later)], NOW)

        assert store.load_exchange(SESSION.id, EXCHANGE.id, NOW) == later

    @pytest.mark.parametrize(("refused", "expected"), [(False, ANSWERED), (True, REFUSED)])
    def test_an_answer_is_recorded_under_its_key(
        self, store: SessionStore, refused: bool, expected: Exchange
    ) -> None:
        answer = expected.answers["name"]
        apply_all(store, [CreateExchange(EXCHANGE), CreateExchange(ELSEWHERE)], NOW)
        store.apply(RecordAnswer(SESSION.id, EXCHANGE.id, NOW, "name", answer, refused), NOW)

        assert _both(store) == (expected, ELSEWHERE)

    def test_answers_to_several_questions_are_recorded_beside_each_other(self, store: SessionStore) -> None:
        keys = ["a.b #:c", "name"]
        records = [
            RecordAnswer(SESSION.id, EXCHANGE.id, NOW, key, {"key": key}, key == "name") for key in keys
        ]
        apply_all(store, [CreateExchange(EXCHANGE), *records], NOW)

        assert store.load_exchange(SESSION.id, EXCHANGE.id, NOW) == EXCHANGE._replace(
            answers={key: {"key": key} for key in keys}, refused=frozenset({"name"})
        )

    @pytest.mark.parametrize(("refused", "expected"), [(False, frozenset()), (True, frozenset({"name"}))])
    def test_the_first_answer_to_a_question_is_not_replaced(
        self, store: SessionStore, refused: bool, expected: frozenset[str]
    ) -> None:
        first = RecordAnswer(SESSION.id, EXCHANGE.id, NOW, "name", {"first": True}, refused)
        second = RecordAnswer(SESSION.id, EXCHANGE.id, NOW, "name", {"first": False}, not refused)
        apply_all(store, [CreateExchange(EXCHANGE), first], NOW)
        apply_all(store, [second, first], NOW)

        assert store.load_exchange(SESSION.id, EXCHANGE.id, NOW) == EXCHANGE._replace(
            answers={"name": {"first": True}}, refused=expected
        )

    def test_an_updated_exchange_replaces_itself_alone(self, store: SessionStore) -> None:
        later = ANSWERED._replace(asked=(), events=("1", "2", "3"), round=2, finished=True, notified=2)
        apply_all(store, [CreateExchange(EXCHANGE), CreateExchange(ELSEWHERE), UpdateExchange(later)], NOW)

        assert _both(store) == (later, ELSEWHERE)

    @pytest.mark.parametrize("number", [1, 2])
    def test_a_late_update_does_not_undo_a_later_round(self, store: SessionStore, number: int) -> None:
        first = ANSWERED._replace(round=2, saved={"by": "the first"})
        late = ANSWERED._replace(round=number, saved={"by": "the late"})
        apply_all(store, [CreateExchange(EXCHANGE), UpdateExchange(first)], NOW)
        store.claim(first, now=NOW, until=NOW + 21)
        store.apply(UpdateExchange(late), NOW)

        assert store.load_exchange(SESSION.id, EXCHANGE.id, NOW) == first
        assert not store.claim(first, now=NOW, until=NOW + 21)

    def test_deleting_an_exchange_leaves_its_session_and_other_exchanges(self, store: SessionStore) -> None:
        apply_all(store, [OpenSession(SESSION), CreateExchange(EXCHANGE), CreateExchange(ELSEWHERE)], NOW)
        unknown = DeleteExchange(SESSION.id, ExchangeId("unknown"))
        apply_all(store, [DeleteExchange(SESSION.id, EXCHANGE.id), unknown], NOW)

        assert _both(store) == (None, ELSEWHERE)
        assert store.load(SESSION.id, NOW) == SESSION

    def test_an_exchange_is_claimed_once_and_in_its_present_round_only(self, store: SessionStore) -> None:
        apply_all(store, [CreateExchange(EXCHANGE), CreateExchange(ELSEWHERE)], NOW)

        later_round = EXCHANGE._replace(round=2)
        tried = (later_round, EXCHANGE, EXCHANGE, ELSEWHERE)
        claims = [store.claim(each, now=NOW, until=NOW + 21) for each in tried]

        assert claims == [False, True, False, True]

    @pytest.mark.parametrize(("later", "expected"), [(20, False), (21, True), (22, True)])
    def test_a_claim_holds_until_its_time(self, store: SessionStore, later: int, expected: bool) -> None:
        store.apply(CreateExchange(EXCHANGE), NOW)
        store.claim(EXCHANGE, now=NOW, until=NOW + 21)

        assert store.claim(EXCHANGE, now=NOW + later, until=NOW + 60) is expected

    def test_an_answer_can_be_recorded_while_an_exchange_is_claimed(self, store: SessionStore) -> None:
        store.apply(CreateExchange(EXCHANGE), NOW)
        store.claim(EXCHANGE, now=NOW, until=NOW + 21)
        assert store.load_exchange(SESSION.id, EXCHANGE.id, NOW) == EXCHANGE

        store.apply(RecordAnswer(SESSION.id, EXCHANGE.id, NOW, "name", ANSWERED.answers["name"], False), NOW)

        assert store.load_exchange(SESSION.id, EXCHANGE.id, NOW) == ANSWERED
        assert not store.claim(ANSWERED, now=NOW, until=NOW + 21)

    def test_the_next_round_can_be_claimed_at_once_and_the_last_never_again(
        self, store: SessionStore
    ) -> None:
        second = EXCHANGE._replace(round=2)
        store.apply(CreateExchange(EXCHANGE), NOW)
        store.claim(EXCHANGE, now=NOW, until=NOW + 21)
        store.apply(UpdateExchange(second), NOW)

        assert not store.claim(EXCHANGE, now=NOW + 30, until=NOW + 50)
        assert store.claim(second, now=NOW, until=NOW + 21)
        assert not store.claim(second, now=NOW, until=NOW + 21)

    def test_an_exchange_that_replaces_a_claimed_one_is_not_claimed(self, store: SessionStore) -> None:
        later = EXCHANGE._replace(created_at=NOW + 0.001)
        store.apply(CreateExchange(EXCHANGE), NOW)
        store.claim(EXCHANGE, now=NOW, until=NOW + 21)
        store.apply(CreateExchange(later), NOW)

        assert not store.claim(EXCHANGE, now=NOW, until=NOW + 21)
        assert store.claim(later, now=NOW, until=NOW + 21)

    def test_an_exchange_does_not_replace_itself_or_a_later_one(self, store: SessionStore) -> None:
        earlier = EXCHANGE._replace(created_at=NOW - 0.001)
        apply_all(store, [CreateExchange(ANSWERED), CreateExchange(EXCHANGE), CreateExchange(earlier)], NOW)

        assert store.load_exchange(SESSION.id, EXCHANGE.id, NOW) == ANSWERED

    @pytest.mark.parametrize(
        ("actions", "now"),
        [
            ([], NOW),
            ([CreateExchange(EXCHANGE), DeleteExchange(SESSION.id, EXCHANGE.id)], NOW),
            ([CreateExchange(EXCHANGE)], EXPIRY),
        ],
        ids=["unknown", "deleted", "expired"],
    )
    def test_an_exchange_that_does_not_exist_cannot_be_claimed_updated_or_answered(
        self, store: SessionStore, actions: list[StoreAction], now: int
    ) -> None:
        apply_all(store, actions, NOW)
        claimed = store.claim(EXCHANGE, now=now, until=now + 21)
        store.apply(UpdateExchange(ANSWERED), now)
        store.apply(RecordAnswer(SESSION.id, EXCHANGE.id, NOW, "name", {}, False), now)

        assert not claimed
        assert store.load_exchange(SESSION.id, EXCHANGE.id, now) is None


def _both(store: SessionStore) -> tuple[Exchange | None, Exchange | None]:
    """The exchange and the one of its id in another session."""
    first, second = (store.load_exchange(each, EXCHANGE.id, NOW) for each in (SESSION.id, OTHER.id))
    return first, second
