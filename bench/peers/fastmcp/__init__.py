"""FastMCP behind Mangum."""
