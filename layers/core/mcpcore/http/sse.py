"""Server-sent events as one complete body (HTML standard, "Server-sent events")."""

__all__ = ["message_event"]


def message_event(data: bytes) -> bytes:
    """One `message` event; `data` is a line of JSON. No id: such a body is whole, nothing can be resumed."""
    return b"event: message\ndata: %b\n\n" % data
