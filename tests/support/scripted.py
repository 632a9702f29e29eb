"""A server on loopback that answers as it is told to, and keeps count of requests and connections."""

import json
import socketserver
import ssl
import threading
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

__all__ = ["SILENCE", "Asked", "Scripted", "Step", "answer", "failure", "read_request", "scripted"]


class Step(NamedTuple):
    """The exact bytes of the response to a request; None if it is never answered."""

    sent: bytes | None
    then_close: bool = False
    """True when the connection is closed afterwards, of which the answer says nothing."""
    after_seconds: float = 0


class Asked(NamedTuple):
    """A request that has arrived; `connection` counts from 1, the names of headers are in lower case."""

    connection: int
    headers: dict[str, str]
    body: bytes

    @property
    def operation(self) -> str:
        """As in `GetItem`."""
        return self.headers["x-amz-target"].partition(".")[2]


class Scripted(NamedTuple):
    """The server: where it is, and what it was asked so far."""

    endpoint: str
    asked: list[Asked]

    def connections(self) -> list[int]:
        """For each request the connection it came over."""
        return [asked.connection for asked in self.asked]


SILENCE: Final = Step(None)


def answer(
    body: object,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    *,
    then_close: bool = False,
    checksum: bool = True,
) -> Step:
    """A whole answer; `body` is sent as JSON unless it is bytes."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    sums = {"x-amz-crc32": str(zlib.crc32(content))} if checksum else {}
    record = {"content-length": str(len(content)), **sums, **(headers or {})}
    lines = [f"HTTP/1.1 {status} Said", *(f"{name}: {value}" for name, value in record.items()), "", ""]
    return Step("\r\n".join(lines).encode() + content, then_close)


def failure(code: str, status: int = 400, message: str = "so it is") -> Step:
    """An error as DynamoDB words it."""
    return answer({"__type": f"com.amazonaws.dynamodb.v20120810#{code}", "message": message}, status)


@contextmanager
def scripted(*steps: Step, tls: ssl.SSLContext | None = None) -> Iterator[Scripted]:
    """Answers each request with the next step; the last one stands for all further ones."""
    asked: list[Asked] = []
    lock, over = threading.Lock(), threading.Event()
    numbers = iter(range(1, 1_000_000))

    def next_step(request: Asked) -> Step:
        with lock:
            asked.append(request)
            return steps[min(len(asked), len(steps)) - 1]

    class Connection(socketserver.StreamRequestHandler):
        # Otherwise a response over TLS waits 40 ms for the acknowledgement of the session tickets before it.
        disable_nagle_algorithm = True

        def handle(self) -> None:
            with lock:
                number = next(numbers)
            while (request := read_request(self.rfile, number)) is not None:
                step = next_step(request)
                if step.sent is None:
                    over.wait()
                    return
                over.wait(step.after_seconds)
                self.wfile.write(step.sent)
                if step.then_close:
                    return

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True

        def get_request(self) -> tuple[Any, Any]:
            connection, address = super().get_request()
            return (connection if tls is None else tls.wrap_socket(connection, server_side=True)), address

        def handle_error(self, *_: object) -> None:
            """A client that hangs up is what some tests are about."""

    with Server(("127.0.0.1", 0), Connection) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            scheme = "http" if tls is None else "https"
            yield Scripted(f"{scheme}://127.0.0.1:{server.server_address[1]}", asked)
        finally:
            over.set()
            server.shutdown()
            thread.join()


def read_request(stream: Any, number: int = 1) -> Asked | None:
    """The next request on a connection; None if its client has closed it."""
    line = stream.readline()
    if not line:
        return None
    headers = {}
    while line := stream.readline().strip():
        name, _, value = line.decode().partition(":")
        headers[name.lower()] = value.strip()
    return Asked(number, headers, stream.read(int(headers.get("content-length", 0))))
