"""What a legacy client does after a stream has ended early: it answers a question, or comes for the rest.

Each is a request of its own (spec 2025-11-25, basic/transports, "Resumability and Redelivery").
"""

from typing import Final

from mcpcore.asking import Pending
from mcpcore.context import Context, Given
from mcpcore.definitions import BuiltServer
from mcpcore.dispatch import context_of, perform, told_of
from mcpcore.envelope import from_session
from mcpcore.errormap import reply_to
from mcpcore.errors import InternalError, InvalidRequest, McpError, MethodNotAllowed, SessionUnknown
from mcpcore.jsonrpc import NoId, Request, Response, error_bytes, result_bytes
from mcpcore.methods.call import Call
from mcpcore.methods.tools import tool_failure
from mcpcore.outcome import Completed, Failed, NoReply, Outcome, Told
from mcpcore.sessions import Advance, Exchange, Record, Session
from mcpcore.suspension import advanced, finished, part_after, remembered_in_exchange
from mcpcore.versions import Era

__all__ = ["due", "rerun", "rest", "take_answer"]


def take_answer(response: Response, key: str, session: Session | None, exchange: Exchange | None) -> Outcome:
    """Take the client's answer to one of our requests. A late or second one is taken and changes nothing."""
    told = Told("answer", Era.LEGACY)
    if session is None:
        return Outcome(Failed(NoId.ABSENT, SessionUnknown()), told)
    if exchange is None or key not in (*exchange.asked, *exchange.answers):
        return Outcome(Failed(NoId.ABSENT, _unasked()), told)
    refused = response.error is not None
    answer = response.error if refused else response.result
    return Outcome(NoReply(), told, (Record(session.id, exchange.id, key, answer, refused),))


def due(exchange: Exchange | None) -> bool:
    """True when `exchange` can go on: everything that it asked is answered."""
    return exchange is not None and not exchange.finished and exchange.answered()


def rest(session: Session | None, exchange: Exchange | None, position: int, given: Given) -> Outcome:
    """The part of an answer that a client at `position` has not had, or word to come back for it."""
    told = Told("resume", Era.LEGACY, "" if session is None else session.version)
    if session is None:
        return Outcome(Failed(NoId.ABSENT, SessionUnknown()), told)
    if exchange is None or position > len(exchange.events):
        return Outcome(Failed(NoId.ABSENT, _nothing_to_resume()), told)
    if exchange.finished and position == len(exchange.events):
        return Outcome(Failed(NoId.ABSENT, _nothing_to_resume()), told)
    return Outcome(part_after(exchange, position, given.now), told)


def rerun(server: BuiltServer, session: Session, exchange: Exchange, position: int, given: Given) -> Outcome:
    """Run the request of `exchange` again, with the answers it has by now, and send on from `position`."""
    request = Request(exchange.request_id, exchange.method, exchange.params)
    context = context_of(
        server, from_session(session, request.params), given, remembered_in_exchange(exchange)
    )
    try:
        outcome = perform(server, request, context)
    except Pending as pending:
        went_on = advanced(exchange, pending.questions, context)
        told = told_of(server, request, context)._replace(kind="resume")
    else:
        response, told = _response(server, request, context, outcome), outcome.told
        went_on = finished(exchange, tuple(context.notifications), response)
    part = part_after(went_on, position, given.now)
    return Outcome(part, told, (Advance(went_on),))


def _response(server: BuiltServer, request: Request, context: Context, outcome: Outcome) -> bytes:
    reply = outcome.reply
    if isinstance(reply, Completed):
        return result_bytes(request.id, reply.result)
    error = reply.error if isinstance(reply, Failed) else InternalError()
    if request.method == "tools/call":
        # Some clients take only a result as the end of a stream that they have resumed.
        call = Call(server, request.method, request.params, context.envelope, context)
        return result_bytes(request.id, tool_failure(call, error.message).result)
    told = reply_to(error, Era.LEGACY)
    return error_bytes(request.id, code=told.code, message=told.message, data=told.data)


def _unasked() -> McpError:
    return InvalidRequest("Invalid request: no request of this server waits for this response")


def _nothing_to_resume() -> McpError:
    return MethodNotAllowed("There is no stream to resume from here; POST a message", _ALLOWED)


_ALLOWED: Final = ("POST", "DELETE")
