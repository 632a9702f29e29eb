"""The client programs: where they are, how they are run, and the JSON document that each prints."""

import json
import subprocess
from pathlib import Path
from typing import Any, Final

from tests.support.node import Node
from tests.support.processes import plain_environment

__all__ = ["FOLDER", "inspect", "json_output", "run_client"]

FOLDER: Final = Path(__file__).parent

_PATIENCE_SECONDS: Final = 30
_INSPECTOR: Final = FOLDER / "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"


def json_output(*command: str | Path) -> Any:
    """What the program prints as JSON; it has to end well and in time."""
    done = _run(*command, home=FOLDER)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def run_client(node: Node, client: str, scenario: str, url: str, *person: str) -> dict[str, Any]:
    """What came of one scenario with one TypeScript client; `person` is a temper, then what is declared."""
    document: dict[str, Any] = json_output(node.program, FOLDER / "run.mjs", client, scenario, url, *person)
    return document


def inspect(node: Node, home: Path, url: str, *arguments: str) -> tuple[int, dict[str, Any]]:
    """How the Inspector's command ended, and what it printed first: the result, or else the error.

    It keeps files in the home directory.
    """
    done = _run(node.program, _INSPECTOR, "--cli", url, *arguments, "--format", "json", home=home)
    document: dict[str, Any] = json.loads((done.stdout or done.stderr).splitlines()[0])
    return done.returncode, document


def _run(*command: str | Path, home: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=FOLDER,
        env={**plain_environment(), "HOME": str(home)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_PATIENCE_SECONDS,
        check=False,
    )
