"""The engine: loads what a request needs, decides, and stores what must be stored before the answer."""

from typing import TYPE_CHECKING

from mcpcore.definitions.built import BuiltServer
from mcpcore.engine.dispatch import METHODS, call_method, new_run, record_of
from mcpcore.protocol.errors import McpError, StoreUnavailable, UnexpectedError
from mcpcore.protocol.jsonrpc import NoId, Request, encode
from mcpcore.protocol.versions import Era
from mcpcore.questions.replay import InputRequired
from mcpcore.request.admitted import Admitted, Legacy, Modern
from mcpcore.request.envelope import require_metadata_log_level
from mcpcore.request.environment import RequestEnvironment
from mcpcore.request.outcome import Completed, Outcome, RequestKind, RequestRecord, failure
from mcpcore.request.run import HandlerRun

if TYPE_CHECKING:
    from mcpcore.sessions.store import SessionStore

__all__ = ["Engine", "server_fault"]


class Engine:
    """Answers admitted requests of one server, with one store for its sessions.

    It has no clock, ids or log of its own: they come with each request's environment, and what is to be
    logged is in the outcome. Several threads may use it at once. `legacy` has the part that works with
    sessions; it is imported with the first request of the legacy era.
    """

    def __init__(self, server: BuiltServer, sessions: "SessionStore") -> None:
        self._server = server
        self._sessions = sessions

    def answer(self, admitted: Admitted, environment: RequestEnvironment) -> Outcome:
        """The outcome of a request. What the outcome requires is stored when this returns.

        It never raises: a failing store and any unexpected exception are outcomes too.
        """
        try:
            if isinstance(admitted, Modern):
                return self._answer_modern(admitted, environment)
            from mcpcore.engine.legacy import LegacyEngine

            return LegacyEngine(self._server, self._sessions, environment).answer(admitted)
        except StoreUnavailable as error:
            return server_fault(admitted, error)
        except Exception as cause:
            return server_fault(admitted, UnexpectedError(), cause)

    def _answer_modern(self, admitted: Modern, environment: RequestEnvironment) -> Outcome:
        server, (request, envelope) = self._server, admitted
        run = new_run(server, request, envelope, environment)
        try:
            require_metadata_log_level(request.params)
            if _continues(request):
                from mcpcore.engine.input_required import replay_from_params

                replay = replay_from_params(request, server.info.name, environment)
                run = new_run(server, request, envelope, environment, replay)
            return call_method(server, request, run)
        except McpError as error:
            return failure(request.id, error, record_of(server, request, run))
        except InputRequired as required:
            return self._ask_modern(request, run, required)

    def _ask_modern(self, request: Request, run: HandlerRun, required: InputRequired) -> Outcome:
        from mcpcore.engine.input_required import input_required

        server = self._server
        record = record_of(server, request, run)
        try:
            asked = input_required(request, server.info.name, required.questions, run)
        except McpError as error:
            return failure(request.id, error, record)
        members = encode({**server.modern_tail, **asked})
        return Outcome(Completed(request.id, members, tuple(run.notifications)), record)


def _continues(request: Request) -> bool:
    """True when the request brings state or answers of an earlier round."""
    method = METHODS.get((Era.MODERN, request.method))
    brings = "requestState" in request.params or "inputResponses" in request.params
    return brings and method is not None and method.may_ask


def server_fault(admitted: Admitted | None, error: McpError, cause: Exception | None = None) -> Outcome:
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
