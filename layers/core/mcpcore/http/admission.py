"""Turn HTTP requests into `Admitted` values or refusals: the first check that fails determines the reply.

The checks, in order: origin, host, HTTP method, size, content coding, media types, one JSON-RPC message. What
is refused before its message is read gets an error without an id. Then message and headers decide the era,
and a request of the modern era passes the checks that the specification orders.
"""

from typing import Final, NamedTuple, assert_never

from mcpcore.definitions.built import BuiltServer
from mcpcore.engine.dispatch import needs_session, require_method
from mcpcore.http import headers
from mcpcore.http.messages import HttpRequest
from mcpcore.protocol.errors import (
    BodyTooLarge,
    HostRefused,
    InvalidRequest,
    McpError,
    MethodNotAllowed,
    NotAcceptable,
    OriginRefused,
    ParseError,
    SessionMissing,
    StreamNotFound,
    UnsupportedContentCoding,
    UnsupportedMediaType,
)
from mcpcore.protocol.jsonrpc import (
    DecodeError,
    Message,
    NoId,
    Notification,
    Request,
    RequestId,
    Response,
    decode,
)
from mcpcore.protocol.versions import HANDSHAKE_VERSIONS, RESUMABLE_VERSIONS, STATELESS_VERSIONS, Era
from mcpcore.request.admitted import Admitted, AnswerTo, EndSession, Legacy, Modern, Resume, Unresumable
from mcpcore.request.envelope import (
    envelope_from_metadata,
    has_modern_metadata,
    is_modern,
    require_supported_version,
)
from mcpcore.request.outcome import NoReply, Outcome, RequestKind, RequestRecord, failure
from mcpcore.sessions.ids import SessionId, parse_event_id, parse_question_id

__all__ = ["Policy", "accepts_events", "accepts_json", "admit"]


class Policy(NamedTuple):
    """Which origins and hosts may call, and how large a body may be.

    An origin is written as a browser sends it; `*` allows every origin. Without `allowed_hosts` every Host is
    served: right behind a gateway, which routes by Host already.
    """

    allowed_origins: frozenset[str] = frozenset()
    allowed_hosts: frozenset[str] = frozenset()
    max_body_bytes: int = 1_000_000

    def allows_origin(self, origin: str) -> bool:
        """True when web pages of this origin may call."""
        return self.allows_every_origin() or origin in self.allowed_origins

    def allows_every_origin(self) -> bool:
        """True when web pages of every origin may call."""
        return "*" in self.allowed_origins

    def allows_host(self, host: str) -> bool:
        """True when this host is served."""
        return not self.allowed_hosts or host.lower() in self.allowed_hosts


_JSON: Final = "application/json"
_EVENTS: Final = "text/event-stream"
_SESSION_ADVICE: Final = "send the Mcp-Session-Id that initialize answered with"


def admit(request: HttpRequest, policy: Policy, server: BuiltServer) -> Admitted | Outcome:
    """The request that the engine answers, or the outcome of one that is refused or needs no engine."""
    try:
        _check_sender(request, policy)
        match request.method:
            case "POST":
                _check_post(request, policy)
            case "DELETE":
                return _session_end(request)
            case "OPTIONS" if "origin" in request.headers:
                return Outcome(NoReply(), RequestRecord(RequestKind.PREFLIGHT))
            case "GET":
                return _resumption(request)
            case _:
                raise MethodNotAllowed("Use POST with one JSON-RPC message")
        if request.body is None:
            raise DecodeError(ParseError("the body is not valid Base64"))
        message = decode(request.body)
    except DecodeError as refusal:
        era = Era.MODERN if has_modern_metadata(refusal.params) else _era_of_header(request)
        return _refused(refusal.error, refusal.request_id, era)
    except McpError as error:
        return _refused(error, NoId.ABSENT, _era_of_header(request))
    return _by_era(request, message, server)


def accepts_events(request: HttpRequest) -> bool:
    """True when the client accepts server-sent events."""
    return headers.accepts(request.headers.get("accept"), _EVENTS)


def accepts_json(request: HttpRequest) -> bool:
    """True when the client accepts JSON."""
    return headers.accepts(request.headers.get("accept"), _JSON)


def _check_sender(request: HttpRequest, policy: Policy) -> None:
    origin, host = request.headers.get("origin"), request.headers.get("host")
    if origin is not None and not policy.allows_origin(headers.trimmed(origin)):
        raise OriginRefused
    if host is not None and not policy.allows_host(headers.trimmed(host)):
        raise HostRefused


def _check_post(request: HttpRequest, policy: Policy) -> None:
    if request.body is not None and len(request.body) > policy.max_body_bytes:
        raise BodyTooLarge(policy.max_body_bytes)
    if headers.is_encoded(request.headers.get("content-encoding")):
        raise UnsupportedContentCoding
    if not headers.is_json(request.headers.get("content-type")):
        raise UnsupportedMediaType
    if not (accepts_json(request) or accepts_events(request)):
        raise NotAcceptable(_JSON, _EVENTS)


def _session_end(request: HttpRequest) -> EndSession:
    session_id = _session_of(request)
    if _names_unknown_version(request):
        raise _unknown_version()
    if session_id is not None:
        return EndSession(session_id)
    if _era_of_header(request) is Era.MODERN:
        raise MethodNotAllowed("This version has no sessions to end")
    raise SessionMissing(_SESSION_ADVICE)


