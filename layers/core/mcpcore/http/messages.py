"""An HTTP request and an HTTP response, as values."""

from collections.abc import Mapping
from typing import Final, NamedTuple

__all__ = ["BYTES", "HTTP_METHODS", "HttpRequest", "HttpResponse"]

HTTP_METHODS: Final = ("GET", "POST", "DELETE")
"""The HTTP methods of the endpoint; `OPTIONS` is answered for browsers besides."""


BYTES: Final = "application/octet-stream"
"""The media type of a body that is any bytes."""


class HttpRequest(NamedTuple):
    """A whole request. Header names are lower-case; a repeated header is joined by commas.

    `body` is None if it could not be decoded from the event that carried it. `path` is as the client sent it,
    without the query; empty if nothing depends on it. `query` is what follows the `?`, percent-encoded.
    """

    method: str
    headers: Mapping[str, str]
    body: bytes | None
    path: str = ""
    query: str = ""


class HttpResponse(NamedTuple):
    """A whole response. Header names are lower-case; `body` is UTF-8, or empty.

    With a header `content-encoding` the body is in that coding: any bytes. So it is if its type is `BYTES`.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_text(self) -> bool:
        """Whether the body is UTF-8."""
        return "content-encoding" not in self.headers and self.headers.get("content-type") != BYTES
