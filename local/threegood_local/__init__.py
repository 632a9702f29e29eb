"""Serve the product on this machine: its handler, its registry, and an embedded DynamoDB."""
