"""What every `SessionStore` must do. Subclass `StoreSuite` in a test module and give it a `store` fixture."""

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
"""An exchange that has run once, and waits for two answers."""

ELSEWHERE: Final = EXCHANGE._replace(session_id=OTHER.id, request_id=7)
"""One of the same id in another session."""

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

    def test_a_session_that_was_opened_is_loaded_as_it_was(self, store: SessionStore) -> None:
        store.apply(OpenSession(SESSION), NOW)

        assert store.load(SESSION.id, NOW) == SESSION

    def test_an_unknown_session_is_none(self, store: SessionStore) -> None:
        assert store.load(SESSION.id, NOW) is None

    def test_sessions_do_not_touch_each_other(self, store: SessionStore) -> None:
        apply_all(store, [OpenSession(SESSION), OpenSession(OTHER)], NOW)
        store.apply(ExtendSession(SESSION.id, EXPIRY + 60), NOW)

        assert store.load(OTHER.id, NOW) == OTHER

    @pytest.mark.parametrize(
        ("now", "expected"),
        [
            (EXPIRY - 1, SESSION),
            (EXPIRY - 0.001, SESSION),
            (EXPIRY, None),
            (EXPIRY + 0.001, None),
            (EXPIRY + 1_000_000, None),
        ],
    )
    def test_a_session_lives_until_its_expiry_and_not_at_it(
        self, store: SessionStore, now: float, expected: Session | None
    ) -> None:
        store.apply(OpenSession(SESSION), NOW)

        assert store.load(SESSION.id, now) == expected

    def test_a_refreshed_session_lives_longer_and_is_else_the_same(self, store: SessionStore) -> None:
        store.apply(OpenSession(SESSION), NOW)
        store.apply(ExtendSession(SESSION.id, EXPIRY + 60), NOW + 30)

        assert store.load(SESSION.id, EXPIRY) == SESSION._replace(expires_at=EXPIRY + 60)

    @pytest.mark.parametrize("now", [EXPIRY, EXPIRY + 1])
    def test_refreshing_an_expired_session_does_not_revive_it(self, store: SessionStore, now: float) -> None:
        store.apply(OpenSession(SESSION), NOW)
        store.apply(ExtendSession(SESSION.id, EXPIRY + 600), now)

        assert store.load(SESSION.id, EXPIRY + 10) is None

    def test_refreshing_an_unknown_session_does_not_make_one(self, store: SessionStore) -> None:
        store.apply(ExtendSession(SESSION.id, EXPIRY), NOW)

        assert store.load(SESSION.id, NOW) is None

    def test_a_session_that_ended_is_none(self, store: SessionStore) -> None:
        store.apply(OpenSession(SESSION), NOW)
        store.apply(CloseSession(SESSION.id), NOW)

        assert store.load(SESSION.id, NOW) is None

    def test_refreshing_a_session_that_ended_does_not_revive_it(self, store: SessionStore) -> None:
        apply_all(store, [OpenSession(SESSION), CloseSession(SESSION.id)], NOW)
        store.apply(ExtendSession(SESSION.id, EXPIRY + 60), NOW)

        assert store.load(SESSION.id, NOW) is None

    def test_ending_a_session_twice_is_as_ending_it_once(self, store: SessionStore) -> None:
        apply_all(store, [OpenSession(SESSION), CloseSession(SESSION.id)], NOW)
        store.apply(CloseSession(SESSION.id), NOW)

        assert store.load(SESSION.id, NOW) is None

    def test_ending_an_unknown_session_does_nothing(self, store: SessionStore) -> None:
        apply_all(store, [CloseSession(OTHER.id), OpenSession(SESSION)], NOW)

        assert store.load(SESSION.id, NOW) == SESSION

    def test_actions_are_done_in_their_order(self, store: SessionStore) -> None:
        apply_all(
            store,
            [
                OpenSession(SESSION),
                ExtendSession(SESSION.id, EXPIRY + 60),
                OpenSession(OTHER),
                CloseSession(OTHER.id),
            ],
            NOW,
        )

        found = store.load(SESSION.id, EXPIRY), store.load(OTHER.id, NOW)
        assert found == (SESSION._replace(expires_at=EXPIRY + 60), None)

    @pytest.mark.parametrize("text", NOT_IDS)
    def test_what_is_no_id_of_ours_is_an_unknown_session(self, store: SessionStore, text: str) -> None:
        store.apply(OpenSession(SESSION), NOW)

        assert store.load(SessionId(text), NOW) is None

    @pytest.mark.parametrize("level", ["debug", "emergency"])
    def test_a_log_level_is_kept_and_all_else_stays(self, store: SessionStore, level: str) -> None:
        apply_all(store, [OpenSession(SESSION), OpenSession(OTHER), SetLogLevel(SESSION.id, level)], NOW)

        assert store.load(SESSION.id, NOW) == SESSION._replace(log_level=level)
        assert store.load(OTHER.id, NOW) == OTHER

    def test_the_last_log_level_stands_through_a_refresh(self, store: SessionStore) -> None:
        apply_all(store, [OpenSession(SESSION), SetLogLevel(SESSION.id, "error")], NOW)
        apply_all(store, [SetLogLevel(SESSION.id, "info"), ExtendSession(SESSION.id, EXPIRY + 60)], NOW)

        assert store.load(SESSION.id, NOW) == SESSION._replace(log_level="info", expires_at=EXPIRY + 60)

    def test_a_session_can_be_opened_with_a_log_level(self, store: SessionStore) -> None:
        store.apply(OpenSession(SESSION._replace(log_level="notice")), NOW)

        assert store.load(SESSION.id, NOW) == SESSION._replace(log_level="notice")

    def test_a_log_level_of_no_session_or_of_one_that_is_over_makes_none(self, store: SessionStore) -> None:
        apply_all(store, [SetLogLevel(OTHER.id, "info"), OpenSession(SESSION)], NOW)
        store.apply(SetLogLevel(SESSION.id, "info"), EXPIRY)

        assert (store.load(OTHER.id, NOW), store.load(SESSION.id, EXPIRY)) == (None, None)

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
    def test_what_is_no_id_of_ours_is_an_unknown_exchange(self, store: SessionStore, text: str) -> None:
        store.apply(CreateExchange(EXCHANGE), NOW)

        assert store.load_exchange(SESSION.id, ExchangeId(text), NOW) is None
        assert store.load_exchange(SessionId(text), EXCHANGE.id, NOW) is None

    @pytest.mark.parametrize(("now", "there"), [(EXPIRY - 1, True), (EXPIRY, False), (EXPIRY + 1, False)])
    def test_an_exchange_lives_until_its_expiry_and_not_at_it(
        self, store: SessionStore, now: float, there: bool
    ) -> None:
        store.apply(CreateExchange(EXCHANGE), NOW)

        assert (store.load_exchange(SESSION.id, EXCHANGE.id, now) is not None) is there

    def test_an_exchange_and_a_session_do_not_touch_each_other(self, store: SessionStore) -> None:
        apply_all(
            store, [OpenSession(SESSION), CreateExchange(EXCHANGE), SetLogLevel(SESSION.id, "info")], NOW
        )
        store.apply(DeleteExchange(SESSION.id, EXCHANGE.id), NOW)

        assert store.load(SESSION.id, NOW) == SESSION._replace(log_level="info")

    def test_a_later_exchange_of_the_same_id_takes_the_place_of_the_former(self, store: SessionStore) -> None:
        later = EXCHANGE._replace(params={}, asked=("other",), saved={}, created_at=NOW + 1)
        apply_all(store, [CreateExchange(ANSWERED), CreateExchange(later)], NOW)

        assert store.load_exchange(SESSION.id, EXCHANGE.id, NOW) == later

    @pytest.mark.parametrize(("refused", "expected"), [(False, ANSWERED), (True, REFUSED)])
    def test_an_answer_is_recorded_under_its_key(
        self, store: SessionStore, refused: bool, expected: Exchange
    ) -> None:
        answer = expected.answers["name"]
        apply_all(store, [CreateExchange(EXCHANGE), CreateExchange(ELSEWHERE)], NOW)
        store.apply(RecordAnswer(SESSION.id, EXCHANGE.id, "name", answer, refused), NOW)

        assert _both(store) == (expected, ELSEWHERE)

    def test_answers_to_several_questions_are_recorded_beside_each_other(self, store: SessionStore) -> None:
        keys = ["a.b #:c", "name"]
        records = [RecordAnswer(SESSION.id, EXCHANGE.id, key, {"key": key}, key == "name") for key in keys]
        apply_all(store, [CreateExchange(EXCHANGE), *records], NOW)

        assert store.load_exchange(SESSION.id, EXCHANGE.id, NOW) == EXCHANGE._replace(
            answers={key: {"key": key} for key in keys}, refused=frozenset({"name"})
        )

    @pytest.mark.parametrize(("refused", "expected"), [(False, frozenset()), (True, frozenset({"name"}))])
    def test_the_first_answer_to_a_question_stands(
        self, store: SessionStore, refused: bool, expected: frozenset[str]
    ) -> None:
        first = RecordAnswer(SESSION.id, EXCHANGE.id, "name", {"first": True}, refused)
        second = RecordAnswer(SESSION.id, EXCHANGE.id, "name", {"first": False}, not refused)
        apply_all(store, [CreateExchange(EXCHANGE), first], NOW)
        apply_all(store, [second, first], NOW)

        assert store.load_exchange(SESSION.id, EXCHANGE.id, NOW) == EXCHANGE._replace(
            answers={"name": {"first": True}}, refused=expected
        )

    def test_an_answer_to_no_exchange_makes_none(self, store: SessionStore) -> None:
        store.apply(RecordAnswer(SESSION.id, EXCHANGE.id, "name", {}, False), NOW)

        assert store.load_exchange(SESSION.id, EXCHANGE.id, NOW) is None

    def test_an_exchange_goes_on_in_place_of_what_it_was(self, store: SessionStore) -> None:
        went_on = ANSWERED._replace(asked=(), events=("1", "2", "3"), round=2, finished=True, notified=2)
        apply_all(store, [CreateExchange(EXCHANGE), CreateExchange(ELSEWHERE), UpdateExchange(went_on)], NOW)

        assert _both(store) == (went_on, ELSEWHERE)

    @pytest.mark.parametrize("number", [1, 2])
    def test_what_has_gone_on_is_not_put_back_by_one_who_is_late(
        self, store: SessionStore, number: int
    ) -> None:
        first = ANSWERED._replace(round=2, saved={"by": "the first"})
        late = ANSWERED._replace(round=number, saved={"by": "the late"})
        apply_all(store, [CreateExchange(EXCHANGE), UpdateExchange(first)], NOW)
        store.claim(first, now=NOW, until=NOW + 21)
        store.apply(UpdateExchange(late), NOW)

        assert store.load_exchange(SESSION.id, EXCHANGE.id, NOW) == first
        assert not store.claim(first, now=NOW, until=NOW + 21)

    def test_an_exchange_that_was_dropped_does_not_go_on(self, store: SessionStore) -> None:
        apply_all(store, [CreateExchange(EXCHANGE), DeleteExchange(SESSION.id, EXCHANGE.id)], NOW)
        apply_all(
            store, [UpdateExchange(ANSWERED), RecordAnswer(SESSION.id, EXCHANGE.id, "name", {}, False)], NOW
        )

        assert store.load_exchange(SESSION.id, EXCHANGE.id, NOW) is None

    def test_dropping_an_exchange_leaves_the_others(self, store: SessionStore) -> None:
        apply_all(store, [CreateExchange(EXCHANGE), CreateExchange(ELSEWHERE)], NOW)
        apply_all(
            store,
            [DeleteExchange(SESSION.id, EXCHANGE.id), DeleteExchange(SESSION.id, ExchangeId("unknown"))],
            NOW,
        )

        assert _both(store) == (None, ELSEWHERE)

    def test_an_exchange_may_be_run_by_the_one_who_claims_it_first(self, store: SessionStore) -> None:
        apply_all(store, [CreateExchange(EXCHANGE), CreateExchange(ELSEWHERE)], NOW)

        claims = [store.claim(each, now=NOW, until=NOW + 21) for each in (EXCHANGE, EXCHANGE, ELSEWHERE)]

        assert claims == [True, False, True]

    @pytest.mark.parametrize(("later", "expected"), [(20, False), (21, True), (22, True)])
    def test_a_claim_holds_until_its_time(self, store: SessionStore, later: int, expected: bool) -> None:
        store.apply(CreateExchange(EXCHANGE), NOW)
        store.claim(EXCHANGE, now=NOW, until=NOW + 21)

        assert store.claim(EXCHANGE, now=NOW + later, until=NOW + 60) is expected

    def test_a_claim_does_not_change_the_exchange(self, store: SessionStore) -> None:
        store.apply(CreateExchange(ANSWERED), NOW)
        store.claim(ANSWERED, now=NOW, until=NOW + 21)

        assert store.load_exchange(SESSION.id, EXCHANGE.id, NOW) == ANSWERED

    def test_an_answer_can_be_recorded_while_an_exchange_is_claimed(self, store: SessionStore) -> None:
        store.apply(CreateExchange(EXCHANGE), NOW)
        store.claim(EXCHANGE, now=NOW, until=NOW + 21)
        store.apply(RecordAnswer(SESSION.id, EXCHANGE.id, "name", ANSWERED.answers["name"], False), NOW)

        assert store.load_exchange(SESSION.id, EXCHANGE.id, NOW) == ANSWERED
        assert not store.claim(ANSWERED, now=NOW, until=NOW + 21)

    def test_the_next_round_can_be_claimed_at_once_and_the_former_never_again(
        self, store: SessionStore
    ) -> None:
        second = EXCHANGE._replace(round=2)
        store.apply(CreateExchange(EXCHANGE), NOW)
        store.claim(EXCHANGE, now=NOW, until=NOW + 21)
        store.apply(UpdateExchange(second), NOW)

        assert not store.claim(EXCHANGE, now=NOW + 30, until=NOW + 50)
        assert store.claim(second, now=NOW, until=NOW + 21)
        assert not store.claim(second, now=NOW, until=NOW + 21)

    def test_a_round_that_has_not_come_cannot_be_claimed(self, store: SessionStore) -> None:
        store.apply(CreateExchange(EXCHANGE), NOW)

        assert not store.claim(EXCHANGE._replace(round=2), now=NOW, until=NOW + 21)

    def test_an_exchange_in_place_of_a_claimed_one_is_unclaimed(self, store: SessionStore) -> None:
        store.apply(CreateExchange(EXCHANGE), NOW)
        store.claim(EXCHANGE, now=NOW, until=NOW + 21)
        store.apply(CreateExchange(EXCHANGE), NOW)

        assert store.claim(EXCHANGE, now=NOW, until=NOW + 21)

    @pytest.mark.parametrize(
        "actions", [[], [CreateExchange(EXCHANGE), DeleteExchange(SESSION.id, EXCHANGE.id)]], ids=len
    )
    def test_what_is_not_there_cannot_be_claimed_and_claiming_does_not_make_it(
        self, store: SessionStore, actions: list[StoreAction]
    ) -> None:
        apply_all(store, actions, NOW)

        assert not store.claim(EXCHANGE, now=NOW, until=NOW + 21)
        assert store.load_exchange(SESSION.id, EXCHANGE.id, NOW) is None

    def test_an_exchange_that_has_expired_cannot_be_claimed(self, store: SessionStore) -> None:
        store.apply(CreateExchange(EXCHANGE), NOW)

        assert not store.claim(EXCHANGE, now=EXPIRY, until=EXPIRY + 21)


def _both(store: SessionStore) -> tuple[Exchange | None, Exchange | None]:
    """The exchange and the one of its id in another session."""
    first, second = (store.load_exchange(each, EXCHANGE.id, NOW) for each in (SESSION.id, OTHER.id))
    return first, second
