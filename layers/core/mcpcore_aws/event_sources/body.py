"""The body of an event: text, or bytes in Base64."""

import base64
import binascii
from collections.abc import Mapping
from typing import Any

__all__ = ["body_bytes", "joined"]


def body_bytes(event: Mapping[str, Any]) -> bytes | None:
    """The bytes that the client sent; None when the event says Base64 and it is not."""
    body: str = event.get("body") or ""
    if not event.get("isBase64Encoded"):
        # A door that decoded bytes as text may have left lone surrogates: let the parser refuse them.
        return body.encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode(body, validate=True)
    except (binascii.Error, ValueError):
        return None


def joined(event: Mapping[str, Any]) -> dict[str, str]:
    """The headers of an event that has single or multiple values: names lower-case, values by comma."""
    multiple: Mapping[str, list[str]] | None = event.get("multiValueHeaders")
    if multiple:
        return {name.lower(): ",".join(values) for name, values in multiple.items()}
    single: Mapping[str, str] = event.get("headers") or {}
    return {name.lower(): value for name, value in single.items()}
