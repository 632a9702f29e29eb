"""The bare handler: what a cold start and a request cost before there is any server."""
