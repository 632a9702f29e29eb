"""What the legacy era remembers, what may change of it, and who remembers it.

A session is what `initialize` agreed on; an exchange is one request that waits for the client's answers.
Nothing here is reached by a request of the modern era.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple, NewType, Protocol, TypeAlias

from mcpcore.protocol.jsonrpc import RequestId

__all__ = [
    "Action",
    "CloseSession",
    "CreateExchange",
    "DeleteExchange",
    "Exchange",
    "ExchangeId",
    "ExtendSession",
    "OpenSession",
    "RecordAnswer",
    "Session",
    "SessionId",
    "SessionStore",
    "SetLogLevel",
    "UpdateExchange",
    "extension_due",
    "is_session_id",
]

SessionId = NewType("SessionId", str)
ExchangeId = NewType("ExchangeId", str)

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
    log_level: str | None = None


class Exchange(NamedTuple):
    """A request that was answered in part.

    `asked` are the keys of the questions that wait; `answers` has the client's result for each key, or its
    error where `refused` has the key too. `kept` is what the function keeps between its runs. `events` are
    the messages sent so far, encoded; the first `notified` notifications of a run are among them.
    `round` counts the runs.
    """

    id: ExchangeId
    session_id: SessionId
    request_id: RequestId
    method: str
    params: Mapping[str, Any]
    asked: tuple[str, ...]
    answers: Mapping[str, Any]
    refused: frozenset[str]
    kept: Mapping[str, Any]
    events: tuple[str, ...]
    notified: int
    round: int
    finished: bool
    created_at: int
    expires_at: int

    def answered(self) -> bool:
        """True when nothing is waited for."""
        return all(key in self.answers for key in self.asked)


class OpenSession(NamedTuple):
    """Store a new session."""

    session: Session


class ExtendSession(NamedTuple):
    """Let a session live until `expires_at`."""

    session_id: SessionId
    expires_at: int


class SetLogLevel(NamedTuple):
    """Remember which messages a session's client wants to hear of."""

    session_id: SessionId
    level: str


class CloseSession(NamedTuple):
    """Forget a session; what is left of its exchanges can be reached by nobody."""

    session_id: SessionId


class CreateExchange(NamedTuple):
    """Store a new exchange, in place of one with the same id."""

    exchange: Exchange


class RecordAnswer(NamedTuple):
    """Store the client's answer to one question, unless there is one already."""

    session_id: SessionId
    exchange_id: ExchangeId
    key: str
    answer: Any
    refused: bool


class UpdateExchange(NamedTuple):
    """Store an exchange after another run, unless it was dropped meanwhile or has come as far by itself."""

    exchange: Exchange


class DeleteExchange(NamedTuple):
    """Forget an exchange."""

    session_id: SessionId
    exchange_id: ExchangeId


Action: TypeAlias = (
    OpenSession
    | ExtendSession
    | SetLogLevel
    | CloseSession
    | CreateExchange
    | RecordAnswer
    | UpdateExchange
    | DeleteExchange
)
"""What a store is asked to do after a request was answered."""


class SessionStore(Protocol):
    """Where sessions and their exchanges are kept.

    Every method raises `StoreUnavailable` when the store does not answer. Every implementation passes
    `tests/support/store_suite.py`.
    """

    def load(self, session_id: SessionId, now: float) -> Session | None:
        """The live session of that id; None when it is unknown, expired at `now`, or ended."""

    def load_exchange(self, session_id: SessionId, exchange_id: ExchangeId, now: float) -> Exchange | None:
        """The exchange of that id in that session; None when it is unknown, expired at `now`, or dropped."""

    def claim(self, exchange: Exchange, *, now: float, until: float) -> bool:
        """True for the one caller who may run `exchange` in its present round, until the time `until`."""

    def apply(self, actions: Iterable[Action], now: float) -> None:
        """Do what the actions say, in order. Changing what is gone does nothing."""


def is_session_id(text: str) -> bool:
    """True for what could be an id of ours: 1 to 128 visible ASCII characters (spec, basic/transports)."""
    return 0 < len(text) <= _LONGEST_ID and all("!" <= character <= "~" for character in text)


def extension_due(session: Session, *, now: float, ttl_seconds: int) -> tuple[Action, ...]:
    """The refresh that a used session needs: one when half of its life or less is left, else none."""
    if session.expires_at - now > ttl_seconds / 2:
        return ()
    return (ExtendSession(session.id, int(now) + ttl_seconds),)
