"""strands-agents: `MCPClient`, which runs the SDK's session in a thread of its own."""

from mcp import StdioServerParameters
from mcp.client.stdio import stdio_client
from session import messages, names, texts, uris
from steps import QUERY, TOPIC, URI, WRONG, refused, run, step, target
from strands.tools.mcp import MCPClient

TO = target()


def transport():
    if TO.url is None:
        return stdio_client(StdioServerParameters(command=TO.command[0], args=TO.command[1:]))
    from mcp.client.streamable_http import streamable_http_client

    return streamable_http_client(TO.url)


def main():
    with MCPClient(transport) as client:
        with step("connect") as found:
            found(None)
        with step("tools") as found:
            found([tool.tool_name for tool in client.list_tools_sync()])
        with step("call") as found:
            found(client.call_tool_sync("1", "get_sources", QUERY))
        with refused() as found:
            result = client.call_tool_sync("2", "get_sources", WRONG)
            found(result["status"] == "error", result["content"])
        with step("resources") as found:
            found(uris(client.list_resources_sync()))
        with step("read") as found:
            found(texts(client.read_resource_sync(URI).contents))
        with step("prompts") as found:
            found(names(client.list_prompts_sync(), "prompts"))
        with step("prompt") as found:
            found(messages(client.get_prompt_sync("research_topic", TOPIC)))


run(main)
