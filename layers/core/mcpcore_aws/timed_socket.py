"""Sockets whose operations all end by one deadline."""

import io
import socket
import ssl
import time
from typing import Any

__all__ = ["TimedSocket", "connect"]


class TimedSocket:
    """The part of a socket that `http.client` uses; each call ends by `deadline`, whoever drips bytes.

    `deadline` is a time of `time.monotonic`, set anew for each request.
    """

    def __init__(self, opened: socket.socket, deadline: float) -> None:
        self._socket = opened
        self.deadline = deadline

    def sendall(self, data: bytes) -> None:
        """Send `data`.

        Raises:
            TimeoutError: the deadline has passed.
        """
        unsent = memoryview(data)
        while unsent:
            self.limit_next()
            unsent = unsent[self._socket.send(unsent) :]

    def makefile(self, _mode: str) -> io.BufferedReader:
        """A reader of what is received; the socket stays open until it is closed too."""
        return io.BufferedReader(_Received(self, self._socket.makefile("rb", buffering=0)))

    def limit_next(self) -> None:
        """Give the next operation the time until the deadline.

        Raises:
            TimeoutError: it has passed.
        """
        self._socket.settimeout(_seconds_until(self.deadline))

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()


class _Received(io.RawIOBase):
    def __init__(self, timed: TimedSocket, stream: socket.SocketIO) -> None:
        self._timed = timed
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._timed.limit_next()
        return self._stream.readinto(buffer)

    def close(self) -> None:
        self._stream.close()
        super().close()


def connect(
    host: str, port: int, tls: ssl.SSLContext | None, *, address_seconds: float, deadline: float
) -> TimedSocket:
    """A connection to the first address of `host` that takes one, with TLS if `tls` is given.

    Raises:
        OSError: no address took a connection, each within `address_seconds` and before `deadline`.
    """
    error: OSError = OSError("the host has no address")
    for family, kind, protocol, _, address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
        opened = socket.socket(family, kind, protocol)
        ends_at = min(deadline, time.monotonic() + address_seconds)
        try:
            opened.settimeout(_seconds_until(ends_at))
            opened.connect(address)
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if tls is not None:
                opened.settimeout(_seconds_until(ends_at))
                opened = tls.wrap_socket(opened, server_hostname=host)
            return TimedSocket(opened, deadline)
        except OSError as failed:
            opened.close()
            error = failed
    raise error


def _seconds_until(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError("the time for the request is over")
    return left
