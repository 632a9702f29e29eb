"""The official SDK: `ClientSession` of 1.x, or `Client` of 2.x in the mode that an option names."""

from contextlib import asynccontextmanager

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from session import use
from steps import run, step, target

TO = target()


def stdio():
    return stdio_client(StdioServerParameters(command=TO.command[0], args=TO.command[1:]))


@asynccontextmanager
async def open_client():
    from mcp import Client

    async with Client(TO.url or stdio(), mode=TO.options[0]) as client:
        yield client, client.protocol_version


@asynccontextmanager
async def open_session():
    if TO.url is None:
        transport = stdio()
    else:
        from mcp.client.streamable_http import streamablehttp_client

        transport = streamablehttp_client(TO.url)
    async with transport as (read, write, *_), ClientSession(read, write) as session:
        yield session, (await session.initialize()).protocolVersion


async def main():
    async with (open_client if TO.options else open_session)() as (client, version):
        with step("connect") as found:
            found(version)
        await use(client)


run(main)
