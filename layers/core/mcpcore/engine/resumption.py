"""What a legacy client does after a stream has ended early: it answers a question, or comes for the rest.

Each is a request of its own (spec 2025-11-25, basic/transports, "Resumability and Redelivery").
"""

from typing import Final

from mcpcore.definitions.built import BuiltServer
from mcpcore.engine.dispatch import context_of, perform, record_of
from mcpcore.engine.suspension import advanced, finished, last_part, part_after, remembered_in_exchange
from mcpcore.methods.call import Call
from mcpcore.methods.tools import tool_failure
from mcpcore.protocol.error_map import encoded
from mcpcore.protocol.errors import InternalError, InvalidRequest, McpError, MethodNotAllowed, SessionUnknown
from mcpcore.protocol.jsonrpc import NoId, Request, Response, result_bytes
from mcpcore.protocol.versions import Era
from mcpcore.questions.question import InputRequired
from mcpcore.request.context import Context, RequestEnvironment
from mcpcore.request.envelope import from_session
from mcpcore.request.outcome import Completed, Failed, NoReply, Outcome, RequestRecord
from mcpcore.sessions.store import (
    Action,
    DeleteExchange,
    Exchange,
    RecordAnswer,
    Session,
    UpdateExchange,
    extension_due,
)

__all__ = ["due", "give_up", "rerun", "rest", "take_answer"]


def take_answer(
    response: Response,
    key: str,
    session: Session | None,
    exchange: Exchange | None,
    environment: RequestEnvironment,
) -> Outcome:
    """Take the client's answer to one of our requests. A late or second one is taken and changes nothing."""
    record = RequestRecord("answer", Era.LEGACY)
    if session is None:
        return Outcome(Failed(NoId.ABSENT, SessionUnknown()), record)
    if exchange is None or key not in (*exchange.asked, *exchange.answers):
        return Outcome(Failed(NoId.ABSENT, _unasked()), record, _refresh(session, environment))
    refused = response.error is not None
    answer = response.error if refused else response.result
    action = RecordAnswer(session.id, exchange.id, key, answer, refused)
    return Outcome(NoReply(), record, (*_refresh(session, environment), action))


def due(exchange: Exchange | None) -> bool:
    """True when `exchange` can go on: everything that it asked is answered."""
    return exchange is not None and not exchange.finished and exchange.answered()


def rest(
    session: Session | None, exchange: Exchange | None, position: int, environment: RequestEnvironment
) -> Outcome:
    """The part of an answer that a client at `position` has not had, or word to come back for it."""
    record = RequestRecord("resume", Era.LEGACY, "" if session is None else session.version)
    if session is None:
        return Outcome(Failed(NoId.ABSENT, SessionUnknown()), record)
    actions = _refresh(session, environment)
    if exchange is None or position > len(exchange.events):
        return Outcome(Failed(NoId.ABSENT, _nothing_to_resume()), record, actions)
    if exchange.finished and position == len(exchange.events):
        return Outcome(Failed(NoId.ABSENT, _nothing_to_resume()), record, actions)
    return Outcome(part_after(exchange, position, environment.now), record, actions)


def rerun(
    server: BuiltServer, session: Session, exchange: Exchange, position: int, environment: RequestEnvironment
) -> Outcome:
    """Run the request of `exchange` again, with the answers it has by now, and send on from `position`.

    A fault ends the exchange as an error does: left as it was, it would be run again, effects included.
    """
    request, context = _request_of(exchange), _context_of(server, session, exchange, environment)
    try:
        went_on, record = _run(server, request, exchange, context)
    except Exception as cause:  # the edge could only answer this part, and nothing would be stored
        response = _error_response(server, request, context, InternalError())
        went_on = finished(exchange, tuple(context.notifications), response)
        failed = request.method == "tools/call"
        record = record_of(server, request, context)._replace(tool_failed=failed, cause=cause)
    part = part_after(went_on, position, environment.now)
    return Outcome(part, record, (*_refresh(session, environment), UpdateExchange(went_on)))


def give_up(
    server: BuiltServer,
    session: Session,
    exchange: Exchange,
    error: McpError,
    *,
    environment: RequestEnvironment,
    record: RequestRecord,
) -> Outcome:
    """The end of a resumed request by `error`: `exchange`, as it is after its last run, cannot be stored.

    `told` is what there was to tell of that run.
    """
    request, context = _request_of(exchange), _context_of(server, session, exchange, environment)
    response = _error_response(server, request, context, error)
    return Outcome(
        last_part(exchange, response),
        record._replace(tool_failed=request.method == "tools/call"),
        (*_refresh(session, environment), DeleteExchange(exchange.session_id, exchange.id)),
    )


def _run(
    server: BuiltServer, request: Request, exchange: Exchange, context: Context
) -> tuple[Exchange, RequestRecord]:
    try:
        outcome = perform(server, request, context)
    except InputRequired as pending:
        record = record_of(server, request, context)._replace(kind="resume")
        return advanced(exchange, pending.questions, context), record
    response = _response(server, request, context, outcome)
    return finished(exchange, tuple(context.notifications), response), outcome.record


def _request_of(exchange: Exchange) -> Request:
    return Request(exchange.request_id, exchange.method, exchange.params)


def _context_of(
    server: BuiltServer, session: Session, exchange: Exchange, environment: RequestEnvironment
) -> Context:
    envelope = from_session(session, exchange.params)
    return context_of(server, envelope, environment, remembered_in_exchange(exchange))


def _refresh(session: Session, environment: RequestEnvironment) -> tuple[Action, ...]:
    # Whoever thinks about an answer for long still uses the session.
    return extension_due(session, now=environment.now, ttl_seconds=environment.session_ttl_seconds)


def _response(server: BuiltServer, request: Request, context: Context, outcome: Outcome) -> bytes:
    reply = outcome.reply
    if isinstance(reply, Completed):
        return result_bytes(request.id, reply.result)
    error = reply.error if isinstance(reply, Failed) else InternalError()
    return _error_response(server, request, context, error)


def _error_response(server: BuiltServer, request: Request, context: Context, error: McpError) -> bytes:
    if request.method == "tools/call":
        # Some clients take only a result as the end of a stream that they have resumed.
        call = Call(server, request.method, request.params, context.envelope, context)
        return result_bytes(request.id, tool_failure(call, error.message).result)
    return encoded(error, request.id, Era.LEGACY)


def _unasked() -> McpError:
    return InvalidRequest("Invalid request: no request of this server waits for this response")


def _nothing_to_resume() -> McpError:
    return MethodNotAllowed("There is no stream to resume from here; POST a message", _ALLOWED)


_ALLOWED: Final = ("POST", "DELETE")
