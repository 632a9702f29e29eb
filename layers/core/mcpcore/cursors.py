"""Positions in a list as opaque cursors: any instance reads them, and one that was changed is noticed.

The seal is made of what identifies the list, not of a secret: a position in a list is no secret either.
"""

import base64
import hmac
from typing import Final

from mcpcore.errors import InvalidParams

__all__ = ["mint_cursor", "open_cursor"]

_POSITION_BYTES: Final = 4
_SEAL_BYTES: Final = 12


def mint_cursor(position: int, *, seal: bytes) -> str:
    """The cursor of `position`, sealed by what identifies the list."""
    at = position.to_bytes(_POSITION_BYTES, "big")
    return base64.urlsafe_b64encode(at + _sealed(at, seal)).decode("ascii")


def open_cursor(cursor: object, *, seal: bytes) -> int:
    """The position that `cursor` stands for.

    Raises:
        InvalidParams: it is not one that we gave out for this list
            (spec server/utilities/pagination, "Error Handling").
    """
    raw = _octets(cursor) if isinstance(cursor, str) else b""
    at, found = raw[:_POSITION_BYTES], raw[_POSITION_BYTES:]
    if not hmac.compare_digest(found, _sealed(at, seal)):
        raise InvalidParams("Invalid cursor: it was not given out for this list; ask again without a cursor")
    return int.from_bytes(at, "big")


def _sealed(at: bytes, seal: bytes) -> bytes:
    return hmac.digest(seal, at, "sha256")[:_SEAL_BYTES]


def _octets(cursor: str) -> bytes:
    """What `cursor` encodes, if it is written as we write it; the decoder alone would let some bits vary."""
    try:
        raw = base64.urlsafe_b64decode(cursor)
    except ValueError:
        return b""
    return raw if base64.urlsafe_b64encode(raw).decode("ascii") == cursor else b""
