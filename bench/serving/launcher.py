"""Starts handler processes, each in the environment of a target, and talks to them."""

import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, Final, NamedTuple

from bench.serving.environments import CACHE, Environment
from tests.support.emulator import Python
from tests.support.processes import plain_environment

__all__ = ["HandlerProcess", "Launcher"]

_PROGRAM: Final = Path(__file__).with_name("handler_process.py")


class HandlerProcess:
    """A running `handler_process.py`."""

    def __init__(self, process: "subprocess.Popen[str]", log: IO[str]) -> None:
        self._process = process
        self._log = log

    def run(self, command: str = "") -> dict[str, Any]:
        """The result of one command: a kind of request, all kinds of the job (empty), or `growth`.

        Raises:
            RuntimeError: the process failed; the message contains the end of what it wrote.
        """
        result: dict[str, Any] = json.loads(self._send(f"{command}\n") or self._raise_failure())
        return result

    def rss_mb(self) -> float:
        """The resident memory of the process now, in millions of bytes."""
        pages = int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1_000_000

    def _send(self, line: str) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
        except BrokenPipeError:
            return ""
        return self._process.stdout.readline()

    def _raise_failure(self) -> str:
        self._process.wait()
        self._log.seek(0)
        raise RuntimeError(f"the handler process failed: {self._log.read()[-2000:]}")


class Launcher(NamedTuple):
    """Environment of handler processes: interpreter, the runtime's packages, the product's variables."""

    python: Python
    runtime: Path
    variables: Mapping[str, str]

    @contextmanager
    def start(
        self, environment: Environment, job: Mapping[str, Any], **variables: str
    ) -> Iterator[HandlerProcess]:
        """A process with this job, which is killed at the end of the block."""
        folder = CACHE / "logs"
        folder.mkdir(parents=True, exist_ok=True)
        with (
            TemporaryFile("w+", dir=folder) as log,
            subprocess.Popen(
                [self.python.path, "-S", "-P", _PROGRAM],
                env=self.variables_in(environment) | variables,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            ) as process,
        ):
            assert process.stdin is not None
            process.stdin.write(f"{json.dumps(job)}\n")
            try:
                yield HandlerProcess(process, log)
            finally:
                process.kill()

    def variables_in(self, environment: Environment) -> dict[str, str]:
        """The environment variables of a process in `environment`."""
        return plain_environment() | {
            "PYTHONPATH": f"{environment.path}:{self.runtime}",
            "PYTHONDONTWRITEBYTECODE": "1",
            **self.variables,
            "REGISTRY_DIR": str(environment.opt / "registry"),
        }
