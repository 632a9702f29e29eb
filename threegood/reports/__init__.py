"""How a registry matches: what a curator wants to know of its patterns and words."""
