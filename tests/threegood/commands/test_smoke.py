"""`threegood smoke` against the local server: whole, damaged, absent; and `threegood verify`."""

import json
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Final

import pytest
from joserfc import jwt
from joserfc.jwk import ECKey

from mcpcore_local import InvocationContext
from sources.baked.checked import BLOCK
from tests.support.commands import Ended, threegood
from tests.support.published import baked_folder
from tests.support.serving import Served, serving

TOOLS: Final = (
    *("get_sources", "list_categories", "search_categories"),
    *("get_provenance", "get_endorsements", "get_audit_log"),
)

AUDIENCE: Final = "smoke"


def smoke(url: str, *arguments: str | Path) -> Ended:
    return threegood("smoke", url, "--baked", baked_folder(), *arguments)


def failed(ended: Ended) -> list[str]:
    """The names of the checks that failed."""
    names = [f"{era}: {name}" for era in ("2026-07-28", "handshake") for name in ("connect", *TOOLS)]
    return [name for name in (*names, "GET /registry", "baked files") if f"FAILED {name}: " in ended.out]


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """A copy of the baked registry: one byte changed in each block of the vocabulary, and of the text.

    The header of the vocabulary is intact.
    """
    folder = tmp_path / "damaged"
    shutil.copytree(baked_folder(), folder)
    for name in ("lexicon.bin", "canonical.json.gz"):
        data = bytearray((folder / name).read_bytes())
        for place in range(BLOCK + 7, len(data), BLOCK):
            data[place] ^= 0xFF
        (folder / name).write_bytes(data)
    return folder


def test_a_node_that_works_passes_every_check_in_both_eras(served: Served) -> None:
    ended = smoke(served.url)

    assert (ended.code, ended.err) == (0, "")
    assert [line.split(": ")[0:2] for line in ended.out.splitlines() if "handshake" in line] == [
        ["ok     handshake", name] for name in ("connect", *TOOLS)
    ]
    assert "ok     2026-07-28: connect: 2026-07-28, 6 tools" in ended.out
    assert "ok     GET /registry: " in ended.out
    assert "-      baked files: not verified" in ended.out


def test_a_node_with_authorization_is_checked_with_a_token_and_only_seen_to_refuse_without(
    tmp_path: Path,
) -> None:
    key = ECKey.generate_key("P-256")
    with keys_served(key) as issuer, serving(tmp_path, **authorization(issuer)) as served:
        claims = {"iss": issuer, "aud": AUDIENCE, "sub": "smoke", "exp": int(time.time()) + 300}
        with_token = smoke(served.url, "--token", jwt.encode({"alg": "ES256"}, claims, key))
        without, wrong = smoke(served.url), smoke(served.url, "--token", "another")

    assert (with_token.code, with_token.err) == (0, "")
    assert (without.code, without.err) == (0, "")
    refusal = (
        "-      2026-07-28: connect: refused without a token, as it should be (401, Bearer resource_metadata="
    )
    assert refusal in without.out
    assert failed(wrong) == ["2026-07-28: connect", "handshake: connect", "GET /registry"]
    assert wrong.err.count("MCP_TOKEN must have an access token or API key for this server") == 3
    assert 'error="invalid_token"' in wrong.out


def authorization(issuer: str) -> dict[str, str]:
    return {
        "AUTH_ISSUER": issuer,
        "AUTH_JWKS_URI": issuer,
        "AUTH_RESOURCE": "https://smoke.example/mcp",
        "AUTH_AUDIENCE": AUDIENCE,
        "CLIENT_DIGEST_KEY": "of this test alone",
    }


