"""Fetches web pages politely: what robots.txt allows, one request at a time, with a pause between two."""

import time
from collections.abc import Container
from typing import Final, NamedTuple
from urllib.parse import urljoin, urlsplit

import httpx2
from protego import Protego

# Names the project, so that the owner of a site can allow or forbid it in robots.txt.
ROBOT: Final = "three-good-sources"
USER_AGENT: Final = f"{ROBOT}/0.1 (a curator reads the sources of a registry, one page at a time)"
READABLE: Final = ("text/html", "application/xhtml+xml", "text/plain", "text/markdown")

MAX_PAGE_BYTES: Final = 1_000_000
MAX_REDIRECTS: Final = 5
PAUSE_SECONDS: Final = 1.0
_TIMEOUT_SECONDS: Final = 10.0
# A site may ask for a longer pause, but not for one that stops the work.
_MAX_PAUSE_SECONDS: Final = 20.0
# RFC 9309, section 2.5: parsers read at least 500 KiB.
_MAX_ROBOTS_BYTES: Final = 512_000
_ROBOTS_PATH: Final = "/robots.txt"


class Unfetchable(Exception):
    """A page cannot be read; the message is a sentence that says why."""


class Response(NamedTuple):
    """The page at `url`, where redirects ended; `charset` is what its header states, if it does."""

    url: str
    content_type: str
    charset: str | None
    body: bytes


class Fetcher:
    """A client for a few pages.

    `timeout_seconds` is for a connection, for each read, and for a whole page.
    """

    def __init__(
        self, *, pause_seconds: float = PAUSE_SECONDS, timeout_seconds: float = _TIMEOUT_SECONDS
    ) -> None:
        self._pause_seconds = pause_seconds
        self._timeout_seconds = timeout_seconds
        self._client = httpx2.Client(headers={"User-Agent": USER_AGENT}, timeout=timeout_seconds)
        self._robots: dict[str, Protego] = {}
        self._last_request: dict[str, float] = {}

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def fetch(self, url: str) -> Response:
        """The page at `url`.

        Raises:
            Unfetchable: robots.txt forbids it, the server does not answer in time or answers with an error,
                or the page is not text.
        """
        for _ in range(1 + MAX_REDIRECTS):
            rules = self._rules_of(_origin(url))
            if not rules.can_fetch(url, ROBOT):
                raise Unfetchable("robots.txt of the site forbids it")
            asked = rules.crawl_delay(ROBOT) or 0.0
            pause = min(asked, _MAX_PAUSE_SECONDS)
            found = self._request(url, MAX_PAGE_BYTES, types=READABLE, pause=pause)
            if not isinstance(found, str):
                return found
            url = found
        raise Unfetchable(f"it redirects more than {MAX_REDIRECTS} times")

    def _rules_of(self, origin: str) -> Protego:
        if origin not in self._robots:
            self._robots[origin] = Protego.parse(self._robots_text(origin))
        return self._robots[origin]

    def _robots_text(self, origin: str) -> str:
        """The robots.txt of a site, whatever its type is.

        One that does not exist allows everything (RFC 9309, section 2.3.1).
        """
        url = origin + _ROBOTS_PATH
        for _ in range(1 + MAX_REDIRECTS):
            try:
                found = self._request(url, _MAX_ROBOTS_BYTES)
            except _Refused as refused:
                if refused.status < 500:
                    return ""
                raise Unfetchable(f"its robots.txt cannot be read: {refused}") from refused
            if not isinstance(found, str):
                return found.body.decode("utf-8", "replace")
            url = found
        return ""

    def _request(
        self, url: str, limit_bytes: int, *, types: Container[str] | None = None, pause: float = 0.0
    ) -> Response | str:
        """The response at `url`, cut at the limit, if it has one of the types; or where it redirects to."""
        scheme = urlsplit(url).scheme
        if scheme not in ("http", "https"):
            raise Unfetchable(f"it leads to an address that begins with {scheme}:, which is no web page")
        origin = _origin(url)
        self._wait(origin, max(pause, self._pause_seconds))
        try:
            with self._client.stream("GET", url) as response:
                return self._read(response, limit_bytes, types)
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as error:
            raise Unfetchable(_reason(error)) from error
        finally:
            self._last_request[origin] = time.monotonic()

    def _read(
        self, response: httpx2.Response, limit_bytes: int, types: Container[str] | None
    ) -> Response | str:
        if response.has_redirect_location:
            return urljoin(str(response.url), response.headers["Location"])
        if not response.is_success:
            raise _Refused(response.status_code)
        content_type = response.headers.get("Content-Type", "text/plain").partition(";")[0].strip().lower()
        if types is not None and content_type not in types:
            raise Unfetchable(f"it is {content_type}, and only web pages and plain text are read")
        body, deadline = bytearray(), time.monotonic() + self._timeout_seconds
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) >= limit_bytes:
                break
            if time.monotonic() > deadline:
                raise Unfetchable("the server takes too long to send it")
        return Response(str(response.url), content_type, response.charset_encoding, bytes(body[:limit_bytes]))

    def _wait(self, origin: str, pause_seconds: float) -> None:
        if origin in self._last_request:
            rest = self._last_request[origin] + pause_seconds - time.monotonic()
            time.sleep(max(0.0, rest))


class _Refused(Unfetchable):
    """The server answered with an error."""

    def __init__(self, status: int) -> None:
        super().__init__(f"the server answers with status {status}")
        self.status = status


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _reason(error: Exception) -> str:
    if isinstance(error, httpx2.TimeoutException):
        return "the server does not answer in time"
    return f"there is no connection to it, or it breaks ({str(error) or type(error).__name__})"
