"""docs/licenses.md: it lists what the layers of packages ship, and they keep the licence texts."""

import re
from pathlib import Path
from typing import Final

import pytest

from tests.support.processes import ROOT

LAYERS: Final = ("dependencies", "authorization")


def packages(pattern: str, path: Path) -> set[tuple[str, str]]:
    """Normalized names and versions, as `pattern` finds them."""
    found = re.findall(pattern, path.read_text(), re.MULTILINE)
    return {(re.sub(r"[-_.]+", "-", name).lower(), version) for name, version in found}


def pinned_in(layer: str) -> set[tuple[str, str]]:
    found = packages(r"^([\w.-]+)==([\w.]+)", ROOT / "layers" / layer / "requirements.txt")
    assert found, f"requirements.txt of {layer} pins nothing that this test reads"
    return found


def test_the_list_of_licences_has_each_package_of_the_layers_in_its_version() -> None:
    listed = packages(r"^\| ([\w.-]+) +\| (\d[\w.]*) +\| [A-Z]", ROOT / "docs" / "licenses.md")
    assert listed == set().union(*map(pinned_in, LAYERS)), "run make licenses"


@pytest.mark.parametrize("layer", LAYERS)
def test_trimming_a_layer_keeps_the_folders_that_hold_the_licence_texts(layer: str) -> None:
    trimmed = re.findall(r"^[^#\s]+", (ROOT / "layers" / layer / "trim.txt").read_text(), re.MULTILINE)
    assert [entry for entry in trimmed if "dist-info" in entry or entry.startswith("*")] == []
