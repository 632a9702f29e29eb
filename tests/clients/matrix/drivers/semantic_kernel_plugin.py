"""semantic-kernel: `MCPStdioPlugin` or `MCPStreamableHttpPlugin`."""

from semantic_kernel.connectors.mcp import MCPStdioPlugin, MCPStreamableHttpPlugin
from steps import QUERY, TOPIC, WRONG, absent, refused, run, step, target

TO = target()


async def main():
    if TO.url is None:
        plugin = MCPStdioPlugin("sources", command=TO.command[0], args=TO.command[1:])
    else:
        plugin = MCPStreamableHttpPlugin("sources", url=TO.url)
    async with plugin:
        with step("connect") as found:
            found(None)
        functions = [name for name in dir(plugin) if hasattr(getattr(plugin, name), "__kernel_function__")]
        with step("tools") as found:
            found([name for name in functions if name != "research_topic"])
        with step("call") as found:
            found([content.text for content in await plugin.call_tool("get_sources", **QUERY)])
        with refused() as found:
            # It shows every result by its text alone.
            found(True, [content.text for content in await plugin.call_tool("get_sources", **WRONG)])
        with step("prompts") as found:
            found([name for name in functions if name == "research_topic"])
        with step("prompt") as found:
            found([str(message) for message in await plugin.get_prompt("research_topic", **TOPIC)])
    absent("resources", "read")


run(main)
