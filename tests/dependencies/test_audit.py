"""The audit of lock files tells a vulnerability from what could not be looked up."""

import json
import runpy
from typing import Any, Final

from tests.support.processes import ROOT

AUDIT: Final = runpy.run_path(str(ROOT / "requirements/audit.py"))["audit"]


def report(*packages: dict[str, Any]) -> str:
    """As pip-audit writes it with `--format=json`."""
    return json.dumps({"dependencies": packages, "fixes": []})


def test_a_vulnerability_is_named_with_its_package() -> None:
    found = AUDIT(
        report(
            {"name": "old", "version": "1.0", "vulns": [{"id": "PYSEC-2026-1", "fix_versions": ["1.1"]}]},
            {"name": "sound", "version": "2.0", "vulns": []},
        ),
        "",
    )
    assert found == (["old 1.0 has PYSEC-2026-1; mended in ['1.1']"], [])


def test_a_package_that_the_index_knows_no_advisories_of_is_unmeasured() -> None:
    reason = "Dependency not found on PyPI and could not be audited: odd (1.0)"
    assert AUDIT(report({"name": "odd", "skip_reason": reason}), "") == ([], [f"odd: {reason}"])


def test_without_network_the_file_is_unmeasured() -> None:
    assert AUDIT("", "Traceback\nConnectionError: no route\n") == ([], ["ConnectionError: no route"])
