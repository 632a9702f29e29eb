"""What every `SessionStore` must do. Subclass `StoreSuite` in a test module and give it a `store` fixture."""

from typing import Final

import pytest

from mcpcore import Session, SessionId, SessionStore
from mcpcore.sessions import End, Open, Refresh

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


class StoreSuite:
    """Tests of one store, which starts empty."""

    @pytest.fixture
    def store(self) -> SessionStore:
        """The store under test, empty."""
        raise NotImplementedError("a suite for a store overrides this fixture")

    def test_a_session_that_was_opened_is_loaded_as_it_was(self, store: SessionStore) -> None:
        store.apply([Open(SESSION)], NOW)

        assert store.load(SESSION.id, NOW) == SESSION

    def test_an_unknown_session_is_none(self, store: SessionStore) -> None:
        assert store.load(SESSION.id, NOW) is None

    def test_sessions_do_not_touch_each_other(self, store: SessionStore) -> None:
        store.apply([Open(SESSION), Open(OTHER)], NOW)
        store.apply([Refresh(SESSION.id, EXPIRY + 60)], NOW)

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
        store.apply([Open(SESSION)], NOW)

        assert store.load(SESSION.id, now) == expected

    def test_a_refreshed_session_lives_longer_and_is_else_the_same(self, store: SessionStore) -> None:
        store.apply([Open(SESSION)], NOW)
        store.apply([Refresh(SESSION.id, EXPIRY + 60)], NOW + 30)

        assert store.load(SESSION.id, EXPIRY) == SESSION._replace(expires_at=EXPIRY + 60)

    @pytest.mark.parametrize("now", [EXPIRY, EXPIRY + 1])
    def test_refreshing_an_expired_session_does_not_revive_it(self, store: SessionStore, now: float) -> None:
        store.apply([Open(SESSION)], NOW)
        store.apply([Refresh(SESSION.id, EXPIRY + 600)], now)

        assert store.load(SESSION.id, EXPIRY + 10) is None

    def test_refreshing_an_unknown_session_does_not_make_one(self, store: SessionStore) -> None:
        store.apply([Refresh(SESSION.id, EXPIRY)], NOW)

        assert store.load(SESSION.id, NOW) is None

    def test_a_session_that_ended_is_none(self, store: SessionStore) -> None:
        store.apply([Open(SESSION)], NOW)
        store.apply([End(SESSION.id)], NOW)

        assert store.load(SESSION.id, NOW) is None

    def test_refreshing_a_session_that_ended_does_not_revive_it(self, store: SessionStore) -> None:
        store.apply([Open(SESSION), End(SESSION.id)], NOW)
        store.apply([Refresh(SESSION.id, EXPIRY + 60)], NOW)

        assert store.load(SESSION.id, NOW) is None

    def test_ending_a_session_twice_is_as_ending_it_once(self, store: SessionStore) -> None:
        store.apply([Open(SESSION), End(SESSION.id)], NOW)
        store.apply([End(SESSION.id)], NOW)

        assert store.load(SESSION.id, NOW) is None

    def test_ending_an_unknown_session_does_nothing(self, store: SessionStore) -> None:
        store.apply([End(OTHER.id), Open(SESSION)], NOW)

        assert store.load(SESSION.id, NOW) == SESSION

    def test_actions_are_done_in_their_order(self, store: SessionStore) -> None:
        store.apply([Open(SESSION), Refresh(SESSION.id, EXPIRY + 60), Open(OTHER), End(OTHER.id)], NOW)

        found = store.load(SESSION.id, EXPIRY), store.load(OTHER.id, NOW)
        assert found == (SESSION._replace(expires_at=EXPIRY + 60), None)

    def test_no_actions_are_no_change(self, store: SessionStore) -> None:
        store.apply([], NOW)

        assert store.load(SESSION.id, NOW) is None

    @pytest.mark.parametrize("text", NOT_IDS)
    def test_what_is_no_id_of_ours_is_an_unknown_session(self, store: SessionStore, text: str) -> None:
        store.apply([Open(SESSION)], NOW)

        assert store.load(SessionId(text), NOW) is None
