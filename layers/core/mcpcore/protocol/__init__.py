"""The protocol by itself: versions, JSON-RPC, content, errors. Knows nothing of servers."""
