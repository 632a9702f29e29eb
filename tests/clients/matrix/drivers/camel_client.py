"""camel-ai: `MCPClient`."""

from camel.utils.mcp_client import MCPClient, ServerConfig
from session import answered, is_error, names, texts
from steps import QUERY, WRONG, absent, refused, run, step, target

TO = target()


async def main():
    server = {"url": TO.url} if TO.url else {"command": TO.command[0], "args": TO.command[1:]}
    async with MCPClient(ServerConfig(**server)) as client:
        with step("connect") as found:
            found(None)
        with step("tools") as found:
            found(names(await client.list_mcp_tools(), "tools"))
        with step("call") as found:
            found(answered(await client.call_tool("get_sources", QUERY)))
        with refused() as found:
            result = await client.call_tool("get_sources", WRONG)
            found(is_error(result), texts(result.content))
    absent("resources", "read", "prompts", "prompt")


run(main)
