"""The official SDK's server behind Mangum: stateless, JSON answers, logging only what is wrong."""

from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import Field

from ..asgi import as_lambda_handler
from ..work import find, listed

server = MCPServer("three-good-sources", version="1.0.0", log_level="WARNING")


@server.tool()
def get_sources(query: Annotated[str, Field(min_length=1, max_length=500)]) -> dict[str, Any]:
    """Get the three best sources on a topic, ranked by a curator, each with the reason why."""
    return find(query)


@server.tool()
def list_categories() -> list[str]:
    """List every topic that the registry covers."""
    return listed()


@server.tool()
def get_provenance() -> str:
    """Get the curator's name and public key, and how to verify the registry."""
    return "A curator, and a key."


@server.tool()
def get_endorsements() -> str:
    """Get the people and projects that stand for this registry."""
    return "Nobody yet."


# The gateway answers for the host; the SDK's own check knows only loopback.
lambda_handler = as_lambda_handler(
    server.streamable_http_app(
        json_response=True,
        stateless_http=True,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
)
