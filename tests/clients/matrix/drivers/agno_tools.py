"""agno: `MCPTools`, its tools as an agent calls them."""

import shlex

from agno.tools.mcp import MCPTools
from steps import QUERY, WRONG, absent, refused, run, step, target

TO = target()


async def main():
    if TO.url is None:
        toolkit = MCPTools(command=shlex.join(TO.command), transport="stdio")
    else:
        toolkit = MCPTools(url=TO.url, transport="streamable-http")
    async with toolkit:
        with step("connect") as found:
            found(None)
        with step("tools") as found:
            found(list(toolkit.functions))
        call = toolkit.functions["get_sources"].entrypoint
        with step("call") as found:
            found((await call(**QUERY)).content)
        with refused() as found:
            shown = (await call(**WRONG)).content
            found(shown.startswith("Error"), shown)
    absent("resources", "read", "prompts", "prompt")


run(main)
