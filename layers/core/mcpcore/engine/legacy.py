"""Requests of the legacy era: load the session, decide, store, answer."""

from collections.abc import Callable
from typing import Any, assert_never

from mcpcore.definitions.built import BuiltServer
from mcpcore.engine.dispatch import call_method, may_ask, needs_session, new_run, record_of
from mcpcore.engine.exchanges import advanced, exchange_id_of, new_exchange, stream_after
from mcpcore.engine.resumption import abandon, poll, refusal, resume_request, take_answer
from mcpcore.methods.lifecycle import new_session
from mcpcore.protocol.error_map import OutcomeKind
from mcpcore.protocol.errors import (
    McpError,
    SessionMissing,
    SessionUnknown,
    StoreUnavailable,
    TooLargeToStore,
)
from mcpcore.protocol.jsonrpc import NoId, Notification, Request, read_id
from mcpcore.protocol.versions import Era
from mcpcore.questions.replay import InputRequired
from mcpcore.request.admitted import AnswerTo, EndSession, Legacy, Resume, Unresumable
from mcpcore.request.envelope import envelope_from_session
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
from mcpcore.sessions.ids import ExchangeId, SessionId
from mcpcore.sessions.session import Exchange, Session
from mcpcore.sessions.store import (
    CloseSession,
    CreateExchange,
    DeleteExchange,
    ExtendSession,
    OpenSession,
    RecordAnswer,
    SessionStore,
    UpdateExchange,
    extension_due,
)

__all__ = ["LegacyEngine"]

# A claim outlives the request that made it by this, for clocks that differ between instances.
_CLAIM_MARGIN_SECONDS = 1.0

# Kept free when a handler is run: a result that cannot be saved is computed again when the client returns.
# It is enough for a kept connection that fails, and a second attempt over a new one.
_SAVE_SECONDS = 2.0


