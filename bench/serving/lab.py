"""Processes that measure from within, each in the environment of a target."""

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

__all__ = ["Child", "Lab"]

_CHILD: Final = Path(__file__).with_name("child.py")


class Child:
    """A process that was given a job, and tells what it found whenever it is its turn."""

    def __init__(self, process: "subprocess.Popen[str]", log: IO[str]) -> None:
        self._process = process
        self._log = log

    def turn(self, kind: str = "") -> dict[str, Any]:
        """What the child finds in one more turn, with one kind of request or with all that its job has.

        Raises:
            RuntimeError: it has failed; the message has the end of what it wrote.
        """
        told: dict[str, Any] = json.loads(self._say(f"{kind}\n") or self._failed())
        return told

    def rss_mb(self) -> float:
        """The child's resident memory now, in millions of bytes."""
        pages = int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1_000_000

    def _say(self, line: str) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
        except BrokenPipeError:
            return ""
        return self._process.stdout.readline()

    def _failed(self) -> str:
        self._process.wait()
        self._log.seek(0)
        raise RuntimeError(f"a child failed: {self._log.read()[-2000:]}")


class Lab(NamedTuple):
    """Where children run: the interpreter, what the image brings, and the variables of the product."""

    python: Python
    runtime: Path
    variables: Mapping[str, str]

    def child(self, environment: Environment, job: Mapping[str, Any], **variables: str) -> dict[str, Any]:
        """What a child tells that does `job` in `environment`, the warm path's in one turn."""
        with self.started(environment, job, **variables) as child:
            return child.turn()

    @contextmanager
    def started(self, environment: Environment, job: Mapping[str, Any], **variables: str) -> Iterator[Child]:
        """A child with this job, ended when nobody wants it any more."""
        folder = CACHE / "logs"
        folder.mkdir(parents=True, exist_ok=True)
        with (
            TemporaryFile("w+", dir=folder) as log,
            subprocess.Popen(
                [self.python.path, "-S", "-P", _CHILD],
                env=self.environment(environment) | variables,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            ) as process,
        ):
            assert process.stdin is not None
            process.stdin.write(f"{json.dumps(job)}\n")
            try:
                yield Child(process, log)
            finally:
                process.kill()

    def environment(self, environment: Environment) -> dict[str, str]:
        """The variables of a process in `environment`."""
        return plain_environment() | {
            "PYTHONPATH": f"{environment.path}:{self.runtime}",
            "PYTHONDONTWRITEBYTECODE": "1",
            **self.variables,
            "REGISTRY_DIR": str(environment.opt / "registry"),
        }
