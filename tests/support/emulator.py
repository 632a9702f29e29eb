"""A built function under the Runtime Interface Emulator that ships with SAM.

As on Lambda: the runtime client, the function's folder, the layers laid over each other, the order of imports
(function, layers, runtime, and nothing of this machine but Python itself), events and replies as JSON, one at
a time. Not as on Lambda: the operating system, the limits of memory, permissions.
"""

import http.client
import json
import os
import platform
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from tests.support.processes import ROOT, plain_environment

ARCHITECTURE: Final = "arm64" if platform.machine() in {"arm64", "aarch64"} else "x86_64"

# What Lambda's own image holds beside Python. boto3 is the one that the tests run with.
_RUNTIME: Final = ("awslambdaric==4.2.2", f"boto3=={version('boto3')}")

RUNTIME_CLIENT: Final = ("-m", "awslambdaric")
"""Lambda's own runtime client."""

_INVOKE: Final = "/2015-03-31/functions/function/invocations"
_START_SECONDS: Final = 20
_ANSWER_SECONDS: Final = 60


Observer: TypeAlias = Callable[[dict[str, Any], dict[str, Any]], None]
"""What is called with each event and its reply."""


class Python(NamedTuple):
    """An interpreter to run the function with."""

    path: Path
    version: str
    """As in 3.13."""


class Emulator:
    """One execution environment that is being emulated."""

    def __init__(self, port: int, process_id: int, observe: Observer) -> None:
        self.port: Final = port
        self._observe = observe
        self.process_id: Final = process_id

    def invoke(self, event: dict[str, Any]) -> dict[str, Any]:
        """The return value of the function for `event`."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=_ANSWER_SECONDS)
        try:
            connection.request("POST", _INVOKE, json.dumps(event))
            reply = json.loads(connection.getresponse().read())
        finally:
            connection.close()
        assert isinstance(reply, dict)
        self._observe(event, reply)
        return reply


def runtime_python(wanted: str) -> Python:
    """Python `wanted` (as in 3.13) if this machine has it, or else the one that runs this."""
    kept_by_pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    on_path = shutil.which(f"python{wanted}")
    candidates = [
        *kept_by_pyenv.glob(f"{wanted}.*/bin/python{wanted}"),
        *([Path(on_path)] if on_path else []),
    ]
    for candidate in candidates:
        # A name on the path may be a shim with nothing behind it.
        if subprocess.run([candidate, "-c", ""], capture_output=True, check=False).returncode == 0:
            return Python(candidate, wanted)
    return Python(Path(sys.executable), f"{sys.version_info.major}.{sys.version_info.minor}")


def lay_out(layers: list[Path], opt: Path) -> None:
    """Unpack layers into `opt` as Lambda does: in order, a later one over an earlier."""
    for layer in layers:
        shutil.copytree(layer, opt, dirs_exist_ok=True)


def runtime_packages(python: Python) -> Path:
    """A folder with what Lambda's image brings for `python`, installed the first time it is asked for."""
    folder = ROOT / ".aws-sam" / "emulator" / f"{python.version}-{'-'.join(_RUNTIME)}"
    if not folder.is_dir():
        fresh = folder.with_suffix(".fresh")
        shutil.rmtree(fresh, ignore_errors=True)
        subprocess.run(
            [
                *(ROOT / ".venv-build/bin/uv", "pip", "install", "--quiet", "--only-binary", ":all:"),
                *("--python", python.path, "--target", fresh, *_RUNTIME),
            ],
            env=plain_environment(),
            check=True,
        )
        fresh.rename(folder)
    return folder


@contextmanager
def running(
    python: Python,
    *,
    task: Path,
    opt: Path,
    handler: str,
    variables: dict[str, str],
    log: Path,
    runtime: Path | None = None,
    client: tuple[str | Path, ...] = RUNTIME_CLIENT,
    observe: Observer = lambda _event, _reply: None,
) -> Iterator[Emulator]:
    """The function in `task`, with its layers in `opt`, ready to be invoked; what it writes goes to `log`.

    Its process is started by the first invocation. `runtime` is a folder of what the image brings, if
    it shall not be the tests' own; `client` is what Python runs to serve invocations with the handler;
    `observe` sees each exchange.
    """
    runtime = runtime or runtime_packages(python)
    port, runtime_port = _free_port(), _free_port()
    command: list[str | Path] = [
        *(_emulator_binary(), "--log-level", "error"),
        # Both, or it would listen on every interface of this machine.
        *("--runtime-interface-emulator-address", f"127.0.0.1:{port}"),
        *("--runtime-api-address", f"127.0.0.1:{runtime_port}"),
        # -S: a package that the artifact lacks must not be found in this machine's Python.
        *(python.path, "-S", *client, handler),
    ]
    environment = plain_environment() | {
        "PYTHONPATH": f"{task}:{opt / 'python'}:{runtime}",
        "PYTHONDONTWRITEBYTECODE": "1",
        "LAMBDA_TASK_ROOT": str(task),
        "AWS_LAMBDA_FUNCTION_NAME": "three-good-sources",
        "AWS_LAMBDA_FUNCTION_VERSION": "1",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "512",
        "AWS_LAMBDA_FUNCTION_TIMEOUT": "29",
        **variables,
    }
    with (
        log.open("wb") as output,
        subprocess.Popen(command, cwd=task, env=environment, stdout=output, stderr=output) as process,
    ):
        try:
            _wait_until_it_listens(port, process, log)
            yield Emulator(port, process.pid, observe)
        finally:
            # It ends the runtime that it started, and then itself.
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=_START_SECONDS)


def _emulator_binary() -> Path:
    (found,) = ROOT.glob(
        f".venv-build/lib/python3.*/site-packages/samcli/local/rapid/aws-lambda-rie-{ARCHITECTURE}"
    )
    return found


def _free_port() -> int:
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        port: int = opened.getsockname()[1]
        return port


def _wait_until_it_listens(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with socket.socket() as opened:
            if opened.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    raise AssertionError(f"the emulator did not start: {log.read_text()}")
