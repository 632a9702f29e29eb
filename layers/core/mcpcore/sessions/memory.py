"""Sessions in the memory of one process, for tests and small servers."""

import math
import threading
from collections.abc import Callable
from typing import Self, assert_never

from mcpcore.sessions.ids import ExchangeId, SessionId
from mcpcore.sessions.session import Exchange, Session
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

__all__ = ["MemorySessions"]


class MemorySessions:
    """A `SessionStore` in dictionaries, safe for several threads.

    On Lambda the next request may reach another process: use a store that all of them share.
    """

    def __init__(self) -> None:
        self._sessions: dict[SessionId, Session] = {}
        self._exchanges: dict[tuple[SessionId, ExchangeId], Exchange] = {}
        self._claims: dict[tuple[SessionId, ExchangeId], float] = {}
        self._lock = threading.Lock()

    def within(self, _seconds_left: Callable[[], float], /) -> Self:
        """The store itself: its operations never wait."""
        return self

    def load(self, session_id: SessionId, now: float) -> Session | None:
        """See `SessionStore.load`."""
        session = self._sessions.get(session_id)
        return session if session is not None and now < session.expires_at else None

    def load_exchange(self, session_id: SessionId, exchange_id: ExchangeId, now: float) -> Exchange | None:
        """See `SessionStore.load_exchange`."""
        exchange = self._exchanges.get((session_id, exchange_id))
        return exchange if exchange is not None and now < exchange.expires_at else None

    def claim(self, exchange: Exchange, *, now: float, until: float) -> bool:
        """See `SessionStore.claim`."""
        key = (exchange.session_id, exchange.id)
        with self._lock:
            stored = self.load_exchange(exchange.session_id, exchange.id, now)
            if stored is None or (stored.created_at, stored.round) != (exchange.created_at, exchange.round):
                return False
            if self._claims.get(key, now) > now:
                return False
            self._claims[key] = until
            return True

    def apply(self, action: StoreAction, now: float) -> None:
        """See `SessionStore.apply`."""
        with self._lock:
            self._delete_expired(now)
            self._apply(action, now)

    def _apply(self, action: StoreAction, now: float) -> None:
        match action:
            case OpenSession(session):
                self._sessions[session.id] = session
            case ExtendSession(session_id, expires_at):
                self._extend(session_id, now, expires_at)
            case SetLogLevel(session_id, level):
                self._change(session_id, now, log_level=level)
            case CloseSession(session_id):
                self._close(session_id)
            case CreateExchange(exchange):
                self._create(exchange)
            case RecordAnswer():
                self._record(action, now)
            case UpdateExchange(exchange):
                self._update(exchange)
            case DeleteExchange(session_id, exchange_id):
                self._delete((session_id, exchange_id), created_by=now)
            case never:
                assert_never(never)

    def _delete_expired(self, now: float) -> None:
        for session in [each for each in self._sessions.values() if each.expires_at <= now]:
            self._close(session.id)
        for key in [key for key, each in self._exchanges.items() if each.expires_at <= now]:
            self._delete(key)

    def _close(self, session_id: SessionId) -> None:
        self._sessions.pop(session_id, None)
        for key in [key for key in self._exchanges if key[0] == session_id]:
            self._delete(key)

    def _delete(self, key: tuple[SessionId, ExchangeId], created_by: float = math.inf) -> None:
        if key in self._exchanges and self._exchanges[key].created_at <= created_by:
            del self._exchanges[key]
            self._claims.pop(key, None)

    def _create(self, exchange: Exchange) -> None:
        stored = self._exchanges.get((exchange.session_id, exchange.id))
        if stored is None or stored.created_at < exchange.created_at:
            self._put(exchange)

    def _update(self, exchange: Exchange) -> None:
        stored = self._exchanges.get((exchange.session_id, exchange.id))
        if stored is None or stored.created_at != exchange.created_at:
            return
        if stored.round < exchange.round:
            self._put(exchange)

    def _put(self, exchange: Exchange) -> None:
        key = (exchange.session_id, exchange.id)
        self._exchanges[key] = exchange
        self._claims.pop(key, None)

    def _extend(self, session_id: SessionId, now: float, expires_at: int) -> None:
        session = self.load(session_id, now)
        if session is not None and session.expires_at < expires_at:
            self._change(session_id, now, expires_at=expires_at)

    def _change(self, session_id: SessionId, now: float, **changes: object) -> None:
        session = self.load(session_id, now)
        if session is not None:
            self._sessions[session_id] = session._replace(**changes)  # type: ignore[arg-type]  # fields by name

    def _record(self, record: RecordAnswer, now: float) -> None:
        exchange = self.load_exchange(record.session_id, record.exchange_id, now)
        if exchange is None or exchange.created_at != record.created_at or record.key in exchange.answers:
            return
        self._exchanges[record.session_id, record.exchange_id] = exchange._replace(
            answers={**exchange.answers, record.key: record.answer},
            refused=exchange.refused | ({record.key} if record.refused else set()),
        )
