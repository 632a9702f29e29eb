"""griptape: `MCPTool`, whose activities an agent runs."""

from griptape.tools.mcp.tool import MCPTool
from steps import QUERY, WRONG, absent, refused, run, step, target

TO = target()


def main():
    if TO.url is None:
        server = {"transport": "stdio", "command": TO.command[0], "args": TO.command[1:]}
    else:
        server = {"transport": "streamable_http", "url": TO.url}
    tool = MCPTool(name="sources", connection=server)
    with step("connect") as found:
        found(None)
    with step("tools") as found:
        found([tool.activity_name(activity) for activity in tool.activities()])
    with step("call") as found:
        found(tool.get_sources({"values": QUERY}).to_text())
    with refused() as found:
        result = tool.get_sources({"values": WRONG})
        found(type(result).__name__ == "ErrorArtifact", result.to_text())
    absent("resources", "read", "prompts", "prompt")


run(main)
