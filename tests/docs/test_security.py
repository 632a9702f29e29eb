"""docs/security.md names tests that exist, at least one for each threat."""

import re
from typing import Final

import pytest

from tests.support.processes import ROOT

TEXT: Final = (ROOT / "docs/security.md").read_text()
_TABLES: Final = [
    TEXT.split(f"\n## {name}\n")[1].split("\n## ")[0] for name in ("Threats", "Threats to authorization")
]
THREATS: Final = [
    line.strip("| ").split(" | ")
    for table in _TABLES
    for line in [each for each in table.splitlines() if each.startswith("| ")][2:]
]
DEFINED: Final = {
    name
    for path in (ROOT / "tests").rglob("test_*.py")
    for name in re.findall(r"^ *(?:async )?def (test_\w+)", path.read_text(), re.MULTILINE)
}


@pytest.mark.parametrize("threat", THREATS, ids=lambda threat: threat[0][:40])
def test_a_threat_has_a_control_and_tests_that_exist(threat: list[str]) -> None:
    _, control, *_, named = threat
    assert control
    tests = re.findall(r"`(test_\w+)`", named)
    assert tests != []
    assert [name for name in tests if name not in DEFINED] == []
