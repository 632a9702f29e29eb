"""pydantic-ai: `MCPToolset`, its tools called as an agent does."""

from fastmcp.client.transports import StdioTransport
from pydantic_ai.mcp import MCPToolset
from session import names, uris, version
from steps import QUERY, TOPIC, URI, WRONG, refused, run, step, target

TO = target()


async def main():
    toolset = MCPToolset(TO.url or StdioTransport(TO.command[0], TO.command[1:]))
    async with toolset:
        with step("connect") as found:
            found(version(toolset.client))
        with step("tools") as found:
            found(names(await toolset.list_tools(), "tools"))
        with step("call") as found:
            found(await toolset.direct_call_tool("get_sources", QUERY))
        with refused() as found:
            found(False, await toolset.direct_call_tool("get_sources", WRONG))
        with step("resources") as found:
            found(uris(await toolset.list_resources()))
        with step("read") as found:
            found(await toolset.read_resource(URI))
        with step("prompts") as found:
            found(names(await toolset.list_prompts(), "prompts"))
        with step("prompt") as found:
            prompt = await toolset.get_prompt("research_topic", TOPIC)
            found([shown(message.content) for message in prompt.messages])


def shown(content):
    return content if isinstance(content, str) else content.content


run(main)
