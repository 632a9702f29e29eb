"""Outcomes as HTTP responses: one JSON object, one complete SSE body, or a bare status."""

from typing import Final, assert_never

from mcpcore.dispatch import Outcome
from mcpcore.errormap import reply_to
from mcpcore.errors import MethodNotAllowed, StoreUnavailable
from mcpcore.http import headers
from mcpcore.http.admission import Policy, takes_only_events
from mcpcore.http.messages import HttpRequest, HttpResponse
from mcpcore.http.sse import message_event
from mcpcore.jsonrpc import NoId, RequestId, error_bytes, result_bytes
from mcpcore.outcome import Completed, Failed, NoReply
from mcpcore.sessions import Open
from mcpcore.versions import Era

__all__ = ["response_to"]

# What answers without a body: a notification taken, a session ended, a browser's preflight passed
# (Fetch standard, "CORS-preflight request").
_BARE: Final = {
    "POST": HttpResponse(202, {}, b""),
    "DELETE": HttpResponse(204, {}, b""),
    "OPTIONS": HttpResponse(
        204,
        {
            "access-control-allow-methods": "POST, GET, DELETE, OPTIONS",
            "access-control-allow-headers": "Authorization, Content-Type, Accept, MCP-Protocol-Version, "
            "Mcp-Session-Id, Last-Event-ID, Mcp-Method, Mcp-Name",
            "access-control-max-age": "3600",
        },
        b"",
    ),
}


def response_to(request: HttpRequest, outcome: Outcome, policy: Policy) -> HttpResponse:
    """The response that carries `outcome` to whoever sent `request`."""
    match outcome.reply:
        case Completed(request_id, result):
            response = _with_body(request, 200, result_bytes(request_id, result))
        case Failed() as failed:
            response = _refusal(request, failed, outcome.told.era)
        case NoReply():
            response = _BARE[request.method]
        case never:
            assert_never(never)
    added = {**_minted(outcome), **_cors(request, policy)}
    return response._replace(headers={**response.headers, **added})


def _refusal(request: HttpRequest, failed: Failed, era: Era | None) -> HttpResponse:
    error = failed.error
    reply = reply_to(error, era)
    body = error_bytes(
        _echoed(failed.request_id, era), code=reply.code, message=reply.message, data=reply.data
    )
    response = _with_body(request, reply.status, body)
    extra: dict[str, str] = {}
    if isinstance(error, MethodNotAllowed):
        extra["allow"] = ", ".join(error.allowed)
    if isinstance(error, StoreUnavailable):
        extra["retry-after"] = str(error.retry_after_seconds)
    return response._replace(headers={**response.headers, **extra})


def _echoed(request_id: RequestId | NoId, era: Era | None) -> RequestId | NoId:
    # The modern schema has an optional id and forbids null; JSON-RPC 2.0 section 5 wants null.
    if request_id is NoId.UNREADABLE and era is Era.MODERN:
        return NoId.ABSENT
    return request_id


def _minted(outcome: Outcome) -> dict[str, str]:
    opened = [action.session.id for action in outcome.actions if isinstance(action, Open)]
    return {headers.SESSION_ID: opened[0]} if opened else {}


def _with_body(request: HttpRequest, status: int, body: bytes) -> HttpResponse:
    if status == 200 and takes_only_events(request):
        return HttpResponse(
            status, {"content-type": "text/event-stream", "cache-control": "no-store"}, message_event(body)
        )
    return HttpResponse(status, {"content-type": "application/json"}, body)


def _cors(request: HttpRequest, policy: Policy) -> dict[str, str]:
    origin = request.headers.get("origin", "").strip()
    if not origin or not policy.allows_origin(origin):
        return {}
    return {
        "access-control-allow-origin": origin,
        "access-control-expose-headers": "Mcp-Session-Id, WWW-Authenticate",
        "vary": "Origin",
    }
