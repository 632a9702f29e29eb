"""`python -m mcpcore_local` as a process: what it prints, how it stops, and why it does not start."""

import http.client
import json
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import pytest

from mcpcore_local import client_setup, run
from mcpcore_local.__main__ import main
from tests.support.exchanges import modern, over_http
from tests.support.processes import ROOT
from tests.support.serving import Served, command, environment, serving

MainEnds: TypeAlias = Callable[..., tuple[int, str, str]]
"""Exit status, output and errors of the command with these arguments."""

SERVER = "tests.support.asking_server:asking_server"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    origin = "http://localhost:6274"
    folder = tmp_path_factory.mktemp("served")
    with serving(folder, SERVER, "--allow-origin", origin, module="mcpcore_local") as running:
        yield running


def ended(*arguments: str, lines: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    """The command, which is expected to end by itself."""
    return subprocess.run(
        command("mcpcore_local", *arguments),
        cwd=ROOT,
        env=environment(**variables),
        input=lines,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


@pytest.fixture
def main_ends(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[MainEnds]:
    """The command in this process, for what ends before anything is served."""

    def ends(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["mcpcore_local", *arguments])
        with pytest.raises(SystemExit) as caught:
            main()
        code, printed = caught.value.code, capsys.readouterr()
        if isinstance(code, str):  # Python prints such a code and exits with 1
            return 1, printed.out, f"{printed.err}{code}\n"
        return int(code or 0), printed.out, printed.err

    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield ends
    for number, handler in handlers.items():
        signal.signal(number, handler)


def with_module(folder: Path, text: str) -> str:
    """The PYTHONPATH on which `mine` is a module of this text."""
    (folder / "mine.py").write_text(text)
    return f"{folder}:local:layers/core"


def test_it_prints_how_to_connect_and_the_command_for_curl_works(served: Served) -> None:
    printed = served.output.read_text()
    assert client_setup("asking", served.url) in printed
    curl = printed[printed.index("curl -s ") : printed.index("\n\nCtrl-C")]
    answer = subprocess.run(["bash", "-c", curl], capture_output=True, text=True, timeout=30, check=True)
    assert '"name":"greet"' in answer.stdout


def test_the_name_in_the_setup_is_one_that_shells_and_clients_take() -> None:
    setup = client_setup("Ada's kitchen", "http://127.0.0.1:3000/mcp")
    assert "claude mcp add --transport http Ada-s-kitchen http://127.0.0.1:3000/mcp\n" in setup


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example.com"}, 403),
        ({"origin": "https://evil.example.com"}, 403),
        ({"origin": "http://localhost:6274"}, 200),
    ],
)
def test_other_hosts_and_origins_are_refused_unless_allowed(
    served: Served, headers: dict[str, str], status: int
) -> None:
    sent = modern("server/discover")
    assert over_http(served.url)(sent._replace(headers={**sent.headers, **headers})).status == status


@pytest.mark.parametrize("stopping", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_it_cleanly_although_a_client_keeps_its_connection(
    tmp_path: Path, stopping: signal.Signals
) -> None:
    with serving(tmp_path, SERVER, module="mcpcore_local") as running:
        kept = http.client.HTTPConnection(urlsplit(running.url).netloc, timeout=10)
        kept.request("GET", "/mcp")
        assert kept.getresponse().read() != b""
        running.process.send_signal(stopping)
        assert running.process.wait(timeout=10) == 0
        kept.close()
        printed = running.output.read_text()
    assert printed.endswith("\nStopped.\n")
    assert "Traceback" not in printed


def test_a_lambda_handler_is_served_too(tmp_path: Path) -> None:
    mine = with_module(tmp_path, "def handler(event, context): return {'statusCode': 418, 'body': ''}")
    with serving(tmp_path, "mine:handler", module="mcpcore_local", PYTHONPATH=mine) as running:
        assert over_http(running.url)(modern("server/discover")).status == 418


def test_a_taken_port_is_explained() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        outcome = ended(SERVER, "--port", str(port))
    assert (outcome.returncode, outcome.stdout) == (1, "")
    assert outcome.stderr == f"Port {port} cannot be served: Address already in use. Choose another port.\n"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--port=65536"], 1, "Port 65536 cannot be served: a port is a number from 0 to 65535."),
        (["--port=http"], 2, "error: argument --port: invalid int value: 'http'"),
        (["--port=1", "--stdio"], 2, "error: argument --stdio: not allowed with argument --port"),
        (["--port=0", "absent"], 2, "error: unrecognized arguments: absent"),
    ],
)
def test_a_wrong_option_is_explained(
    main_ends: MainEnds, arguments: list[str], code: int, message: str
) -> None:
    status, output, errors = main_ends(SERVER, *arguments)
    assert (status, output) == (code, "")
    assert errors.endswith(f"{message}\n")


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        ("", [], "the module mine has no attribute server"),
        (
            "def server(event, context): ...",
            ["--stdio"],
            "mine is a Lambda handler: --stdio and --allow-origin need a Server or BuiltServer",
        ),
        (
            "from mcpcore import Server\nserver = Server('mine', version='1')\n"
            "for _ in range(2): server.tool('twice', description='Give one.')(lambda: 1)",
            ["--port=0"],
            "twice: two tools have this name",
        ),
    ],
)
def test_a_module_that_cannot_be_served_is_explained_without_a_traceback(
    main_ends: MainEnds,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    arguments: list[str],
    message: str,
) -> None:
    with_module(tmp_path, text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    assert main_ends("mine", *arguments) == (1, "", f"python -m mcpcore_local: {message}\n")


def test_an_error_inside_the_module_keeps_its_traceback(tmp_path: Path) -> None:
    outcome = ended("mine", PYTHONPATH=with_module(tmp_path, "print('starting')\n1 / 0"))
    assert (outcome.returncode, outcome.stdout) == (1, "")
    assert f'File "{tmp_path}/mine.py", line 2' in outcome.stderr
    assert outcome.stderr.endswith("ZeroDivisionError: division by zero\n")


@pytest.mark.requirement("stdio-messages-only")
def test_over_stdio_the_output_of_other_programs_goes_to_stderr(tmp_path: Path) -> None:
    mine = """
import subprocess
from mcpcore import Server
subprocess.run(["echo", "while importing"])
server = Server("mine", version="1")
@server.tool
def talk() -> str:
    "Talk."
    subprocess.run(["echo", "while called"])
    return "said"
"""
    call = modern("tools/call", name="talk").body.decode()
    outcome = ended("mine:server", "--stdio", lines=call, PYTHONPATH=with_module(tmp_path, mine))
    assert json.loads(outcome.stdout)["result"]["content"] == [{"type": "text", "text": "said"}]
    assert outcome.stderr == "while importing\nwhile called\n"


def test_origins_cannot_be_added_to_a_handlers_own_policy() -> None:
    with pytest.raises(ValueError, match="a Lambda handler applies its own policy"):
        run(lambda _event, _context: {}, port=0, allowed_origins=["http://localhost"])


def test_what_is_neither_a_server_nor_a_handler_cannot_be_served() -> None:
    number: Any = 5
    with pytest.raises(TypeError, match="a Server or a Lambda handler can be served, and this is 5"):
        run(number)
