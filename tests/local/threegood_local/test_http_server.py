"""`make serve` as a process: what it says, how it stops, and what it says when it cannot start."""

import hashlib
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.exchanges import initialize, legacy, modern, over_http
from tests.support.processes import ROOT
from tests.support.serving import Served, command, environment, serving


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path) as running:
        yield running


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """The command, which is expected to end by itself."""
    return subprocess.run(
        command("threegood_local.http_server", *arguments),
        cwd=ROOT,
        env=environment(**variables),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


@pytest.mark.parametrize("stopping", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_it_cleanly(started: Served, stopping: signal.Signals) -> None:
    assert over_http(started.url)(modern("server/discover")).status == 200
    started.process.send_signal(stopping)
    assert started.process.wait(timeout=30) == 0
    said = started.output.read_text()
    assert said.endswith("\nStopped.\n")
    assert "Traceback" not in said


def test_the_port_is_free_again_after_it_has_stopped(started: Served) -> None:
    over_http(started.url)(initialize())
    port = int(started.url.split(":")[2].removesuffix("/mcp"))
    started.process.send_signal(signal.SIGINT)
    started.process.wait(timeout=30)
    with socket.socket() as again:
        again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        again.bind(("127.0.0.1", port))


@pytest.mark.parametrize(
    "words",
    [
        "claude mcp add --transport http three-good-sources {url}",
        '"three-good-sources": {{"command": "npx", "args": ["mcp-remote", "{url}"]}}',
        'code --add-mcp \'{{"name": "three-good-sources", "type": "http", "url": "{url}"}}\'',
        '"three-good-sources": {{"url": "{url}"}}',
        "curl -s {url} ",
        "Ctrl-C",
    ],
)
def test_it_says_how_to_connect_each_client(served: Served, words: str) -> None:
    assert words.format(url=served.url) in served.output.read_text()


def test_what_it_says_of_curl_works(served: Served) -> None:
    said = served.output.read_text()
    script = said[said.index("curl -s ") : said.index("\n\nWeb pages")]
    answer = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=30, check=True)
    assert "https://doc.rust-lang.org/book/" in answer.stdout


def test_it_logs_a_line_for_each_request(served: Served) -> None:
    session = over_http(served.url)(initialize()).headers["mcp-session-id"]
    over_http(served.url)(legacy("ping", session=session))
    hidden = hashlib.sha256(session.encode()).hexdigest()[:16]
    logged = [line for line in served.log_lines() if line["session"] == hidden]
    assert [(line["method"], line["status"]) for line in logged] == [("initialize", 200), ("ping", 200)]
    assert session not in served.output.read_text()


def test_a_port_that_is_taken_is_told_in_words() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = run("--port", str(port))
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == (f"Port {port} cannot be served: Address already in use. Try PORT=another.\n")


@pytest.mark.parametrize("port", ["-1", "65536", "http", "", "80.5"])
def test_a_port_that_is_none_is_told_in_words(port: str) -> None:
    ended = run(f"--port={port}")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "error: argument --port: " in ended.stderr


def test_a_setting_that_is_wrong_is_told_by_its_name() -> None:
    ended = run("--port", "0", SESSION_TTL_SECONDS="soon")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == (
        "A setting in the environment is wrong: "
        "SESSION_TTL_SECONDS must be a whole number from 60 to 86400, and is 'soon'\n"
    )


def test_a_foreign_host_is_not_served(served: Served) -> None:
    sent = modern("server/discover")
    foreign = sent._replace(headers={**sent.headers, "host": "evil.example.com"})
    assert over_http(served.url)(foreign).status == 403


def test_a_page_of_its_own_may_call_it(served: Served) -> None:
    origin = served.url.removesuffix("/mcp")
    sent = modern("server/discover")
    reply = over_http(served.url)(sent._replace(headers={**sent.headers, "origin": origin}))
    assert (reply.status, reply.headers["access-control-allow-origin"]) == (200, origin)
