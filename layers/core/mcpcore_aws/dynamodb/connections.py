"""Connections to one host, kept open from one request to the next."""

import codecs
import http.client
import ssl
import threading
import weakref
from collections.abc import Mapping
from typing import Final, NamedTuple

from mcpcore_aws.dynamodb.endpoint import Endpoint
from mcpcore_aws.errors import MalformedResponse, NotConfigured, Unreachable

__all__ = ["Connections", "Reply"]

# As many as botocore keeps. Lambda needs one; the local server has a thread for each of its clients.
_KEPT: Final = 10


class Reply(NamedTuple):
    """What came back. `checksum` is the CRC-32 that the server says its body has, if it says one."""

    status: int
    body: bytes
    checksum: str | None


class Connections:
    """Posts to one host, from any number of threads: each request has a connection to itself while it lasts.

    A server may close a connection that is kept and idle, which shows when it is used again; then the request
    is sent once more, over a new one. So requests must be such that it does no harm when one arrives twice.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        connect_seconds: float,
        read_seconds: float,
        max_body_bytes: int,
        ca_bundle: str | None = None,
    ) -> None:
        self._endpoint = endpoint
        self._connect_seconds = connect_seconds
        self._read_seconds = read_seconds
        self._max_body_bytes = max_body_bytes
        self._ca_bundle = ca_bundle
        self._tls: ssl.SSLContext | None = None
        self._lock = threading.Lock()
        self._generation = 0
        self._idle: list[http.client.HTTPConnection] = []
        weakref.finalize(self, _close_all, self._idle)

    def post(self, headers: Mapping[str, str], body: bytes) -> Reply:
        """The answer to a request.

        Raises:
            Unreachable: there was none.
            MalformedResponse: it is larger than any that is expected.
            NotConfigured: the certificates to trust cannot be read.
        """
        with self._lock:
            generation = self._generation
            kept = self._idle.pop() if self._idle else None
        try:
            if kept is not None:
                try:
                    return self._posted(kept, generation, headers, body)
                except (ConnectionError, ssl.SSLError):
                    pass  # closed meanwhile, as it seems
            return self._posted(self._opened(), generation, headers, body)
        except (OSError, http.client.HTTPException) as error:
            raise Unreachable(f"{self._endpoint.name}: {type(error).__name__}: {error}") from error

    def close(self) -> None:
        """Close what is kept. Requests that are under way end as they would, and are the last of theirs."""
        with self._lock:
            self._generation += 1
            _close_all(self._idle)

    def warm_up(self) -> None:
        """Read the certificates to trust, if the host is spoken to over TLS; connect to nothing."""
        codecs.lookup("idna")  # every host's name is encoded with it, and it is imported when it is looked up
        if self._endpoint.secure and self._tls is None:
            self._tls = _trusting(self._ca_bundle)

    def _opened(self) -> http.client.HTTPConnection:
        self.warm_up()
        host, port, patience = self._endpoint.host, self._endpoint.port, self._connect_seconds
        connection = (
            http.client.HTTPConnection(host, port, timeout=patience)
            if self._tls is None
            else http.client.HTTPSConnection(host, port, timeout=patience, context=self._tls)
        )
        try:
            connection.connect()
            connection.sock.settimeout(self._read_seconds)
        except BaseException:
            connection.close()
            raise
        return connection

    def _posted(
        self,
        connection: http.client.HTTPConnection,
        generation: int,
        headers: Mapping[str, str],
        body: bytes,
    ) -> Reply:
        try:
            connection.request("POST", "/", body, dict(headers))
            response = connection.getresponse()
            reply = Reply(response.status, self._read(response), response.headers.get("x-amz-crc32"))
        except BaseException:  # half an answer would be taken for the beginning of the next
            connection.close()
            raise
        self._keep(connection, generation)
        return reply

    def _read(self, response: http.client.HTTPResponse) -> bytes:
        # Told to read so much at most, it takes a body that ends too early for whole.
        if response.length is not None and response.length <= self._max_body_bytes:
            return response.read()
        body = b"" if response.length is not None else response.read(self._max_body_bytes + 1)
        if response.length is not None or len(body) > self._max_body_bytes:
            raise MalformedResponse(
                f"{self._endpoint.name}: an answer of more than {self._max_body_bytes} bytes"
            )
        return body

    def _keep(self, connection: http.client.HTTPConnection, generation: int) -> None:
        with self._lock:
            if connection.sock is not None and generation == self._generation and len(self._idle) < _KEPT:
                self._idle.append(connection)
                return
        connection.close()


def _close_all(connections: list[http.client.HTTPConnection]) -> None:
    while connections:
        connections.pop().close()


def _trusting(ca_bundle: str | None) -> ssl.SSLContext:
    """TLS that trusts `ca_bundle`, else this machine's certificates, else those that come with botocore."""
    try:
        return ssl.create_default_context(cafile=ca_bundle or _bundle_of_botocore())
    except (OSError, ValueError) as error:
        raise NotConfigured(f"the certificates to trust cannot be read: {error}") from error


def _bundle_of_botocore() -> str | None:
    """The certificates that botocore brings, if this machine has none of its own."""
    paths = ssl.get_default_verify_paths()
    if paths.cafile is not None or paths.capath is not None:
        return None
    try:
        from botocore.httpsession import where
    except ImportError:
        return None
    return str(where())
