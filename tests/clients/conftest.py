"""The clients, installed as their lock files say, and the server that asks them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.clients.programs import FOLDER
from tests.support.node import Node, find_node, install
from tests.support.python_environment import environment_of
from tests.support.serving import serving

_OLDEST_NODE: Final = (22, 19)  # for the Inspector


@pytest.fixture(scope="session")
def node() -> Node:
    """Node.js, with the clients that run on it installed."""
    found = find_node(_OLDEST_NODE)
    install(found, FOLDER)
    return found


@pytest.fixture(scope="session")
def fastmcp_python() -> Path:
    """The Python of an environment that has fastmcp's client and nothing of ours."""
    return environment_of(FOLDER / "fastmcp.txt") / "bin" / "python"


@pytest.fixture(scope="session")
def asking_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the conformance fixture is served: it has tools that ask, which the product has not."""
    with serving(tmp_path_factory.mktemp("asking"), module="tests.conformance.serve") as running:
        yield running.url
