"""The headers of Streamable HTTP: names, values, and the checks of those that repeat the body."""

import base64
import binascii
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from mcpcore.protocol.errors import HeaderMismatch, InvalidParams

__all__ = [
    "LAST_EVENT_ID",
    "METHOD",
    "NAME",
    "SESSION_ID",
    "VERSION",
    "accepts",
    "is_encoded",
    "is_json",
    "require_method_header",
    "require_name_header",
    "require_param_headers",
    "require_version_header",
    "trimmed",
    "wants_gzip",
]

VERSION: Final = "mcp-protocol-version"
SESSION_ID: Final = "mcp-session-id"
METHOD: Final = "mcp-method"
NAME: Final = "mcp-name"
LAST_EVENT_ID: Final = "last-event-id"

_VISIBLE: Final = re.compile(r"[\t\x20-\x7e]*")
_NUMBER: Final = re.compile(r"-?[0-9]{1,17}(\.[0-9]{1,17})?")
_CACHED_LENGTH: Final = 256
# gzip adds 18 bytes, and a JSON of a hundred bytes grows by it.
_GZIP_FROM_BYTES: Final = 500
_SENTINEL_OPEN: Final = "=?base64?"
_SENTINEL_CLOSE: Final = "?="


def trimmed(value: str) -> str:
    """A header's value without the white space around it: space and tab, no other (RFC 9110, section 5.5)."""
    return value.strip(" \t")


def require_version_header(headers: Mapping[str, str], version: str) -> None:
    """Pass when the version header repeats the version of the body.

    Raises:
        HeaderMismatch: it is missing or different.
    """
    found = headers.get(VERSION)
    if found is None:
        raise HeaderMismatch("MCP-Protocol-Version", "is missing; it must repeat the version in _meta")
    if trimmed(found) != version:
        raise HeaderMismatch("MCP-Protocol-Version", "differs from the version in _meta")


def require_method_header(headers: Mapping[str, str], method: str) -> None:
    """Pass when `Mcp-Method` repeats the method of the body, case included.

    Raises:
        HeaderMismatch: it is missing or different.
    """
    found = headers.get(METHOD)
    if found is None:
        raise HeaderMismatch("Mcp-Method", "is missing; it must repeat the method of the body")
    if trimmed(found) != method:
        raise HeaderMismatch("Mcp-Method", "differs from the method of the body")


def require_name_header(headers: Mapping[str, str], param: str, params: Mapping[str, Any]) -> None:
    """Pass when `Mcp-Name`, decoded, repeats the body's `param`.

    Raises:
        InvalidParams: the body's param is missing or not a string.
        HeaderMismatch: the header is missing, malformed or different.
    """
    expected, found = params.get(param), headers.get(NAME)
    if not isinstance(expected, str):
        raise InvalidParams(f"Invalid params: {param} must be a string")
    if found is None:
        raise HeaderMismatch("Mcp-Name", f"is missing; it must repeat params.{param}")
    if _decoded(trimmed(found), "Mcp-Name") != expected:
        raise HeaderMismatch("Mcp-Name", f"differs from params.{param}")


def require_param_headers(
    headers: Mapping[str, str], declared: Mapping[str, tuple[str, ...]], arguments: object
) -> None:
    """Pass when each `Mcp-Param-*` header that the called tool declares repeats its argument.

    `declared` has the argument's path for each header name. An argument that is absent or null has no header.

    Raises:
        HeaderMismatch: a header is missing, malformed, different, or repeats an argument that is absent.
    """
    for name, path in declared.items():
        shown = f"Mcp-Param-{name}"
        expected, found = _argument_at(arguments, path), headers.get(f"mcp-param-{name}")
        if expected is None and found is None:
            continue
        if found is None:
            raise HeaderMismatch(shown, f"is missing; it must repeat the argument {'.'.join(path)}")
        if expected is None or not _equals(_decoded(trimmed(found), shown), expected):
            raise HeaderMismatch(shown, f"differs from the argument {'.'.join(path)}")


