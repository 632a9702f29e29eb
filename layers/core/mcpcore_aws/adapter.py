"""A server as a Lambda function: event in, reply out, with the session loaded and saved around it."""

import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import copy
from typing import Any, Final, Protocol, TypeAlias, assert_never

from mcpcore import (
    BuiltServer,
    McpError,
    MemorySessions,
    RequestEnvironment,
    Server,
    Session,
    SessionId,
    SessionStore,
    StoreUnavailable,
)
from mcpcore.engine.dispatch import answer_legacy, answer_modern, end_session
from mcpcore.engine.resumption import due, give_up, rerun, rest, take_answer
from mcpcore.http import (
    Admitted,
    AnswerTo,
    EndSession,
    HttpRequest,
    Legacy,
    Modern,
    Policy,
    Resume,
    admit,
    response_to,
)
from mcpcore.protocol.errors import UnexpectedError
from mcpcore.protocol.jsonrpc import NoId, Request
from mcpcore.protocol.versions import Era
from mcpcore.request.outcome import Failed, Outcome, RequestRecord
from mcpcore.sessions.store import (
    CreateExchange,
    DeleteExchange,
    Exchange,
    ExchangeId,
    ExtendSession,
    OpenSession,
    UpdateExchange,
)
from mcpcore_aws.errors import TooLargeToStore
from mcpcore_aws.event_sources import Event as LambdaEvent
from mcpcore_aws.event_sources import EventSource, event_source_of
from mcpcore_aws.observability import Observer, Served
from mcpcore_aws.timeouts import run_within

__all__ = ["LambdaAdapter", "LambdaContext"]

InSession: TypeAlias = Legacy | AnswerTo | Resume | EndSession

_MARGIN_SECONDS: Final = 1.0  # to answer in, once a tool is given up

# Before 2025-11-25 clients do not come back for the rest of an answer: they wait until they give up.
_RESUMABLE: Final = frozenset({"2025-11-25"})

_SESSION_ID_BYTES: Final = 24  # 192 bits; the protocol asks for ids that nobody can guess


class LambdaContext(Protocol):
    """What is used of the context object that Lambda's runtime passes."""

    @property
    def aws_request_id(self) -> str:
        """The invocation's id, as CloudWatch has it."""
        ...

    def get_remaining_time_in_millis(self) -> int:
        """Milliseconds until Lambda ends the invocation."""
        ...


