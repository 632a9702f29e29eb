"""The deployable artifact, built once for the tests that run it."""

import shutil
from collections.abc import Iterator

import pytest

from tests.support.artifact import Artifact, built
from tests.support.guarded import guarded_artifact
from tests.support.stack import Stack, made_stack


@pytest.fixture(scope="session")
def artifact(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Artifact]:
    """The artifact of this tree."""
    folder = tmp_path_factory.mktemp("artifact")
    yield built(folder)
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def guarded_function(artifact: Artifact, tmp_path_factory: pytest.TempPathFactory) -> Artifact:
    """The artifact with the layer that it has where tokens are wanted."""
    return guarded_artifact(artifact, tmp_path_factory.mktemp("guarded") / "opt")


@pytest.fixture(scope="module")
def stack(dynamodb: str) -> Iterator[Stack]:
    """The stack of the template."""
    with made_stack(dynamodb) as made:
        yield made
