"""FastMCP behind Mangum: stateless, JSON answers."""

from fastmcp import FastMCP  # type: ignore[import-not-found]  # as in asgi.py

from .asgi import as_lambda_handler
from .tools import TOOLS

server = FastMCP("three-good-sources", version="1.0.0")
for tool in TOOLS:
    server.tool(tool)

# API Gateway checks host and origin.
lambda_handler = as_lambda_handler(
    server.http_app(json_response=True, stateless_http=True, host_origin_protection=False)
)
