"""A local gateway with a handler that records, and raw connections to it."""

import http.client
import socket
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from mcpcore_local import HttpGateway, InvocationContext

__all__ = ["OK", "Recorder", "connect", "received", "response_to_bytes"]

OK: Final = {"statusCode": 200, "headers": {"content-type": "application/json"}, "body": "{}"}


class Recorder:
    """A handler that records its arguments and replies the same each time."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []
        self.contexts: list[InvocationContext] = []

    def __call__(self, event: dict[str, Any], context: InvocationContext) -> Mapping[str, Any]:
        self.events.append(event)
        self.contexts.append(context)
        return OK


def connect(gateway: HttpGateway) -> socket.socket:
    """A connection to `gateway` for bytes that no HTTP client sends."""
    address = urlsplit(gateway.url)
    return socket.create_connection((address.hostname, address.port), timeout=10)


def response_to_bytes(gateway: HttpGateway, request: str) -> tuple[int, str]:
    """The status and body in response to exactly these bytes, on a connection of their own."""
    with connect(gateway) as connection:
        connection.sendall(request.replace("\n", "\r\n").encode("latin-1"))
        return received(connection)


def received(connection: socket.socket) -> tuple[int, str]:
    """The status and body of the next response."""
    with http.client.HTTPResponse(connection) as response:
        response.begin()
        return response.status, response.read().decode()
