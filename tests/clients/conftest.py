"""The client of another package, installed as its lock file says, and the server that asks clients."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.programs import FOLDER
from tests.support.python_environment import environment_of
from tests.support.serving import serving


@pytest.fixture(scope="session")
def fastmcp_python() -> Path:
    """The Python of an environment that has fastmcp's client and nothing of ours."""
    return environment_of(FOLDER / "fastmcp.txt") / "bin" / "python"


@pytest.fixture(scope="session")
def asking_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the conformance fixture is served: it has tools that ask, which the product has not."""
    with serving(tmp_path_factory.mktemp("asking"), module="tests.conformance.serve") as running:
        yield running.url
