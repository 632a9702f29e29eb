"""The environment of each target: packages from the index, its code, the runtime's own packages, bytecode.

Everything lies under `.bench/`, which may be deleted at any time; what a lock file has not changed is kept.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from bench.serving.targets import OURS, Target
from tests.support.emulator import ARCHITECTURE, Python, lay_out
from tests.support.processes import ROOT, plain_environment

__all__ = ["CACHE", "WANTED", "Environment", "installed_folder", "made", "quietly", "runtime_packages"]

CACHE: Final = ROOT / ".bench"
WANTED: Final = "3.13"

_PEERS: Final = ROOT / "bench" / "peers"
_UV: Final = ROOT / ".venv-build" / "bin" / "uv"
_LAYERS: Final = ("CoreLayer", "RegistryLayer", "DependenciesLayer")
_RUNTIME: Final = "runtime"
_TOLD_CHARACTERS: Final = 4000


class Environment(NamedTuple):
    """Where a target lies, as Lambda would lay it out: the function in `task`, all layers in `opt`."""

    task: Path
    opt: Path

    @property
    def path(self) -> str:
        """The order of imports, the runtime's own packages last."""
        return f"{self.task}:{self.opt / 'python'}"

    def unzipped_mb(self) -> float:
        """The size of all files that are deployed, in millions of bytes, with their bytecode."""
        return sum(_bytes(folder) for folder in (self.task, self.opt)) / 1_000_000

    def has_bytecode(self) -> bool:
        """Whether anything in it is compiled."""
        return any(path for folder in self for path in folder.rglob("*.pyc"))

    def without_bytecode(self) -> "Environment":
        """The same files, less what Python has compiled."""
        bare = Environment(*(folder.with_name(f"{folder.name}-bare") for folder in self))
        for folder, copy in zip(self, bare, strict=True):
            shutil.rmtree(copy, ignore_errors=True)
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(folder, copy, ignore=ignored, copy_function=os.link)
        return bare


def runtime_packages(python: Python) -> Path:
    """What Lambda's image brings beside Python, with its bytecode, as the image has it."""
    return _installed(_RUNTIME, python) / "python"


def made(target: Target, python: Python, folder: Path = CACHE) -> Environment:
    """The environment of `target`: packages once for each lock file, its own code anew, in `folder`."""
    if target.name == OURS:
        return _built(python)
    task = folder / "tasks" / target.name
    shutil.rmtree(task, ignore_errors=True)
    ignored = shutil.ignore_patterns("*.in", "*.txt", "*.override", "__pycache__")
    shutil.copytree(_PEERS, task / "peers", ignore=ignored)
    _compile(python, task)
    if target.packages is None:
        nothing = folder / "nothing"
        nothing.mkdir(exist_ok=True)
        return Environment(task, nothing)
    return Environment(task, _installed(target.packages, python))


def _built(python: Python) -> Environment:
    """What `make build` makes of this tree for this machine, its layers laid over each other."""
    folder = CACHE / OURS
    build, environment = folder / "build", Environment(folder / "build" / "McpFunction", folder / "opt")
    quietly(
        [
            *("make", "--silent", "build", f"ARCH={ARCHITECTURE}"),
            *(f"RUNTIME_PYTHON={python.version}", f"BUILD_DIR={build}"),
        ]
    )
    shutil.rmtree(environment.opt, ignore_errors=True)
    lay_out([build / layer for layer in _LAYERS], environment.opt)
    return environment


def quietly(command: Sequence[str | Path]) -> None:
    """Run `command` at the root of the project; what it writes is shown only when it fails.

    Raises:
        RuntimeError: it has failed; the message has the end of both its streams.
    """
    ended = subprocess.run(
        command,
        cwd=ROOT,
        env=plain_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if ended.returncode:
        words = " ".join(map(str, command))
        raise RuntimeError(f"{words} ended with {ended.returncode}:\n{ended.stdout[-_TOLD_CHARACTERS:]}")


def installed_folder(name: str, python: Python) -> Path:
    """Where the packages of a lock file lie, in `python/`, once they are installed; each lock has its own."""
    digest = hashlib.sha256(_lock(name).read_bytes()).hexdigest()[:12]
    return CACHE / "packages" / f"{name}-{python.version}-{digest}"


def _lock(name: str) -> Path:
    return _PEERS / f"{name}.txt"


def _installed(name: str, python: Python) -> Path:
    folder = installed_folder(name, python)
    if not folder.is_dir():
        fresh = folder.with_suffix(".fresh")
        shutil.rmtree(fresh, ignore_errors=True)
        print(f"installing {name} from the package index", file=sys.stderr)
        subprocess.run(
            [
                *(
                    _UV,
                    "pip",
                    "install",
                    "--quiet",
                    "--only-binary",
                    ":all:",
                    "--require-hashes",
                    "--no-deps",
                ),
                *("--python", python.path, "--target", fresh / "python", "--requirements", _lock(name)),
            ],
            env=plain_environment(),
            check=True,
        )
        shutil.rmtree(fresh / "python" / "bin", ignore_errors=True)
        _compile(python, fresh)
        fresh.rename(folder)
    return folder


def _compile(python: Python, folder: Path) -> None:
    """As `make build` does it, so that every target ships its bytecode alike."""
    options = ("-q", "-q", "--invalidation-mode", "unchecked-hash", "-s", folder)
    # What does not compile, such as templates that are no Python, is nothing that is imported.
    subprocess.run([python.path, "-I", "-m", "compileall", *options, folder], check=False)


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
