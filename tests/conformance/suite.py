"""The official suite, installed from the lock file beside it."""

import json
from pathlib import Path
from typing import Final, NamedTuple

from tests.support.node import Node, install

__all__ = ["OLDEST_NODE", "Suite", "install_suite"]

OLDEST_NODE: Final = (22, 0)

_FOLDER: Final = Path(__file__).parent
_PACKAGE: Final = _FOLDER / "node_modules" / "@modelcontextprotocol" / "conformance"


class Suite(NamedTuple):
    """The suite: its version, its command, and the folder with its requirements for each revision."""

    version: str
    program: Path
    requirements: Path


def install_suite(node: Node) -> Suite:
    """The suite that `package-lock.json` pins, installed unless it is there already."""
    install(node, _FOLDER)
    package = json.loads((_PACKAGE / "package.json").read_text())
    return Suite(package["version"], _PACKAGE / package["bin"]["conformance"], _PACKAGE / "requirements")
