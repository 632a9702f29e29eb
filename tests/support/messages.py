"""Requests as clients of both eras send them, and the responses to expect, byte by byte."""

import enum
import json
from collections.abc import Mapping
from typing import Any, Final

from mcpcore.http import HttpRequest, HttpResponse

MODERN: Final = "2026-07-28"
LEGACY: Final = "2025-11-25"
LEGACY_VERSIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
SUPPORTED: Final = [MODERN, *reversed(LEGACY_VERSIONS)]

VERSION_KEY: Final = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY: Final = "io.modelcontextprotocol/clientCapabilities"
SERVER_INFO_KEY: Final = "io.modelcontextprotocol/serverInfo"
METADATA: Final[dict[str, Any]] = {VERSION_KEY: MODERN, CAPABILITIES_KEY: {}}

JSON_HEADERS: Final = {"content-type": "application/json", "accept": "application/json, text/event-stream"}

SESSION: Final = "session-1"
"""The id of the first session that a `Wire` opens."""


class NoMember(enum.Enum):
    """Stands for the id of an answer that has none."""

    NO_ID = "no id"


NO_ID: Final = NoMember.NO_ID


def one_line(value: object) -> bytes:
    """JSON as it is sent: one line."""
    return json.dumps(value, separators=(",", ":")).encode("ascii")


def message(method: str, params: object = None, *, request_id: object = 1) -> dict[str, Any]:
    """A request; without params when they are None."""
    made = {"jsonrpc": "2.0", "id": request_id, "method": method}
    return made if params is None else {**made, "params": params}


def notification(method: str, params: object = None) -> dict[str, Any]:
    """A notification; without params when they are None."""
    made = {"jsonrpc": "2.0", "method": method}
    return made if params is None else {**made, "params": params}


def post(body: object, headers: Mapping[str, str] | None = None) -> HttpRequest:
    """A POST of `body`: JSON, or bytes as they are; `headers` are added to the usual ones."""
    return HttpRequest(
        "POST", {**JSON_HEADERS, **(headers or {})}, body if isinstance(body, bytes) else one_line(body)
    )


def initialize(version: object = LEGACY, *, headers: Mapping[str, str] | None = None) -> HttpRequest:
    """The request that opens a session."""
    return post(message("initialize", handshake(protocolVersion=version), request_id=0), headers)


def handshake(**changed: object) -> dict[str, Any]:
    """The params of an `initialize`."""
    usual = {
        "protocolVersion": LEGACY,
        "capabilities": {},
        "clientInfo": {"name": "tests", "version": "1.2"},
    }
    return {**usual, **changed}


def legacy(
    method: str, params: object = None, *, request_id: object = 1, version: str = LEGACY
) -> HttpRequest:
    """A request in the first session that a `Wire` opened."""
    return post(message(method, params, request_id=request_id), in_session(version))


def in_session(version: str = LEGACY) -> dict[str, str]:
    """The headers of a request in the first session that a `Wire` opened."""
    return {"mcp-protocol-version": version, "mcp-session-id": SESSION}


def modern(
    method: str,
    params: Mapping[str, Any] | None = None,
    *,
    request_id: object = 1,
    metadata: Mapping[str, Any] = METADATA,
    headers: Mapping[str, str] | None = None,
) -> HttpRequest:
    """A request with its own metadata, and the headers that repeat it."""
    return post(
        message(method, {**(params or {}), "_meta": metadata}, request_id=request_id),
        {**mirrored(method, params), **(headers or {})},
    )


def mirrored(method: str, params: Mapping[str, Any] | None = None) -> dict[str, str]:
    """The headers that repeat the body of a modern request."""
    made = {"mcp-protocol-version": MODERN, "mcp-method": method}
    name = (params or {}).get("uri" if method.startswith("resources/") else "name")
    return {**made, "mcp-name": name} if isinstance(name, str) else made


def resume(event_id: str, *, headers: Mapping[str, str] | None = None) -> HttpRequest:
    """A GET, in the first session that a `Wire` opened, for the events after that id."""
    usual = {**in_session(), "accept": "text/event-stream", "last-event-id": event_id}
    return HttpRequest("GET", {**usual, **(headers or {})}, b"")


