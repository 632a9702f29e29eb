"""beeai-framework: `MCPTool` over a client of the official SDK."""

from beeai_framework.tools.mcp import MCPTool
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client
from steps import QUERY, WRONG, absent, refused, run, step, target

TO = target()


def transport():
    if TO.url is None:
        return stdio_client(StdioServerParameters(command=TO.command[0], args=TO.command[1:]))
    return streamablehttp_client(TO.url)


async def main():
    async with transport() as (read, write, *_), ClientSession(read, write) as session:
        with step("connect") as found:
            found((await session.initialize()).protocolVersion)
        tools = {tool.name: tool for tool in await MCPTool.from_client(session)}
        with step("tools") as found:
            found(list(tools))
        with step("call") as found:
            found((await tools["get_sources"].run(QUERY)).to_json_safe())
        with refused() as found:
            found(False, (await tools["get_sources"].run(WRONG)).get_text_content())
    absent("resources", "read", "prompts", "prompt")


run(main)
