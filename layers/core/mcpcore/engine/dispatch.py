"""(era, method) to function, and from there to an outcome."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from mcpcore.definitions.built import BuiltServer
from mcpcore.engine.suspension import (
    INTERRUPTIBLE,
    advanced,
    exchange_id_of,
    input_required,
    opened_exchange,
    part_after,
    remembered_in_params,
)
from mcpcore.methods.call import Answer, Call, constant, empty
from mcpcore.methods.completion import complete
from mcpcore.methods.lifecycle import agree
from mcpcore.methods.logging_level import set_level
from mcpcore.methods.prompts import get_prompt, list_prompts
from mcpcore.methods.resources import list_resources, list_templates, read_resource, subscribe
from mcpcore.methods.tools import call_tool, list_tools
from mcpcore.protocol.errors import (
    McpError,
    MethodNotFound,
    SessionError,
    SessionMissing,
    SessionUnknown,
)
from mcpcore.protocol.jsonrpc import NoId, Notification, Request, RequestId, encode
from mcpcore.protocol.versions import SUPPORTED_VERSIONS, Era
from mcpcore.questions.question import InputRequired, ReplayState
from mcpcore.request.context import Context, RequestEnvironment
from mcpcore.request.envelope import Envelope, from_session, require_metadata_log_level
from mcpcore.request.outcome import Completed, Failed, NoReply, Outcome, RequestRecord
from mcpcore.sessions.store import (
    Action,
    CloseSession,
    CreateExchange,
    DeleteExchange,
    OpenSession,
    Session,
    SessionId,
    extension_due,
)

__all__ = [
    "METHODS",
    "NOTIFICATIONS",
    "Method",
    "answer_legacy",
    "answer_modern",
    "context_of",
    "end_session",
    "note",
    "perform",
    "record_of",
    "require_method",
]


class Method(NamedTuple):
    """A row of the table. `capability` is the one that the server must offer for the method to exist.

    A path such as `resources.subscribe` is a setting within a capability.
    """

    answer: Callable[[Call], Answer]
    capability: str | None = None


_BOTH_ERAS: Final[Mapping[str, Method]] = {
    "tools/list": Method(list_tools, "tools"),
    "tools/call": Method(call_tool, "tools"),
    "resources/list": Method(list_resources, "resources"),
    "resources/templates/list": Method(list_templates, "resources"),
    "resources/read": Method(read_resource, "resources"),
    "prompts/list": Method(list_prompts, "prompts"),
    "prompts/get": Method(get_prompt, "prompts"),
    "completion/complete": Method(complete, "completions"),
}

METHODS: Final[Mapping[tuple[Era, str], Method]] = {
    (Era.LEGACY, "initialize"): Method(constant),
    (Era.LEGACY, "ping"): Method(empty),
    (Era.LEGACY, "logging/setLevel"): Method(set_level, "logging"),
    (Era.LEGACY, "resources/subscribe"): Method(subscribe, "resources.subscribe"),
    (Era.LEGACY, "resources/unsubscribe"): Method(subscribe, "resources.subscribe"),
    (Era.MODERN, "server/discover"): Method(constant),
    **{(era, name): method for era in Era for name, method in _BOTH_ERAS.items()},
}

NOTIFICATIONS: Final = frozenset(
    {
        "notifications/initialized",
        "notifications/cancelled",
        "notifications/progress",
        "notifications/roots/list_changed",
    }
)
"""The notifications that a client may send in some revision; all are taken, only `cancelled` is acted on."""


def require_method(server: BuiltServer, version: str, era: Era, method: str) -> Method:
    """The row of `method`.

    Raises:
        MethodNotFound: the era has no such method, or the server does not offer its capability.
    """
    row = METHODS.get((era, method))
    if row is not None and _offers(server, version, row.capability):
        return row
    hint = ""
    if era is Era.MODERN and method == "initialize":
        hint = f"This version has no handshake; supported versions: {', '.join(SUPPORTED_VERSIONS)}"
    raise MethodNotFound(method, hint=hint)


def context_of(
    server: BuiltServer,
    envelope: Envelope,
    environment: RequestEnvironment,
    memory: ReplayState | None = None,
) -> Context:
    """What a function sees of a request.

    A server that does not declare logging must send no log messages, whatever the client wants to hear of
    (spec server/utilities/logging, "Capabilities").
    """
    if envelope.log_level is not None and not _offers(server, envelope.version, "logging"):
        envelope = envelope._replace(log_level=None)
    return Context(envelope, environment, memory)


def answer_modern(
    server: BuiltServer, request: Request, envelope: Envelope, environment: RequestEnvironment
) -> Outcome:
    """Answer a request that carries its own envelope. No session is read or written."""
    context = context_of(server, envelope, environment)
    try:
        require_metadata_log_level(request.params)
        if request.method in INTERRUPTIBLE:
            context = context_of(server, envelope, environment, remembered_in_params(request, environment))
        return perform(server, request, context)
    except McpError as error:
        return _failed(request.id, error, record_of(server, request, context))
    except InputRequired as pending:
        return _ask_modern(server, request, context, pending)


def answer_legacy(
    server: BuiltServer,
    message: Request | Notification,
    *,
    session_id: SessionId | None,
    session: Session | None,
    environment: RequestEnvironment,
) -> Outcome:
    """Answer a message of the handshake era; `session` is what the store had for `session_id`."""
    if isinstance(message, Request):
        return _answer_in_session(server, message, session_id, session, environment)
    if session is not None:
        return _take(message, session, environment)
    if session_id is not None:
        return _failed(NoId.ABSENT, SessionUnknown(), _heard(message))
    return note(message, Era.LEGACY)


def note(notification: Notification, era: Era) -> Outcome:
    """Take a notification, known or not: it is never answered (JSON-RPC 2.0, section 4.1)."""
    return Outcome(NoReply(), RequestRecord("notification", era, method=notification.method))


def end_session(session_id: SessionId, session: Session | None) -> Outcome:
    """End a session at the client's wish (spec 2025-11-25, basic/transports, "Session Management")."""
    record = RequestRecord("session end", Era.LEGACY)
    if session is None:
        return _failed(NoId.ABSENT, SessionUnknown(), record)
    return Outcome(NoReply(), record, (CloseSession(session_id),))


