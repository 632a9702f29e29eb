"""Serve an MCP server on this machine, over HTTP or stdio, through the handler that Lambda runs."""
