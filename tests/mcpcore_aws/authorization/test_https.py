"""The HTTP client for authorization servers: JSON objects only, bounded in time and size."""

import json
from typing import Any, Final

import pytest

from mcpcore_aws.authorization.https import HttpsClient
from mcpcore_aws.authorization.urls import is_safe_url
from mcpcore_aws.errors import StoreFault
from tests.support.scripted import answer, scripted
from tests.support.websites import Page, website

OBJECT: Final[dict[str, Any]] = {"keys": []}

REFUSED: Final = {
    "another status": (Page("{}", status=404), "HTTP 404"),
    "a redirect": (Page("", status=302, location="/object"), "HTTP 302"),
    "no JSON": (Page("<html>"), "no JSON"),
    "no object": (Page("[]"), "no JSON object"),
    "too large": (Page(json.dumps({"keys": "x" * 1_000_000})), "bytes"),
    "cut off": (Page('{"keys": []}', unfinished=True), "IncompleteRead|Timeout"),
    "one byte after the other": (Page('{"keys": [', unfinished=True, byte_seconds=0.1), "in time|Timeout"),
}


def get(page: Page, seconds: float = 2) -> dict[str, Any]:
    with website({"/page": page, "/object": Page(json.dumps(OBJECT))}) as site:
        return HttpsClient().get(f"{site.url}/page", seconds)


def test_the_object_under_a_url() -> None:
    assert get(Page(json.dumps(OBJECT))) == OBJECT


def test_a_connection_is_kept_and_replaced_when_the_server_has_closed_it() -> None:
    with scripted(answer(OBJECT, then_close=True), answer(OBJECT)) as server:
        client = HttpsClient()
        found = [client.get(f"{server.endpoint}/keys?kind=all", 2) for _ in range(3)]
    assert found == [OBJECT] * 3
    assert server.connections() == [1, 2, 2]


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_object_in_time_is_a_fault_that_says_why(name: str) -> None:
    page, reason = REFUSED[name]
    with pytest.raises(StoreFault, match=reason):
        get(page, 0.5)


@pytest.mark.parametrize("seconds", [0, -1])
def test_nothing_is_asked_for_when_no_time_is_left(seconds: float) -> None:
    with pytest.raises(StoreFault, match="no time is left"):
        HttpsClient().get("https://issuer.example/jwks", seconds)


def test_an_address_where_nobody_listens_is_a_fault() -> None:
    with pytest.raises(StoreFault, match="Connection refused"):
        HttpsClient().get("http://127.0.0.1:1/jwks", 1)


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("https://issuer.example/tenant", True),
        ("https://issuer.example:8443", True),
        ("http://127.0.0.1:3001", True),
        ("http://localhost", True),
        ("http://[::1]:80/", True),
        ("http://issuer.example", False),
        ("http://127.0.0.1.evil.example", False),
        ("http://localhost@evil.example", False),
        ("https://user:pass@issuer.example", False),
        ("https://issuer.example/#fragment", False),
        ("https://", False),
        ("https://issuer.example:port", False),
        ("file:///etc/passwd", False),
        ("issuer.example", False),
        ("https://[", False),
        ("https://issuer.example/a b", False),
        ("https://issuer.example/\n", False),
    ],
)
def test_only_https_or_loopback_is_safe(url: str, safe: bool) -> None:
    assert is_safe_url(url) is safe
    if not safe:
        with pytest.raises(StoreFault, match="is not an https URL"):
            HttpsClient().get(url, 1)
