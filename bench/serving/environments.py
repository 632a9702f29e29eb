"""The environment of each target: its code, its packages, the runtime's own packages, all with bytecode.

Everything lies in `.bench/`, which may be deleted at any time. Packages are installed once for each lock
file.
"""

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from bench.serving.targets import OURS, OURS_AUTHORIZED, Target
from tests.support.emulator import ARCHITECTURE, Python, lay_out
from tests.support.processes import ROOT, plain_environment

__all__ = [
    "CACHE",
    "WANTED",
    "Environment",
    "package_folder",
    "prepare_environment",
    "run_quietly",
    "runtime_packages",
]

CACHE: Final = ROOT / ".bench"
WANTED: Final = "3.13"

_PEERS: Final = ROOT / "bench" / "peers"
_UV: Final = ROOT / ".venv-build" / "bin" / "uv"
_LAYERS: Final = {
    OURS: ("CoreLayer", "RegistryLayer", "DependenciesLayer"),
    OURS_AUTHORIZED: ("CoreLayer", "RegistryLayer", "DependenciesLayer", "AuthorizationLayer"),
}
_ERROR_CHARACTERS: Final = 4000


class Environment(NamedTuple):
    """The folders of a target as Lambda lays them out: the function in `task`, all layers in `opt`."""

    task: Path
    opt: Path

    @property
    def path(self) -> str:
        """The import path, without the runtime's own packages, which come last."""
        return f"{self.task}:{self.opt / 'python'}"

    def unzipped_mb(self) -> float:
        """The size of all deployed files with their bytecode, in millions of bytes."""
        files = (path for folder in self for path in folder.rglob("*") if path.is_file())
        return sum(path.stat().st_size for path in files) / 1_000_000

    def has_bytecode(self) -> bool:
        """Whether it contains `.pyc` files."""
        return any(path for folder in self for path in folder.rglob("*.pyc"))


def runtime_packages(python: Python) -> Path:
    """The packages that Lambda's image provides beside Python, with bytecode as in the image."""
    return _install("runtime", python) / "python"


def prepare_environment(target: Target, python: Python, folder: Path = CACHE) -> Environment:
    """The environment of `target`, with its code copied or built anew in `folder`."""
    if target.name in _LAYERS:
        return _lay_out(target.name, _build(python))
    task = folder / "tasks" / target.name
    shutil.rmtree(task, ignore_errors=True)
    ignored = shutil.ignore_patterns("*.in", "*.txt", "*.override", "__pycache__")
    shutil.copytree(_PEERS, task / "peers", ignore=ignored)
    _compile(python, task)
    if target.packages is None:
        empty = folder / "empty"
        empty.mkdir(exist_ok=True)
        return Environment(task, empty)
    return Environment(task, _install(target.packages, python))


@cache
def _build(python: Python) -> Path:
    """The output of `make build` for this machine."""
    build = CACHE / OURS / "build"
    settings = (f"ARCH={ARCHITECTURE}", f"RUNTIME_PYTHON={python.version}", f"BUILD_DIR={build}")
    run_quietly(["make", "--silent", "build", *settings])
    return build


def _lay_out(name: str, build: Path) -> Environment:
    """The built function, with the layers of the target of this name merged."""
    opt = CACHE / name / "opt"
    shutil.rmtree(opt, ignore_errors=True)
    lay_out([build / layer for layer in _LAYERS[name]], opt)
    return Environment(build / "McpFunction", opt)


def run_quietly(command: Sequence[str | Path]) -> None:
    """Run `command` at the root of the project, without output.

    Raises:
        RuntimeError: the command failed; the message contains the end of its output.
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
        raise RuntimeError(f"{words} ended with {ended.returncode}:\n{ended.stdout[-_ERROR_CHARACTERS:]}")


def package_folder(lock: str, python: Python) -> Path:
    """The folder in whose `python/` the packages of a lock file are installed."""
    digest = hashlib.sha256(_lock_file(lock).read_bytes()).hexdigest()[:12]
    return CACHE / "packages" / f"{lock}-{python.version}-{digest}"


def _lock_file(lock: str) -> Path:
    return _PEERS / f"{lock}.txt"


def _install(lock: str, python: Python) -> Path:
    folder = package_folder(lock, python)
    if not folder.is_dir():
        fresh = folder.with_suffix(".fresh")
        shutil.rmtree(fresh, ignore_errors=True)
        print(f"installing {lock} from the package index", file=sys.stderr)
        options = ("--quiet", "--only-binary", ":all:", "--require-hashes", "--no-deps")
        where = ("--python", python.path, "--target", fresh / "python")
        subprocess.run(
            [_UV, "pip", "install", *options, *where, "--requirements", _lock_file(lock)],
            env=plain_environment(),
            check=True,
        )
        shutil.rmtree(fresh / "python" / "bin", ignore_errors=True)
        _compile(python, fresh)
        fresh.rename(folder)
    return folder


def _compile(python: Python, folder: Path) -> None:
    """Compile as `make build` does, so that all targets are measured with bytecode."""
    options = ("-q", "-q", "--invalidation-mode", "unchecked-hash", "-s", folder)
    # Some packages contain templates that do not compile; they are never imported.
    subprocess.run([python.path, "-I", "-m", "compileall", *options, folder], check=False)
