"""The deployable artifact, built once for the tests that run it."""

import shutil
from collections.abc import Iterator

import pytest

from tests.support.artifact import Artifact, built


@pytest.fixture(scope="session")
def artifact(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Artifact]:
    """The artifact of this tree."""
    folder = tmp_path_factory.mktemp("artifact")
    yield built(folder)
    shutil.rmtree(folder)
