"""Fetching pages politely, from a real server on loopback."""

import time
from collections.abc import Mapping
from contextlib import closing

import pytest

from tests.support.websites import Page, website
from threegood.suggesting.fetching import MAX_PAGE_BYTES, USER_AGENT, Fetcher, Unfetchable

PAUSE_SECONDS = 0.1
ROBOTS = Page(
    "User-agent: *\nDisallow: /\n\nUser-agent: three-good-sources\nDisallow: /private\n",
    "binary/octet-stream",
)


def refusal(pages: Mapping[str, Page], path: str) -> tuple[str, list[str]]:
    """Why a page is refused, and the paths that were requested until then."""
    with website(pages) as site, closing(Fetcher(pause_seconds=0, timeout_seconds=0.3)) as fetcher:
        with pytest.raises(Unfetchable) as refused:
            fetcher.fetch(site.url + path)
        return str(refused.value), site.paths


def test_pages_are_fetched_one_after_the_other_with_a_pause_and_the_name_of_the_project() -> None:
    pages = {"/a": Page("<p>steam"), "/b": Page("milk", "text/plain")}
    with website(pages) as site, closing(Fetcher(pause_seconds=PAUSE_SECONDS)) as fetcher:
        begin = time.monotonic()
        bodies = [fetcher.fetch(f"{site.url}/{name}").body for name in "ab"]
        seconds = time.monotonic() - begin

    assert bodies == [b"<p>steam", b"milk"]
    assert site.requests == [(path, USER_AGENT) for path in ("/robots.txt", "/a", "/b")]
    assert seconds >= 2 * PAUSE_SECONDS


def test_what_robots_txt_forbids_is_not_requested_even_after_a_redirect() -> None:
    pages = {"/robots.txt": ROBOTS, "/a": Page(status=302, location="/private/b"), "/private/b": Page("no")}

    assert refusal(pages, "/private/b") == ("robots.txt of the site forbids it", ["/robots.txt"])
    assert refusal(pages, "/a") == ("robots.txt of the site forbids it", ["/robots.txt", "/a"])


def test_without_a_readable_robots_txt_nothing_is_requested() -> None:
    reason, paths = refusal({"/robots.txt": Page(status=503), "/a": Page("secret")}, "/a")

    assert reason == "its robots.txt cannot be read: the server answers with status 503"
    assert paths == ["/robots.txt"]


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        (Page(status=404), "the server answers with status 404"),
        (Page("half", unfinished=True), "the server does not answer in time"),
        (Page("half", unfinished=True, byte_seconds=0.1), "the server takes too long to send it"),
        (
            Page("%PDF", "application/pdf"),
            "it is application/pdf, and only web pages and plain text are read",
        ),
        (Page(status=301, location="/a"), "it redirects more than 5 times"),
        (
            Page(status=301, location="ftp://a.example/"),
            "it leads to an address that begins with ftp:, which is no web page",
        ),
    ],
)
def test_a_page_that_cannot_be_read_is_refused_with_its_reason(page: Page, reason: str) -> None:
    assert refusal({"/a": page}, "/a")[0] == reason


def test_a_long_page_is_cut() -> None:
    with (
        website({"/a": Page("x" * (MAX_PAGE_BYTES + 1))}) as site,
        closing(Fetcher(pause_seconds=0)) as fetcher,
    ):
        assert len(fetcher.fetch(f"{site.url}/a").body) == MAX_PAGE_BYTES
