"""HTTP connections to one host: one per thread, kept open between requests."""

import codecs
import http.client
import ssl
import threading
import time
import weakref
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from typing import Final, NamedTuple, cast

from mcpcore_aws.errors import MalformedResponse, NotConfigured, Unreachable
from mcpcore_aws.timed_socket import TimedSocket, connect

__all__ = ["DEFAULT_PORTS", "Connections", "Origin", "Reply", "TimeLimits"]

DEFAULT_PORTS: Final = {"http": 80, "https": 443}
"""By scheme."""


class Origin(NamedTuple):
    """A host and its port; `secure` means TLS."""

    secure: bool
    host: str
    port: int

    @property
    def name(self) -> str:
        """The value of the `host` header: with the port unless it is the default of the scheme."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        default = DEFAULT_PORTS["https" if self.secure else "http"]
        return host if self.port == default else f"{host}:{self.port}"


class Reply(NamedTuple):
    """An HTTP response. `checksum` is the CRC-32 of the body that the server sent with it, if it sent one."""

    status: int
    body: bytes
    checksum: str | None


class _PerThread(threading.local):
    connection: http.client.HTTPConnection | None = None


class TimeLimits(NamedTuple):
    """Seconds for each address to be connected, and for a request with its response once connected.

    `reused_seconds` is for a request over a connection that was kept: if a device in between has forgotten
    the connection, packets vanish without an error.
    """

    connect_seconds: float
    exchange_seconds: float
    reused_seconds: float


class Connections:
    """Sends requests to one host. Every thread has its own connection, open until the thread ends.

    A server may close an idle connection, which shows only with the next request: that request is then sent
    again over a new connection. So a request must be safe to send twice.
    """

    def __init__(
        self, origin: Origin, limits: TimeLimits, *, max_body_bytes: int, ca_bundle: str | None = None
    ) -> None:
        self._origin = origin
        self._limits = limits
        self._max_body_bytes = max_body_bytes
        self._ca_bundle = ca_bundle
        self._thread = _PerThread()

    def send(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes | None, deadline: float
    ) -> Reply:
        """Send a request and read its response, before `deadline`, a time of `time.monotonic`.

        `target` is the path with the query.

        Raises:
            Unreachable: there was no complete response in time.
            MalformedResponse: the response body is larger than `max_body_bytes`.
            NotConfigured: the trusted certificates cannot be read.
        """
        connection, limits = self._thread.connection, self._limits
        request = (method, target, body, {"host": self._origin.name, **headers})
        try:
            if connection is not None and connection.sock is not None:
                # Closed by the server while it was idle, or forgotten by a device in between.
                with suppress(ConnectionError, TimeoutError, ssl.SSLError):
                    return self._exchange(connection, request, limits.reused_seconds, deadline)
            connection = self._thread.connection = self._connect(deadline)
            return self._exchange(connection, request, limits.exchange_seconds, deadline)
        except (OSError, http.client.HTTPException) as error:
            raise Unreachable(f"{self._origin.name}: {type(error).__name__}: {error}") from error

    def close(self) -> None:
        """Close the connection of the calling thread; its next request opens another.

        On Lambda the handler and the snapshot hooks run in one thread, so no other connection exists there.
        Elsewhere, a connection of another thread is closed when that thread ends.
        """
        if self._thread.connection is not None:
            self._thread.connection.close()

    def warm_up(self) -> None:
        """Load the certificates and modules that the first connection needs; no network access."""
        codecs.lookup("idna")  # encodes host names; imported by its first lookup
        if self._origin.secure:
            _ = self._tls

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        try:
            return ssl.create_default_context(cafile=self._ca_bundle or _botocore_bundle())
        except (OSError, ValueError) as error:
            raise NotConfigured(f"the trusted certificates cannot be read: {error}") from error

    def _connect(self, deadline: float) -> http.client.HTTPConnection:
        host, port = self._origin.host, self._origin.port
        tls = self._tls if self._origin.secure else None
        timed = connect(host, port, tls, address_seconds=self._limits.connect_seconds, deadline=deadline)
        connection = http.client.HTTPConnection(host, port)
        connection.sock = timed
        weakref.finalize(connection, timed.close)  # its thread may end without closing it
        return connection

    def _exchange(
        self,
        connection: http.client.HTTPConnection,
        request: tuple[str, str, bytes | None, dict[str, str]],
        seconds: float,
        deadline: float,
    ) -> Reply:
        timed = cast("TimedSocket", connection.sock)
        timed.deadline = min(deadline, time.monotonic() + seconds)
        try:
            connection.request(*request)
            response = connection.getresponse()
            return Reply(response.status, self._read(response), response.headers.get("x-amz-crc32"))
        except BaseException:  # unread bytes of this response would be read as the start of the next one
            connection.close()
            raise

    def _read(self, response: http.client.HTTPResponse) -> bytes:
        # Only without an argument, read() raises for a body that is shorter than its announced length.
        if response.length is not None and response.length <= self._max_body_bytes:
            return response.read()
        body = b"" if response.length is not None else response.read(self._max_body_bytes + 1)
        if response.length is not None or len(body) > self._max_body_bytes:
            raise MalformedResponse(
                f"{self._origin.name}: a response body of more than {self._max_body_bytes:,} bytes"
            )
        return body


def _botocore_bundle() -> str | None:
    """The path of botocore's certificates if this machine has none of its own, else None."""
    paths = ssl.get_default_verify_paths()
    if paths.cafile is not None or paths.capath is not None:
        return None
    try:
        from botocore.httpsession import where
    except ImportError:
        return None
    return str(where())
