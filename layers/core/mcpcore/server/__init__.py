"""Registration of handlers, and the build that checks and encodes what was registered."""
