"""docs/licenses.md: it lists what the dependencies layer ships, and the layer keeps the licence texts."""

import re
from pathlib import Path
from typing import Final

from tests.support.processes import ROOT

LAYER: Final = ROOT / "layers" / "dependencies"


def packages(pattern: str, path: Path) -> set[tuple[str, str]]:
    """Normalized names and versions, as `pattern` finds them."""
    found = re.findall(pattern, path.read_text(), re.MULTILINE)
    return {(re.sub(r"[-_.]+", "-", name).lower(), version) for name, version in found}


def test_the_list_of_licences_has_each_package_of_the_layer_in_its_version() -> None:
    pinned = packages(r"^([\w.-]+)==([\w.]+)", LAYER / "requirements.txt")
    listed = packages(r"^\| ([\w.-]+) +\| (\d[\w.]*) +\| [A-Z]", ROOT / "docs" / "licenses.md")
    assert pinned, "requirements.txt pins nothing that this test reads"
    assert listed == pinned, "run make licenses"


def test_trimming_the_layer_keeps_the_folders_that_hold_the_licence_texts() -> None:
    trimmed = re.findall(r"^[^#\s]+", (LAYER / "trim.txt").read_text(), re.MULTILINE)
    assert [entry for entry in trimmed if "dist-info" in entry or entry.startswith("*")] == []
