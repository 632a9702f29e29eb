"""An HTTP server on loopback that calls a Lambda handler as an HTTP API of API Gateway does.

uvicorn reads and writes HTTP/1.1; this module makes events of requests, and responses of replies.
"""

import asyncio
import base64
import socket
import threading
import time
import traceback
import uuid
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from typing import Any, Final, NamedTuple, TypeAlias

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from mcpcore.http import Policy

__all__ = ["Handler", "HttpGateway", "InvocationContext", "Route"]

_LOOPBACK: Final = "127.0.0.1"
_PATH: Final = "/mcp"
_PATHS: Final = frozenset({_PATH, f"{_PATH}/"})
# API Gateway's own limit on a payload; it answers 413 by itself beyond it.
_PAYLOAD_LIMIT_BYTES: Final = 10 * 1024 * 1024
_TIMEOUT_SECONDS: Final = 29  # the function's own, in the template
_DRAIN_SECONDS: Final = 2.0
# Longer than clients keep a connection: one that the server closed first could fail the next request.
_KEEP_ALIVE_SECONDS: Final = 60
_SHUTDOWN_SECONDS: Final = 1  # for requests that are still answered
_BACKLOG: Final = 128  # clients open many connections at once
# How a route of an HTTP API says that it is for all paths below one.
_BELOW: Final = "/{proxy+}"
_WITHOUT_CONTENT: Final = (204, 304)
# REST APIs and Function URLs give these headers of a function's reply another name.
_RENAMED: Final = {"www-authenticate": "x-amzn-remapped-www-authenticate"}
_JSON: Final = {"content-type": "application/json"}
_BAD_REQUEST: Final = (
    b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\n"
    b'content-type: application/json\r\ncontent-length: 25\r\n\r\n{"message":"Bad Request"}'
)


class InvocationContext(NamedTuple):
    """The part of Lambda's context object that handlers use; `ends_at` is a time of `time.monotonic`."""

    aws_request_id: str
    ends_at: float

    def get_remaining_time_in_millis(self) -> int:
        """Milliseconds until Lambda would end the invocation."""
        return max(0, int((self.ends_at - time.monotonic()) * 1000))


Handler: TypeAlias = Callable[[dict[str, Any], InvocationContext], Mapping[str, Any]]

Route: TypeAlias = tuple[str, str]

_Reply: TypeAlias = tuple[int, bytes, Mapping[str, str]]
"""Status, body and headers."""

_Receive: TypeAlias = Callable[[], Awaitable[dict[str, Any]]]
_Send: TypeAlias = Callable[[dict[str, Any]], Awaitable[None]]


class HttpGateway:
    """Listens on a port of loopback from the start; answers once `serve` or `serving` has a handler to call.

    Each request runs in a thread of its own. Port 0 is any free one. As a context manager it closes the port.
    `pages` are the routes beside `/mcp`, each an HTTP method and a path; one that ends with `/{proxy+}` is
    for the paths below it. With `renames_challenge` clients get `www-authenticate` of a reply as
    `x-amzn-remapped-www-authenticate`, as from REST APIs and Function URLs.

    Raises:
        OSError: the port is taken.
    """

    handler: Handler

    def __init__(self, port: int, pages: Collection[Route] = (), *, renames_challenge: bool = False) -> None:
        self._pages = frozenset(pages)
        self._folders = [
            (method, path.removesuffix(_BELOW)) for method, path in pages if path.endswith(_BELOW)
        ]
        self._renamed = _RENAMED if renames_challenge else {}
        self._listener = _listener(port)
        self._netloc = f"{_LOOPBACK}:{self._listener.getsockname()[1]}"
        config = uvicorn.Config(
            self._answer,
            interface="asgi3",
            http=_Http,
            loop="asyncio",
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="critical",  # the handler logs its own requests
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_keep_alive=_KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
        )
        self._server = uvicorn.Server(config)

    def __enter__(self) -> "HttpGateway":
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    @property
    def url(self) -> str:
        """The URL of the server for MCP clients."""
        return f"http://{self._netloc}{_PATH}"

    @property
    def policy(self) -> Policy:
        """Admits requests that name this server, and web pages that it serves itself."""
        hosts = frozenset({self._netloc, self._netloc.replace(_LOOPBACK, "localhost")})
        return Policy(allowed_hosts=hosts, allowed_origins=frozenset(f"http://{host}" for host in hosts))

    def serve(self, handler: Handler) -> None:
        """Answer requests with `handler` until `shutdown` is called or an exception ends it."""
        self.handler = handler
        self._server.run([self._listener])

    def shutdown(self) -> None:
        """End `serve`, from another thread: no connection is accepted any more, and idle ones are closed."""
        self._server.should_exit = True

    @contextmanager
    def serving(self, handler: Handler) -> Iterator[None]:
        """Serves in a thread of its own for as long as the block lasts."""
        thread = threading.Thread(target=self.serve, args=(handler,))
        thread.start()
        try:
            yield
        finally:
            self.shutdown()
            thread.join()

    async def _answer(self, scope: dict[str, Any], receive: _Receive, send: _Send) -> None:
        """The ASGI application: one request and its response."""
        headers = _joined(scope["headers"])
        if {"content-length", "transfer-encoding"} <= headers.keys():
            # Servers differ in which of the two they follow (RFC 9112, section 6.1).
            return await _refuse(400, "Bad Request", receive, send)
        if int(headers.get("content-length", "0")) > _PAYLOAD_LIMIT_BYTES:
            return await _refuse(413, "Request Entity Too Large", receive, send)
        body = await _body(receive)
        if body is None:
            return None
        if len(body) > _PAYLOAD_LIMIT_BYTES:
            return await _refuse(413, "Request Entity Too Large", receive, send)
        path = scope["raw_path"].decode("ascii")
        if path not in _PATHS and not self._is_page(scope["method"], path):
            return await _send(send, 404, _message("Not Found"))
        return await _send(send, *await self._invoke(_event(scope, headers, body)))

    def _is_page(self, method: str, path: str) -> bool:
        below = any(method == verb and path.startswith(f"{folder}/") for verb, folder in self._folders)
        return below or (method, path) in self._pages

    async def _invoke(self, event: dict[str, Any]) -> _Reply:
        """The handler's reply, from a thread that delays neither other requests nor the end of serving."""
        reply: Future[_Reply] = Future()
        reply.set_running_or_notify_cancel()  # a handler that runs cannot be cancelled
        threading.Thread(target=lambda: reply.set_result(self._reply_to(event)), daemon=True).start()
        return await asyncio.wrap_future(reply)

    def _reply_to(self, event: dict[str, Any]) -> _Reply:
        context = InvocationContext(event["requestContext"]["requestId"], time.monotonic() + _TIMEOUT_SECONDS)
        try:
            reply = self.handler(event, context)
            headers = {self._renamed.get(name, name): text for name, text in reply.get("headers", {}).items()}
            return reply["statusCode"], _body_of(reply), headers
        except BaseException:  # API Gateway replies the same; the traceback is for the developer
            traceback.print_exc()
            return 500, _message("Internal Server Error"), _JSON


