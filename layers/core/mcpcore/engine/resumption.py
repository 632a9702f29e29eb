"""What a legacy client does after a stream ended early: it answers a question, or resumes the stream.

Each is an HTTP request of its own (spec 2025-11-25, basic/transports, "Resumability and Redelivery").
"""

from contextlib import suppress
from typing import NamedTuple

from mcpcore.definitions.built import BuiltServer
from mcpcore.engine.dispatch import call_method, new_run, record_of
from mcpcore.engine.exchanges import advanced, finished, last_event, replay_from_exchange, stream_after
from mcpcore.methods.call import Call
from mcpcore.methods.resources import find_resource
from mcpcore.methods.tools import tool_failure
from mcpcore.protocol.error_map import encode_error
from mcpcore.protocol.errors import (
    InsufficientScope,
    InternalError,
    InvalidRequest,
    McpError,
    ResourceNotFound,
    StreamNotFound,
)
from mcpcore.protocol.jsonrpc import NoId, Request, Response, result_bytes
from mcpcore.protocol.versions import Era
from mcpcore.questions.replay import InputRequired
from mcpcore.request.envelope import envelope_from_session
from mcpcore.request.environment import RequestEnvironment
from mcpcore.request.outcome import (
    Completed,
    Failed,
    NoReply,
    Outcome,
    RequestKind,
    RequestRecord,
    Stream,
    failure,
    with_error,
)
from mcpcore.request.principal import Principal
from mcpcore.request.run import HandlerRun
from mcpcore.sessions.session import Exchange, Session
from mcpcore.sessions.store import RecordAnswer

__all__ = ["ResumedRequest", "abandon", "poll", "refusal", "resume_request", "take_answer"]


class ResumedRequest(NamedTuple):
    """A resumed request after another run: its exchange to store, the events to send, and its record."""

    exchange: Exchange
    stream: Stream
    record: RequestRecord


def take_answer(response: Response, key: str, session: Session, exchange: Exchange | None) -> Outcome:
    """Take the client's answer to a question. A late or second answer is accepted and changes nothing."""
    record = RequestRecord(RequestKind.ANSWER, Era.LEGACY, session_id=session.id)
    if exchange is None or key not in (*exchange.asked, *exchange.answers):
        error = InvalidRequest("Invalid request: no request of this server waits for this response")
        return failure(NoId.ABSENT, error, record)
    refused = response.error is not None
    answer = response.error if refused else response.result
    required = RecordAnswer(session.id, exchange.id, exchange.created_at, key, answer, refused)
    return Outcome(NoReply(), record, required=required)


def refusal(
    server: BuiltServer, session: Session, exchange: Exchange, principal: Principal | None
) -> Outcome | None:
    """Why the principal may not have the answer in `exchange`, whose scopes it may have had once."""
    scopes = _scopes(server, exchange)
    if principal is None or scopes <= principal.scopes:
        return None
    record = RequestRecord(RequestKind.REFUSAL, Era.LEGACY, session.version, session_id=session.id)
    return failure(NoId.ABSENT, InsufficientScope(scopes), record)


def poll(session: Session, exchange: Exchange | None, position: int, now: float) -> Outcome:
    """The events after `position`, or a retry instruction if there are none yet."""
    record = RequestRecord(RequestKind.RESUME, Era.LEGACY, session.version, session_id=session.id)
    if exchange is None or position > len(exchange.events):
        return failure(NoId.ABSENT, StreamNotFound(), record)
    if exchange.finished and position == len(exchange.events):
        return failure(NoId.ABSENT, StreamNotFound(), record)
    # A ready exchange that is not run here was claimed by another caller, which continues it.
    return Outcome(stream_after(exchange, position, now)._replace(ready=False), record)


def resume_request(
    server: BuiltServer,
    session: Session,
    exchange: Exchange,
    position: int,
    *,
    environment: RequestEnvironment,
    resumable_versions: frozenset[str],
) -> ResumedRequest:
    """Run the request of `exchange` again with its answers, and send the events after `position`.

    An unexpected exception ends the exchange as an error does: otherwise the next resume would run it, and
    its side effects, again.
    """
    request = Request(exchange.request_id, exchange.method, exchange.params)
    envelope = envelope_from_session(session, exchange.params, resumable_versions)
    run = new_run(server, request, envelope, environment, replay_from_exchange(exchange))
    record = record_of(server, request, run)
    try:
        after, record = _run(server, request, exchange, run)
    except Exception as cause:
        error = InternalError()
        after = finished(exchange, run, _error_response(server, request, run, error))
        record = with_error(record, error)._replace(cause=cause)
    return ResumedRequest(after, stream_after(after, position, environment.now), record)


def abandon(
    server: BuiltServer,
    session: Session,
    exchange: Exchange,
    error: McpError,
    environment: RequestEnvironment,
) -> Stream:
    """The end of a resumed request by `error`, because its new state, `exchange`, cannot be stored."""
    request = Request(exchange.request_id, exchange.method, exchange.params)
    run = new_run(server, request, envelope_from_session(session, exchange.params), environment)
    return last_event(exchange, _error_response(server, request, run, error))


def _run(
    server: BuiltServer, request: Request, exchange: Exchange, run: HandlerRun
) -> tuple[Exchange, RequestRecord]:
    try:
        outcome = call_method(server, request, run)
    except InputRequired as required:
        record = record_of(server, request, run)._replace(kind=RequestKind.RESUME)
        return advanced(exchange, required.questions, run), record
    match outcome.reply:
        case Completed(request_id, result):
            response = result_bytes(request_id, result)
        case Failed(_, error):
            response = _error_response(server, request, run, error)
        case reply:
            raise TypeError(f"a method was answered by {type(reply).__name__}")
    return finished(exchange, run, response), outcome.record


def _scopes(server: BuiltServer, exchange: Exchange) -> frozenset[str]:
    """What the request of `exchange` needs; nothing if a deployment has taken away what it names."""
    named = exchange.params
    with suppress(KeyError, ResourceNotFound):
        match exchange.method:
            case "tools/call":
                return server.tools[named["name"]].scopes
            case "prompts/get":
                return server.prompts[named["name"]].scopes
            case "resources/read":
                return find_resource(server, named["uri"])[0].scopes
    return frozenset()


def _error_response(server: BuiltServer, request: Request, run: HandlerRun, error: McpError) -> bytes:
    if request.method == "tools/call":
        # Some clients accept only a result as the end of a stream that they have resumed.
        call = Call(server, request.method, request.params, run.envelope, run)
        return result_bytes(request.id, tool_failure(call, error).result)
    return encode_error(error, request.id, Era.LEGACY)
