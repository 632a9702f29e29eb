"""praisonaiagents: `MCP`, whose tools are functions of an agent."""

from praisonaiagents.mcp import MCP
from steps import QUERY, WRONG, absent, refused, run, step, target

TO = target()


def main():
    client = MCP(TO.url) if TO.url else MCP(command=TO.command[0], args=TO.command[1:])
    tools = {tool.__name__: tool for tool in client.get_tools()}
    with step("connect") as found:
        found(None)
    with step("tools") as found:
        found(list(tools))
    with step("call") as found:
        found(tools["get_sources"](**QUERY))
    with refused() as found:
        result = tools["get_sources"](**WRONG)
        found(result.get("mcp_error", False), result)
    absent("resources", "read", "prompts", "prompt")
    client.shutdown()


run(main)
