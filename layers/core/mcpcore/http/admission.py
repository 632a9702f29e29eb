"""Which HTTP requests reach a method, and as what: the first check that fails answers.

For every request: origin, host, HTTP method, size, media types, one JSON-RPC message. Then the era is told
from the message and its headers, and a request of the modern era climbs the ladder of the specification.
"""

from typing import Final, NamedTuple, TypeAlias, assert_never

from mcpcore.definitions.built import BuiltServer
from mcpcore.engine.dispatch import note, require_method
from mcpcore.engine.suspension import parse_event_id, parse_question_id
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
from mcpcore.protocol.versions import HANDSHAKE_VERSIONS, STATELESS_VERSIONS, Era
from mcpcore.request.envelope import Envelope, claims_modern, read_metadata, require_spoken
from mcpcore.request.outcome import Failed, NoReply, Outcome, RequestRecord
from mcpcore.sessions.store import ExchangeId, SessionId

__all__ = [
    "Admitted",
    "AnswerTo",
    "EndSession",
    "Legacy",
    "Modern",
    "Policy",
    "Resume",
    "accepts_events",
    "accepts_json",
    "admit",
]


class Policy(NamedTuple):
    """What the operator allows. An origin is written as a browser sends it; `*` allows every one.

    Without `allowed_hosts` any Host is served: right behind a gateway, which routes by it already.
    """

    allowed_origins: frozenset[str] = frozenset()
    allowed_hosts: frozenset[str] = frozenset()
    max_body_bytes: int = 1_000_000

    def allows_origin(self, origin: str) -> bool:
        """True when a page of this origin may call."""
        return "*" in self.allowed_origins or origin in self.allowed_origins

    def allows_host(self, host: str) -> bool:
        """True when this is a name of ours."""
        return not self.allowed_hosts or host.lower() in self.allowed_hosts


class Modern(NamedTuple):
    """A request that says everything itself."""

    request: Request
    envelope: Envelope


class Legacy(NamedTuple):
    """A message that is answered from its session; `initialize` and only it may have none."""

    message: Request | Notification
    session_id: SessionId | None
    takes_events: bool


class AnswerTo(NamedTuple):
    """The client's answer to a question that an exchange asked under `key`."""

    response: Response
    session_id: SessionId
    exchange_id: ExchangeId
    key: str


class Resume(NamedTuple):
    """A GET that comes for the rest of an answer, after the first `position` events."""

    session_id: SessionId
    exchange_id: ExchangeId
    position: int


class EndSession(NamedTuple):
    """A DELETE."""

    session_id: SessionId


Admitted: TypeAlias = Modern | Legacy | AnswerTo | Resume | EndSession

_JSON: Final = "application/json"
_EVENTS: Final = "text/event-stream"


def admit(request: HttpRequest, policy: Policy, server: BuiltServer) -> Admitted | Outcome:
    """What the request is, or, when that is settled already, how it ended."""
    try:
        _check_sender(request, policy)
        match request.method:
            case "POST":
                _check_post(request, policy)
            case "DELETE":
                return _termination(request)
            case "OPTIONS" if "origin" in request.headers:
                return Outcome(NoReply(), RequestRecord("preflight"))
            case "GET":
                return _resumption(request)
            case _:
                raise MethodNotAllowed("Use POST with one JSON-RPC message", _ALLOWED)
        if request.body is None:
            raise ParseError("the body is not valid Base64")
        message = decode(request.body)
    except DecodeError as refusal:
        era = Era.MODERN if claims_modern(refusal.params) else _era_of_header(request)
        return _refused(refusal.error, refusal.request_id, era)
    except McpError as error:
        unreadable = NoId.UNREADABLE if isinstance(error, ParseError) else NoId.ABSENT
        return _refused(error, unreadable, _era_of_header(request))
    return _by_era(request, message, server)


def accepts_events(request: HttpRequest) -> bool:
    """True when the client takes an answer as server-sent events."""
    return headers.accepts(request.headers.get("accept"), _EVENTS)


def accepts_json(request: HttpRequest) -> bool:
    """True when the client takes an answer as JSON."""
    return headers.accepts(request.headers.get("accept"), _JSON)


_ALLOWED: Final = ("POST", "DELETE")


def _check_sender(request: HttpRequest, policy: Policy) -> None:
    origin, host = request.headers.get("origin"), request.headers.get("host")
    if origin is not None and not policy.allows_origin(headers.trimmed(origin)):
        raise OriginRefused
    if host is not None and not policy.allows_host(headers.trimmed(host)):
        raise HostRefused


