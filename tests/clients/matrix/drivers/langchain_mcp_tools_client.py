"""langchain-mcp-tools: `convert_mcp_to_langchain_tools`."""

from langchain_mcp_tools import convert_mcp_to_langchain_tools
from steps import QUERY, WRONG, absent, refused, run, step, target

TO = target()


async def main():
    server = {"url": TO.url} if TO.url else {"command": TO.command[0], "args": TO.command[1:]}
    listed, close = await convert_mcp_to_langchain_tools({"sources": server})
    with step("connect") as found:
        found(None)
    tools = {tool.name: tool for tool in listed}
    with step("tools") as found:
        found(list(tools))
    with step("call") as found:
        found(await tools["get_sources"].ainvoke(QUERY))
    with refused() as found:
        found(False, await tools["get_sources"].ainvoke(WRONG))
    absent("resources", "read", "prompts", "prompt")
    await close()


run(main)
