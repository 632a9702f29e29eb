"""Ids of sessions and exchanges, and the ids on the wire that name an exchange."""

from typing import Final, NewType

from mcpcore.protocol.jsonrpc import RequestId

__all__ = ["ExchangeId", "SessionId", "is_session_id", "parse_event_id", "parse_question_id"]

SessionId = NewType("SessionId", str)
ExchangeId = NewType("ExchangeId", str)

_MAX_ID_LENGTH: Final = 128
_MAX_DIGITS: Final = 9


def is_session_id(text: str) -> bool:
    """True for 1 to 128 visible ASCII characters (spec 2025-11-25, basic/transports)."""
    return 0 < len(text) <= _MAX_ID_LENGTH and all("!" <= character <= "~" for character in text)


def parse_event_id(event_id: str) -> tuple[ExchangeId, int] | None:
    """Exchange and position in an event id; None if this server did not issue it."""
    exchange_id, _, place = event_id.partition(".")
    position = place.partition(".")[0]
    decimal = position.isascii() and position.isdecimal() and len(position) <= _MAX_DIGITS
    return (ExchangeId(exchange_id), int(position)) if exchange_id and decimal else None


def parse_question_id(request_id: RequestId) -> tuple[ExchangeId, str] | None:
    """Exchange and key in the id of a request of the server; None if this server did not issue it."""
    if not isinstance(request_id, str):
        return None
    exchange_id, separator, key = request_id.partition(".")
    return (ExchangeId(exchange_id), key) if exchange_id and separator and key else None
