"""mcp-agent: `MCPAggregator`, which puts its servers' names before those of tools and prompts."""

from mcp_agent.app import MCPApp
from mcp_agent.config import MCPServerSettings, MCPSettings, Settings
from mcp_agent.mcp.mcp_aggregator import MCPAggregator
from session import answered, is_error, messages, names, texts, uris
from steps import QUERY, TOPIC, URI, WRONG, refused, run, step, target

TO = target()


async def main():
    if TO.url is None:
        server = MCPServerSettings(command=TO.command[0], args=TO.command[1:])
    else:
        server = MCPServerSettings(transport="streamable_http", url=TO.url)
    settings = Settings(execution_engine="asyncio", mcp=MCPSettings(servers={"sources": server}))
    async with (
        MCPApp(name="matrix", settings=settings).run() as app,
        MCPAggregator(["sources"], context=app.context) as client,
    ):
        with step("connect") as found:
            found(None)
        await use(client)


async def use(client):
    with step("tools") as found:
        found(names(await client.list_tools(), "tools"))
    with step("call") as found:
        found(answered(await client.call_tool("sources_get_sources", QUERY)))
    with refused() as found:
        result = await client.call_tool("sources_get_sources", WRONG)
        found(is_error(result), texts(result.content))
    with step("resources") as found:
        found(uris(await client.list_resources()))
    with step("read") as found:
        found(texts((await client.read_resource(URI, server_name="sources")).contents))
    with step("prompts") as found:
        found(names(await client.list_prompts(), "prompts"))
    with step("prompt") as found:
        found(messages(await client.get_prompt("sources_research_topic", TOPIC)))


run(main)
