"""dspy: its tools, made of those of the official SDK's session."""

import dspy
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from steps import QUERY, WRONG, absent, refused, run, step, target

TO = target()


def stdio():
    return stdio_client(StdioServerParameters(command=TO.command[0], args=TO.command[1:]))


async def main():
    async with Client(TO.url or stdio()) as client:
        with step("connect") as found:
            found(client.protocol_version)
        listed = (await client.list_tools()).tools
        tools = {tool.name: dspy.Tool.from_mcp_tool(client, tool) for tool in listed}
        with step("tools") as found:
            found(list(tools))
        with step("call") as found:
            found(await tools["get_sources"].acall(**QUERY))
        with refused() as found:
            found(False, await tools["get_sources"].acall(**WRONG))
    absent("resources", "read", "prompts", "prompt")


run(main)
