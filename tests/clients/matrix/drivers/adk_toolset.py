"""google-adk: `McpToolset`, its tools called as an agent does."""

from google.adk.tools.mcp_tool import McpToolset
from google.adk.tools.mcp_tool.mcp_session_manager import (
    StdioConnectionParams,
    StreamableHTTPConnectionParams,
)
from mcp import StdioServerParameters
from session import texts
from steps import QUERY, WRONG, absent, refused, run, step, target

NAME = "rust-learning"
TO = target()


async def main():
    if TO.url is None:
        command = StdioServerParameters(command=TO.command[0], args=TO.command[1:])
        server = StdioConnectionParams(server_params=command, timeout=30)
    else:
        server = StreamableHTTPConnectionParams(url=TO.url)
    toolset = McpToolset(connection_params=server)
    tools = {tool.name: tool for tool in await toolset.get_tools()}
    with step("connect") as found:
        found(None)
    with step("tools") as found:
        found(list(tools))
    with step("call") as found:
        found(await call(tools["get_sources"], QUERY))
    with refused() as found:
        result = await call(tools["get_sources"], WRONG)
        found(result.get("isError") or "error" in result, result)
    with step("resources") as found:
        # The list has names only.
        listed = await toolset.list_resources()
        found([(await toolset.get_resource_info(name))["uri"] for name in listed])
    with step("read") as found:
        found(texts(await toolset.read_resource(NAME)))
    absent("prompts", "prompt")
    await toolset.close()


async def call(tool, arguments):
    # `run_async` needs the context of an agent that runs.
    return await tool._run_async_impl(args=arguments, tool_context=None, credential=None)


run(main)
