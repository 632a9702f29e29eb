"""Bytes as text that a client brings back, read only as it was written (RFC 4648, section 5)."""

import base64

__all__ = ["from_text", "to_text"]


def to_text(data: bytes) -> str:
    """`data` in the URL-safe alphabet of Base64."""
    return base64.urlsafe_b64encode(data).decode("ascii")


def from_text(text: object) -> bytes:
    """What `to_text` made `text` of; nothing if it made no such text. A decoder alone lets some bits vary."""
    if not isinstance(text, str):
        return b""
    try:
        data = base64.urlsafe_b64decode(text)
    except ValueError:
        return b""
    return data if to_text(data) == text else b""
