"""Sessions of the legacy era: what is remembered, what may change, and who remembers it.

Nothing here is reached by a request of the modern era.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple, NewType, Protocol, TypeAlias

__all__ = [
    "Action",
    "End",
    "MemorySessions",
    "Open",
    "Refresh",
    "Session",
    "SessionId",
    "SessionStore",
    "due_refresh",
    "is_session_id",
]

SessionId = NewType("SessionId", str)

_LONGEST_ID: Final = 128


class Session(NamedTuple):
    """What `initialize` agreed on. Times are seconds since the epoch."""

    id: SessionId
    version: str
    client_name: str
    client_version: str
    capabilities: Mapping[str, Any]
    created_at: int
    expires_at: int


class Open(NamedTuple):
    """Store a new session."""

    session: Session


class Refresh(NamedTuple):
    """Let a session live until `expires_at`."""

    session_id: SessionId
    expires_at: int


class End(NamedTuple):
    """Forget a session."""

    session_id: SessionId


Action: TypeAlias = Open | Refresh | End
"""What a store is asked to do after a request was answered."""


class SessionStore(Protocol):
    """Where sessions are kept. Every implementation passes `tests/support/store_suite.py`."""

    def load(self, session_id: SessionId, now: float) -> Session | None:
        """The live session of that id; None when it is unknown, expired at `now`, or ended.

        Raises:
            StoreUnavailable: the store did not answer.
        """

    def apply(self, actions: Iterable[Action], now: float) -> None:
        """Do what the actions say, in order. Refreshing or ending an unknown session does nothing.

        Raises:
            StoreUnavailable: the store did not answer.
        """


class MemorySessions:
    """Sessions of one process: for stdio and for tests, never for Lambda."""

    def __init__(self) -> None:
        self._sessions: dict[SessionId, Session] = {}

    def load(self, session_id: SessionId, now: float) -> Session | None:
        """See `SessionStore.load`."""
        session = self._sessions.get(session_id)
        return session if session is not None and now < session.expires_at else None

    def apply(self, actions: Iterable[Action], now: float) -> None:
        """See `SessionStore.apply`."""
        for action in actions:
            match action:
                case Open(session):
                    self._sessions[session.id] = session
                case Refresh(session_id, expires_at):
                    if (live := self.load(session_id, now)) is not None:
                        self._sessions[session_id] = live._replace(expires_at=expires_at)
                case End(session_id):
                    self._sessions.pop(session_id, None)


def is_session_id(text: str) -> bool:
    """True for what could be an id of ours: 1 to 128 visible ASCII characters (spec, basic/transports)."""
    return 0 < len(text) <= _LONGEST_ID and all("!" <= character <= "~" for character in text)


def due_refresh(session: Session, *, now: float, ttl_seconds: int) -> tuple[Action, ...]:
    """The refresh that a used session needs: one when half of its life or less is left, else none."""
    if session.expires_at - now > ttl_seconds / 2:
        return ()
    return (Refresh(session.id, int(now) + ttl_seconds),)
