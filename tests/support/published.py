"""The registry that is baked and served while the tests run, read as any program could: JSON files.

It is the one that the variable REGISTRY of `make` names.
"""

import hashlib
import json
import os
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.processes import ROOT

__all__ = ["CATEGORIES", "FILE", "PROJECTS_OWN", "REGISTRY", "canonical_text", "of_the_project"]

_OWN: Final = ROOT / "registry.json"

FILE: Final[Path] = ROOT / (os.environ.get("REGISTRY") or _OWN.name)
PROJECTS_OWN: Final = FILE.resolve() == _OWN.resolve()
"""Whether it is the project's own registry."""

REGISTRY: Final[dict[str, Any]] = json.loads(FILE.read_bytes())
"""The content of its registry file."""
CATEGORIES: Final[dict[str, Any]] = REGISTRY["categories"]

of_the_project = pytest.mark.skipif(
    not PROJECTS_OWN, reason="it expects what the project's own registry answers, and REGISTRY is another"
)
"""Mark of a test whose queries and answers are those of the project's own registry."""


def canonical_text() -> str:
    """The text that is hashed and signed, made from the files."""
    content = _without_schema(REGISTRY)
    files = {file.stem: json.loads(file.read_bytes()) for file in FILE.parent.glob("vocabulary/*.json")}
    vocabulary: dict[str, Any] = {}
    if "out-of-scope" in files:
        vocabulary["out_of_scope"] = files.pop("out-of-scope")["topics"]
    if files:
        vocabulary["categories"] = {slug: _without_schema(words) for slug, words in files.items()}
    if vocabulary:
        digest = hashlib.sha256(_canonical(vocabulary).encode()).hexdigest()
        content["vocabulary"] = f"sha256:{digest}"
    return _canonical(content)


def _canonical(content: Any) -> str:
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _without_schema(content: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in content.items() if name != "$schema"}
