"""A gateway in front of a handler that records its calls."""

from collections.abc import Iterator

import pytest

from mcpcore_local import HttpGateway
from tests.support.gateways import Recorder


@pytest.fixture(scope="module")
def _serving() -> Iterator[tuple[HttpGateway, Recorder]]:
    recorder = Recorder()
    with HttpGateway(0) as running, running.serving(recorder):
        yield running, recorder


@pytest.fixture
def gateway(_serving: tuple[HttpGateway, Recorder]) -> HttpGateway:
    return _serving[0]


@pytest.fixture
def recorder(_serving: tuple[HttpGateway, Recorder]) -> Recorder:
    """The handler of `gateway`, without the calls of earlier tests."""
    _, recorder = _serving
    recorder.events.clear()
    recorder.contexts.clear()
    return recorder