class LambdaAdapter:
    """A Lambda handler for `server`, behind any HTTP door.

    `state_keys` seal what the server gives clients to bring back when it asks them something; the first
    seals, all open, so that a key can be replaced. A tool is given up after `tool_timeout_seconds`, or
    shortly before Lambda would end it.

    Raises, when made:
        DefinitionError: the server cannot be built as defined.
        ValueError: a variable that says from which level on is logged holds none (see `Observer`).
    """

    def __init__(
        self,
        server: Server | BuiltServer,
        *,
        sessions: SessionStore,
        policy: Policy | None = None,
        session_ttl_seconds: int = 3600,
        tool_timeout_seconds: float = 20,
        state_keys: Sequence[bytes] = (),
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._server = server.build() if isinstance(server, Server) else server
        self._sessions = sessions
        self._policy = policy or Policy()
        self._session_ttl_seconds = session_ttl_seconds
        self._tool_timeout_seconds = tool_timeout_seconds
        self._state_keys = tuple(state_keys)
        self._clock = clock
        self._record: Callable[[Served], None] = Observer().record

    def __call__(self, event: LambdaEvent, lambda_context: LambdaContext) -> dict[str, Any]:
        """The reply to one event of one of the doors.

        Raises:
            UnknownEvent: the event is of another kind; there is nobody to answer.
        """
        started = time.perf_counter()
        source = event_source_of(event)
        request, session_id, outcome = self._handle(source, event, lambda_context)
        response = response_to(request, outcome, self._policy)
        self._tell(
            Served(
                source.name,
                lambda_context.aws_request_id,
                session_id,
                response.status,
                (time.perf_counter() - started) * 1000,
                outcome,
            )
        )
        return source.to_reply(response, event)

    def _tell(self, served: Served) -> None:
        try:
            self._record(served)
        except Exception:  # the answer is there, and what it cost is spent
            with suppress(Exception):
                traceback.print_exc()

    def dry_run_copy(self, record: Callable[[Served], None]) -> "LambdaAdapter":
        """The same handler for a rehearsal, with sessions of its own, in memory.

        What it has served it tells `record`, and nothing of it is logged or counted.
        """
        dry_run_copy = copy(self)
        dry_run_copy._sessions = MemorySessions()
        dry_run_copy._record = record
        return dry_run_copy

    def _handle(
        self, source: EventSource, event: LambdaEvent, lambda_context: LambdaContext
    ) -> tuple[HttpRequest, SessionId | None, Outcome]:
        request, admitted = _UNREAD, None
        try:
            request = source.to_request(event)
            admitted = admit(request, self._policy, self._server)
            session_id, outcome = self._answer(admitted, self._given(event, lambda_context))
        except Exception as cause:  # whatever it is, the client gets an answer and the log the story
            return request, None, _refused(admitted, UnexpectedError(), cause)
        return request, session_id, outcome

    def _given(self, event: LambdaEvent, lambda_context: LambdaContext) -> RequestEnvironment:
        now = self._clock()

        def left() -> float:
            return lambda_context.get_remaining_time_in_millis() / 1000 - _MARGIN_SECONDS

        return RequestEnvironment(
            now,
            _new_session_id,
            self._session_ttl_seconds,
            deadline=now + min(self._tool_timeout_seconds, left()),
            ends_at=now + lambda_context.get_remaining_time_in_millis() / 1000,
            # The store may have taken its time before the work begins.
            run=lambda work, seconds: run_within(work, min(seconds, left())),
            state_keys=self._state_keys,
            event=event,
            lambda_context=lambda_context,
        )

    def _answer(
        self, admitted: Admitted | Outcome, environment: RequestEnvironment
    ) -> tuple[SessionId | None, Outcome]:
        match admitted:
            case Outcome():
                return None, admitted
            case Modern(message, envelope):
                return None, answer_modern(self._server, message, envelope, environment)
            case Legacy() | AnswerTo() | Resume() | EndSession():
                return self._answer_in_session(admitted, environment)
            case never:
                assert_never(never)

    def _answer_in_session(
        self, admitted: InSession, environment: RequestEnvironment
    ) -> tuple[SessionId | None, Outcome]:
        """Load, decide, save."""
        session_id = admitted.session_id
        try:
            session = None if session_id is None else self._sessions.load(session_id, environment.now)
            outcome = self._save(self._decide(admitted, session, environment), session, environment)
        except StoreUnavailable as error:
            return session_id, _refused(admitted, error, error.__cause__)
        opened = (action.session.id for action in outcome.actions if isinstance(action, OpenSession))
        return next(opened, session_id), outcome

    def _save(self, outcome: Outcome, session: Session | None, environment: RequestEnvironment) -> Outcome:
        refreshes = [action for action in outcome.actions if isinstance(action, ExtendSession)]
        needed = [action for action in outcome.actions if not isinstance(action, ExtendSession)]
        try:
            if needed:
                self._sessions.apply(needed, environment.now)
        except TooLargeToStore as error:
            return self._save(self._unkept(outcome, error, session, environment), session, environment)
        try:
            self._sessions.apply(refreshes, environment.now)
        except StoreUnavailable as error:
            # The answer is there; that the session will not live longer for it is no reason to withhold it.
            return outcome._replace(record=outcome.record._replace(cause=error.__cause__))
        return outcome

    def _unkept(
        self,
        outcome: Outcome,
        error: TooLargeToStore,
        session: Session | None,
        environment: RequestEnvironment,
    ) -> Outcome:
        """`outcome` when its last action, the one that stores something, cannot be done."""
        *others, last = outcome.actions
        match last:
            case UpdateExchange(exchange) if exchange.finished:
                # The client gets its response all the same; it only cannot get it twice.
                return outcome._replace(actions=(*others, DeleteExchange(exchange.session_id, exchange.id)))
            case UpdateExchange(exchange) if session is not None:
                return give_up(
                    self._server, session, exchange, error, environment=environment, record=outcome.record
                )
            case CreateExchange(exchange):
                return Outcome(Failed(exchange.request_id, error), outcome.record, tuple(others))
            case _:
                raise error  # all else is small

    def _decide(
        self, admitted: InSession, session: Session | None, environment: RequestEnvironment
    ) -> Outcome:
        match admitted:
            case Legacy(message, session_id, takes_events):
                able = environment._replace(resumable=_RESUMABLE if takes_events else frozenset())
                return answer_legacy(
                    self._server, message, session_id=session_id, session=session, environment=able
                )
            case AnswerTo(response, session_id, exchange_id, key):
                exchange = self._exchange(session, exchange_id, environment)
                return take_answer(response, key, session, exchange, environment)
            case Resume(session_id, exchange_id, position):
                return self._resume(session, exchange_id, position, environment)
            case EndSession(session_id):
                return end_session(session_id, session)
            case never:
                assert_never(never)

    def _exchange(
        self, session: Session | None, exchange_id: ExchangeId, environment: RequestEnvironment
    ) -> Exchange | None:
        return (
            None
            if session is None
            else self._sessions.load_exchange(session.id, exchange_id, environment.now)
        )

    def _resume(
        self, session: Session | None, exchange_id: ExchangeId, position: int, environment: RequestEnvironment
    ) -> Outcome:
        exchange = self._exchange(session, exchange_id, environment)
        # Of two clients that come at once, one runs the tool; the other is told to come again.
        if (
            session is not None
            and exchange is not None
            and due(exchange)
            and position <= len(exchange.events)
            and self._sessions.claim(
                exchange, now=environment.now, until=environment.ends_at + _MARGIN_SECONDS
            )
        ):
            able = environment._replace(resumable=_RESUMABLE)
            return rerun(self._server, session, exchange, position, able)
        return rest(session, exchange, position, environment)


def _refused(admitted: Admitted | Outcome | None, error: McpError, cause: BaseException | None) -> Outcome:
    """The end of a request by a fault of ours, under the id of the request if it has been read."""
    match admitted:
        case Modern(Request(request_id, method)):
            record = RequestRecord("fault", Era.MODERN, method=method, cause=cause)
            return Outcome(Failed(request_id, error), record)
        case Legacy(Request(request_id, method)):
            record = RequestRecord("fault", Era.LEGACY, method=method, cause=cause)
            return Outcome(Failed(request_id, error), record)
        case _:
            return Outcome(Failed(NoId.ABSENT, error), RequestRecord("fault", cause=cause))


def _new_session_id() -> SessionId:
    import secrets  # only a handshake needs it

    return SessionId(secrets.token_urlsafe(_SESSION_ID_BYTES))


# Stands for a request that could not even be read from its event.
_UNREAD: Final = HttpRequest("POST", {}, None)
