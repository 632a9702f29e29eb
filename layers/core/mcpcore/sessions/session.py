"""Session and exchange: what is stored between the requests of a handshake version.

A session holds the result of `initialize`; an exchange is one request that waits for answers of the client.
No request of the modern era reads or writes either.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from mcpcore.protocol.jsonrpc import RequestId
from mcpcore.sessions.ids import ExchangeId, SessionId

__all__ = ["Exchange", "Session"]


class Session(NamedTuple):
    """The result of `initialize`. Times are seconds since the epoch.

    `principal` is the digest of who opened the session; empty without authorization.
    """

    id: SessionId
    version: str
    client_name: str
    client_version: str
    capabilities: Mapping[str, Any]
    created_at: int
    expires_at: int
    log_level: str | None = None
    principal: str = ""


class Exchange(NamedTuple):
    """A request that was answered in part. Times are seconds since the epoch.

    `asked` are the keys of the questions that the last run asked. `answers` has the client's result for each
    key, or its error where `refused` has the key too. `saved` are the values of `context.once`. `events` are
    the messages sent so far, encoded; the first `notified` notifications of a run are among them.
    `round` counts the runs. `created_at`, to the millisecond, orders the exchanges of one id.
    """

    id: ExchangeId
    session_id: SessionId
    request_id: RequestId
    method: str
    params: Mapping[str, Any]
    asked: tuple[str, ...]
    answers: Mapping[str, Any]
    refused: frozenset[str]
    saved: Mapping[str, Any]
    events: tuple[str, ...]
    notified: int
    round: int
    finished: bool
    created_at: float
    expires_at: int

    def ready(self) -> bool:
        """True when the request can be run again: it has not finished, and every question is answered."""
        return not self.finished and all(key in self.answers for key in self.asked)
