"""The output of `make build`, in the folders of Lambda."""

import subprocess
from pathlib import Path
from typing import Final, NamedTuple

from tests.support.emulator import ARCHITECTURE, lay_out, runtime_python
from tests.support.processes import ROOT, plain_environment
from tests.support.published import NAMED
from tests.support.sam_template import Document, load_template

__all__ = ["CANARY", "FUNCTION", "PYTHON", "WANTED", "Artifact", "built"]

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
    lay_out([build / layer["Ref"] for layer in FUNCTION["Layers"]], opt)
    return Artifact(build, build / "McpFunction", opt)
