"""A client that is asked during request 7 of its session: what it sends, and what it is sent."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from mcpcore import BuiltServer, Server, SessionId
from mcpcore.engine.exchanges import exchange_id_of
from mcpcore.http import HttpRequest, HttpResponse
from tests.support.messages import (
    LEGACY,
    NO_ID,
    SESSION,
    error,
    handshake,
    in_session,
    message,
    post,
    stream,
)
from tests.support.servers import NOW, Wire

EVERYTHING: Final[dict[str, Any]] = {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}}
"""The capabilities of a client that can be asked anything."""

ID: Final = SessionId(SESSION)
E: Final = exchange_id_of(ID, 7, Wire().environment())
"""The id of the exchange of request 7."""

ADA: Final = {"action": "accept", "content": {"name": "Ada"}}
THREE: Final = {"action": "accept", "content": {"seat": 3}}
SAMPLED: Final = {"role": "assistant", "content": {"type": "text", "text": "Hi"}, "model": "m"}
BOOK: Final = {"name": "book", "arguments": {"city": "Oslo"}}
GATHER: Final = {"name": "gather"}

NO_STREAM: Final = error(
    405,
    NO_ID,
    -32600,
    "There is no stream to resume from here; POST a message",
    headers={"allow": "GET, POST, DELETE"},
)
NOT_ASKED: Final = error(
    400, NO_ID, -32600, "Invalid request: no request of this server waits for this response"
)


def connected(
    server: Server | BuiltServer, *, version: str = LEGACY, capabilities: object = EVERYTHING, **options: Any
) -> Wire:
    """A wire to `server` with one session, whose client can be asked everything."""
    wire = Wire(server, **options)
    wire.send(post(message("initialize", handshake(protocolVersion=version, capabilities=capabilities))))
    return wire


def call(params: Mapping[str, Any] = BOOK, method: str = "tools/call", **headers: str) -> HttpRequest:
    """Request 7."""
    return post(message(method, params, request_id=7), {**in_session(), **headers})


def tool_server(*functions: Callable[..., Any]) -> Server:
    """A server of these tools."""
    server = Server("tools", version="1")
    for function in functions:
        server.tool()(function)
    return server


def text_result(text: str, *, failed: bool = False) -> dict[str, Any]:
    """The result of a tool that returned a text."""
    return {"content": [{"type": "text", "text": text}], "isError": failed}


def response(text: str, *, failed: bool = False) -> dict[str, Any]:
    """The response to request 7 with that text."""
    return {"jsonrpc": "2.0", "id": 7, "result": text_result(text, failed=failed)}


def last_part(position: int, *sent: object) -> HttpResponse:
    """The events after `position`, of which the last is the last of the stream."""
    return stream(*((f"{E}.{at}", each) for at, each in enumerate(sent, start=position + 1)), retry=None)


def part(position: int, *sent: object, at: int) -> HttpResponse:
    """The events after `position`, with more to come, so many seconds after the first run."""
    events = [(f"{E}.{place}", each) for place, each in enumerate(sent, start=position + 1)]
    return stream((f"{E}.{position}.{(NOW + at) * 1000}", None), *events, retry=int(500 + at / 30 * 3500))


def notified(method: str, **params: object) -> dict[str, Any]:
    """A notification of the server."""
    return {"jsonrpc": "2.0", "method": f"notifications/{method}", "params": params}