def perform(server: BuiltServer, request: Request, context: Context) -> Outcome:
    """Call the method of `request`.

    Raises:
        InputRequired: its code asks the client something.
    """
    envelope, record = context.envelope, record_of(server, request, context)
    call = Call(server, request.method, request.params, envelope, context)
    try:
        row = require_method(server, envelope.version, envelope.era, request.method)
        answer = row.answer(call)
    except McpError as error:
        return _failed(request.id, error, record)
    if answer.failed:
        record = record._replace(tool_failed=True, cause=answer.cause)
    return Outcome(Completed(request.id, answer.result, tuple(context.notifications)), record, answer.actions)


def _ask_modern(server: BuiltServer, request: Request, context: Context, pending: InputRequired) -> Outcome:
    record = record_of(server, request, context)
    try:
        members = {**server.modern_tail, **input_required(request, pending.questions, context)}
    except McpError as error:
        return _failed(request.id, error, record)
    return Outcome(Completed(request.id, encode(members), tuple(context.notifications)), record)


def _answer_in_session(
    server: BuiltServer,
    request: Request,
    session_id: SessionId | None,
    session: Session | None,
    environment: RequestEnvironment,
) -> Outcome:
    try:
        if request.method == "initialize":
            session = agree(request.params, environment)
            actions: tuple[Action, ...] = (OpenSession(session),)
        elif session is None:
            raise _no_session(session_id)
        else:
            actions = extension_due(session, now=environment.now, ttl_seconds=environment.session_ttl_seconds)
    except McpError as error:
        return _failed(request.id, error, _heard(request))
    context = context_of(server, from_session(session, request.params), environment)
    try:
        outcome = perform(server, request, context)
    except InputRequired as pending:
        outcome = _ask_legacy(server, request, session, context, pending)
    return outcome._replace(actions=(*actions, *outcome.actions))


def _ask_legacy(
    server: BuiltServer, request: Request, session: Session, context: Context, pending: InputRequired
) -> Outcome:
    record = record_of(server, request, context)
    try:
        exchange = advanced(
            opened_exchange(request, session, context.environment), pending.questions, context
        )
    except McpError as error:
        return _failed(request.id, error, record)
    return Outcome(part_after(exchange, 0, context.environment.now), record, (CreateExchange(exchange),))


def _take(notification: Notification, session: Session, environment: RequestEnvironment) -> Outcome:
    outcome = note(notification, Era.LEGACY)
    request_id = notification.params.get("requestId")
    if notification.method != "notifications/cancelled" or not environment.state_keys:
        return outcome
    if not isinstance(request_id, str | int) or isinstance(request_id, bool):
        return outcome
    return outcome._replace(
        actions=(DeleteExchange(session.id, exchange_id_of(session.id, request_id, environment)),)
    )


def _offers(server: BuiltServer, version: str, capability: str | None) -> bool:
    if capability == "completions":  # 2024-11-05 has the method, but no word for the capability
        return bool(server.completers)
    found: object = server.capabilities[version]
    for step in capability.split(".") if capability else ():
        if not isinstance(found, dict) or step not in found:
            return False
        found = found[step]
    return True


def record_of(server: BuiltServer, request: Request, context: Context) -> RequestRecord:
    """What there is to tell of a request before it is answered."""
    envelope = context.envelope
    call = Call(server, request.method, request.params, envelope, context)
    return RequestRecord(
        "request",
        envelope.era,
        envelope.version,
        request.method,
        call.tool_name(),
        client_name=envelope.client_name,
        client_version=envelope.client_version,
        trace=envelope.trace,
        counts=context.counts,
        notes=context.notes,
    )


def _no_session(session_id: SessionId | None) -> SessionError:
    return SessionMissing() if session_id is None else SessionUnknown()


def _heard(message: Request | Notification) -> RequestRecord:
    return RequestRecord(type(message).__name__.lower(), Era.LEGACY, method=message.method)


def _failed(request_id: RequestId | NoId, error: McpError, record: RequestRecord) -> Outcome:
    return Outcome(Failed(request_id, error), record._replace(cause=error.__cause__))
