"""The engine: loads what a request needs, decides, and stores what must be stored before the answer."""

from typing import assert_never

from mcpcore.definitions.built import BuiltServer
from mcpcore.engine.dispatch import METHODS, call_method, new_run, record_of
from mcpcore.engine.resumption import abandon, poll, rerun, take_answer
from mcpcore.engine.suspension import (
    advanced,
    exchange_id_of,
    input_required,
    new_exchange,
    replay_from_params,
    stream_after,
)
from mcpcore.methods.lifecycle import new_session
from mcpcore.protocol.errors import (
    McpError,
    SessionMissing,
    SessionUnknown,
    StoreUnavailable,
    TooLargeToStore,
    UnexpectedError,
)
from mcpcore.protocol.jsonrpc import NoId, Notification, Request, encode
from mcpcore.protocol.versions import Era
from mcpcore.questions.question import InputRequired
from mcpcore.request.admitted import Admitted, AnswerTo, EndSession, Legacy, Modern, Resume
from mcpcore.request.envelope import envelope_from_session, require_metadata_log_level
from mcpcore.request.environment import RequestEnvironment
from mcpcore.request.outcome import (
    Completed,
    NoReply,
    Outcome,
    RequestKind,
    RequestRecord,
    SessionEvent,
    failure,
    with_error,
)
from mcpcore.request.run import HandlerRun
from mcpcore.sessions.session import Exchange, ExchangeId, Session, SessionId
from mcpcore.sessions.store import (
    CloseSession,
    CreateExchange,
    DeleteExchange,
    OpenSession,
    SessionStore,
    StoreAction,
    UpdateExchange,
    extension_due,
)

__all__ = ["Engine", "fault"]

# A claim outlives the request that made it by this, for clocks that differ between instances.
_CLAIM_MARGIN_SECONDS = 1.0


