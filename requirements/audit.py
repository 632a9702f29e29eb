"""`python requirements/audit.py FILE…`: known vulnerabilities of the packages in lock files, by pip-audit.

Exit code 1 if there is one. Where the advisories cannot be read, as without network or from an index that has
none, a line that begins with UNMEASURED says why, and the exit code is 0.
"""

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple

__all__ = ["Audit", "audit", "main"]

_COMMAND: Final = (Path(sys.executable).with_name("pip-audit"), "--disable-pip", "--format=json")


class Audit(NamedTuple):
    """What is known of the packages of one lock file."""

    vulnerable: list[str]
    """A sentence for each advisory."""
    unmeasured: list[str]
    """A sentence for each package, or for the file, whose advisories could not be read."""


def audit(report: str, errors: str) -> Audit:
    """What pip-audit's output says; without a report, its last line of errors."""
    if not report.strip():
        return Audit([], [errors.strip().splitlines()[-1] if errors.strip() else "pip-audit said nothing"])
    packages: list[dict[str, Any]] = json.loads(report)["dependencies"]
    return Audit(
        [
            f"{each['name']} {each['version']} has {found['id']}; mended in {found['fix_versions']}"
            for each in packages
            for found in each.get("vulns", ())
        ],
        [f"{each['name']}: {each['skip_reason']}" for each in packages if "skip_reason" in each],
    )


def main(files: Iterable[str]) -> int:
    """Print what was found in each of `files`."""
    results = {file: _audited(file) for file in files}
    for file, found in results.items():
        for line in found.vulnerable:
            print(f"{file}: {line}")
        if found.unmeasured:
            print(f"UNMEASURED known vulnerabilities of {len(found.unmeasured)} packages in {file}, such as")
            print(f"  {found.unmeasured[0]}")
        elif not found.vulnerable:
            print(f"{file}: no known vulnerabilities")
    return int(any(found.vulnerable for found in results.values()))


def _audited(file: str) -> Audit:
    done = subprocess.run([*_COMMAND, "-r", file], capture_output=True, text=True, check=False)
    return audit(done.stdout, done.stderr)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
