"""awslabs.mcp-lambda-handler."""