class Engine:
    """Answers admitted requests of one server, with one store for its sessions.

    It has no clock, ids or log of its own: they come with each request's environment, and what is to be
    logged is in the outcome. Several threads may use it at once.
    """

    def __init__(self, server: BuiltServer, sessions: SessionStore) -> None:
        self._server = server
        self._sessions = sessions

    def answer(self, admitted: Admitted, environment: RequestEnvironment) -> Outcome:
        """The outcome of a request. What its outcome requires is stored when this returns.

        It never raises: a failing store and any unexpected exception are outcomes too.
        """
        try:
            if isinstance(admitted, Modern):
                return self._answer_modern(admitted, environment)
            return self._answer_legacy(admitted, environment)
        except StoreUnavailable as error:
            return fault(admitted, error)
        except Exception as cause:
            return fault(admitted, UnexpectedError(), cause)

    def _answer_modern(self, admitted: Modern, environment: RequestEnvironment) -> Outcome:
        server, (request, envelope) = self._server, admitted
        run = new_run(server, request, envelope, environment)
        try:
            require_metadata_log_level(request.params)
            method = METHODS.get((Era.MODERN, request.method))
            if method is not None and method.may_ask:
                run = new_run(
                    server, request, envelope, environment, replay_from_params(request, environment)
                )
            return call_method(server, request, run)
        except McpError as error:
            return failure(request.id, error, record_of(server, request, run))
        except InputRequired as required:
            return self._ask_modern(request, run, required)

    def _ask_modern(self, request: Request, run: HandlerRun, required: InputRequired) -> Outcome:
        record = record_of(self._server, request, run)
        try:
            members = {**self._server.modern_tail, **input_required(request, required.questions, run)}
        except McpError as error:
            return failure(request.id, error, record)
        return Outcome(Completed(request.id, encode(members), tuple(run.notifications)), record)

    def _answer_legacy(
        self, admitted: Legacy | AnswerTo | Resume | EndSession, environment: RequestEnvironment
    ) -> Outcome:
        session = self._load(admitted.session_id, environment)
        match admitted:
            case Legacy(message, session_id, resumable):
                if isinstance(message, Request):
                    return self._answer_request(message, session_id, session, resumable, environment)
                outcome = _take_notification(message, session_id, session, environment)
            case AnswerTo(response, session_id, exchange_id, key):
                if session is None:
                    return _unknown_session(RequestRecord(RequestKind.ANSWER, Era.LEGACY), session_id)
                exchange = self._sessions.load_exchange(session.id, exchange_id, environment.now)
                outcome = take_answer(response, key, session, exchange)
                outcome = outcome._replace(best_effort=_extension(session, environment))
            case Resume(session_id):
                if session is None:
                    return _unknown_session(RequestRecord(RequestKind.RESUME, Era.LEGACY), session_id)
                return self._resume(admitted, session, environment)
            case EndSession(session_id):
                record = RequestRecord(RequestKind.SESSION_END, Era.LEGACY, session_id=session_id)
                if session is None:
                    return _unknown_session(record, session_id)
                ended = record._replace(session_event=SessionEvent.ENDED)
                outcome = Outcome(NoReply(), ended, required=CloseSession(session_id))
            case never:
                assert_never(never)
        return self._save(outcome, environment)

    def _answer_request(
        self,
        request: Request,
        session_id: SessionId | None,
        session: Session | None,
        resumable: frozenset[str],
        environment: RequestEnvironment,
    ) -> Outcome:
        record = RequestRecord(RequestKind.REQUEST, Era.LEGACY, method=request.method, session_id=session_id)
        if request.method == "initialize":
            return self._initialize(request, record, environment)
        if session is None:
            error = SessionMissing() if session_id is None else SessionUnknown()
            return failure(request.id, error, record)
        envelope = envelope_from_session(session, request.params, resumable)
        run = new_run(self._server, request, envelope, environment)
        try:
            outcome = call_method(self._server, request, run)
        except InputRequired as required:
            outcome = self._ask_legacy(request, session, run, required)
        outcome = outcome._replace(best_effort=_extension(session, environment))
        try:
            return self._save(outcome, environment)
        except TooLargeToStore as error:
            refused = failure(request.id, error, outcome.record)
            return self._save(refused._replace(best_effort=outcome.best_effort), environment)

    def _initialize(
        self, request: Request, record: RequestRecord, environment: RequestEnvironment
    ) -> Outcome:
        try:
            session = new_session(request.params, environment)
        except McpError as error:
            return failure(request.id, error, record)
        run = new_run(self._server, request, envelope_from_session(session, request.params), environment)
        outcome = call_method(self._server, request, run)
        opened = outcome.record._replace(session_event=SessionEvent.OPENED)
        return self._save(outcome._replace(record=opened, required=OpenSession(session)), environment)

    def _ask_legacy(
        self, request: Request, session: Session, run: HandlerRun, required: InputRequired
    ) -> Outcome:
        record = record_of(self._server, request, run)
        try:
            exchange = advanced(new_exchange(request, session, run.environment), required.questions, run)
        except McpError as error:
            return failure(request.id, error, record)
        stream = stream_after(exchange, 0, run.environment.now)
        return Outcome(stream, record, required=CreateExchange(exchange))

    def _resume(self, resume: Resume, session: Session, environment: RequestEnvironment) -> Outcome:
        exchange = self._sessions.load_exchange(session.id, resume.exchange_id, environment.now)
        position = resume.position
        if position is None:
            position = 0 if exchange is None else len(exchange.events)
        extension = _extension(session, environment)
        # Of two clients that resume at once, one runs the handler; the other gets a retry instruction.
        if exchange is None or position > len(exchange.events) or not self._claimed(exchange, environment):
            outcome = poll(session, exchange, position, environment.now)
            return self._save(outcome._replace(best_effort=extension), environment)
        after, stream, record = rerun(
            self._server, session, exchange, position, environment=environment, resumable=resume.resumable
        )
        outcome = Outcome(stream, record, UpdateExchange(after), extension)
        try:
            return self._save(outcome, environment)
        except TooLargeToStore as error:
            outcome = outcome._replace(required=DeleteExchange(after.session_id, after.id))
            if not after.finished:  # a finished exchange still gives its response, only without replay
                stream = abandon(self._server, session, after, error, environment)
                outcome = outcome._replace(reply=stream, record=with_error(record, error))
            return self._save(outcome, environment)

    def _load(self, session_id: SessionId | None, environment: RequestEnvironment) -> Session | None:
        return None if session_id is None else self._sessions.load(session_id, environment.now)

    def _claimed(self, exchange: Exchange, environment: RequestEnvironment) -> bool:
        until = environment.ends_at + _CLAIM_MARGIN_SECONDS
        return exchange.ready() and self._sessions.claim(exchange, now=environment.now, until=until)

    def _save(self, outcome: Outcome, environment: RequestEnvironment) -> Outcome:
        """Store what the outcome requires, then what may fail.

        Raises:
            StoreUnavailable, TooLargeToStore: what is required was not stored.
        """
        if outcome.required is not None:
            self._sessions.apply(outcome.required, environment.now)
        if outcome.best_effort is not None:
            try:
                self._sessions.apply(outcome.best_effort, environment.now)
            except StoreUnavailable as error:
                record = outcome.record._replace(reason=error.reason, cause=error.__cause__)
                return outcome._replace(record=record)
        return outcome


