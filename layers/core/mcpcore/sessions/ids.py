"""Ids of sessions and exchanges, and the ids on the wire that name an exchange."""

from typing import Final, NewType

from mcpcore.protocol.jsonrpc import RequestId

__all__ = [
    "ExchangeId",
    "SessionId",
    "event_id_of",
    "is_valid_id",
    "parse_event_id",
    "parse_question_id",
    "question_id_of",
]

SessionId = NewType("SessionId", str)
ExchangeId = NewType("ExchangeId", str)

_MAX_ID_LENGTH: Final = 128
_MAX_DIGITS: Final = 9


def is_valid_id(text: str) -> bool:
    """True for visible ASCII characters (spec 2025-11-25, basic/transports), here at most 128."""
    return 0 < len(text) <= _MAX_ID_LENGTH and all("!" <= character <= "~" for character in text)


def event_id_of(exchange_id: ExchangeId, position: int) -> str:
    """The id of the event at `position`, counted from 1; at 0 of the event before all others."""
    return f"{exchange_id}.{position}"


def parse_event_id(event_id: str) -> tuple[ExchangeId, int] | None:
    """Exchange and position in an event id; None if this server did not issue it."""
    exchange_id, _, place = event_id.partition(".")
    position = place.partition(".")[0]
    decimal = position.isascii() and position.isdecimal() and len(position) <= _MAX_DIGITS
    return (ExchangeId(exchange_id), int(position)) if exchange_id and decimal else None


def question_id_of(exchange_id: ExchangeId, key: str) -> str:
    """The id of the request that asks the question `key`."""
    return f"{exchange_id}.{key}"


def parse_question_id(request_id: RequestId) -> tuple[ExchangeId, str] | None:
    """Exchange and key in the id of a request of the server; None if this server did not issue it."""
    if not isinstance(request_id, str):
        return None
    exchange_id, separator, key = request_id.partition(".")
    return (ExchangeId(exchange_id), key) if exchange_id and separator and key else None
