"""A server on mcpcore with as many tools as the variable `TOOLS` says, of which one is called."""

import os

from mcpcore import MemorySessions, Server
from mcpcore_aws.adapter import LambdaAdapter

from .work import as_text, find


def _get_sources(query: str) -> str:
    """Get the three best sources on a topic."""
    return as_text(find(query))


def _server(tools: int) -> Server:
    server = Server("registered", version="1.0.0")
    server.tool(name="get_sources")(_get_sources)
    for number in range(1, tools):
        server.tool(name=f"get_sources_{number}")(_get_sources)
    return server


lambda_handler = LambdaAdapter(_server(int(os.environ["TOOLS"])), sessions=MemorySessions())