class LegacyEngine:
    """Answers one request of the legacy era in its environment.

    What a reply depends on is stored before it is given (`Outcome.required`); the extension of a session may
    fail without harm (`Outcome.best_effort`).
    """

    def __init__(self, server: BuiltServer, sessions: SessionStore, environment: RequestEnvironment) -> None:
        self._server = server
        self._sessions = sessions.within(environment.seconds_left)
        self._environment = environment

    def answer(self, admitted: Legacy | AnswerTo | Resume | Unresumable | EndSession) -> Outcome:
        """The outcome of the request.

        Raises:
            StoreUnavailable: the session could not be loaded, or what must be stored was not.
        """
        session = self._load(admitted.session_id)
        match admitted:
            case Legacy(message, session_id, resumable_versions):
                if isinstance(message, Request):
                    return self._answer_request(message, session_id, session, resumable_versions)
                return self._save(self._take_notification(message, session_id, session))
            case AnswerTo(response, session_id, exchange_id, key):
                if session is None:
                    return _unknown_session(RequestKind.ANSWER, session_id)
                outcome = take_answer(response, key, session, self._load_exchange(session, exchange_id))
                return self._save_answer(outcome._replace(best_effort=self._extension(session)))
            case Resume(session_id):
                if session is None:
                    return _unknown_session(RequestKind.RESUME, session_id)
                return self._resume(admitted, session)
            case Unresumable(session_id, refusal):
                record = RequestRecord(RequestKind.REFUSAL, Era.LEGACY, session_id=session_id)
                return failure(NoId.ABSENT, SessionUnknown() if session is None else refusal, record)
            case EndSession(session_id):
                if session is None:
                    return _unknown_session(RequestKind.SESSION_END, session_id)
                return self._save(_session_end(session_id))
            case never:
                assert_never(never)

    def _save_answer(self, outcome: Outcome) -> Outcome:
        try:
            return self._save(outcome)
        except TooLargeToStore as error:
            if not isinstance(outcome.required, RecordAnswer):
                raise
            # An error in its place: without any answer the handler would wait until the exchange expires.
            refusal = outcome.required._replace(answer={"message": error.message}, refused=True)
            return self._save(outcome._replace(required=refusal))

    def _answer_request(
        self,
        request: Request,
        session_id: SessionId | None,
        session: Session | None,
        resumable_versions: frozenset[str],
    ) -> Outcome:
        record = RequestRecord(RequestKind.REQUEST, Era.LEGACY, method=request.method, session_id=session_id)
        if request.method == "initialize":
            return self._initialize(request, record)
        if session is None and session_id is None and not needs_session(request.method):
            return Outcome(Completed(request.id, b"{}"), record)  # a ping
        if session is None:
            return failure(request.id, SessionMissing() if session_id is None else SessionUnknown(), record)
        envelope = envelope_from_session(session, request.params, resumable_versions)
        environment = self._environment
        if may_ask(request.method):
            environment = _with_time_to_save(environment)
        run = new_run(self._server, request, envelope, environment)
        try:
            outcome = call_method(self._server, request, run)
        except InputRequired as required:
            outcome = self._ask(request, session, run, required)
        outcome = outcome._replace(best_effort=self._extension(session))
        try:
            return self._save(outcome)
        except TooLargeToStore as error:
            refused = failure(request.id, error, outcome.record)
            return self._save(refused._replace(best_effort=outcome.best_effort))

    def _initialize(self, request: Request, record: RequestRecord) -> Outcome:
        try:
            session = new_session(request.params, self._server, self._environment)
        except McpError as error:
            return failure(request.id, error, record)
        envelope = envelope_from_session(session, request.params)
        outcome = call_method(
            self._server, request, new_run(self._server, request, envelope, self._environment)
        )
        record = outcome.record._replace(session_event=SessionEvent.OPENED)
        return self._save(outcome._replace(record=record, required=OpenSession(session)))

    def _ask(self, request: Request, session: Session, run: HandlerRun, required: InputRequired) -> Outcome:
        record = record_of(self._server, request, run)
        try:
            exchange = advanced(new_exchange(request, session, self._environment), required.questions, run)
        except McpError as error:
            return failure(request.id, error, record)
        stream = stream_after(exchange, 0, self._environment.now)
        return Outcome(stream, record, required=CreateExchange(exchange))

    def _resume(self, resume: Resume, session: Session) -> Outcome:
        exchange = self._load_exchange(session, resume.exchange_id)
        if exchange is not None:
            refused = refusal(self._server, session, exchange, self._environment.principal)
            if refused is not None:
                return refused
        position = resume.position
        if position is None:
            position = 0 if exchange is None else len(exchange.events)
        # Of two clients that resume at once, one runs the handler; the other gets a retry instruction.
        if exchange is None or position > len(exchange.events) or not self._claimed(exchange):
            outcome = poll(session, exchange, position, self._environment.now)
            return self._save(outcome._replace(best_effort=self._extension(session)))
        return self._continue(resume, session, exchange, position)

    def _continue(self, resume: Resume, session: Session, exchange: Exchange, position: int) -> Outcome:
        environment = _with_time_to_save(self._environment)
        after, stream, record = resume_request(
            self._server,
            session,
            exchange,
            position,
            environment=environment,
            resumable_versions=resume.resumable_versions,
        )
        outcome = Outcome(stream, record, UpdateExchange(after), self._extension(session))
        try:
            return self._save(outcome)
        except TooLargeToStore as error:
            outcome = outcome._replace(required=DeleteExchange(after.session_id, after.id))
            if not after.finished:  # a finished exchange still gives its response, only without replay
                stream = abandon(self._server, session, after, error, environment)
                outcome = outcome._replace(reply=stream, record=with_error(record, error))
            return self._save(outcome)

    def _take_notification(
        self, notification: Notification, session_id: SessionId | None, session: Session | None
    ) -> Outcome:
        """Take a notification, known or not: it is never answered (JSON-RPC 2.0, section 4.1)."""
        record = RequestRecord(
            RequestKind.NOTIFICATION, Era.LEGACY, method=notification.method, session_id=session_id
        )
        if session is None:
            return (
                Outcome(NoReply(), record)
                if session_id is None
                else failure(NoId.ABSENT, SessionUnknown(), record)
            )
        cancelled = self._cancelled_exchange(notification, session)
        required = None if cancelled is None else DeleteExchange(session.id, cancelled)
        return Outcome(NoReply(), record, required)

    def _cancelled_exchange(self, notification: Notification, session: Session) -> ExchangeId | None:
        request_id = read_id(notification.params.get("requestId"))
        if notification.method != "notifications/cancelled" or self._environment.state_secrets is None:
            return None
        if request_id is None:
            return None
        return exchange_id_of(session.id, request_id, self._environment)

    def _load(self, session_id: SessionId | None) -> Session | None:
        """The live session of that id; None if it is another principal's."""
        if session_id is None:
            return None
        session = self._sessions.load(session_id, self._environment.now)
        if session is None or session.principal != self._environment.principal_digest:
            return None
        return session

    def _load_exchange(self, session: Session, exchange_id: ExchangeId) -> Exchange | None:
        return self._sessions.load_exchange(session.id, exchange_id, self._environment.now)

    def _claimed(self, exchange: Exchange) -> bool:
        environment = self._environment
        if not exchange.ready() or environment.seconds_left() <= _SAVE_SECONDS:
            return False
        until = min(environment.ends_at + _CLAIM_MARGIN_SECONDS, exchange.expires_at)
        return self._sessions.claim(exchange, now=environment.now, until=until)

    def _extension(self, session: Session) -> ExtendSession | None:
        # A client that answers a question late has used its session too.
        environment = self._environment
        return extension_due(session, now=environment.now, ttl_seconds=environment.session_ttl_seconds)

    def _save(self, outcome: Outcome) -> Outcome:
        """Store what the outcome requires, then what may fail.

        Raises:
            StoreUnavailable, TooLargeToStore: what is required was not stored.
        """
        if outcome.required is not None:
            self._sessions.apply(outcome.required, self._environment.now)
        if outcome.best_effort is not None:
            try:
                self._sessions.apply(outcome.best_effort, self._environment.now)
            except Exception as error:  # whatever a store raises, the answer is ready
                if outcome.record.outcome is OutcomeKind.OK:  # else the log needs the first error's cause
                    reason = error.reason if isinstance(error, StoreUnavailable) else ""
                    record = outcome.record._replace(reason=reason, cause=error.__cause__ or error)
                    return outcome._replace(record=record)
        return outcome


def _with_time_to_save(environment: RequestEnvironment) -> RequestEnvironment:
    def run(work: Callable[[], Any], seconds: float) -> Any:
        return environment.run(work, min(seconds, environment.seconds_left() - _SAVE_SECONDS))

    return environment._replace(run=run)


def _session_end(session_id: SessionId) -> Outcome:
    record = RequestRecord(
        RequestKind.SESSION_END, Era.LEGACY, session_id=session_id, session_event=SessionEvent.ENDED
    )
    return Outcome(NoReply(), record, required=CloseSession(session_id))


def _unknown_session(kind: RequestKind, session_id: SessionId) -> Outcome:
    return failure(NoId.ABSENT, SessionUnknown(), RequestRecord(kind, Era.LEGACY, session_id=session_id))
