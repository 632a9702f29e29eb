"""A proxy in front of a DynamoDB that does to each request what a network or a failing service may do."""

import http.client
import socketserver
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple, TypeAlias
from urllib.parse import urlsplit

from tests.support.scripted import Asked, Step, answer, read_request

__all__ = [
    "Fault",
    "Proxy",
    "doubled",
    "dripping",
    "faulty",
    "instead",
    "late",
    "lost",
    "passed",
    "reply_lost",
    "silent",
    "slow",
    "truncated",
]


class Request(NamedTuple):
    """A request at the proxy: `forward` has DynamoDB execute it, `hold` leaves that to `Proxy.release`."""

    forward: Callable[[], bytes]
    hold: Callable[[], None]
    wait: Callable[[float | None], object]
    """Waits so many seconds, or until the proxy ends."""


Fault: TypeAlias = Callable[[Request], Iterator[bytes]]
"""What becomes of one request: the bytes that its client gets, after which the connection is closed unless
they are a whole response."""


def passed(request: Request) -> Iterator[bytes]:
    """No fault."""
    yield request.forward()


def lost(_request: Request) -> Iterator[bytes]:
    """The request never arrives, and its connection is closed."""
    yield b""


def reply_lost(request: Request) -> Iterator[bytes]:
    """The request is executed, and its connection closed before the response."""
    request.forward()
    yield b""


def late(request: Request) -> Iterator[bytes]:
    """The request stays in the network, and its connection is closed."""
    request.hold()
    yield b""


def doubled(request: Request) -> Iterator[bytes]:
    """The request is executed twice; the second response arrives."""
    request.forward()
    yield request.forward()


def silent(request: Request) -> Iterator[bytes]:
    """The request never arrives, and nobody says so."""
    request.wait(None)
    yield b""


def dripping(seconds: float) -> Fault:
    """A response of one byte at a time."""

    def drip(request: Request) -> Iterator[bytes]:
        for byte in request.forward():
            request.wait(seconds)
            yield bytes([byte])

    return drip


def slow(seconds: float) -> Fault:
    """A request that takes so long to be executed."""

    def delay(request: Request) -> Iterator[bytes]:
        request.wait(seconds)
        yield request.forward()

    return delay


def truncated(request: Request) -> Iterator[bytes]:
    """A response without its end."""
    yield request.forward()[:-7]


def instead(step: Step) -> Fault:
    """The request is not executed, and answered with this."""

    def replace(_request: Request) -> Iterator[bytes]:
        yield step.sent or b""

    return replace


class Proxy:
    """The proxy. `faults` has what becomes of the next requests; those after them pass."""

    def __init__(self, behind: str) -> None:
        self.endpoint = ""
        self.faults: deque[Fault] = deque()
        self.always: Fault = passed
        self.operations: list[str] = []
        self.ended: Final = threading.Event()
        self._host: Final = urlsplit(behind).netloc
        self._held: list[Asked] = []
        self._lock: Final = threading.Lock()

    def release(self) -> None:
        """Let the late requests arrive now, in the order in which they were sent."""
        with self._lock:
            held, self._held = self._held, []
        for request in held:
            self._forward(request)

    def handle(self, asked: Asked) -> Iterator[bytes]:
        """What the client gets for a request."""
        with self._lock:
            self.operations.append(asked.operation)
            fault = self.faults.popleft() if self.faults else self.always
        return fault(Request(lambda: self._forward(asked), lambda: self._held.append(asked), self.ended.wait))

    def _forward(self, asked: Asked) -> bytes:
        connection = http.client.HTTPConnection(self._host, timeout=10)
        try:
            connection.request("POST", "/", asked.body, asked.headers)
            response = connection.getresponse()
            return answer(response.read(), response.status).sent or b""
        finally:
            connection.close()


@contextmanager
def faulty(behind: str) -> Iterator[Proxy]:
    """A proxy in front of the DynamoDB at `behind`."""
    proxy = Proxy(behind)

    class Connection(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            while (asked := read_request(self.rfile)) is not None:
                sent = b""
                for part in proxy.handle(asked):
                    self.wfile.write(part)
                    sent += part
                if not _is_whole(sent):
                    return

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """A client that hangs up is what some tests are about."""

    with Server(("127.0.0.1", 0), Connection) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        proxy.endpoint = f"http://127.0.0.1:{server.server_address[1]}"
        try:
            yield proxy
        finally:
            proxy.ended.set()
            server.shutdown()
            thread.join()


def _is_whole(sent: bytes) -> bool:
    head, _, body = sent.partition(b"\r\n\r\n")
    return f"content-length: {len(body)}\r\n".encode() in head + b"\r\n"
