"""Server-sent events as one complete body (HTML standard, "Server-sent events")."""

from collections.abc import Iterable

from mcpcore.request.outcome import Event, Stream

__all__ = ["message_events", "stream_body"]


def message_events(messages: Iterable[bytes]) -> bytes:
    """One `message` event for each line of JSON, without ids: the body is complete and cannot be resumed."""
    return b"".join(b"event: message\ndata: %b\n\n" % message for message in messages)


def stream_body(stream: Stream) -> bytes:
    """The events of a stream that can be resumed; clients ignore events without an id or a data line."""
    return b"".join(
        _event(event, stream.retry_ms if place == 0 else None) for place, event in enumerate(stream.events)
    )


def _event(event: Event, retry_ms: int | None) -> bytes:
    lines = [f"id: {event.id}"]
    if retry_ms is not None:
        lines.append(f"retry: {retry_ms}")
    if event.data:
        lines.append("event: message")
    lines.append(f"data: {event.data}")
    return ("\n".join(lines) + "\n\n").encode("ascii")