def _argument_at(arguments: object, path: tuple[str, ...]) -> object:
    for step in path:
        arguments = arguments.get(step) if isinstance(arguments, Mapping) else None
    return arguments


def _equals(text: str, value: object) -> bool:
    if isinstance(value, bool):
        return text == ("true" if value else "false")
    if isinstance(value, int | float):
        from decimal import Decimal  # only a tool with such headers needs it

        return _NUMBER.fullmatch(text) is not None and Decimal(text) == Decimal(value)
    return text == value


def _decoded(value: str, shown: str) -> str:
    """The text of a header value, decoded if it has the Base64 sentinel (spec, "Value Encoding")."""
    if _VISIBLE.fullmatch(value) is None:
        raise HeaderMismatch(shown, "has characters that a header may not have; use the Base64 form")
    inside = value[len(_SENTINEL_OPEN) : -len(_SENTINEL_CLOSE)]
    if value != f"{_SENTINEL_OPEN}{inside}{_SENTINEL_CLOSE}":
        return value
    try:
        return base64.b64decode(inside, validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        raise HeaderMismatch(shown, "is not valid Base64 of UTF-8") from None


def is_encoded(content_encoding: str | None) -> bool:
    """True when a Content-Encoding header names a coding other than identity (RFC 9110, section 8.4)."""
    if content_encoding is None:
        return False
    return any(trimmed(coding) not in ("", "identity") for coding in content_encoding.lower().split(","))


def is_json(content_type: str | None) -> bool:
    """True for the media type application/json, whatever its parameters (RFC 9110, section 8.3)."""
    return content_type is not None and content_type.partition(";")[0].strip().lower() == "application/json"


def accepts(accept: str | None, media_type: str) -> bool:
    """True when an Accept header allows `media_type` (RFC 9110, section 12.5.1); a missing one allows all."""
    if accept is None or len(accept) <= _CACHED_LENGTH:
        return _accepts_cached(accept, media_type)
    return _accepts(accept, media_type)


def wants_gzip(accept_encoding: str, *, body_bytes: int) -> bool:
    """True when a body is to be compressed for a client with this Accept-Encoding header.

    RFC 9110, section 12.5.3. A small body is compressed only for a client that takes no other.
    """
    if len(accept_encoding) > _CACHED_LENGTH:
        from_bytes = _gzip_from_bytes(accept_encoding)
    else:
        from_bytes = _gzip_from_bytes_cached(accept_encoding)
    return from_bytes is not None and body_bytes >= from_bytes


def _gzip_from_bytes(accept_encoding: str) -> int | None:
    """The size from which a body is compressed; None if never."""
    weights = dict(_weighted(coding) for coding in accept_encoding.split(","))
    gzip = next((weights[name] for name in ("gzip", "x-gzip", "*") if name in weights), 0.0)
    identity = next((weights[name] for name in ("identity", "*") if name in weights), None)
    if not gzip > 0 or (identity is not None and identity > gzip):
        return None
    return 1 if identity == 0 else _GZIP_FROM_BYTES


_gzip_from_bytes_cached: Final = lru_cache(maxsize=64)(_gzip_from_bytes)


def _accepts(accept: str | None, media_type: str) -> bool:
    if accept is None or not accept.strip():
        return True
    wanted = (media_type, media_type.partition("/")[0] + "/*", "*/*")
    weights = dict(_weighted(range_) for range_ in accept.split(","))
    return next((weights[name] > 0 for name in wanted if name in weights), False)


# Clients send the same few headers again and again; a long one is unusual and is not cached.
_accepts_cached: Final = lru_cache(maxsize=64)(_accepts)


def _weighted(media_range: str) -> tuple[str, float]:
    name, *parameters = (part.strip().lower() for part in media_range.split(";"))
    weight = next((part[2:] for part in parameters if part.startswith("q=")), "1")
    try:
        return name, float(weight)
    except ValueError:
        return name, 1.0
