"""Positions in a list as opaque cursors: any instance reads them, and one that was changed is noticed.

The seal is made of what identifies the list, not of a secret: a position in a list is no secret either.
"""

import hmac
from typing import Final

from mcpcore.protocol.base64url import from_text, to_text
from mcpcore.protocol.errors import InvalidParams

__all__ = ["mint_cursor", "open_cursor"]

_POSITION_BYTES: Final = 4
_SEAL_BYTES: Final = 12


def mint_cursor(position: int, *, seal: bytes) -> str:
    """The cursor of `position`, sealed by what identifies the list."""
    at = position.to_bytes(_POSITION_BYTES, "big")
    return to_text(at + _sealed(at, seal))


def open_cursor(cursor: object, *, seal: bytes) -> int:
    """The position that `cursor` stands for.

    Raises:
        InvalidParams: it is not one that we gave out for this list
            (spec server/utilities/pagination, "Error Handling").
    """
    raw = from_text(cursor)
    at, found = raw[:_POSITION_BYTES], raw[_POSITION_BYTES:]
    if not hmac.compare_digest(found, _sealed(at, seal)):
        raise InvalidParams("Invalid cursor: it was not given out for this list; ask again without a cursor")
    return int.from_bytes(at, "big")


def _sealed(at: bytes, seal: bytes) -> bytes:
    return hmac.digest(seal, at, "sha256")[:_SEAL_BYTES]
