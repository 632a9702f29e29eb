"""autogen-ext: `McpWorkbench`."""

from autogen_ext.tools.mcp import McpWorkbench, StdioServerParams, StreamableHttpServerParams
from session import messages, names, texts, uris
from steps import QUERY, TOPIC, URI, WRONG, refused, run, step, target

TO = target()


async def main():
    if TO.url is None:
        server = StdioServerParams(command=TO.command[0], args=TO.command[1:])
    else:
        server = StreamableHttpServerParams(url=TO.url)
    async with McpWorkbench(server) as workbench:
        with step("connect") as found:
            await workbench.list_tools()
            found(workbench.initialize_result.protocolVersion)
        with step("tools") as found:
            found([tool["name"] for tool in await workbench.list_tools()])
        with step("call") as found:
            found((await workbench.call_tool("get_sources", QUERY)).to_text())
        with refused() as found:
            result = await workbench.call_tool("get_sources", WRONG)
            found(result.is_error, result.to_text())
        with step("resources") as found:
            found(uris(await workbench.list_resources()))
        with step("read") as found:
            found(texts((await workbench.read_resource(URI)).contents))
        with step("prompts") as found:
            found(names(await workbench.list_prompts(), "prompts"))
        with step("prompt") as found:
            found(messages(await workbench.get_prompt("research_topic", TOPIC)))


run(main)
