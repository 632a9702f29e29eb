"""Outcomes as HTTP responses: one JSON object, one complete SSE body, or a status without a body."""

import re
from typing import Final, assert_never

from mcpcore.http import headers
from mcpcore.http.admission import Policy, accepts_events, accepts_json
from mcpcore.http.messages import HTTP_METHODS, HttpRequest, HttpResponse
from mcpcore.http.sse import message_events, stream_body
from mcpcore.protocol.error_map import encode_error, reply_to
from mcpcore.protocol.errors import StoreUnavailable, TooManyRequests, UnsupportedContentCoding
from mcpcore.protocol.jsonrpc import result_bytes
from mcpcore.protocol.versions import Era
from mcpcore.request.outcome import Completed, Failed, NoReply, Outcome, SessionEvent, Stream

__all__ = ["response_to"]

_METHOD_NOT_ALLOWED: Final = 405
_JSON_HEADERS: Final = {"content-type": "application/json"}
_EVENT_HEADERS: Final = {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
}

# The replies without a body: an accepted notification, an ended session. Early Python SDKs take another
# status than 200 for a session that could not be ended.
_EMPTY: Final = {"POST": HttpResponse(202, {}, b""), "DELETE": HttpResponse(200, {}, b"")}

_ALLOWED_HEADERS: Final = (
    "Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Session-Id, Last-Event-ID, Mcp-Method, "
    "Mcp-Name"
)
_PARAM_HEADER: Final = re.compile(r"mcp-param-[!#$%&'*+\-.^_`|~0-9a-z]+", re.IGNORECASE)


def response_to(request: HttpRequest, outcome: Outcome, policy: Policy) -> HttpResponse:
    """The response to `request` that carries `outcome`."""
    match outcome.reply:
        case Completed(request_id, result, notifications):
            response = _answer(request, result_bytes(request_id, result), notifications)
        case Stream() as stream:
            response = HttpResponse(200, _EVENT_HEADERS, stream_body(stream))
        case Failed() as failed:
            response = _refusal(request, failed, outcome.record.era)
        case NoReply():
            response = _preflight(request) if request.method == "OPTIONS" else _EMPTY[request.method]
        case never:
            assert_never(never)
    added = {**_session_header(outcome), **_cors(request, policy)}
    return response._replace(headers={**response.headers, **added}) if added else response


def _preflight(request: HttpRequest) -> HttpResponse:
    """The headers that a browser may send, with `Mcp-Param-*` (Fetch standard, "CORS-preflight request")."""
    wanted = request.headers.get("access-control-request-headers", "").split(",")
    arguments = [name for name in map(headers.trimmed, wanted) if _PARAM_HEADER.fullmatch(name)]
    allowed = {
        "access-control-allow-methods": ", ".join((*HTTP_METHODS, "OPTIONS")),
        "access-control-allow-headers": ", ".join([_ALLOWED_HEADERS, *arguments]),
        "access-control-max-age": "3600",
    }
    return HttpResponse(204, allowed, b"")


def _refusal(request: HttpRequest, failed: Failed, era: Era | None) -> HttpResponse:
    error = failed.error
    status = reply_to(error, era).status
    # The response to HEAD has no content (RFC 9110, section 9.3.2).
    body = b"" if request.method == "HEAD" else encode_error(error, failed.request_id, era)
    response = _answer(request, body, ()) if status == 200 else HttpResponse(status, _JSON_HEADERS, body)
    extra: dict[str, str] = {}
    if status == _METHOD_NOT_ALLOWED:
        extra["allow"] = ", ".join(HTTP_METHODS)
    if isinstance(error, UnsupportedContentCoding):
        extra["accept-encoding"] = "identity"  # RFC 9110, section 15.5.16
    if isinstance(error, StoreUnavailable | TooManyRequests):
        extra["retry-after"] = str(error.retry_after_seconds)
    return response._replace(headers={**response.headers, **extra})


def _session_header(outcome: Outcome) -> dict[str, str]:
    record = outcome.record
    if record.session_event is not SessionEvent.OPENED or record.session_id is None:
        return {}
    return {headers.SESSION_ID: record.session_id}


def _answer(request: HttpRequest, body: bytes, notifications: tuple[bytes, ...]) -> HttpResponse:
    """JSON if the client accepts it and there are no notifications; else events, the answer last."""
    if accepts_events(request) and (notifications or not accepts_json(request)):
        return HttpResponse(200, _EVENT_HEADERS, message_events((*notifications, body)))
    return HttpResponse(200, _JSON_HEADERS, body)


def _cors(request: HttpRequest, policy: Policy) -> dict[str, str]:
    """The headers that let a web page read the response. Only an origin that the policy names is repeated."""
    sent = request.headers.get("origin")
    if sent is None or not policy.allows_origin(origin := headers.trimmed(sent)):
        return {}
    exposed = {"access-control-expose-headers": "Mcp-Session-Id, WWW-Authenticate"}
    if policy.allows_every_origin():
        return {"access-control-allow-origin": "*", **exposed}
    return {"access-control-allow-origin": origin, **exposed, "vary": "Origin"}
