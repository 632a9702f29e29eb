"""The project's own registry: its files, read as any program could, and where it is baked.

Tests ask it what they know of it, even if the variable REGISTRY of `make` names another. Then they bake it
to a folder of their own, and only the build and what is tested of that has the other one.
"""

import atexit
import hashlib
import json
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.processes import ROOT
from threegood.baking.bake import bake
from threegood.registry.validate import read_registry

__all__ = [
    "CATEGORIES",
    "IS_NAMED",
    "NAMED",
    "NAMES_OF_NAMED",
    "REGISTRY",
    "baked_folder",
    "canonical_text",
    "of_the_project",
]

_FILE: Final = ROOT / "registry.json"

REGISTRY: Final[dict[str, Any]] = json.loads(_FILE.read_bytes())
"""The content of its registry file."""
CATEGORIES: Final[dict[str, Any]] = REGISTRY["categories"]

NAMED: Final = Path(os.environ.get("REGISTRY") or _FILE.name).expanduser()
"""The registry file that REGISTRY names, which `make` baked for the layer; from the project's folder."""

NAMES_OF_NAMED: Final = tuple(
    category["name"] for category in json.loads((ROOT / NAMED).read_bytes())["categories"].values()
)
"""The names of its categories: a query that has one finds its category."""

IS_NAMED: Final = (ROOT / NAMED).resolve() == _FILE.resolve()
"""Whether REGISTRY names the project's own, so that the layer has it."""

of_the_project = pytest.mark.skipif(
    not IS_NAMED,
    reason="it asks a build for topics of the project's own registry, and REGISTRY names another",
)


@cache
def baked_folder() -> Path:
    """The folder where it is baked."""
    if IS_NAMED:
        return ROOT / "layers" / "registry" / "baked"
    folder = Path(tempfile.mkdtemp(prefix="registry-"))
    atexit.register(shutil.rmtree, folder)
    bake(read_registry(_FILE), folder / "baked")
    return folder / "baked"


def canonical_text() -> str:
    """The text that is hashed and signed, made from the files."""
    files = {file.stem: json.loads(file.read_bytes()) for file in (ROOT / "vocabulary").iterdir()}
    topics = files.pop("out-of-scope")["topics"]
    words = {slug: _without_schema(content) for slug, content in files.items()}
    digest = hashlib.sha256(_canonical({"categories": words, "out_of_scope": topics}).encode()).hexdigest()
    return _canonical({**_without_schema(REGISTRY), "vocabulary": f"sha256:{digest}"})


def _canonical(content: Any) -> str:
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _without_schema(content: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in content.items() if name != "$schema"}
