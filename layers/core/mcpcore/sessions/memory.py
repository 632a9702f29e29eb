"""Sessions of one process, for tests and small servers; Lambda may answer the next request elsewhere."""

from collections.abc import Iterable
from typing import assert_never

from mcpcore.sessions.store import (
    Action,
    CloseSession,
    CreateExchange,
    DeleteExchange,
    Exchange,
    ExchangeId,
    ExtendSession,
    OpenSession,
    RecordAnswer,
    Session,
    SessionId,
    SetLogLevel,
    UpdateExchange,
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
        self._forget_expired(now)
        for action in actions:
            self._apply(action, now)

    def _apply(self, action: Action, now: float) -> None:
        match action:
            case OpenSession(session):
                self._sessions[session.id] = session
            case ExtendSession(session_id, expires_at):
                self._change(session_id, now, expires_at=expires_at)
            case SetLogLevel(session_id, level):
                self._change(session_id, now, log_level=level)
            case CloseSession(session_id):
                self._end(session_id)
            case CreateExchange(exchange):
                self._put(exchange)
            case RecordAnswer():
                self._record(action, now)
            case UpdateExchange(exchange):
                stored = self._exchanges.get((exchange.session_id, exchange.id))
                if stored is not None and stored.round < exchange.round:
                    self._put(exchange)
            case DeleteExchange(session_id, exchange_id):
                self._drop((session_id, exchange_id))
            case never:
                assert_never(never)

    def _forget_expired(self, now: float) -> None:
        # Over copies: another thread may be storing something.
        for session in list(self._sessions.values()):
            if session.expires_at <= now:
                self._end(session.id)
        for place, exchange in list(self._exchanges.items()):
            if exchange.expires_at <= now:
                self._drop(place)

    def _end(self, session_id: SessionId) -> None:
        self._sessions.pop(session_id, None)
        for place in list(self._exchanges):
            if place[0] == session_id:
                self._drop(place)

    def _drop(self, place: tuple[SessionId, ExchangeId]) -> None:
        self._exchanges.pop(place, None)
        self._claims.pop(place, None)

    def _put(self, exchange: Exchange) -> None:
        place = (exchange.session_id, exchange.id)
        self._exchanges[place] = exchange
        self._claims.pop(place, None)

    def _change(self, session_id: SessionId, now: float, **changes: object) -> None:
        session = self.load(session_id, now)
        if session is not None:
            self._sessions[session_id] = session._replace(**changes)  # type: ignore[arg-type]  # fields by name

    def _record(self, record: RecordAnswer, now: float) -> None:
        exchange = self.load_exchange(record.session_id, record.exchange_id, now)
        if exchange is None or record.key in exchange.answers:
            return
        self._exchanges[record.session_id, record.exchange_id] = exchange._replace(
            answers={**exchange.answers, record.key: record.answer},
            refused=exchange.refused | ({record.key} if record.refused else set()),
        )
