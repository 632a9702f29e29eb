"""mcp-haystack: `MCPToolset`."""

from haystack_integrations.tools.mcp import MCPToolset, StdioServerInfo, StreamableHttpServerInfo
from steps import QUERY, WRONG, absent, refused, run, step, target

TO = target()


def main():
    if TO.url is None:
        server = StdioServerInfo(command=TO.command[0], args=TO.command[1:])
    else:
        server = StreamableHttpServerInfo(url=TO.url)
    toolset = MCPToolset(server, eager_connect=True)
    with step("connect") as found:
        found(None)
    tools = {tool.name: tool for tool in toolset}
    with step("tools") as found:
        found(list(tools))
    with step("call") as found:
        found(tools["get_sources"].invoke(**QUERY))
    with refused() as found:
        found(False, tools["get_sources"].invoke(**WRONG))
    absent("resources", "read", "prompts", "prompt")
    toolset.close()


run(main)
