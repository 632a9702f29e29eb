"""fastmcp's `Client`; that of 4.x in the mode that an option names."""

from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from session import use, version
from steps import run, step, target

TO = target()


async def main():
    mode = {"mode": TO.options[0]} if TO.options else {}
    async with Client(TO.url or StdioTransport(TO.command[0], TO.command[1:]), **mode) as client:
        with step("connect") as found:
            found(version(client))
        await use(client)


run(main)
