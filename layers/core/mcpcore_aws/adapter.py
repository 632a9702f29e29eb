"""A server as a Lambda function: event in, reply out, with the session loaded and saved around it."""

import secrets
import time
from collections.abc import Callable
from typing import Any, Final, Protocol, assert_never

from mcpcore import BuiltServer, Given, McpError, Server, Session, SessionId, SessionStore, StoreUnavailable
from mcpcore.dispatch import Outcome, answer_legacy, answer_modern, end_session
from mcpcore.errors import UnforeseenFault
from mcpcore.http import Admitted, EndSession, HttpRequest, Legacy, Modern, Policy, admit, response_to
from mcpcore.jsonrpc import NoId, Request
from mcpcore.outcome import Failed, Told
from mcpcore.sessions import Open, Refresh
from mcpcore.versions import Era
from mcpcore_aws.events import Door, Event, door_of
from mcpcore_aws.observability import Observer, Served

__all__ = ["LambdaAdapter", "LambdaContext"]

_SESSION_ID_BYTES: Final = 24  # 192 bits; the protocol asks for ids that nobody can guess


class LambdaContext(Protocol):
    """What is used of the context object that Lambda's runtime passes."""

    aws_request_id: str


class LambdaAdapter:
    """A Lambda handler for `server`, behind any HTTP door.

    Raises, when made:
        DefinitionError: the server cannot be built as defined.
    """

    def __init__(
        self,
        server: Server | BuiltServer,
        *,
        sessions: SessionStore,
        policy: Policy | None = None,
        session_ttl_seconds: int = 3600,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._server = server.build() if isinstance(server, Server) else server
        self._sessions = sessions
        self._policy = policy or Policy()
        self._session_ttl_seconds = session_ttl_seconds
        self._clock = clock
        self._observer = Observer()

    def __call__(self, event: Event, lambda_context: LambdaContext) -> dict[str, Any]:
        """The reply to one event of one of the doors.

        Raises:
            UnknownEvent: the event is of another kind; there is nobody to answer.
        """
        started = time.perf_counter()
        door = door_of(event)
        request, session_id, outcome = self._handle(door, event, lambda_context)
        response = response_to(request, outcome, self._policy)
        self._observer.record(
            Served(
                door.name,
                lambda_context.aws_request_id,
                session_id,
                response.status,
                (time.perf_counter() - started) * 1000,
                outcome,
            )
        )
        return door.to_reply(response, event)

    def _handle(
        self, door: Door, event: Event, lambda_context: LambdaContext
    ) -> tuple[HttpRequest, SessionId | None, Outcome]:
        request, admitted = _UNREAD, None
        try:
            request = door.to_request(event)
            admitted = admit(request, self._policy, self._server)
            session_id, outcome = self._answer(admitted, self._given(event, lambda_context))
        except Exception as cause:  # whatever it is, the client gets an answer and the log the story
            return request, None, _refused(admitted, UnforeseenFault(), cause)
        return request, session_id, outcome

    def _given(self, event: Event, lambda_context: LambdaContext) -> Given:
        return Given(
            self._clock(),
            _new_session_id,
            self._session_ttl_seconds,
            event=event,
            lambda_context=lambda_context,
        )

    def _answer(self, admitted: Admitted | Outcome, given: Given) -> tuple[SessionId | None, Outcome]:
        match admitted:
            case Outcome():
                return None, admitted
            case Modern(message, envelope):
                return None, answer_modern(self._server, message, envelope, given)
            case Legacy() | EndSession():
                return self._answer_in_session(admitted, given)
            case never:
                assert_never(never)

    def _answer_in_session(
        self, admitted: Legacy | EndSession, given: Given
    ) -> tuple[SessionId | None, Outcome]:
        """Load, decide, save."""
        session_id = admitted.session_id
        try:
            session = None if session_id is None else self._sessions.load(session_id, given.now)
            outcome = self._save(_decide(self._server, admitted, session, given), given.now)
        except StoreUnavailable as error:
            return session_id, _refused(admitted, error, error.__cause__)
        opened = (action.session.id for action in outcome.actions if isinstance(action, Open))
        return next(opened, session_id), outcome

    def _save(self, outcome: Outcome, now: float) -> Outcome:
        try:
            self._sessions.apply(outcome.actions, now)
        except StoreUnavailable as error:
            # The answer is there; that the session will not live longer for it is no reason to withhold it.
            if not all(isinstance(action, Refresh) for action in outcome.actions):
                raise
            return outcome._replace(told=outcome.told._replace(cause=error.__cause__))
        return outcome


def _decide(
    server: BuiltServer, admitted: Legacy | EndSession, session: Session | None, given: Given
) -> Outcome:
    match admitted:
        case Legacy(message, session_id):
            return answer_legacy(server, message, session_id=session_id, session=session, given=given)
        case EndSession(session_id):
            return end_session(session_id, session)
        case never:
            assert_never(never)


def _refused(admitted: Admitted | Outcome | None, error: McpError, cause: BaseException | None) -> Outcome:
    """The end of a request by a fault of ours, under the id of the request if it has been read."""
    match admitted:
        case Modern(Request(request_id, method), _):
            told = Told("fault", Era.MODERN, method=method, cause=cause)
            return Outcome(Failed(request_id, error), told)
        case Legacy(Request(request_id, method), _):
            told = Told("fault", Era.LEGACY, method=method, cause=cause)
            return Outcome(Failed(request_id, error), told)
        case _:
            return Outcome(Failed(NoId.ABSENT, error), Told("fault", cause=cause))


def _new_session_id() -> SessionId:
    return SessionId(secrets.token_urlsafe(_SESSION_ID_BYTES))


# Stands for a request that could not even be read from its event.
_UNREAD: Final = HttpRequest("POST", {}, None)
