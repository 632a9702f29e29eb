"""mcp-proxy between the official SDK and the server, as the server's client over the tested transport."""

import asyncio
import socket
import sys
from contextlib import asynccontextmanager

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client
from session import use
from steps import run, step, target

TO = target()
PROXY = [sys.executable, "-m", "mcp_proxy"]


@asynccontextmanager
async def before_stdio():
    """The proxy serves HTTP, and starts the server."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    proxy = await asyncio.create_subprocess_exec(*PROXY, "--port", str(port), "--", *TO.command)
    try:
        await listening(port)
        async with streamablehttp_client(f"http://127.0.0.1:{port}/mcp") as (read, write, _):
            yield read, write
    finally:
        proxy.terminate()
        await proxy.wait()


async def listening(port):
    while True:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except ConnectionRefusedError:
            await asyncio.sleep(0.1)
        else:
            writer.close()
            return


def before_http():
    """The proxy is started over stdio, and connects to the URL."""
    program, *arguments = [*PROXY, "--transport", "streamablehttp", TO.url]
    return stdio_client(StdioServerParameters(command=program, args=arguments))


async def main():
    async with (before_http if TO.url else before_stdio)() as streams, ClientSession(*streams) as session:
        with step("connect") as found:
            found((await session.initialize()).protocolVersion)
        await use(session)


run(main)
