"""llama-index-tools-mcp: `BasicMCPClient`, and the tools that `McpToolSpec` makes of it."""

from llama_index.tools.mcp import BasicMCPClient, McpToolSpec
from session import answered, is_error, names, texts, uris
from steps import QUERY, TOPIC, URI, WRONG, refused, run, step, target

TO = target()


async def main():
    client = BasicMCPClient(TO.url) if TO.url else BasicMCPClient(TO.command[0], args=TO.command[1:])
    tools = {}
    with step("connect") as found:
        tools = {tool.metadata.name: tool for tool in await McpToolSpec(client).to_tool_list_async()}
        found(None)
    with step("tools") as found:
        found(list(tools))
    with step("call") as found:
        found(answered((await tools["get_sources"].acall(**QUERY)).raw_output))
    with refused() as found:
        output = await tools["get_sources"].acall(**WRONG)
        found(output.is_error or is_error(output.raw_output), output.content)
    with step("resources") as found:
        found(uris(await client.list_resources()))
    with step("read") as found:
        found(texts((await client.read_resource(URI)).contents))
    with step("prompts") as found:
        found(names(await client.list_prompts(), "prompts"))
    with step("prompt") as found:
        found([message.content for message in await client.get_prompt("research_topic", TOPIC)])


run(main)