def _resumption(request: HttpRequest) -> Resume | Unresumable:
    session_id = _session_of(request)
    if session_id is None:
        raise StreamNotFound
    found = parse_event_id(headers.trimmed(request.headers.get(headers.LAST_EVENT_ID, "")))
    if _names_unknown_version(request):
        return Unresumable(session_id, _unknown_version())
    if not accepts_events(request):
        return Unresumable(session_id, NotAcceptable(_EVENTS))
    if found is None:
        return Unresumable(session_id, StreamNotFound())
    return Resume(session_id, *found, RESUMABLE_VERSIONS)


def _era_of_header(request: HttpRequest) -> Era | None:
    version = headers.trimmed(request.headers.get(headers.VERSION, ""))
    return Era.MODERN if version in STATELESS_VERSIONS else None


def _names_non_legacy_version(request: HttpRequest) -> bool:
    """True when the version header is present and its version is not of the legacy era."""
    version = request.headers.get(headers.VERSION)
    return version is not None and headers.trimmed(version) not in HANDSHAKE_VERSIONS


def _names_unknown_version(request: HttpRequest) -> bool:
    """True when the version header is present and its version is of neither era."""
    return _names_non_legacy_version(request) and _era_of_header(request) is None


def _by_era(request: HttpRequest, message: Message, server: BuiltServer) -> Admitted | Outcome:
    match message:
        case Request():
            return _admit_request(request, message, server)
        case Notification():
            return _admit_notification(request, message)
        case Response():
            return _admit_answer(request, message)
        case never:
            assert_never(never)


def _admit_request(request: HttpRequest, message: Request, server: BuiltServer) -> Admitted | Outcome:
    method, session_id = message.method, _session_of(request)
    if is_modern(method, message.params, in_session=session_id is not None):
        return _validate_modern(request, message, server)
    if method == "initialize":  # opens a new session, whatever session id the client still sends
        return Legacy(message, None, _resumable(request))
    if _names_non_legacy_version(request):
        return _validate_modern(request, message, server)
    if session_id is None and needs_session(method):
        record = RequestRecord(RequestKind.REQUEST, Era.LEGACY, method=method)
        return failure(message.id, SessionMissing(_SESSION_ADVICE), record)
    return Legacy(message, session_id, _resumable(request))


def _admit_notification(request: HttpRequest, message: Notification) -> Admitted | Outcome:
    session_id = _session_of(request)
    if _names_unknown_version(request):
        return _refused(_unknown_version(), NoId.ABSENT, None, message.method)
    if _names_non_legacy_version(request) or has_modern_metadata(message.params):
        return _accepted(message, Era.MODERN)
    if session_id is None:
        return _accepted(message, Era.LEGACY)
    return Legacy(message, session_id, _resumable(request))


def _admit_answer(request: HttpRequest, message: Response) -> AnswerTo | Outcome:
    session_id, asked = _session_of(request), parse_question_id(message.id)
    if _names_non_legacy_version(request) or session_id is None or asked is None:
        return _refused(_unexpected_response(), NoId.ABSENT, _era_of_header(request))
    return AnswerTo(message, session_id, *asked)


def _session_of(request: HttpRequest) -> SessionId | None:
    session_id = request.headers.get(headers.SESSION_ID)
    return None if session_id is None else SessionId(headers.trimmed(session_id))


def _resumable(request: HttpRequest) -> frozenset[str]:
    return RESUMABLE_VERSIONS if accepts_events(request) else frozenset()


def _accepted(notification: Notification, era: Era) -> Outcome:
    """A notification that no session is involved in: it has no answer and no effect."""
    return Outcome(NoReply(), RequestRecord(RequestKind.NOTIFICATION, era, method=notification.method))


def _unknown_version() -> InvalidRequest:
    return InvalidRequest("Invalid request: MCP-Protocol-Version names an unknown version")


def _unexpected_response() -> InvalidRequest:
    return InvalidRequest("Invalid request: a response is only taken inside a session that asked")


def _validate_modern(request: HttpRequest, message: Request, server: BuiltServer) -> Modern | Outcome:
    """The checks of the modern era: the first that fails gives the answer.

    Metadata comes before headers and headers before the version, so that each fault gets its own code.
    """
    try:
        envelope = envelope_from_metadata(message.params)
        headers.require_version_header(request.headers, envelope.version)
        require_supported_version(envelope.version)
        headers.require_method_header(request.headers, message.method)
        method = require_method(server, envelope.version, Era.MODERN, message.method)
        if method.named_by:
            headers.require_name_header(request.headers, method.named_by, message.params)
        _check_param_headers(request, message, server)
    except McpError as error:
        return _refused(error, message.id, Era.MODERN, message.method)
    return Modern(message, envelope)


def _check_param_headers(request: HttpRequest, message: Request, server: BuiltServer) -> None:
    tool = server.tools.get(message.params["name"]) if message.method == "tools/call" else None
    if tool is not None:
        headers.require_param_headers(request.headers, tool.headers, message.params.get("arguments"))


def _refused(error: McpError, request_id: RequestId | NoId, era: Era | None, method: str = "") -> Outcome:
    return failure(request_id, error, RequestRecord(RequestKind.REFUSAL, era, method=method))
