"""The changes that a session store makes, and the protocol that every store implements."""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, TypeAlias

from mcpcore.sessions.ids import ExchangeId, SessionId
from mcpcore.sessions.session import Exchange, Session

__all__ = [
    "CloseSession",
    "CreateExchange",
    "DeleteExchange",
    "ExtendSession",
    "OpenSession",
    "RecordAnswer",
    "SessionStore",
    "SetLogLevel",
    "StoreAction",
    "UpdateExchange",
    "extension_due",
]


class OpenSession(NamedTuple):
    """Store a new session."""

    session: Session


class ExtendSession(NamedTuple):
    """Let a session live until `expires_at`, unless it lives longer already."""

    session_id: SessionId
    expires_at: int


class SetLogLevel(NamedTuple):
    """Store the lowest level of log messages that the session's client wants."""

    session_id: SessionId
    level: str


class CloseSession(NamedTuple):
    """Delete a session. Its exchanges become unreachable."""

    session_id: SessionId


class CreateExchange(NamedTuple):
    """Store a new exchange, in place of an older one with the same id."""

    exchange: Exchange


class RecordAnswer(NamedTuple):
    """Store the client's answer to one question, unless the question has an answer already.

    `created_at` is of the exchange that asked: another one of the same id does not take the answer.
    """

    session_id: SessionId
    exchange_id: ExchangeId
    created_at: float
    key: str
    answer: Any
    refused: bool


class UpdateExchange(NamedTuple):
    """Store an exchange after another run, unless it was deleted meanwhile or has reached that round."""

    exchange: Exchange


class DeleteExchange(NamedTuple):
    """Delete an exchange, unless it was created later than this is done."""

    session_id: SessionId
    exchange_id: ExchangeId


StoreAction: TypeAlias = (
    OpenSession
    | ExtendSession
    | SetLogLevel
    | CloseSession
    | CreateExchange
    | RecordAnswer
    | UpdateExchange
    | DeleteExchange
)
"""One change that a store makes."""


class SessionStore(Protocol):
    """Where sessions and their exchanges are stored.

    Every method raises `StoreUnavailable` when the store fails. Every implementation passes
    `tests/support/store_suite.py`.
    """

    def within(self, seconds_left: Callable[[], float], /) -> "SessionStore":
        """The store for one request: each operation ends within what `seconds_left` returns at its start."""

    def load(self, session_id: SessionId, now: float) -> Session | None:
        """The live session of that id; None if it is unknown, expired at `now`, or closed."""

    def load_exchange(self, session_id: SessionId, exchange_id: ExchangeId, now: float) -> Exchange | None:
        """The exchange of that id in that session; None if it is unknown, expired at `now`, or deleted."""

    def claim(self, exchange: Exchange, *, now: float, until: float) -> bool:
        """True for the one caller that may run `exchange` in its present round, until the time `until`."""

    def apply(self, action: StoreAction, now: float) -> None:
        """Make one change. Changing what no longer exists does nothing.

        Raises:
            TooLargeToStore: the session or exchange is larger than the store accepts; nothing was stored.
        """


def extension_due(session: Session, *, now: float, ttl_seconds: int) -> ExtendSession | None:
    """The extension of a session that is in use: one when half of its life or less is left, else None."""
    if session.expires_at - now > ttl_seconds / 2:
        return None
    return ExtendSession(session.id, int(now) + ttl_seconds)
