"""langchain-mcp-adapters: `MultiServerMCPClient`, its tools as LangChain calls them."""

from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.tools import load_mcp_tools
from steps import QUERY, TOPIC, URI, WRONG, absent, refused, run, step, target

TO = target()


async def main():
    if TO.url is None:
        server = {"transport": "stdio", "command": TO.command[0], "args": TO.command[1:]}
    else:
        server = {"transport": "streamable_http", "url": TO.url}
    client = MultiServerMCPClient({"sources": server})
    async with client.session("sources", auto_initialize=False) as session:
        with step("connect") as found:
            found((await session.initialize()).protocolVersion)
        tools = {}
        with step("tools") as found:
            tools = {tool.name: tool for tool in await load_mcp_tools(session)}
            found(list(tools))
        with step("call") as found:
            found(await call(tools["get_sources"], QUERY))
        with refused() as found:
            message = await call(tools["get_sources"], WRONG)
            found(message["status"] == "error", message["content"])
    absent("prompts")
    with step("resources") as found:
        found([blob.metadata["uri"] for blob in await client.get_resources("sources")])
    with step("read") as found:
        found([blob.as_string() for blob in await client.get_resources("sources", uris=URI)])
    with step("prompt") as found:
        messages = await client.get_prompt("sources", "research_topic", arguments=TOPIC)
        found([message.content for message in messages])


async def call(tool, arguments):
    message = await tool.ainvoke({"type": "tool_call", "id": "1", "name": tool.name, "args": arguments})
    return {"status": message.status, "content": message.content, "artifact": message.artifact}


run(main)
