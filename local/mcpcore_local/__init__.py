"""Serve an MCP server on this machine, over HTTP or stdio, through the adapter that Lambda runs.

`python -m mcpcore_local module:server` does the same from a terminal.
"""

from mcpcore_local.gateway import Handler, HttpGateway, InvocationContext
from mcpcore_local.serving import Servable, client_setup, gateway_until_interrupted, run, run_stdio

__all__ = [
    "Handler",
    "HttpGateway",
    "InvocationContext",
    "Servable",
    "client_setup",
    "gateway_until_interrupted",
    "run",
    "run_stdio",
]