class _Http(H11Protocol):
    """HTTP/1.1 whose refusals of malformed requests have the form of API Gateway's."""

    def send_400_response(self, _msg: str) -> None:
        """Refuse what h11 cannot read, and close the connection."""
        self.transport.write(_BAD_REQUEST)
        self.transport.close()


def _listener(port: int) -> socket.socket:
    # asyncio sets TCP_NODELAY only where the socket names its protocol. Without it the second packet of a
    # response waits 40 ms for the delayed ACK of the first.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((_LOOPBACK, port))
        listener.listen(_BACKLOG)
    except Exception:
        listener.close()
        raise
    return listener


def _message(text: str) -> bytes:
    return b'{"message":"%b"}' % text.encode("ascii")


def _body_of(reply: Mapping[str, Any]) -> bytes:
    """The bytes that the client gets: a body in Base64 ends here, as at API Gateway."""
    body: str = reply.get("body", "")
    return base64.b64decode(body, validate=True) if reply.get("isBase64Encoded") else body.encode("utf-8")


async def _body(receive: _Receive) -> bytes | None:
    """The body, or its beginning if it is over the limit; None if the client has gone."""
    body, more = bytearray(), True
    while more and len(body) <= _PAYLOAD_LIMIT_BYTES:
        received = await receive()
        if received["type"] == "http.disconnect":
            return None
        body += received["body"]
        more = received["more_body"]
    return bytes(body)


async def _refuse(status: int, message: str, receive: _Receive, send: _Send) -> None:
    """Answer a request whose body is not read to its end, and close the connection."""
    await _send(send, status, _message(message), {**_JSON, "connection": "close"}, more_body=True)
    # Closing while the client still sends its body would reset the connection and lose the answer.
    with suppress(TimeoutError):
        async with asyncio.timeout(_DRAIN_SECONDS):
            while (await receive()).get("more_body"):
                pass
    await send({"type": "http.response.body"})


async def _send(
    send: _Send,
    status: int,
    body: bytes,
    headers: Mapping[str, str] = _JSON,
    *,
    more_body: bool = False,
) -> None:
    encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
    if status not in _WITHOUT_CONTENT and "content-length" not in headers:
        encoded.append((b"content-length", str(len(body)).encode("ascii")))
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": body, "more_body": more_body})


def _event(scope: Mapping[str, Any], headers: dict[str, str], body: bytes) -> dict[str, Any]:
    path, now = scope["raw_path"].decode("ascii"), time.time()
    if headers.pop("transfer-encoding", None):  # it ends at the gateway
        headers["content-length"] = str(len(body))
    event: dict[str, Any] = {
        "version": "2.0",
        "routeKey": f"ANY {_PATH}",
        "rawPath": path,
        "rawQueryString": scope["query_string"].decode("ascii"),
        "headers": headers,
        "requestContext": {
            "accountId": "000000000000",
            "apiId": "local",
            "domainName": _LOOPBACK,
            "domainPrefix": "127",
            "http": {
                "method": scope["method"],
                "path": path,
                "protocol": f"HTTP/{scope['http_version']}",
                "sourceIp": scope["client"][0],
                "userAgent": headers.get("user-agent", ""),
            },
            "requestId": str(uuid.uuid4()),
            "routeKey": f"ANY {_PATH}",
            "stage": "$default",
            "time": time.strftime("%d/%b/%Y:%H:%M:%S +0000", time.gmtime(now)),
            "timeEpoch": int(now * 1000),
        },
        "isBase64Encoded": False,
    }
    if body:
        event["body"], event["isBase64Encoded"] = _event_body(body)
    return event


def _joined(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    joined: dict[str, str] = {}
    for name, value in headers:
        key, text = name.decode("ascii"), value.decode("latin-1")
        joined[key] = f"{joined[key]},{text}" if key in joined else text
    return joined


def _event_body(body: bytes) -> tuple[str, bool]:
    """The event's body and whether it is Base64: UTF-8 text stays text."""
    try:
        return body.decode("utf-8"), False
    except UnicodeDecodeError:
        return base64.b64encode(body).decode("ascii"), True
