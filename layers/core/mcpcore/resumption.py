"""What a legacy client does after a stream has ended early: it answers a question, or comes for the rest.

Each is a request of its own (spec 2025-11-25, basic/transports, "Resumability and Redelivery").
"""

from typing import Final

from mcpcore.asking import Pending
from mcpcore.context import Context, Given
from mcpcore.definitions import BuiltServer
from mcpcore.dispatch import context_of, perform, told_of
from mcpcore.envelope import from_session
from mcpcore.errormap import encoded
from mcpcore.errors import InternalError, InvalidRequest, McpError, MethodNotAllowed, SessionUnknown
from mcpcore.jsonrpc import NoId, Request, Response, result_bytes
from mcpcore.methods.call import Call
from mcpcore.methods.tools import tool_failure
from mcpcore.outcome import Completed, Failed, NoReply, Outcome, Told
from mcpcore.sessions import Action, Advance, Drop, Exchange, Record, Session, due_refresh
from mcpcore.suspension import advanced, finished, last_part, part_after, remembered_in_exchange
from mcpcore.versions import Era

__all__ = ["due", "give_up", "rerun", "rest", "take_answer"]


def take_answer(
    response: Response, key: str, session: Session | None, exchange: Exchange | None, given: Given
) -> Outcome:
    """Take the client's answer to one of our requests. A late or second one is taken and changes nothing."""
    told = Told("answer", Era.LEGACY)
    if session is None:
        return Outcome(Failed(NoId.ABSENT, SessionUnknown()), told)
    if exchange is None or key not in (*exchange.asked, *exchange.answers):
        return Outcome(Failed(NoId.ABSENT, _unasked()), told, _refresh(session, given))
    refused = response.error is not None
    answer = response.error if refused else response.result
    record = Record(session.id, exchange.id, key, answer, refused)
    return Outcome(NoReply(), told, (*_refresh(session, given), record))


def due(exchange: Exchange | None) -> bool:
    """True when `exchange` can go on: everything that it asked is answered."""
    return exchange is not None and not exchange.finished and exchange.answered()


def rest(session: Session | None, exchange: Exchange | None, position: int, given: Given) -> Outcome:
    """The part of an answer that a client at `position` has not had, or word to come back for it."""
    told = Told("resume", Era.LEGACY, "" if session is None else session.version)
    if session is None:
        return Outcome(Failed(NoId.ABSENT, SessionUnknown()), told)
    actions = _refresh(session, given)
    if exchange is None or position > len(exchange.events):
        return Outcome(Failed(NoId.ABSENT, _nothing_to_resume()), told, actions)
    if exchange.finished and position == len(exchange.events):
        return Outcome(Failed(NoId.ABSENT, _nothing_to_resume()), told, actions)
    return Outcome(part_after(exchange, position, given.now), told, actions)


def rerun(server: BuiltServer, session: Session, exchange: Exchange, position: int, given: Given) -> Outcome:
    """Run the request of `exchange` again, with the answers it has by now, and send on from `position`.

    A fault ends the exchange as an error does: left as it was, it would be run again, effects included.
    """
    request, context = _request_of(exchange), _context_of(server, session, exchange, given)
    try:
        went_on, told = _run(server, request, exchange, context)
    except Exception as cause:  # the edge could only answer this part, and nothing would be stored
        response = _error_response(server, request, context, InternalError())
        went_on = finished(exchange, tuple(context.notifications), response)
        failed = request.method == "tools/call"
        told = told_of(server, request, context)._replace(tool_failed=failed, cause=cause)
    part = part_after(went_on, position, given.now)
    return Outcome(part, told, (*_refresh(session, given), Advance(went_on)))


def give_up(
    server: BuiltServer, session: Session, exchange: Exchange, error: McpError, *, given: Given, told: Told
) -> Outcome:
    """The end of a resumed request by `error`: `exchange`, as it is after its last run, cannot be stored.

    `told` is what there was to tell of that run.
    """
    request, context = _request_of(exchange), _context_of(server, session, exchange, given)
    response = _error_response(server, request, context, error)
    return Outcome(
        last_part(exchange, response),
        told._replace(tool_failed=request.method == "tools/call"),
        (*_refresh(session, given), Drop(exchange.session_id, exchange.id)),
    )


def _run(
    server: BuiltServer, request: Request, exchange: Exchange, context: Context
) -> tuple[Exchange, Told]:
    try:
        outcome = perform(server, request, context)
    except Pending as pending:
        told = told_of(server, request, context)._replace(kind="resume")
        return advanced(exchange, pending.questions, context), told
    response = _response(server, request, context, outcome)
    return finished(exchange, tuple(context.notifications), response), outcome.told


def _request_of(exchange: Exchange) -> Request:
    return Request(exchange.request_id, exchange.method, exchange.params)


def _context_of(server: BuiltServer, session: Session, exchange: Exchange, given: Given) -> Context:
    envelope = from_session(session, exchange.params)
    return context_of(server, envelope, given, remembered_in_exchange(exchange))


def _refresh(session: Session, given: Given) -> tuple[Action, ...]:
    # Whoever thinks about an answer for long still uses the session.
    return due_refresh(session, now=given.now, ttl_seconds=given.session_ttl_seconds)


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
