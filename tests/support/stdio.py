"""A server over stdio in a process of its own, with both ends of the wire in hand."""

import json
import queue
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from tests.support.processes import ROOT
from tests.support.serving import command, environment

__all__ = ["ASKING_SERVER", "Wire", "piped"]

ASKING_SERVER: Final = "tests.support.asking_server"

_TIMEOUT_SECONDS: Final = 30


class Wire:
    """The lines to a process and from it."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        self.process = process
        self._stdin = process.stdin
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def send(self, *messages: bytes | dict[str, Any]) -> None:
        """Write a line for each message."""
        for message in messages:
            line = (
                message if isinstance(message, bytes) else json.dumps({"jsonrpc": "2.0", **message}).encode()
            )
            self._stdin.write(line + b"\n")
        self._stdin.flush()

    def receive(self) -> Any:
        """The next message; None when the process has ended."""
        line = self._lines.get(timeout=_TIMEOUT_SECONDS)
        return None if line is None else json.loads(line)

    def receives_nothing(self, seconds: float) -> bool:
        """True when no message comes for so long."""
        try:
            self._lines.get(timeout=seconds)
        except queue.Empty:
            return True
        return False

    def end(self) -> list[Any]:
        """Close the process's input; every message that it still sends, once it has ended well."""
        self._stdin.close()
        rest = list(iter(self.receive, None))
        assert self.process.wait(timeout=_TIMEOUT_SECONDS) == 0
        return rest

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(None)


@contextmanager
def piped(module: str = ASKING_SERVER) -> Iterator[Wire]:
    """The wire to `module`, started as a command; it is killed if it does not end by itself."""
    with subprocess.Popen(
        command(module), cwd=ROOT, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        try:
            yield Wire(process)
        finally:
            process.kill()
