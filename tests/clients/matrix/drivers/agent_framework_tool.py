"""agent-framework-core: `MCPTool`, whose tools and prompts are functions of an agent."""

from agent_framework import MCPStdioTool, MCPStreamableHTTPTool
from steps import QUERY, TOPIC, WRONG, absent, refused, run, step, target

TO = target()


async def main():
    if TO.url is None:
        tool = MCPStdioTool("sources", TO.command[0], args=TO.command[1:])
    else:
        tool = MCPStreamableHTTPTool("sources", TO.url)
    async with tool:
        with step("connect") as found:
            found(None)
        functions = [function.name for function in tool.functions]
        with step("tools") as found:
            found([name for name in functions if name != "research_topic"])
        with step("call") as found:
            found(shown(await tool.call_tool("get_sources", **QUERY)))
        with refused() as found:
            found(False, shown(await tool.call_tool("get_sources", **WRONG)))
        with step("prompts") as found:
            found([name for name in functions if name == "research_topic"])
        with step("prompt") as found:
            found(await tool.get_prompt("research_topic", **TOPIC))
    absent("resources", "read")


def shown(result):
    return result if isinstance(result, str) else [content.text for content in result]


run(main)
