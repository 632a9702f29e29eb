"""Real parts that are costly to start, started once for the tests that share them, and how hypothesis looks.

It looks for counterexamples at the same ones each time, so that CI does not flicker;
`HYPOTHESIS_PROFILE=exploring PROPERTIES_TIMES=10 pytest tests/properties` looks at others, and at more.
"""

import os
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import settings

from tests.clients.programs import FOLDER
from tests.support.dynamodb import empty_table, fresh_table, use_dynamodb
from tests.support.exchanges import Handler
from tests.support.node import Node, find_node, install
from tests.support.processes import ROOT
from tests.support.published import IS_NAMED, baked_folder
from tests.support.recording import RECORD, recorded
from tests.support.serving import Served, serving
from tests.support.stack import moto_server

settings.register_profile("bounded", derandomize=True, database=None, deadline=None, print_blob=True)
settings.register_profile("exploring", database=None, deadline=None, print_blob=True)
# For every process that a test starts; a test that needs the other registry names it.
os.environ.pop("REGISTRY", None)
if not IS_NAMED:
    os.environ["REGISTRY_DIR"] = str(baked_folder())

_OLDEST_NODE: Final = (22, 19)  # for the Inspector

settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "bounded"))


@pytest.fixture(scope="session", autouse=True)
def recorded_exchanges(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The file that takes every exchange with the product and with the conformance fixture."""
    path = tmp_path_factory.mktemp("recorded") / "exchanges.jsonl"
    path.touch()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(RECORD, str(path))
        yield path


@pytest.fixture(scope="session")
def dynamodb() -> Iterator[str]:
    """The URL of a DynamoDB."""
    with moto_server() as endpoint:
        yield endpoint


@pytest.fixture(scope="session")
def shared_table(dynamodb: str) -> str:
    """The name of a sessions table that tests use one after the other."""
    with pytest.MonkeyPatch.context() as patch:
        use_dynamodb(patch, dynamodb)
        return fresh_table(dynamodb)


@pytest.fixture
def table(dynamodb: str, shared_table: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """An empty sessions table, which clients find for as long as the test runs."""
    use_dynamodb(monkeypatch, dynamodb)
    empty_table(dynamodb, shared_table)
    return shared_table


@pytest.fixture(scope="module")
def handler(dynamodb: str) -> Iterator[Handler]:
    """The product's Lambda handler, as a cold start makes it, over a sessions table of its own."""
    with pytest.MonkeyPatch.context() as patch:
        use_dynamodb(patch, dynamodb)
        patch.setenv("SESSIONS_TABLE", fresh_table(dynamodb))
        patch.setenv("REGISTRY_DIR", str(baked_folder()))
        yield recorded(runpy.run_path(str(ROOT / "functions/mcp/handler.py"))["lambda_handler"])


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The product, served over HTTP in a process of its own."""
    with serving(tmp_path_factory.mktemp("served")) as running:
        yield running


@pytest.fixture(scope="session")
def fixture_served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The server of the conformance suite, served over HTTP in a process of its own."""
    with serving(tmp_path_factory.mktemp("fixture"), module="tests.conformance.serve") as running:
        yield running


@pytest.fixture(scope="session")
def node() -> Node:
    """Node.js, with the clients that run on it installed."""
    found = find_node(_OLDEST_NODE)
    install(found, FOLDER)
    return found


@pytest.fixture
def anyio_backend() -> str:
    """The event loop under asynchronous tests."""
    return "asyncio"
