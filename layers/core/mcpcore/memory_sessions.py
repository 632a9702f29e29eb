"""Sessions of one process, for tests and small servers; Lambda may answer the next request elsewhere."""

from collections.abc import Iterable
from typing import assert_never

from mcpcore.sessions import (
    Action,
    Advance,
    Drop,
    End,
    Exchange,
    ExchangeId,
    Open,
    Record,
    Refresh,
    Session,
    SessionId,
    SetLogLevel,
    Suspend,
)

__all__ = ["MemorySessions"]


class MemorySessions:
    """A `SessionStore` in dictionaries."""

    def __init__(self) -> None:
        self._sessions: dict[SessionId, Session] = {}
        self._exchanges: dict[tuple[SessionId, ExchangeId], Exchange] = {}
        self._claims: dict[tuple[SessionId, ExchangeId], float] = {}

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
        stored = self.load_exchange(exchange.session_id, exchange.id, now)
        if stored is None or stored.round != exchange.round:
            return False
        place = (exchange.session_id, exchange.id)
        if self._claims.get(place, now) > now:
            return False
        self._claims[place] = until
        return True

    def apply(self, actions: Iterable[Action], now: float) -> None:
        """See `SessionStore.apply`."""
        for action in actions:
            self._apply(action, now)

    def _apply(self, action: Action, now: float) -> None:
        match action:
            case Open(session):
                self._sessions[session.id] = session
            case Refresh(session_id, expires_at):
                self._change(session_id, now, expires_at=expires_at)
            case SetLogLevel(session_id, level):
                self._change(session_id, now, log_level=level)
            case End(session_id):
                self._sessions.pop(session_id, None)
            case Suspend(exchange):
                self._put(exchange)
            case Record():
                self._record(action, now)
            case Advance(exchange):
                if (exchange.session_id, exchange.id) in self._exchanges:
                    self._put(exchange)
            case Drop(session_id, exchange_id):
                self._exchanges.pop((session_id, exchange_id), None)
            case never:
                assert_never(never)

    def _put(self, exchange: Exchange) -> None:
        place = (exchange.session_id, exchange.id)
        self._exchanges[place] = exchange
        self._claims.pop(place, None)

    def _change(self, session_id: SessionId, now: float, **changes: object) -> None:
        session = self.load(session_id, now)
        if session is not None:
            self._sessions[session_id] = session._replace(**changes)  # type: ignore[arg-type]  # fields by name

    def _record(self, record: Record, now: float) -> None:
        exchange = self.load_exchange(record.session_id, record.exchange_id, now)
        if exchange is None or record.key in exchange.answers:
            return
        self._exchanges[record.session_id, record.exchange_id] = exchange._replace(
            answers={**exchange.answers, record.key: record.answer},
            refused=exchange.refused | ({record.key} if record.refused else set()),
        )
