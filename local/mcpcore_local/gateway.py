"""A stand-in for API Gateway: HTTP requests become HTTP API events, the handler's replies responses."""

import base64
import json
import threading
import time
import traceback
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, NamedTuple

__all__ = ["Gateway", "Invocation"]

# API Gateway's own limit on a payload; it answers 413 by itself beyond it.
_PAYLOAD_LIMIT_BYTES: Final = 10 * 1024 * 1024
_TIMEOUT_SECONDS: Final = 29  # the function's own, in the template
_LINGER_SECONDS: Final = 0.5
_LINGER_READS: Final = 1000
_PATH: Final = "/mcp"


class Invocation(NamedTuple):
    """What the handler sees of Lambda's context object; `ends_at` is on the clock of `time.monotonic`."""

    aws_request_id: str
    ends_at: float

    def get_remaining_time_in_millis(self) -> int:
        """Milliseconds until Lambda would end the invocation."""
        return max(0, int((self.ends_at - time.monotonic()) * 1000))


Handler = Callable[[dict[str, Any], Invocation], Mapping[str, Any]]


class Gateway(ThreadingHTTPServer):
    """Serves one handler on loopback, each request in a thread of its own; set `handler` before serving."""

    handler: Handler

    daemon_threads = True
    # Clients open many connections at once; the standard library's default of 5 would refuse some.
    request_queue_size = 128

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", port), _Exchange)

    @property
    def url(self) -> str:
        """Where an MCP client finds the server."""
        return f"http://127.0.0.1:{self.server_address[1]}{_PATH}"

    @contextmanager
    def serving(self) -> Iterator[None]:
        """Serves in a thread of its own for as long as the block lasts."""
        thread = threading.Thread(target=self.serve_forever)
        thread.start()
        try:
            yield
        finally:
            self.shutdown()
            thread.join()


class _Exchange(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60  # seconds without a byte from the client
    # Head and body leave in one packet: as two, the second would wait 40 ms for the first's delayed ACK.
    wbufsize = -1
    server: Gateway

    def answer(self) -> None:
        """Turn one request into an event, call the handler, and send what it replied."""
        length = self.headers.get("content-length", "0")
        if "transfer-encoding" in self.headers or not length.isdecimal():
            self._refuse(411, "Length Required")
        elif int(length) > _PAYLOAD_LIMIT_BYTES:
            self._refuse(413, "Request Entity Too Large")
        else:
            body = self.rfile.read(int(length))
            if self.path.partition("?")[0] == _PATH:
                self._send(self._invoked(self._event(body)))
            else:
                self._send({"statusCode": 404, "body": '{"message":"Not Found"}'})

    do_GET = do_POST = do_DELETE = do_OPTIONS = do_PUT = do_PATCH = do_HEAD = answer

    def _invoked(self, event: dict[str, Any]) -> Mapping[str, Any]:
        try:
            return self.server.handler(event, self._invocation(event))
        except Exception:  # as the gateway does when an invocation fails; the trace is for whoever runs this
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
                "domainName": "127.0.0.1",
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
            event["body"], event["isBase64Encoded"] = _as_text(body)
        return event

    def _invocation(self, event: dict[str, Any]) -> Invocation:
        return Invocation(event["requestContext"]["requestId"], time.monotonic() + _TIMEOUT_SECONDS)

    def _joined_headers(self) -> dict[str, str]:
        joined: dict[str, str] = {}
        for name, value in self.headers.items():
            key, text = name.lower(), value.strip(" \t")
            joined[key] = f"{joined[key]},{text}" if key in joined else text
        return joined

    def _refuse(self, status: int, message: str) -> None:
        self.close_connection = True
        self._send({"statusCode": status, "body": json.dumps({"message": message})})
        self.wfile.flush()
        # Closing on a body that is still being sent would reset the connection, and the answer with it.
        self.connection.settimeout(_LINGER_SECONDS)
        with suppress(OSError):
            for _ in range(_LINGER_READS):
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
        """Say nothing: the handler logs a line for each request."""


def _as_text(body: bytes) -> tuple[str, bool]:
    """The body as an event carries it: text as it is, anything else in Base64, and which of the two."""
    try:
        return body.decode("utf-8"), False
    except UnicodeDecodeError:
        return base64.b64encode(body).decode("ascii"), True
