"""The bare handler with a tool: what the work itself costs, without a protocol."""
