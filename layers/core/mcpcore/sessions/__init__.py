"""Sessions of the handshake versions, and the stores that keep them."""
