"""The border of the core: an HTTP request and an HTTP response, as values."""

from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["HttpRequest", "HttpResponse"]


class HttpRequest(NamedTuple):
    """A whole request. Header names are lower-case; a repeated header is joined by commas.

    `body` is None when the door could not decode what it was handed.
    """

    method: str
    headers: Mapping[str, str]
    body: bytes | None


class HttpResponse(NamedTuple):
    """A whole response. Header names are lower-case; `body` is UTF-8, or empty."""

    status: int
    headers: Mapping[str, str]
    body: bytes
