"""An HTTP server on loopback that calls a Lambda handler as an HTTP API of API Gateway does."""

import base64
import json
import threading
import time
import traceback
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, NamedTuple, TypeAlias

from mcpcore.http import Policy

__all__ = ["Handler", "HttpGateway", "InvocationContext"]

_LOOPBACK: Final = "127.0.0.1"
_PATH: Final = "/mcp"
# API Gateway's own limit on a payload; it answers 413 by itself beyond it.
_PAYLOAD_LIMIT_BYTES: Final = 10 * 1024 * 1024
_TIMEOUT_SECONDS: Final = 29  # the function's own, in the template
_DRAIN_SECONDS: Final = 0.5
_DRAIN_READS: Final = 1000


class InvocationContext(NamedTuple):
    """The part of Lambda's context object that handlers use; `ends_at` is a time of `time.monotonic`."""

    aws_request_id: str
    ends_at: float

    def get_remaining_time_in_millis(self) -> int:
        """Milliseconds until Lambda would end the invocation."""
        return max(0, int((self.ends_at - time.monotonic()) * 1000))


Handler: TypeAlias = Callable[[dict[str, Any], InvocationContext], Mapping[str, Any]]


class HttpGateway(ThreadingHTTPServer):
    """Listens on a port of loopback from the start; answers once `serve` or `serving` has a handler to call.

    Each request runs in a thread of its own. Port 0 is any free one.

    Raises:
        OSError: the port is taken.
    """

    handler: Handler

    daemon_threads = True
    # Clients open many connections at once; the standard library's default of 5 would refuse some.
    request_queue_size = 128

    def __init__(self, port: int) -> None:
        super().__init__((_LOOPBACK, port), _HttpRequestHandler)

    @property
    def url(self) -> str:
        """The URL of the server for MCP clients."""
        return f"http://{_LOOPBACK}:{self.server_port}{_PATH}"

    @property
    def policy(self) -> Policy:
        """Admits requests that name this server, and web pages that it serves itself."""
        hosts = frozenset(f"{name}:{self.server_port}" for name in (_LOOPBACK, "localhost"))
        return Policy(allowed_hosts=hosts, allowed_origins=frozenset(f"http://{host}" for host in hosts))

    def serve(self, handler: Handler) -> None:
        """Answer requests with `handler` until `shutdown` is called or an exception ends it."""
        self.handler = handler
        self.serve_forever(poll_interval=0.05)

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


class _HttpRequestHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60  # seconds without a byte from the client
    # Head and body leave in one packet: as two, the second would wait 40 ms for the first's delayed ACK.
    wbufsize = -1
    server: HttpGateway

    def answer(self) -> None:
        """Convert the request to an event, call the handler, and send its reply."""
        length = self.headers.get("content-length", "0")
        if "transfer-encoding" in self.headers or not length.isdecimal():
            self._reject(411, "Length Required")
        elif int(length) > _PAYLOAD_LIMIT_BYTES:
            self._reject(413, "Request Entity Too Large")
        else:
            body = self.rfile.read(int(length))
            if self.path.partition("?")[0] == _PATH:
                self._send(self._invoke(self._event(body)))
            else:
                self._send({"statusCode": 404, "body": '{"message":"Not Found"}'})

    do_GET = do_POST = do_DELETE = do_OPTIONS = do_PUT = do_PATCH = do_HEAD = answer

    def _invoke(self, event: dict[str, Any]) -> Mapping[str, Any]:
        context = InvocationContext(event["requestContext"]["requestId"], time.monotonic() + _TIMEOUT_SECONDS)
        try:
            return self.server.handler(event, context)
        except Exception:  # API Gateway replies the same; the traceback is for the developer
            traceback.print_exc()
            return {"statusCode": 500, "body": '{"message":"Internal Server Error"}'}

    def _event(self, body: bytes) -> dict[str, Any]:
        (path, _, query), now, headers = self.path.partition("?"), time.time(), self._joined_headers()
        event: dict[str, Any] = {
            "version": "2.0",
            "routeKey": f"ANY {_PATH}",
            "rawPath": path,
            "rawQueryString": query,
            "headers": headers,
            "requestContext": {
                "accountId": "000000000000",
                "apiId": "local",
                "domainName": _LOOPBACK,
                "domainPrefix": "127",
                "http": {
                    "method": self.command,
                    "path": path,
                    "protocol": self.request_version,
                    "sourceIp": self.client_address[0],
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

    def _joined_headers(self) -> dict[str, str]:
        joined: dict[str, str] = {}
        for name, value in self.headers.items():
            key, text = name.lower(), value.strip(" \t")
            joined[key] = f"{joined[key]},{text}" if key in joined else text
        return joined

    def _reject(self, status: int, message: str) -> None:
        self.close_connection = True
        self._send({"statusCode": status, "body": json.dumps({"message": message})})
        self.wfile.flush()
        # Closing while the client still sends its body would reset the connection and lose the reply.
        self.connection.settimeout(_DRAIN_SECONDS)
        with suppress(OSError):
            for _ in range(_DRAIN_READS):
                if not self.rfile.read1(_PAYLOAD_LIMIT_BYTES):
                    break

    def _send(self, reply: Mapping[str, Any]) -> None:
        body = reply.get("body", "").encode("utf-8")
        self.send_response(reply["statusCode"])
        for name, value in reply.get("headers", {}).items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("connection", "close")
        if reply["statusCode"] != 204:
            self.send_header("content-length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Write nothing: the handler logs a line for each request."""


def _event_body(body: bytes) -> tuple[str, bool]:
    """The event's body and whether it is Base64: UTF-8 text stays text."""
    try:
        return body.decode("utf-8"), False
    except UnicodeDecodeError:
        return base64.b64encode(body).decode("ascii"), True
