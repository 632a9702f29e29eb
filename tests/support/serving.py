"""The project's own commands, each run in a process and an environment of its own."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.support.processes import ROOT, plain_environment
from tests.support.recording import RECORD

__all__ = ["Served", "command", "environment", "serving"]

_PATHS: Final = (".", "local", "layers/core", "functions/mcp")
_PATIENCE_SECONDS: Final = 30
_GREETING: Final = " is served at "
_RECORDED: Final = frozenset({"threegood_local.http_server", "tests.conformance.serve"})


class Served(NamedTuple):
    """A server that runs, and the file that takes what it prints."""

    url: str
    process: subprocess.Popen[bytes]
    output: Path

    def log_lines(self) -> list[dict[str, Any]]:
        """The lines that the handler has logged so far."""
        lines = self.output.read_text().splitlines()
        return [json.loads(line) for line in lines if line.startswith("{")]


def environment(**variables: str) -> dict[str, str]:
    """What `make` sets for the commands, and `variables`; nothing of what this machine sets for Python."""
    plain = {name: value for name, value in plain_environment().items() if not name.startswith("PYTHON")}
    return {**plain, "PYTHONPATH": ":".join(_PATHS), **variables}


def command(module: str, *arguments: str) -> list[str]:
    """A module of the project as a command; every warning ends it."""
    return [sys.executable, "-W", "error", "-m", module, *arguments]


@contextmanager
def serving(
    folder: Path, *arguments: str, module: str = "threegood_local.http_server", **variables: str
) -> Iterator[Served]:
    """A command that serves, on a free port; what it prints goes to a file in `folder`.

    It is `make serve` unless another `module` is named. The exchanges of the product and of the conformance
    fixture are recorded if the environment names a file for them.
    """
    called = [module, "--port", "0", *arguments]
    launcher = ["tests.support.recording"] if module in _RECORDED and RECORD in os.environ else []
    output = folder / "serve.log"
    with (
        output.open("wb") as opened,
        subprocess.Popen(
            command(*launcher, *called),
            cwd=ROOT,
            env=environment(**variables),
            stdin=subprocess.DEVNULL,
            stdout=opened,
            stderr=subprocess.STDOUT,
        ) as process,
    ):
        try:
            yield Served(_url(output, process), process, output)
        finally:
            process.terminate()
            process.wait(timeout=_PATIENCE_SECONDS)


def _url(output: Path, process: subprocess.Popen[bytes]) -> str:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        first, ended, _ = output.read_text().partition("\n")
        if ended and _GREETING in first:
            return first.partition(_GREETING)[2]
        time.sleep(0.02)
    raise AssertionError(f"the server did not start: {output.read_text()}")
