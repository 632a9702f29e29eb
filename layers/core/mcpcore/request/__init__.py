"""One request: what arrived, who asks, what a handler sees of it, and how it ended."""
