"""`make serve` as a process: what it prints, whom it answers, and what it says when it cannot start."""

import hashlib
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from mcpcore_local import client_setup
from tests.support.exchanges import initialize, legacy, modern, over_http
from tests.support.processes import ROOT
from tests.support.registries import a_category, a_registry, baked
from tests.support.serving import Served, command, environment, serving
from threegood.trust.checks import Signing


def test_it_prints_how_to_connect_and_the_command_for_curl_works(served: Served) -> None:
    printed = served.output.read_text()
    assert client_setup("three-good-sources", served.url) in printed
    curl = printed[printed.index("curl -s ") : printed.index("\n\nWeb pages")]
    answer = subprocess.run(["bash", "-c", curl], capture_output=True, text=True, timeout=30, check=True)
    assert "https://doc.rust-lang.org/book/" in answer.stdout


@pytest.fixture(scope="module")
def authorized(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """`make serve AUTH=dev RENAME=1`."""
    folder = tmp_path_factory.mktemp("authorized")
    with serving(folder, "--auth", "dev", "--rename", AUTH_SCOPES="mcp") as running:
        yield running


def token_of(authorized: Served) -> str:
    (token,) = re.findall(r"^token: (\S+)$", authorized.output.read_text(), re.MULTILINE)
    return str(token)


def test_with_an_issuer_the_command_for_curl_has_a_token(authorized: Served) -> None:
    printed = authorized.output.read_text()
    curl = printed[printed.index("curl -s ") : printed.index("\n\nEvery request needs a token")]
    assert f"'Authorization: Bearer {token_of(authorized)}'" in curl
    answer = subprocess.run(["bash", "-c", curl], capture_output=True, text=True, timeout=30, check=True)
    assert "https://doc.rust-lang.org/book/" in answer.stdout


def test_with_an_issuer_a_client_without_token_learns_where_to_get_one(authorized: Served) -> None:
    origin = authorized.url.removesuffix("/mcp")
    metadata_url = f"{origin}/.well-known/oauth-protected-resource/mcp"
    refused = over_http(authorized.url)(modern("tools/list"))
    assert refused.status == 401
    challenge = f'Bearer resource_metadata="{metadata_url}", scope="mcp"'
    assert refused.headers["x-amzn-remapped-www-authenticate"] == challenge
    assert "www-authenticate" not in refused.headers
    for url in (metadata_url, f"{origin}/.well-known/oauth-protected-resource"):
        metadata = httpx2.get(url).json()
        assert metadata["resource"] == authorized.url
        (issuer,) = metadata["authorization_servers"]
        assert httpx2.get(f"{issuer}/.well-known/oauth-authorization-server").json()["issuer"] == issuer


@pytest.mark.parametrize("path", ["/registry", "/registry.sig", "/health"])
def test_with_an_issuer_the_pages_beside_mcp_need_a_token_too(authorized: Served, path: str) -> None:
    url = authorized.url.replace("/mcp", path)
    bearer = {"authorization": f"Bearer {token_of(authorized)}"}
    assert [httpx2.get(url).status_code, httpx2.get(url, headers=bearer).status_code] == [401, 200]


def test_an_issuer_of_ones_own_and_the_one_for_development_exclude_each_other() -> None:
    ended = subprocess.run(
        command("threegood_local.http_server", "--port", "0", "--auth", "dev"),
        cwd=ROOT,
        env=environment(AUTH_ISSUER="https://issuer.example.com"),
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == (
        "AUTH=dev starts an issuer of its own: leave out either AUTH=dev or AUTH_ISSUER.\n"
    )


def test_it_says_whose_registry_it_is_and_whether_that_is_signed(served: Served, tmp_path: Path) -> None:
    baked(tmp_path, a_registry({"apples": a_category("Apples")}), Signing("edited"))
    with serving(tmp_path, REGISTRY_DIR=str(tmp_path / "registry")) as edited:
        says = edited.output.read_text()

    assert ", by the demonstration key, which proves nobody's judgement\n" in served.output.read_text()
    assert "\nRegistry 1.2.0 of Ada Example: EDITED since it was signed, so UNSIGNED" in says


def test_it_stops_cleanly_with_its_dynamodb(tmp_path: Path) -> None:
    with serving(tmp_path) as running:
        assert over_http(running.url)(initialize()).status == 200
        running.process.send_signal(signal.SIGINT)
        assert running.process.wait(timeout=30) == 0
        printed = running.output.read_text()
    assert printed.endswith("\nStopped.\n")
    assert "Traceback" not in printed


def test_it_logs_a_line_for_each_request(served: Served) -> None:
    session = over_http(served.url)(initialize()).headers["mcp-session-id"]
    over_http(served.url)(legacy("ping", session=session))
    hidden = hashlib.sha256(session.encode()).hexdigest()[:16]
    logged = [line for line in served.log_lines() if line.get("session") == hidden]
    assert [(line["method"], line["status"]) for line in logged] == [("initialize", 200), ("ping", 200)]
    assert session not in served.output.read_text()


def test_a_wrong_setting_is_named_and_no_aws_account_is_needed_to_get_there() -> None:
    variables = environment(SESSION_TTL_SECONDS="soon").items()
    ended = subprocess.run(
        command("threegood_local.http_server", "--port", "0"),
        cwd=ROOT,
        env={name: value for name, value in variables if not name.startswith("AWS_")},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == (
        "A setting in the environment is wrong: "
        "SESSION_TTL_SECONDS must be a whole number from 60 to 86400, and is 'soon'\n"
    )


@pytest.mark.parametrize(
    ("header", "value", "status"),
    [("host", "evil.example.com", 403), ("origin", "https://evil.example.com", 403), ("origin", None, 200)],
)
def test_only_its_own_host_and_pages_are_answered(
    served: Served, header: str, value: str | None, status: int
) -> None:
    sent = modern("server/discover")
    headers = {**sent.headers, header: value or served.url.removesuffix("/mcp")}
    assert over_http(served.url)(sent._replace(headers=headers)).status == status
