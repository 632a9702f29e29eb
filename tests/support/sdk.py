"""The official SDK's client, made to speak each revision of the protocol."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Final, TypeAlias

import mcp_types
from mcp.client.session import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, KNOWN_PROTOCOL_VERSIONS

from tests.support.processes import ROOT
from tests.support.serving import command, environment

__all__ = ["REVISIONS", "Transport", "over_http", "over_stdio", "stdio_parameters", "text_of"]

REVISIONS: Final = KNOWN_PROTOCOL_VERSIONS

Transport: TypeAlias = AbstractAsyncContextManager[Any]


def over_http(url: str, revision: str) -> AbstractAsyncContextManager[ClientSession]:
    """A client at `url` that speaks `revision`."""
    return _speaking(lambda: streamable_http_client(url), revision)


def over_stdio(revision: str) -> AbstractAsyncContextManager[ClientSession]:
    """A client that speaks `revision` with a process of its own."""
    return _speaking(lambda: stdio_client(stdio_parameters()), revision)


def stdio_parameters() -> StdioServerParameters:
    """The parameters that start `make stdio`."""
    program, *arguments = command("threegood_local.stdio")
    return StdioServerParameters(command=program, args=arguments, cwd=ROOT, env=environment())


def text_of(result: mcp_types.CallToolResult) -> str:
    """The one text that a tool answered with."""
    (block,) = result.content
    assert isinstance(block, mcp_types.TextContent)
    return block.text


@asynccontextmanager
async def _speaking(connect: Callable[[], Transport], revision: str) -> AsyncIterator[ClientSession]:
    async with connect() as (read, write), ClientSession(read, write) as session:
        if revision in HANDSHAKE_PROTOCOL_VERSIONS:
            await _shake_hands(session, revision)
        else:
            await session.discover()
        assert session.protocol_version == revision
        yield session


async def _shake_hands(session: ClientSession, revision: str) -> None:
    """`ClientSession.initialize` for any revision; the SDK requests only the newest with a handshake."""
    params = mcp_types.InitializeRequestParams(
        protocol_version=revision,
        capabilities=mcp_types.ClientCapabilities(),
        client_info=mcp_types.Implementation(name="tests", version="1"),
    )
    request = mcp_types.InitializeRequest(params=params)
    session.adopt(await session.send_request(request, mcp_types.InitializeResult))
    await session.send_notification(mcp_types.InitializedNotification())