def fault(admitted: Admitted | None, error: McpError, cause: Exception | None = None) -> Outcome:
    """The outcome of a request that ended by a fault of the server, under its id if it has one."""
    if cause is not None:
        error.__cause__ = cause
    match admitted:
        case Modern(request):
            record = RequestRecord(RequestKind.FAULT, Era.MODERN, method=request.method)
            return failure(request.id, error, record)
        case Legacy(Request(request_id, method), session_id):
            record = RequestRecord(RequestKind.FAULT, Era.LEGACY, method=method, session_id=session_id)
            return failure(request_id, error, record)
        case None:
            return failure(NoId.ABSENT, error, RequestRecord(RequestKind.FAULT))
        case _:
            record = RequestRecord(RequestKind.FAULT, session_id=admitted.session_id)
            return failure(NoId.ABSENT, error, record)


def _take_notification(
    notification: Notification,
    session_id: SessionId | None,
    session: Session | None,
    environment: RequestEnvironment,
) -> Outcome:
    """Take a notification, known or not: it is never answered (JSON-RPC 2.0, section 4.1)."""
    record = RequestRecord(
        RequestKind.NOTIFICATION, Era.LEGACY, method=notification.method, session_id=session_id
    )
    if session is None and session_id is not None:
        return _unknown_session(record, session_id)
    cancelled = None if session is None else _cancelled_exchange(notification, session, environment)
    if session is None or cancelled is None:
        return Outcome(NoReply(), record)
    return Outcome(NoReply(), record, required=DeleteExchange(session.id, cancelled))


def _cancelled_exchange(
    notification: Notification, session: Session, environment: RequestEnvironment
) -> ExchangeId | None:
    request_id = notification.params.get("requestId")
    if notification.method != "notifications/cancelled" or not environment.state_keys:
        return None
    if not isinstance(request_id, str | int) or isinstance(request_id, bool):
        return None
    return exchange_id_of(session.id, request_id, environment)


def _unknown_session(record: RequestRecord, session_id: SessionId) -> Outcome:
    return failure(NoId.ABSENT, SessionUnknown(), record._replace(session_id=session_id))


def _extension(session: Session, environment: RequestEnvironment) -> StoreAction | None:
    # A client that answers a question late has used its session too.
    return extension_due(session, now=environment.now, ttl_seconds=environment.session_ttl_seconds)
