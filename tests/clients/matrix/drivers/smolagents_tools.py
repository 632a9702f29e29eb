"""smolagents: `MCPClient` with structured output, which is mcpadapt with smolagents' adapter."""

from mcp import StdioServerParameters
from smolagents import MCPClient
from steps import QUERY, WRONG, absent, refused, run, step, target

TO = target()


def main():
    if TO.url is None:
        server = StdioServerParameters(command=TO.command[0], args=TO.command[1:])
    else:
        server = {"url": TO.url, "transport": "streamable-http"}
    with MCPClient(server, structured_output=True) as listed:
        with step("connect") as found:
            found(None)
        tools = {tool.name: tool for tool in listed}
        with step("tools") as found:
            found(list(tools))
        with step("call") as found:
            found(tools["get_sources"](**QUERY))
        with refused() as found:
            # It shows every result by its text alone.
            found(True, tools["get_sources"](**WRONG))
    absent("resources", "read", "prompts", "prompt")


run(main)
