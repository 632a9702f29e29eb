"""The clients, installed as their lock files say, and the server that asks them."""

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.clients.programs import FOLDER
from tests.support.node import Node, find_node, install
from tests.support.serving import serving

_OLDEST_NODE: Final = (22, 19)  # for the Inspector
_PATIENCE_SECONDS: Final = 300


@pytest.fixture(scope="session")
def node() -> Node:
    """Node.js, with the clients that run on it installed."""
    found = find_node(_OLDEST_NODE)
    install(found, FOLDER)
    return found


@pytest.fixture(scope="session")
def fastmcp_python() -> Path:
    """The Python of an environment that has fastmcp's client and nothing of ours."""
    lock, environment = FOLDER / "fastmcp.txt", FOLDER / ".venv"
    locked = hashlib.sha256(lock.read_bytes()).hexdigest()
    installed = environment / ".installed"
    if not installed.exists() or installed.read_text() != locked:
        shutil.rmtree(environment, ignore_errors=True)
        _run(sys.executable, "-m", "venv", "--without-pip", str(environment))
        _run(*_PIP, "--python", str(environment), "install", "--quiet", "--require-hashes", "-r", str(lock))
        installed.write_text(locked)
    return environment / "bin" / "python"


@pytest.fixture(scope="session")
def asking_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the conformance fixture is served: it has tools that ask, which the product has not."""
    with serving(tmp_path_factory.mktemp("asking"), module="tests.conformance.serve") as running:
        yield running.url


_PIP: Final = (sys.executable, "-m", "pip", "--disable-pip-version-check")


def _run(*command: str) -> None:
    subprocess.run(command, check=True, timeout=_PATIENCE_SECONDS)
