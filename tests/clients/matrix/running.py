"""One run of a client's driver: a process with a time limit and a small environment, in a scratch folder.

A driver is started with `[arguments…] http URL` or `[arguments…] stdio COMMAND ARG…`. For each step it prints
a line with a JSON object: the `step`, and `found`, an `error` ("TypeName: message"), or `absent: true` if the
client has no such feature. Nothing else goes to stdout. What is found, in the client's own shape:

- connect: the negotiated protocol version, null if the client does not tell
- tools, prompts: names
- call: the texts or the structured content of `get_sources` for "learning rust"
- unknown: how the client shows an error, that of `get_sources` for the query 5
- resources: the URIs that one call of its list function gives
- read: the text of `registry://categories/rust-learning`
- prompt: the texts of `research_topic` for "rust"
- close: true when the client has closed cleanly
"""

import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.clients.matrix.judging import Cell, judge, read_lines
from tests.clients.matrix.table import Client

__all__ = ["Outcome", "run_driver"]

_LIMIT_SECONDS: Final = 60


class Outcome(NamedTuple):
    """What one version of a client can do over one transport: a cell for each step.

    `protocol` is the negotiated version, None when the client does not tell.
    """

    client: Client
    transport: str
    protocol: str | None
    cells: Mapping[str, Cell]

    @property
    def failures(self) -> dict[str, str]:
        """The reason for each step that fails; without a connection nothing else is tried."""
        reasons = {step: cell.reason for step, cell in self.cells.items() if cell.state == "fails"}
        return {"connect": reasons["connect"]} if "connect" in reasons else reasons

    @property
    def unexpected(self) -> dict[str, str]:
        """Those of the failures that the table of clients does not have."""
        return {step: reason for step, reason in self.failures.items() if step not in self.client.known}


def run_driver(
    client: Client,
    transport: str,
    *,
    command: Sequence[str],
    target: Sequence[str],
    limit_seconds: float = _LIMIT_SECONDS,
) -> Outcome:
    """What came of the driver that `command` starts; `target` is the server's URL, or its command."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        full = [*command, *client.arguments, transport, *target]
        output, ended = _finished(full, Path(folder), limit_seconds)
    reports = read_lines(output)
    cells = judge(reports, ended=ended)
    protocol: Any = reports.get("connect", {}).get("found") if cells["connect"].state == "works" else None
    return Outcome(client, transport, protocol, cells)


def _finished(command: Sequence[str], folder: Path, limit_seconds: float) -> tuple[str, str | None]:
    """What the process wrote, and how it ended, if not well. Its children end with it."""
    with (
        (folder / "stdout").open("w+b") as stdout,
        (folder / "stderr").open("w+b") as stderr,
        subprocess.Popen(
            command,
            cwd=folder,
            env=_environment(command[0], folder),
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
        ) as process,
    ):
        try:
            status = process.wait(limit_seconds)
            ended = None if status == 0 else f"exit status {status}: {_last_line(folder / 'stderr')}"
        except subprocess.TimeoutExpired:
            ended = f"no end after {limit_seconds:g} s"
        finally:
            _kill_group(process.pid)
    return (folder / "stdout").read_text(errors="replace"), ended


def _kill_group(process_id: int) -> None:
    try:
        os.killpg(process_id, signal.SIGKILL)
    except ProcessLookupError:
        return


def _environment(program: str, folder: Path) -> dict[str, str]:
    """What a program needs to start, and the request not to report its use to anybody."""
    return {
        "PATH": f"{Path(program).parent}:/usr/local/bin:/usr/bin:/bin",
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "LANG": "C.UTF-8",
        "DO_NOT_TRACK": "1",
        "ANONYMIZED_TELEMETRY": "false",
        "MCP_USE_ANONYMIZED_TELEMETRY": "false",
        "OTEL_SDK_DISABLED": "true",
    }


def _last_line(path: Path) -> str:
    lines = path.read_text(errors="replace").strip().splitlines()
    return lines[-1].strip() if lines else "nothing on stderr"
