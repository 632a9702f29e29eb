"""mcp-use: the session that `MCPClient` opens."""

from mcp_use import MCPClient
from session import use
from steps import run, step, target

TO = target()


async def main():
    server = {"url": TO.url} if TO.url else {"command": TO.command[0], "args": TO.command[1:]}
    client = MCPClient.from_dict({"mcpServers": {"sources": server}})
    session = await client.create_session("sources")
    with step("connect") as found:
        found(None)
    await use(session)
    await client.close_all_sessions()


run(main)
