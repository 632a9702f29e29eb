"""The server of the official SDK behind Mangum: stateless, JSON answers, log level WARNING.

It authorizes requests if the environment names an issuer.
"""

import os
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings

from .asgi import as_lambda_handler
from .tools import TOOLS

arguments: dict[str, Any] = {}
if os.environ.get("AUTH_ISSUER"):
    from .authorization import authorization

    arguments = authorization()

server = MCPServer("three-good-sources", version="1.0.0", log_level="WARNING", **arguments)
for tool in TOOLS:
    server.add_tool(tool)

# API Gateway checks the host; the SDK's own check permits only loopback.
lambda_handler = as_lambda_handler(
    server.streamable_http_app(
        json_response=True,
        stateless_http=True,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
)
