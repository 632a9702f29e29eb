"""The table of methods, and the call of one of them: request → outcome."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from mcpcore.definitions.built import BuiltServer
from mcpcore.methods.call import Call, MethodResult, constant, empty
from mcpcore.methods.completion import complete
from mcpcore.methods.logging_level import set_level
from mcpcore.methods.pagination import list_page
from mcpcore.methods.prompts import get_prompt
from mcpcore.methods.resources import read_resource
from mcpcore.methods.subscriptions import listen, subscribe
from mcpcore.methods.tools import call_tool
from mcpcore.protocol.errors import McpError, MethodNotFound
from mcpcore.protocol.jsonrpc import Request
from mcpcore.protocol.versions import SUPPORTED_VERSIONS, Era
from mcpcore.questions.replay import ReplayState
from mcpcore.request.envelope import Envelope
from mcpcore.request.environment import RequestEnvironment
from mcpcore.request.outcome import Completed, Outcome, RequestKind, RequestRecord, failure, with_error
from mcpcore.request.run import HandlerRun

__all__ = [
    "METHODS",
    "NOTIFICATIONS",
    "Method",
    "call_method",
    "may_ask",
    "needs_session",
    "new_run",
    "record_of",
    "require_method",
]


class Method(NamedTuple):
    """A row of the table.

    `capability` is what the server must offer for the method to exist; a path such as `resources.subscribe`
    is a setting within a capability. `may_ask` is True if its handler can ask the client something (spec
    2026-07-28, basic/patterns/mrtr). `named_by` is the param that the header `Mcp-Name` repeats (spec
    2026-07-28, streamable-http, "Standard Request Headers"). `sessionless` methods of the legacy era are
    served before a session is open (spec 2025-11-25, basic/lifecycle, "Initialization").
    """

    function: Callable[[Call], MethodResult]
    capability: str = ""
    may_ask: bool = False
    named_by: str = ""
    sessionless: bool = False


_BOTH_ERAS: Final[Mapping[str, Method]] = {
    "tools/list": Method(list_page, "tools"),
    "tools/call": Method(call_tool, "tools", may_ask=True, named_by="name"),
    "resources/list": Method(list_page, "resources"),
    "resources/templates/list": Method(list_page, "resources"),
    "resources/read": Method(read_resource, "resources", may_ask=True, named_by="uri"),
    "prompts/list": Method(list_page, "prompts"),
    "prompts/get": Method(get_prompt, "prompts", may_ask=True, named_by="name"),
    "completion/complete": Method(complete, "completions"),
}

METHODS: Final[Mapping[tuple[Era, str], Method]] = {
    (Era.LEGACY, "initialize"): Method(constant, sessionless=True),
    (Era.LEGACY, "ping"): Method(empty, sessionless=True),
    (Era.LEGACY, "logging/setLevel"): Method(set_level, "logging"),
    (Era.LEGACY, "resources/subscribe"): Method(subscribe, "resources.subscribe"),
    (Era.LEGACY, "resources/unsubscribe"): Method(subscribe, "resources.subscribe"),
    (Era.MODERN, "server/discover"): Method(constant),
    (Era.MODERN, "subscriptions/listen"): Method(listen),
    **{(era, name): method for era in Era for name, method in _BOTH_ERAS.items()},
}

_MAY_ASK: Final = frozenset(name for (_, name), method in METHODS.items() if method.may_ask)

NOTIFICATIONS: Final = frozenset(
    {
        "notifications/initialized",
        "notifications/cancelled",
        "notifications/progress",
        "notifications/roots/list_changed",
    }
)
"""The notifications that a client may send in some version; only `cancelled` has an effect."""


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


def new_run(
    server: BuiltServer,
    request: Request,
    envelope: Envelope,
    environment: RequestEnvironment,
    replay: ReplayState | None = None,
) -> HandlerRun:
    """A run of the handler of `request`, continuing from `replay`.

    A server that does not declare logging must send no log messages, whatever level the client wants
    (spec server/utilities/logging, "Capabilities").
    """
    if envelope.log_level is not None and not _offers(server, envelope.version, "logging"):
        envelope = envelope._replace(log_level=None)
    if replay is None:
        return HandlerRun(request.id, envelope, environment)
    return HandlerRun(request.id, envelope, environment, replay)


def may_ask(method: str) -> bool:
    """True if a handler of `method` can ask the client something, in some era."""
    return method in _MAY_ASK


def needs_session(method: str) -> bool:
    """True if the legacy era answers `method` only inside a session."""
    row = METHODS.get((Era.LEGACY, method))
    return row is None or not row.sessionless


def call_method(server: BuiltServer, request: Request, run: HandlerRun) -> Outcome:
    """Call the method of `request`.

    Raises:
        InputRequired: its handler asks the client something.
    """
    envelope, record = run.envelope, record_of(server, request, run)
    try:
        row = require_method(server, envelope.version, envelope.era, request.method)
        result = row.function(Call(server, request.method, request.params, envelope, run))
    except McpError as error:
        return failure(request.id, error, record)
    if result.error is not None:
        record = with_error(record, result.error)
    reply = Completed(request.id, result.result, tuple(run.notifications))
    return Outcome(reply, record, required=result.action)


def record_of(server: BuiltServer, request: Request, run: HandlerRun) -> RequestRecord:
    """The record of a request before it is answered."""
    envelope = run.envelope
    return RequestRecord(
        RequestKind.REQUEST,
        envelope.era,
        envelope.version,
        request.method,
        _tool_name(server, request),
        client_name=envelope.client_name,
        client_version=envelope.client_version,
        session_id=envelope.session_id,
        trace=envelope.trace,
        counts=run.counts,
        log_fields=run.log_fields,
    )


def _tool_name(server: BuiltServer, request: Request) -> str:
    """The tool that is called, if the server has it: a client must not invent a metric's dimensions."""
    name = request.params.get("name") if request.method == "tools/call" else None
    return name if isinstance(name, str) and name in server.tools else ""


def _offers(server: BuiltServer, version: str, capability: str) -> bool:
    if capability == "completions":  # 2024-11-05 has the method, but no name for the capability
        return bool(server.completers)
    found: object = server.capabilities[version]
    for step in capability.split(".") if capability else ():
        if not isinstance(found, dict) or step not in found:
            return False
        found = found[step]
    return True
