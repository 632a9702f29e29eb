"""openai-agents: an MCP server as its runner uses it."""

from agents.mcp import MCPServerStdio, MCPServerStreamableHttp
from session import use, version
from steps import run, step, target

TO = target()


async def main():
    if TO.url is None:
        server = MCPServerStdio({"command": TO.command[0], "args": TO.command[1:]})
    else:
        server = MCPServerStreamableHttp({"url": TO.url})
    async with server:
        with step("connect") as found:
            found(version(server.session) or version(server.server_initialize_result))
        await use(server)


run(main)
