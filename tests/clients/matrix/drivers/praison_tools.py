"""praisonaiagents: `MCP`, whose tools are functions; over stdio some are for resources and prompts."""

import json

from praisonaiagents.mcp import MCP
from steps import QUERY, TOPIC, URI, WRONG, absent, refused, run, step, target

TO = target()


def main():
    client = MCP(TO.url) if TO.url else MCP(command=TO.command[0], args=TO.command[1:])
    tools = {tool.__name__: tool for tool in client.get_tools()}
    with step("connect") as found:
        found(None)
    with step("tools") as found:
        found([name for name in tools if "_mcp_" not in name])
    with step("call") as found:
        found(tools["get_sources"](**QUERY))
    with refused() as found:
        result = tools["get_sources"](**WRONG)
        found(result.get("mcp_error", False), result)
    if "list_mcp_resources" in tools:
        use_others(tools)
    else:
        absent("resources", "read", "prompts", "prompt")
    client.shutdown()


def use_others(tools):
    with step("resources") as found:
        found([each["uri"] for each in json.loads(tools["list_mcp_resources"]())])
    with step("read") as found:
        found(tools["read_mcp_resource"](URI))
    with step("prompts") as found:
        found([each["name"] for each in json.loads(tools["list_mcp_prompts"]())])
    with step("prompt") as found:
        found(tools["get_mcp_prompt"]("research_topic", TOPIC))


run(main)
