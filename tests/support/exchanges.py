"""HTTP exchanges, byte by byte: requests of both eras, the ways to send them, and the replies."""

import base64
import http.client
import json
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias
from urllib.parse import urlsplit

from tests.support.http_api import event

__all__ = [
    "MODERN",
    "Handler",
    "LambdaContext",
    "Reply",
    "Send",
    "Sent",
    "body_of",
    "error",
    "initialize",
    "legacy",
    "metadata",
    "modern",
    "notification",
    "over_http",
    "through_handler",
]

MODERN: Final = "2026-07-28"

_JSON: Final = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
# What the HTTP server adds on its own.
_HOP: Final = frozenset({"server", "date", "content-length", "connection"})
_PATIENCE_SECONDS: Final = 30


class Sent(NamedTuple):
    """An HTTP request, with these headers and no others."""

    body: bytes
    headers: Mapping[str, str]
    method: str = "POST"


class Reply(NamedTuple):
    """An HTTP response, without the headers that belong to the connection."""

    status: int
    headers: dict[str, str]
    body: bytes

    def message(self) -> Any:
        """The JSON in the body."""
        return json.loads(self.body)


Send: TypeAlias = Callable[[Sent], Reply]


class LambdaContext(NamedTuple):
    """Lambda's context object."""

    remaining_seconds: float = 29
    aws_request_id: str = "c6af9ac6-7b61-11e6-9a41-93e8deadbeef"

    def get_remaining_time_in_millis(self) -> int:
        """Milliseconds until Lambda would end the invocation."""
        return int(self.remaining_seconds * 1000)


Handler: TypeAlias = Callable[[dict[str, Any], LambdaContext], Mapping[str, Any]]


def metadata(version: str = MODERN) -> dict[str, Any]:
    """The `_meta` without which a request is not one of the modern era."""
    return {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": {},
    }


def modern(method: str, request_id: str | int = 1, **params: Any) -> Sent:
    """A request that brings everything with it."""
    headers = {**_JSON, "mcp-protocol-version": MODERN, "mcp-method": method}
    named = "uri" if method == "resources/read" else "name"
    if named in params:
        headers["mcp-name"] = str(params[named])
    return Sent(_encoded(method, request_id, {**params, "_meta": metadata()}), headers)


def legacy(method: str, request_id: str | int = 1, *, session: str | None = None, **params: Any) -> Sent:
    """A request of the handshake era, in a session or in none."""
    headers = _JSON if session is None else {**_JSON, "mcp-session-id": session}
    return Sent(_encoded(method, request_id, params), headers)


def initialize(version: str = "2025-11-25") -> Sent:
    """The request that opens a session."""
    client = {"name": "tests", "version": "1"}
    return legacy("initialize", protocolVersion=version, capabilities={}, clientInfo=client)


def error(request_id: object, code: int, message: str, data: object = None) -> dict[str, Any]:
    """An error response as it should be; no `id` member at all when `request_id` is `...`."""
    identified = {} if request_id is ... else {"id": request_id}
    content = {"code": code, "message": message} | ({} if data is None else {"data": data})
    return {"jsonrpc": "2.0", **identified, "error": content}


def over_http(url: str) -> Send:
    """Sends to a server on this machine, each request over a connection of its own."""
    address = urlsplit(url)

    def send(sent: Sent) -> Reply:
        connection = http.client.HTTPConnection(address.netloc, timeout=_PATIENCE_SECONDS)
        try:
            own_host = any(name.lower() == "host" for name in sent.headers)
            connection.putrequest(sent.method, address.path, skip_host=own_host, skip_accept_encoding=True)
            for name, value in {**sent.headers, "Content-Length": str(len(sent.body))}.items():
                connection.putheader(name, value)
            connection.endheaders(sent.body)
            response = connection.getresponse()
            headers = {name.lower(): value for name, value in response.getheaders()}
            kept = {name: value for name, value in headers.items() if name not in _HOP}
            return Reply(response.status, kept, response.read())
        finally:
            connection.close()

    return send


def notification(method: str) -> Sent:
    """A notification of the newest revision."""
    message = {"jsonrpc": "2.0", "method": method, "params": {"_meta": metadata()}}
    return modern("")._replace(body=json.dumps(message).encode())


def body_of(reply: Mapping[str, Any]) -> bytes:
    """The body of a handler's reply as the client gets it."""
    body: str = reply["body"]
    return base64.b64decode(body, validate=True) if reply["isBase64Encoded"] else body.encode("utf-8")


def through_handler(handler: Handler) -> Send:
    """Calls a Lambda handler with the events that an HTTP API would make of the requests."""

    def send(sent: Sent) -> Reply:
        made = event(None, {}, method=sent.method)
        reply = handler(made | {"headers": dict(sent.headers), **_as_member(sent.body)}, LambdaContext())
        return Reply(reply["statusCode"], reply["headers"], body_of(reply))

    return send


def _encoded(method: str, request_id: str | int, params: Mapping[str, Any]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}).encode()


def _as_member(body: bytes) -> dict[str, Any]:
    try:
        return {"body": body.decode("utf-8"), "isBase64Encoded": False}
    except UnicodeDecodeError:
        return {"body": base64.b64encode(body).decode("ascii"), "isBase64Encoded": True}
