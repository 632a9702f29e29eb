"""The results of the suite: an outcome for each scenario, and a line of text for each."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

__all__ = [
    "REVISIONS",
    "UNSCORED",
    "Check",
    "Outcome",
    "Requirements",
    "as_table",
    "judged",
    "read_checks",
]

UNSCORED: Final[Mapping[str, Sequence[str]]] = {
    "2025-11-25": ("server-sse-polling", "server-session-lifecycle", "json-schema-2020-12"),
    "2026-07-28": (
        "json-schema-2020-12",
        "http-header-validation",
        "http-custom-header-server-validation",
    ),
}
"""Scenarios that no requirement set scores, and that must pass here too."""

REVISIONS: Final = tuple(UNSCORED)

# The suite writes its checks to a folder for each scenario and time.
_FOLDER: Final = re.compile(r"server-(.+)-\d{4}-\d\d-\d\dT[-\dZ]+")


class Requirements(NamedTuple):
    """The scenarios that the suite scores for a server, and for the others the reason why it does not."""

    scored: Sequence[str]
    others: Mapping[str, str]

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> "Requirements":
        """The requirements in a document of the suite's own."""
        others = [entry for entry in document["not_scored"] if entry["leg"] == "server"]
        return cls(document["server"], {entry["scenario"]: entry["reason"] for entry in others})


class Check(NamedTuple):
    """One check of a scenario: its name, the suite's status for it, and the suite's words."""

    name: str
    status: str
    note: str

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> "Check":
        """The check in a document of the suite's own."""
        note = document.get("details", {}).get("note") or document.get("errorMessage")
        return cls(document["id"], document["status"], note or document.get("description", ""))


class Outcome(NamedTuple):
    """One scenario under one revision. `wanted` scenarios must pass; `kind` is why, or why not.

    `remarks` are the checks that were skipped or ended in a warning.
    """

    revision: str
    scenario: str
    kind: str
    wanted: bool
    passed: int
    failed: int
    warnings: int
    skipped: int
    remarks: Sequence[Check] = ()

    @property
    def good(self) -> bool:
        """True when a check passed and none failed."""
        return self.passed > 0 and self.failed == 0

    @property
    def verdict(self) -> str:
        """The outcome in a word."""
        if self.good:
            return "passed"
        return "failed" if self.wanted else "not offered"


def judged(revision: str, required: Requirements, found: Mapping[str, Sequence[Check]]) -> list[Outcome]:
    """The outcome of each scenario in the set's order; a scenario without checks has not passed."""
    kinds = dict.fromkeys(required.scored, "scored")
    kinds |= {name: f"unscored, {required.others.get(name, 'not run')}" for name in UNSCORED[revision]}
    kinds = {**kinds, **{name: reason for name, reason in required.others.items() if name not in kinds}}
    wanted = {*required.scored, *UNSCORED[revision]}
    return [_outcome(revision, name, kind, name in wanted, found) for name, kind in kinds.items()]


def read_checks(folder: Path) -> dict[str, list[Check]]:
    """The checks of each scenario, from the files in `folder`."""
    found: dict[str, list[Check]] = {}
    for path in sorted(folder.glob("*/checks.json")):
        named = _FOLDER.fullmatch(path.parent.name)
        if named is not None:
            found[named[1]] = [Check.of(check) for check in json.loads(path.read_text())]
    return found


def as_table(outcomes: Iterable[Outcome]) -> str:
    """A line for each scenario."""
    return "\n".join(
        f"{each.verdict:<12}{each.revision}  {each.scenario:<46}"
        f"{each.passed} passed, {each.failed} failed, {each.warnings} warnings, {each.skipped} skipped"
        for each in outcomes
    )


def _outcome(
    revision: str, scenario: str, kind: str, wanted: bool, found: Mapping[str, Sequence[Check]]
) -> Outcome:
    checks = found.get(scenario, ())
    counts = Counter(check.status for check in checks)
    return Outcome(
        revision,
        scenario,
        kind,
        wanted,
        passed=counts["SUCCESS"],
        failed=counts["FAILURE"],
        warnings=counts["WARNING"],
        skipped=counts["SKIPPED"],
        remarks=[check for check in checks if check.status in ("WARNING", "SKIPPED")],
    )
