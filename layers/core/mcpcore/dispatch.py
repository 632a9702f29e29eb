"""(era, method) to function, and from there to an outcome."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from mcpcore.context import Context, Given
from mcpcore.definitions import BuiltServer
from mcpcore.envelope import Envelope, from_session
from mcpcore.errors import (
    InvalidRequest,
    McpError,
    MethodNotFound,
    SessionError,
    SessionMissing,
    SessionUnknown,
)
from mcpcore.jsonrpc import Message, NoId, Notification, Request, Response
from mcpcore.methods.call import Answer, Call, constant, constant_list
from mcpcore.methods.lifecycle import agree
from mcpcore.methods.tools import call_tool
from mcpcore.outcome import Completed, Failed, NoReply, Reply, Told
from mcpcore.sessions import Action, End, Open, Session, SessionId, due_refresh
from mcpcore.versions import SUPPORTED_VERSIONS, Era

__all__ = [
    "METHODS",
    "NOTIFICATIONS",
    "Method",
    "Outcome",
    "answer_legacy",
    "answer_modern",
    "end_session",
    "note",
    "require_method",
]


class Method(NamedTuple):
    """A row of the table. `capability` is the one that the server must offer for the method to exist."""

    answer: Callable[[Call], Answer]
    capability: str | None = None


METHODS: Final[Mapping[tuple[Era, str], Method]] = {
    (Era.LEGACY, "initialize"): Method(constant),
    (Era.LEGACY, "ping"): Method(constant),
    (Era.LEGACY, "tools/list"): Method(constant_list, "tools"),
    (Era.LEGACY, "tools/call"): Method(call_tool, "tools"),
    (Era.MODERN, "server/discover"): Method(constant),
    (Era.MODERN, "tools/list"): Method(constant_list, "tools"),
    (Era.MODERN, "tools/call"): Method(call_tool, "tools"),
}

NOTIFICATIONS: Final = frozenset(
    {
        "notifications/initialized",
        "notifications/cancelled",
        "notifications/progress",
        "notifications/roots/list_changed",
    }
)
"""The notifications that a client may send in some revision; all are taken, none is acted on."""


class Outcome(NamedTuple):
    """How a request ended: the reply to send, what the store should do, what there is to tell."""

    reply: Reply
    told: Told
    actions: tuple[Action, ...] = ()


def require_method(server: BuiltServer, era: Era, method: str) -> Method:
    """The row of `method`.

    Raises:
        MethodNotFound: the era has no such method, or the server does not offer its capability.
    """
    row = METHODS.get((era, method))
    if row is not None and (row.capability is None or row.capability in server.capabilities):
        return row
    hint = ""
    if era is Era.MODERN and method == "initialize":
        hint = f"This version has no handshake; supported versions: {', '.join(SUPPORTED_VERSIONS)}"
    raise MethodNotFound(method, hint=hint)


def answer_modern(server: BuiltServer, request: Request, envelope: Envelope, given: Given) -> Outcome:
    """Answer a request that carries its own envelope. No session is read or written."""
    return _answer(server, request, envelope, given)


def answer_legacy(
    server: BuiltServer,
    message: Message,
    *,
    session_id: SessionId | None,
    session: Session | None,
    given: Given,
) -> Outcome:
    """Answer a message of the handshake era; `session` is what the store had for `session_id`."""
    match message:
        case Request():
            return _answer_in_session(server, message, session_id, session, given)
        case Notification():
            if session is None and session_id is not None:
                return _failed(NoId.ABSENT, SessionUnknown(), _heard(message))
            return note(message, Era.LEGACY)
        case Response():
            error = _no_session(session_id) if session is None else _UNASKED
            return _failed(NoId.ABSENT, error, _heard(message))


def note(notification: Notification, era: Era) -> Outcome:
    """Take a notification, known or not: it is never answered (JSON-RPC 2.0, section 4.1)."""
    return Outcome(NoReply(), Told("notification", era, method=notification.method))


def end_session(session_id: SessionId, session: Session | None) -> Outcome:
    """End a session at the client's wish (spec 2025-11-25, basic/transports, "Session Management")."""
    told = Told("session end", Era.LEGACY)
    if session is None:
        return _failed(NoId.ABSENT, SessionUnknown(), told)
    return Outcome(NoReply(), told, (End(session_id),))


def _answer_in_session(
    server: BuiltServer,
    request: Request,
    session_id: SessionId | None,
    session: Session | None,
    given: Given,
) -> Outcome:
    try:
        if request.method == "initialize":
            session = agree(request.params, given)
            actions: tuple[Action, ...] = (Open(session),)
        elif session is None:
            raise _no_session(session_id)
        else:
            actions = due_refresh(session, now=given.now, ttl_seconds=given.session_ttl_seconds)
    except McpError as error:
        return _failed(request.id, error, _heard(request))
    outcome = _answer(server, request, from_session(session, request.params), given)
    return outcome._replace(actions=actions)


def _answer(server: BuiltServer, request: Request, envelope: Envelope, given: Given) -> Outcome:
    context = Context(envelope, given)
    call = Call(server, request.method, request.params, envelope, context)
    told = Told(
        "request",
        envelope.era,
        envelope.version,
        request.method,
        call.tool_name(),
        client_name=envelope.client_name,
        client_version=envelope.client_version,
        trace=envelope.trace,
        counts=context.counts,
    )
    try:
        answer = require_method(server, envelope.era, request.method).answer(call)
    except McpError as error:
        return _failed(request.id, error, told)
    told = told._replace(tool_failed=answer.failed, cause=answer.cause)
    return Outcome(Completed(request.id, answer.result), told)


_UNASKED: Final = InvalidRequest("Invalid request: no request of this server waits for this response")


def _no_session(session_id: SessionId | None) -> SessionError:
    return SessionMissing() if session_id is None else SessionUnknown()


def _heard(message: Message) -> Told:
    method = "" if isinstance(message, Response) else message.method
    return Told(type(message).__name__.lower(), Era.LEGACY, method=method)


def _failed(request_id: str | int | NoId, error: McpError, told: Told) -> Outcome:
    return Outcome(Failed(request_id, error), told._replace(cause=error.__cause__))
