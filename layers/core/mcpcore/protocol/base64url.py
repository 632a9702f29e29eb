"""Base64 in the URL-safe alphabet (RFC 4648, section 5), decoded only in its canonical form."""

import base64

__all__ = ["decode", "encode"]


def encode(data: bytes) -> str:
    """`data` as URL-safe Base64 text."""
    return base64.urlsafe_b64encode(data).decode("ascii")


def decode(text: object) -> bytes:
    """The bytes of `text`; empty if `encode` would not have written it so.

    The standard decoder accepts several texts for the same bytes.
    """
    if not isinstance(text, str):
        return b""
    try:
        data = base64.urlsafe_b64decode(text)
    except ValueError:
        return b""
    return data if encode(data) == text else b""
