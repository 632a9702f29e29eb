"""`GET /registry` of the product: the bytes that the digest covers, for clients and caches."""

import gzip
import hashlib
from typing import Final

import httpx2
import pytest

from mcpcore.http.authorization import METADATA_PATH
from sources.baked import BakedRegistry
from tests.support.published import baked_folder, canonical_text
from tests.support.serving import Served

TEXT: Final = canonical_text().encode()
DIGEST: Final = f"sha256:{hashlib.sha256(TEXT).hexdigest()}"


def ask(served: Served, method: str = "GET", **headers: str) -> tuple[httpx2.Response, bytes]:
    """A response, and its body as it came over the wire."""
    sent = {"accept-encoding": "identity", **{name.replace("_", "-"): each for name, each in headers.items()}}
    url = f"{served.url.removesuffix('/mcp')}/registry"
    with httpx2.Client(headers=sent) as client, client.stream(method, url) as response:
        return response, b"".join(response.iter_raw())


def test_the_whole_registry_is_the_canonical_text_under_its_digest(served: Served) -> None:
    response, body = ask(served, origin="https://anywhere.example")

    assert (response.status_code, body) == (200, TEXT)
    assert {name: response.headers[name] for name in response.headers if name != "date"} == {
        "content-type": "application/json",
        "content-length": str(len(TEXT)),
        "etag": f'"{DIGEST}"',
        "cache-control": "public, max-age=300",
        "vary": "Accept-Encoding",
        "access-control-allow-origin": "*",
        "access-control-expose-headers": "ETag",
        "x-content-type-options": "nosniff",
    }
    assert served.log_lines()[-1]["message"] == "page"


@pytest.mark.parametrize("accepted", ["gzip", "br, GZIP;q=0.5", "*"])
def test_it_is_sent_as_it_was_compressed_at_bake_to_who_accepts_that(served: Served, accepted: str) -> None:
    response, body = ask(served, accept_encoding=accepted)

    assert (response.headers["content-encoding"], gzip.decompress(body)) == ("gzip", TEXT)
    assert body == BakedRegistry.open(baked_folder()).compressed_canonical()
    assert response.headers["etag"] == f'"{DIGEST}-gzip"'


@pytest.mark.parametrize("accepted", ["", "br", "gzip;q=0", "*, gzip;q=0"])
def test_it_is_sent_plain_to_who_does_not_accept_gzip(served: Served, accepted: str) -> None:
    response, body = ask(served, accept_encoding=accepted)

    assert ("content-encoding" in response.headers, body) == (False, TEXT)


@pytest.mark.parametrize(
    ("known", "status"),
    [
        (f'"{DIGEST}"', 304),
        (f'"other", W/"{DIGEST}"', 304),
        ("*", 304),
        (f'"{DIGEST}-gzip"', 200),
        (DIGEST, 200),
        ('"other"', 200),
    ],
)
def test_a_client_that_has_it_is_not_sent_it_again(served: Served, known: str, status: int) -> None:
    response, body = ask(served, if_none_match=known)

    assert (response.status_code, body) == (status, b"" if status == 304 else TEXT)
    assert response.headers["etag"] == f'"{DIGEST}"'


def test_head_tells_the_length_without_the_body(served: Served) -> None:
    response, body = ask(served, "HEAD")

    assert (response.status_code, body) == (200, b"")
    assert response.headers["content-length"] == str(len(TEXT))


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_there_is_no_other_route(served: Served, method: str) -> None:
    assert ask(served, method)[0].status_code == 404


@pytest.mark.parametrize("place", ["", "/mcp"])
def test_without_authorization_there_is_no_metadata_of_it(served: Served, place: str) -> None:
    response = httpx2.get(served.url.removesuffix("/mcp") + METADATA_PATH + place)

    assert (response.status_code, response.content) == (404, b"")
    assert "www-authenticate" not in response.headers