def _check_post(request: HttpRequest, policy: Policy) -> None:
    if request.body is not None and len(request.body) > policy.max_body_bytes:
        raise BodyTooLarge(policy.max_body_bytes)
    if not headers.is_json(request.headers.get("content-type")):
        raise UnsupportedMediaType
    if not (accepts_json(request) or accepts_events(request)):
        raise NotAcceptable


def _termination(request: HttpRequest) -> EndSession:
    session_id = request.headers.get(headers.SESSION_ID)
    if _is_foreign(request) and _era_of_header(request) is None:
        raise _unknown_version()
    if session_id is not None:
        return EndSession(SessionId(headers.trimmed(session_id)))
    if _era_of_header(request) is Era.MODERN:
        raise MethodNotAllowed("This version has no sessions to end", _ALLOWED)
    raise SessionMissing


def _resumption(request: HttpRequest) -> Resume:
    session_id = request.headers.get(headers.SESSION_ID)
    found = parse_event_id(headers.trimmed(request.headers.get(headers.LAST_EVENT_ID, "")))
    if session_id is None or found is None:
        raise MethodNotAllowed("There is no stream to listen to; POST a message", _ALLOWED)
    if _is_foreign(request) and _era_of_header(request) is None:
        raise _unknown_version()
    if not accepts_events(request):
        raise NotAcceptable
    return Resume(SessionId(headers.trimmed(session_id)), *found)


def _era_of_header(request: HttpRequest) -> Era | None:
    version = headers.trimmed(request.headers.get(headers.VERSION, ""))
    return Era.MODERN if version in STATELESS_VERSIONS else None


def _is_foreign(request: HttpRequest) -> bool:
    """True when a version is named, and it is none of the legacy era."""
    version = request.headers.get(headers.VERSION)
    return version is not None and headers.trimmed(version) not in HANDSHAKE_VERSIONS


def _by_era(request: HttpRequest, message: Message, server: BuiltServer) -> Admitted | Outcome:
    foreign = _is_foreign(request)
    session_id = request.headers.get(headers.SESSION_ID)
    match message:
        case Request(_, method, params):
            if claims_modern(params) or (foreign and method != "initialize"):
                return _climb(request, message, server)
            if method == "initialize":  # opens a session of its own, whatever id the client still carries
                return Legacy(message, None, accepts_events(request))
        case Notification(_, params):
            if foreign and _era_of_header(request) is None:
                return _refused(_unknown_version(), NoId.ABSENT, None, message.method)
            if foreign or claims_modern(params):
                return note(message, Era.MODERN)
            if session_id is None:
                return note(message, Era.LEGACY)
        case Response(answered):
            asked = parse_question_id(answered)
            if foreign or session_id is None or asked is None:
                return _refused(_unasked(), NoId.ABSENT, _era_of_header(request))
            return AnswerTo(message, SessionId(headers.trimmed(session_id)), *asked)
        case never:
            assert_never(never)
    bound = None if session_id is None else SessionId(headers.trimmed(session_id))
    return Legacy(message, bound, accepts_events(request))


def _unknown_version() -> InvalidRequest:
    return InvalidRequest("Invalid request: MCP-Protocol-Version names an unknown version")


def _unasked() -> InvalidRequest:
    return InvalidRequest("Invalid request: a response is only taken inside a session that asked")


def _climb(request: HttpRequest, message: Request, server: BuiltServer) -> Modern | Outcome:
    """Climb the ladder of the modern era: the first rung that fails answers.

    Metadata comes before headers and headers before the version, so that each fault gets its own code.
    """
    try:
        envelope = read_metadata(message.params)
        headers.require_version_header(request.headers, envelope.version)
        require_spoken(envelope.version)
        headers.require_method_header(request.headers, message.method)
        require_method(server, envelope.version, Era.MODERN, message.method)
        headers.require_name_header(request.headers, message.method, message.params)
        _check_param_headers(request, message, server)
    except McpError as error:
        return _refused(error, message.id, Era.MODERN, message.method)
    return Modern(message, envelope)


def _check_param_headers(request: HttpRequest, message: Request, server: BuiltServer) -> None:
    tool = server.tools.get(message.params["name"]) if message.method == "tools/call" else None
    if tool is not None:
        headers.require_param_headers(request.headers, tool.headers, message.params.get("arguments"))


def _refused(error: McpError, request_id: RequestId | NoId, era: Era | None, method: str = "") -> Outcome:
    return Outcome(Failed(request_id, error), RequestRecord("refusal", era, method=method))
