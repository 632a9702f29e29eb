"""From `registry.json` to the baked registry that the function reads; runs at build time only."""
