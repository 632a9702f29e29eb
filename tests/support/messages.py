"""Requests as clients of both eras send them, and the responses that are expected, to the last byte."""

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
    """Stands where an answer has no id at all."""

    NO_ID = "no id"


NO_ID: Final = NoMember.NO_ID


def one_line(value: object) -> bytes:
    """JSON as it goes on the wire."""
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
    """A POST of `body`: JSON, or bytes as they are. `headers` come on top of the usual ones."""
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
    """A request that carries its own metadata, and the headers that mirror it."""
    return post(
        message(method, {**(params or {}), "_meta": metadata}, request_id=request_id),
        {**mirrored(method, params), **(headers or {})},
    )


def mirrored(method: str, params: Mapping[str, Any] | None = None) -> dict[str, str]:
    """The headers that repeat what the body of a modern request says."""
    made = {"mcp-protocol-version": MODERN, "mcp-method": method}
    name = (params or {}).get("name")
    return {**made, "mcp-name": name} if isinstance(name, str) else made


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


def _json(status: int, body: object, headers: Mapping[str, str] | None) -> HttpResponse:
    return HttpResponse(status, {"content-type": "application/json", **(headers or {})}, one_line(body))


ACCEPTED: Final = HttpResponse(202, {}, b"")
"""How every notification is taken."""

NOT_INITIALIZED: Final = "Server not initialized. Call initialize first."
NO_SESSION: Final = {
    "reason": "The request is in no session; over HTTP, send the Mcp-Session-Id that initialize answered with"
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
