"""livekit-agents: `MCPServerHTTP` or `MCPServerStdio`, their tools as an agent calls them."""

from livekit.agents.llm.mcp import MCPServerHTTP, MCPServerStdio
from steps import QUERY, WRONG, absent, refused, run, step, target

TO = target()


async def main():
    server = MCPServerHTTP(TO.url) if TO.url else MCPServerStdio(TO.command[0], TO.command[1:])
    await server.initialize()
    with step("connect") as found:
        found(None)
    tools = {tool.info.name: tool for tool in await server.list_tools()}
    with step("tools") as found:
        found(list(tools))
    with step("call") as found:
        found(await tools["get_sources"](QUERY))
    with refused() as found:
        found(False, await tools["get_sources"](WRONG))
    absent("resources", "read", "prompts", "prompt")
    await server.aclose()


run(main)
