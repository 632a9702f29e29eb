"""The output of `make build`, in the folders of Lambda."""

import subprocess
from pathlib import Path
from typing import Final, NamedTuple

from tests.support.emulator import ARCHITECTURE, lay_out, runtime_python
from tests.support.processes import ROOT, plain_environment
from tests.support.published import NAMED
from tests.support.sam_template import Document, effective, load_template

__all__ = ["CANARY", "FUNCTION", "PYTHON", "WANTED", "Artifact", "built", "layers"]

FUNCTION: Final[Document] = load_template()["Resources"]["McpFunction"]["Properties"]
WANTED: Final[str] = FUNCTION["Runtime"].removeprefix("python")
PYTHON: Final = runtime_python(WANTED)


CANARY: Final = "CANARY-of-the-machine-that-builds"
"""The value of variables that hold secrets, during the build."""


class Artifact(NamedTuple):
    """A build: as it is uploaded, and the two folders that an environment has of it."""

    build: Path
    task: Path
    opt: Path


def layers(**parameters: str) -> list[str]:
    """The logical ids of the layers of a function with these parameters, in their order."""
    function = effective(load_template(), parameters, stack="any")["McpFunction"]
    names: list[str] = function["Properties"]["Layers"]
    return names


def built(folder: Path) -> Artifact:
    """The artifact for this machine and `PYTHON`, made in `folder`."""
    build, opt = folder / "build", folder / "opt"
    subprocess.run(
        [
            *("make", "build", f"REGISTRY={NAMED}", f"BUILD_DIR={build}"),
            *(f"ARCH={ARCHITECTURE}", f"RUNTIME_PYTHON={PYTHON.version}"),
        ],
        cwd=ROOT,
        env=plain_environment() | dict.fromkeys(("STATE_SECRET", "AWS_SESSION_TOKEN"), CANARY),
        stdin=subprocess.DEVNULL,
        check=True,
    )
    lay_out([build / name for name in layers()], opt)
    return Artifact(build, build / "McpFunction", opt)
