"""The pages of the product beside MCP: the registry, its signature, and the health of the node."""

import gzip
import hashlib
import json
import os
import subprocess
from pathlib import Path
from typing import Final

import httpx2
import pytest

from mcpcore.http import HttpRequest
from mcpcore.http.authorization import METADATA_PATH
from pages import Pages
from sources.baked import BakedRegistry
from tests.support.published import baked_folder, canonical_text
from tests.support.registries import a_category, a_registry, baked
from tests.support.serving import Served
from threegood.trust.keys import PublicKey

TEXT: Final = canonical_text().encode()
DIGEST: Final = f"sha256:{hashlib.sha256(TEXT).hexdigest()}"


def ask(
    served: Served, method: str = "GET", path: str = "/registry", **headers: str
) -> tuple[httpx2.Response, bytes]:
    """A response, and its body as it came over the wire."""
    sent = {"accept-encoding": "identity", **{name.replace("_", "-"): each for name, each in headers.items()}}
    url = f"{served.url.removesuffix('/mcp')}{path}"
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


def test_the_signature_is_a_page_with_an_entity_tag_of_its_own(served: Served) -> None:
    signature = (baked_folder() / "registry.sig").read_bytes()
    tag = f'"sha256:{hashlib.sha256(signature).hexdigest()}"'

    response, body = ask(served, path="/registry.sig")
    again, nothing = ask(served, path="/registry.sig", if_none_match=tag)
    head, _ = ask(served, "HEAD", path="/registry.sig")

    assert (response.status_code, body, response.headers["etag"]) == (200, signature, tag)
    assert response.headers["cache-control"] == "public, max-age=300"
    assert response.headers["content-type"] == "application/json"
    assert (again.status_code, nothing) == (304, b"")
    assert head.headers["content-length"] == str(len(signature))


def test_health_says_what_is_served_and_is_never_kept(served: Served) -> None:
    facts = BakedRegistry.open(baked_folder()).manifest

    response, body = ask(served, path="/health")

    assert (response.status_code, response.headers["cache-control"]) == (200, "no-store")
    assert json.loads(body) == {
        "status": "ok",
        "version": facts.version,
        "pubkey": PublicKey.parse(facts.curator_pubkey).zbase32,
        "key": facts.curator_pubkey,
        "digest": DIGEST,
        "signature": "signed",
        "demonstration": True,
        "expires_at": facts.expires_at,
        "server_version": "0.1.0",
    }


def test_a_registry_without_a_signature_has_no_page_of_it(tmp_path: Path) -> None:
    registry = baked(tmp_path, a_registry({"apples": a_category("Apples")}))
    pages = Pages(str(tmp_path / "registry"))

    missing = pages(HttpRequest("GET", {}, None, "/registry.sig"))
    health = pages(HttpRequest("GET", {}, None, "/health"))

    assert registry.signature() is None
    assert (missing is None, health is None) == (False, False)
    assert missing is not None
    assert (missing.status, missing.headers["cache-control"]) == (404, "no-store")
    assert json.loads(missing.body) == {"error": "The registry is unsigned: there is no signature of it."}
    assert health is not None
    assert json.loads(health.body)["signature"] == "unsigned"


def test_the_steps_of_get_provenance_verify_the_node_as_they_are_written(
    served: Served, tmp_path: Path
) -> None:
    """With curl, grep and the installed OpenSSL, over the HTTP of the node."""
    page = BakedRegistry.open(baked_folder()).page("provenance").structured
    node = {"NODE": served.url.removesuffix("/mcp"), "PATH": os.environ["PATH"]}

    def run(steps: list[str]) -> "subprocess.CompletedProcess[str]":
        script = "\n".join(["set -e", *steps])
        return subprocess.run(
            ["sh", "-c", script], cwd=tmp_path, env=node, capture_output=True, encoding="utf-8", check=False
        )

    whole = run(page["steps"])
    changed = [step.replace(DIGEST, f"sha256:{'0' * 64}") for step in page["steps"]]

    assert (whole.returncode, whole.stderr) == (0, "")
    assert whole.stdout.endswith("Signature Verified Successfully\n")
    assert run(changed).returncode != 0


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_there_is_no_other_route(served: Served, method: str) -> None:
    assert ask(served, method)[0].status_code == 404


@pytest.mark.parametrize("place", ["", "/mcp"])
def test_without_authorization_there_is_no_metadata_of_it(served: Served, place: str) -> None:
    response = httpx2.get(served.url.removesuffix("/mcp") + METADATA_PATH + place)

    assert (response.status_code, response.content) == (404, b"")
    assert "www-authenticate" not in response.headers