def answer(question_id: object, members: object) -> HttpRequest:
    """The client's result for a request of the server, in the first session that a `Wire` opened."""
    return post({"jsonrpc": "2.0", "id": question_id, "result": members}, in_session())


def refusal(question_id: object, text: str) -> HttpRequest:
    """The client's error for a request of the server, in the first session that a `Wire` opened."""
    fault = {"code": -1, "message": text}
    return post({"jsonrpc": "2.0", "id": question_id, "error": fault}, in_session())


def cancelled(request_id: object) -> HttpRequest:
    """The cancellation of a request in the first session that a `Wire` opened."""
    return post(notification("notifications/cancelled", {"requestId": request_id}), in_session())


def without(request: HttpRequest, *names: str) -> HttpRequest:
    """The request without some of its headers."""
    return request._replace(
        headers={name: value for name, value in request.headers.items() if name not in names}
    )


def result(request_id: object, members: object, headers: Mapping[str, str] | None = None) -> HttpResponse:
    """The response that carries a result."""
    return _json(200, {"jsonrpc": "2.0", "id": request_id, "result": members}, headers)


def error(
    status: int,
    request_id: object,
    code: int,
    text: str,
    *,
    data: object = None,
    headers: Mapping[str, str] | None = None,
) -> HttpResponse:
    """The response that carries an error; without an id when it is `NO_ID`."""
    fault = {"code": code, "message": text}
    return _json(
        status,
        {
            "jsonrpc": "2.0",
            **({} if request_id is NO_ID else {"id": request_id}),
            "error": fault if data is None else {**fault, "data": data},
        },
        headers,
    )


EVENT_HEADERS: Final = {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
}


def events(*messages: object) -> HttpResponse:
    """The response whose body is these messages as events that cannot be resumed."""
    blocks = [b"event: message\ndata: %b\n\n" % one_line(each) for each in messages]
    return HttpResponse(200, EVENT_HEADERS, b"".join(blocks))


def stream(*parts: tuple[str, object], retry: int | None) -> HttpResponse:
    """The response that is part of a stream: event ids, and messages, or None for an event without data."""
    first, *others = [f"id: {event_id}\n{_data(sent)}" for event_id, sent in parts]
    record = first if retry is None else first.replace("\n", f"\nretry: {retry}\n", 1)
    return HttpResponse(200, EVENT_HEADERS, "".join([record, *others]).encode())


def _data(sent: object) -> str:
    return "data: \n\n" if sent is None else f"event: message\ndata: {one_line(sent).decode()}\n\n"


def _json(status: int, body: object, headers: Mapping[str, str] | None) -> HttpResponse:
    return HttpResponse(status, {"content-type": "application/json", **(headers or {})}, one_line(body))


ACCEPTED: Final = HttpResponse(202, {}, b"")
"""The response to every notification."""

NOT_INITIALIZED: Final = "Server not initialized. Call initialize first."
NO_SESSION: Final = {
    "reason": "The request is in no session; send the Mcp-Session-Id that initialize answered with"
}
LOST_SESSION: Final = {
    "reason": "The session is unknown, expired or ended; initialize again without a session id"
}


def no_session(request_id: object) -> HttpResponse:
    """The answer to a request that names no session."""
    return error(400, request_id, -32002, NOT_INITIALIZED, data=NO_SESSION)


def lost_session(request_id: object) -> HttpResponse:
    """The answer to a request in a session that is unknown, expired or ended."""
    return error(404, request_id, -32002, NOT_INITIALIZED, data=LOST_SESSION)


def header_mismatch(text: str) -> HttpResponse:
    """The answer to request 1 if a header differs from its body."""
    return error(400, 1, -32020, f"Header mismatch: {text}")


def unsupported_version(requested: str) -> HttpResponse:
    """The answer to request 1 of a modern version that is not supported."""
    text = f"Unsupported protocol version {requested}; supported are {', '.join(SUPPORTED)}"
    return error(400, 1, -32022, text, data={"supported": SUPPORTED, "requested": requested})