@contextmanager
def keys_served(key: ECKey) -> Iterator[str]:
    """An address that answers with the public half of `key`, as an issuer's JWKS."""
    document = json.dumps({"keys": [key.as_dict(private=False)]}).encode()

    class Keys(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-length", str(len(document)))
            self.end_headers()
            self.wfile.write(document)

        def log_message(self, *arguments: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Keys)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_node_with_damaged_files_fails_where_they_are_read_and_says_where_to_look(
    tmp_path: Path, damaged: Path
) -> None:
    with serving(tmp_path, REGISTRY_DIR=str(damaged)) as served:
        ended = smoke(served.url)
        outcomes = {(line["tool"], line["outcome"]) for line in served.log_lines() if "tool" in line}

    assert ended.code == 1
    assert failed(ended) == [
        "2026-07-28: get_sources",
        "2026-07-28: search_categories",
        "handshake: get_sources",
        "handshake: search_categories",
        "GET /registry",
    ]
    assert "The registry of this server is damaged" in ended.out
    assert "The function's log has the reason" in ended.err
    assert {("get_sources", "internal_error"), ("search_categories", "internal_error")} <= outcomes


def test_a_node_with_another_registry_is_told_from_a_broken_one(served: Served, tmp_path: Path) -> None:
    (tmp_path / "registry.json").write_text(
        Path("registry.json").read_text().replace('"version": "1.0.0"', '"version": "1.0.1"')
    )
    threegood("bake", tmp_path / "registry.json", "--out", tmp_path / "other")

    ended = threegood("smoke", served.url, "--baked", tmp_path / "other")

    assert ended.code == 1
    assert {"handshake: get_provenance", "GET /registry"} <= set(failed(ended))
    assert "another registry than is baked here" in ended.err


@pytest.mark.parametrize("path", ["/mcp", "/nothing"])
def test_a_url_without_a_node_fails_to_connect(served: Served, path: str) -> None:
    there = served.url.removesuffix("/mcp") if path == "/nothing" else "http://127.0.0.1:9"

    ended = smoke(f"{there}{path}")

    assert ended.code == 1
    assert failed(ended) == ["2026-07-28: connect", "handshake: connect", "GET /registry"]
    assert "Is the URL right" in ended.err


@contextmanager
def invocable(registry: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Lambda's Invoke operation on loopback, with the product's own handler behind it."""
    monkeypatch.setenv("SESSIONS_TABLE", "none")
    monkeypatch.setenv("REGISTRY_DIR", str(baked_folder()))
    from handler import lambda_handler

    class Invoke(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            event = json.loads(self.rfile.read(int(self.headers["content-length"])))
            reply = json.dumps(lambda_handler(event, InvocationContext("an id", time.monotonic() + 9)))
            self.send_response(200)
            self.send_header("content-length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply.encode())

        def log_message(self, *_: object) -> None:
            """Nothing."""

    monkeypatch.setenv("REGISTRY_DIR", str(registry))
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "dummy")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    with HTTPServer(("127.0.0.1", 0), Invoke) as server:
        monkeypatch.setenv("AWS_ENDPOINT_URL_LAMBDA", f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()


def test_the_function_verifies_its_own_files_for_who_may_invoke_it(
    served: Served, tmp_path: Path, damaged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outputs = {"Endpoint": served.url, "FunctionName": "a-function"}
    listed = [{"OutputKey": name, "OutputValue": value} for name, value in outputs.items()]
    (tmp_path / "outputs.json").write_text(json.dumps(listed))
    deployed = ("smoke", "--outputs", tmp_path / "outputs.json", "--baked", baked_folder())

    with invocable(baked_folder(), monkeypatch):
        intact = threegood(*deployed)
    with invocable(damaged, monkeypatch):
        broken = threegood(*deployed)

    assert (intact.code, failed(intact)) == (0, [])
    assert "ok     baked files: every byte is as it was baked" in intact.out
    assert (broken.code, failed(broken)) == (1, ["baked files"])
    assert "damaged: canonical.json.gz, lexicon.bin" in broken.out


def test_verify_compares_every_byte_with_the_digests_of_the_manifest(damaged: Path) -> None:
    intact, broken = threegood("verify", baked_folder()), threegood("verify", damaged)

    assert (intact.code, intact.err) == (0, "")
    assert broken.code == 1
    assert broken.out.startswith("FAILED bytes: canonical.json.gz, lexicon.bin: not as it was baked\n")
