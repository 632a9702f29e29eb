"""`/log/` and `GET /audit` of the product: the transparency log as static files, and its entries filtered."""

import base64
import gzip
import json
from typing import Any, Final

import httpx2
import pytest

from tests.support.processes import ROOT
from tests.support.published import baked_folder
from tests.support.serving import Served
from threegood.node.published_log import log_in_layer
from threegood.trust.entries import entry_of
from threegood.trust.merkle import leaf_hash, root_from_inclusion
from threegood.trust.tiles import tile_paths

pytestmark = pytest.mark.skipif(not (ROOT / "log").exists(), reason="the project's registry has no log")

LOG: Final = log_in_layer(baked_folder())
SIZE: Final = len(LOG.entries)


def ask(served: Served, path: str, method: str = "GET", **headers: str) -> tuple[httpx2.Response, bytes]:
    """A response, and its body as it came over the wire."""
    sent = {"accept-encoding": "identity", **{name.replace("_", "-"): each for name, each in headers.items()}}
    url = f"{served.url.removesuffix('/mcp')}{path}"
    with httpx2.Client(headers=sent) as client, client.stream(method, url) as response:
        return response, b"".join(response.iter_raw())


def asked(served: Served, query: str) -> tuple[httpx2.Response, Any]:
    response, body = ask(served, f"/audit{query}")
    return response, json.loads(body)


def test_the_checkpoint_is_text_that_no_cache_keeps(served: Served) -> None:
    response, body = ask(served, "/log/checkpoint", origin="https://anywhere.example")

    assert (response.status_code, body) == (200, LOG.checkpoint)
    assert response.headers["content-type"] == "text/plain; charset=utf-8"
    assert response.headers["cache-control"] == "no-cache"
    assert response.headers["access-control-allow-origin"] == "*"


def test_every_tile_and_bundle_is_served_as_bytes_that_never_change(served: Served) -> None:
    assert LOG.tiles is not None
    for path in tile_paths(SIZE):
        response, body = ask(served, f"/log/{path}")
        assert (response.status_code, body) == (200, LOG.tiles[path.partition(".p/")[0]])
        assert response.headers["content-type"] == "application/octet-stream"
        assert response.headers["cache-control"] == "public, max-age=31536000, immutable"


def test_a_tile_of_a_smaller_tree_is_served_too(served: Served) -> None:
    assert LOG.tiles is not None

    assert ask(served, "/log/tile/0/000.p/3")[1] == LOG.tiles["tile/0/000"][: 3 * 32]
    two = b"".join(len(entry).to_bytes(2, "big") + entry for entry in LOG.entries[:2])
    assert ask(served, "/log/tile/entries/000.p/2")[1] == two


@pytest.mark.parametrize(
    "path",
    [
        *("", "entries", "tile/0", "tile/0/001", "tile/9/000", "tile/00/000", "tile/entries/x000/000"),
        *("tile/0/000.p/0", "tile/0/000.p/256", "tile/0/000.p/03", "tile/0/000.p/x", "tile/0/000.p/"),
        *("index", "entry/00000000", "checkpoint/", "tile/0/../0/000", "tile/0/000.p/255"),
    ],
)
def test_there_is_nothing_else(served: Served, path: str) -> None:
    assert ask(served, f"/log/{path}")[0].status_code == 404


def test_a_bundle_is_compressed_for_who_accepts_it_and_a_tile_is_not(served: Served) -> None:
    assert LOG.tiles is not None
    width = f".p/{SIZE}" if SIZE < 256 else ""

    bundle, packed = ask(served, f"/log/tile/entries/000{width}", accept_encoding="gzip")
    tile, hashes = ask(served, f"/log/tile/0/000{width}", accept_encoding="gzip")

    assert (bundle.headers["content-encoding"], bundle.headers["vary"]) == ("gzip", "Accept-Encoding")
    assert gzip.decompress(packed) == LOG.tiles["tile/entries/000"]
    assert ("content-encoding" in tile.headers, hashes) == (False, LOG.tiles["tile/0/000"])


def test_the_entries_are_an_array_as_the_reference_gives_it(served: Served) -> None:
    response, found = asked(served, "")

    assert response.headers["content-type"] == "application/json"
    assert [each["index"] for each in found] == list(range(SIZE))
    assert [entry_of(each).line for each in found] == list(LOG.entries)
    assert "link" not in response.headers


def test_filters_leave_out_what_does_not_match(served: Served) -> None:
    _, found = asked(served, "?category=rust-learning&action=source_added")

    assert [(each["category"], each["action"]) for each in found] == [("rust-learning", "source_added")] * 3
    assert asked(served, "?since=2999-01-01")[1] == []
    assert len(asked(served, "?since=2026-01-01T00:00:00%2B01:00")[1]) == SIZE
    assert [each["index"] for each in asked(served, f"?start={SIZE - 1}")[1]] == [SIZE - 1]


@pytest.mark.parametrize("query", ["?since=yesterday", "?start=-1", "?start=", "?start=9999999999999999"])
def test_a_wrong_filter_is_a_bad_request_that_says_what_to_write(served: Served, query: str) -> None:
    response, found = asked(served, query)

    assert response.status_code == 400
    assert "write a" in found["error"]


def test_a_proof_leads_from_an_entry_to_the_root_in_the_checkpoint(served: Served) -> None:
    _, found = asked(served, "?category=rust-learning&proof=true")
    root = base64.b64decode(ask(served, "/log/checkpoint")[1].split(b"\n")[2])

    for each in found:
        path = [bytes.fromhex(hashed) for hashed in each["proof"]["path"]]
        leaf = leaf_hash(entry_of(each).line)
        size = each["proof"]["size"]
        assert root_from_inclusion(leaf, index=each["index"], size=size, path=path) == root


def test_head_tells_the_length_without_the_body(served: Served) -> None:
    response, body = ask(served, "/log/checkpoint", "HEAD")

    assert (response.status_code, body) == (200, b"")
    assert response.headers["content-length"] == str(len(LOG.checkpoint))


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_there_is_no_other_route(served: Served, method: str) -> None:
    assert ask(served, "/log/checkpoint", method)[0].status_code == 404
