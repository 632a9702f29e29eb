"""chuk-mcp: a client that does not use the official SDK."""

from chuk_mcp.client import MCPClient
from chuk_mcp.transports.http.parameters import StreamableHTTPParameters
from chuk_mcp.transports.http.transport import StreamableHTTPTransport
from chuk_mcp.transports.stdio import StdioParameters, StdioTransport
from session import use
from steps import run, step, target

TO = target()


async def main():
    if TO.url is None:
        transport = StdioTransport(StdioParameters(command=TO.command[0], args=TO.command[1:]))
    else:
        transport = StreamableHTTPTransport(StreamableHTTPParameters(url=TO.url))
    async with transport:
        client = MCPClient(transport)
        with step("connect") as found:
            found((await client.initialize()).protocolVersion)
        await use(client)


run(main)
