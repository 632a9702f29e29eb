"""The protocol by itself: versions, JSON-RPC, content, errors. It imports nothing of a server."""
