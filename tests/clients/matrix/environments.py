"""An environment for each tested version of a client: it has that version's packages, and nothing of ours.

The lists of clients pin each client. What a client depends on is resolved as of `PACKAGES_OF`.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.clients.matrix.table import DRIVERS, Client
from tests.support.node import Node, find_node
from tests.support.processes import ROOT

__all__ = ["PACKAGES_OF", "NotInstalled", "client_command", "environment_folder", "install_client"]

PACKAGES_OF: Final = "2026-11-21"
"""Packages that were published on this day or later are not installed."""

_ENVIRONMENTS: Final = ROOT / ".clients"
_UV: Final = ROOT / ".venv-build" / "bin" / "uv"
_OLDEST_NODE: Final = (22, 19)
_PATIENCE_SECONDS: Final = 300
_THIS_PYTHON: Final = f"{sys.version_info.major}.{sys.version_info.minor}"


class NotInstalled(Exception):
    """The packages of a client could not be installed."""


def environment_folder(client: Client) -> Path:
    """The environment of this client; clients with the same packages share one."""
    wanted = repr((client.requirements, _runtime(client), PACKAGES_OF))
    name = re.sub(r"[^\w.]+", "-", client.requirements[0]).strip("-")
    return _ENVIRONMENTS / f"{name}-{hashlib.sha256(wanted.encode()).hexdigest()[:8]}"


def install_client(client: Client) -> Path:
    """The client's environment, made unless it is there already.

    Raises:
        NotInstalled: the packages are not to be had, or do not fit together.
    """
    folder = environment_folder(client)
    if not (folder / ".installed").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (_install_node if _on_node(client) else _install_python)(client, folder)
        (folder / ".installed").touch()
    return folder


def client_command(client: Client) -> list[str]:
    """What runs the client's driver, in its environment. It has no option or target yet."""
    folder = environment_folder(client)
    if not _on_node(client):
        return [str(folder / "bin" / "python"), str(client.driver)]
    # Node.js looks for packages beside the script that imports them.
    shutil.copytree(DRIVERS, folder / "drivers", ignore=shutil.ignore_patterns("*.py*"), dirs_exist_ok=True)
    return [_node().program, str(folder / "drivers" / client.driver.name)]


def _install_python(client: Client, folder: Path) -> None:
    _run(_UV, "venv", "--quiet", "--clear", "--no-python-downloads", "--python", _interpreter(client), folder)
    _run(
        _UV,
        "pip",
        "install",
        "--quiet",
        "--python",
        folder,
        "--exclude-newer",
        PACKAGES_OF,
        *client.requirements,
    )


def _install_node(client: Client, folder: Path) -> None:
    (folder / "package.json").write_text('{"private": true}')
    quietly = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
    _run(*_node().npm, "install", *quietly, f"--before={PACKAGES_OF}", *client.requirements, cwd=folder)


def _run(*command: str | Path, cwd: Path = ROOT) -> None:
    try:
        done = subprocess.run(
            command,
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_PATIENCE_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise NotInstalled(f"no end after {_PATIENCE_SECONDS} s") from error
    if done.returncode != 0:
        raise NotInstalled(" ".join(done.stderr.split()))


def _interpreter(client: Client) -> str | Path:
    """The Python for a client: this one, one that pyenv has, or else its version, for uv to find."""
    wanted = _runtime(client)
    if wanted == _THIS_PYTHON:
        return sys.executable
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    return next(versions.glob(f"{wanted}.*/bin/python"), wanted)


def _runtime(client: Client) -> str:
    return "node" if _on_node(client) else client.python or _THIS_PYTHON


def _on_node(client: Client) -> bool:
    return client.driver.suffix == ".mjs"


def _node() -> Node:
    return find_node(_OLDEST_NODE)
