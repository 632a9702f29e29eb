"""The results of the suite: an outcome for each scenario, as a table and as a page."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

__all__ = [
    "REVISIONS",
    "UNSCORED",
    "Outcome",
    "Requirements",
    "as_document",
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


class Outcome(NamedTuple):
    """One scenario under one revision. `wanted` scenarios must pass; `kind` is why, or why not."""

    revision: str
    scenario: str
    kind: str
    wanted: bool
    passed: int
    failed: int
    warnings: int
    skipped: int

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


def judged(revision: str, required: Requirements, found: Mapping[str, Counter[str]]) -> list[Outcome]:
    """The outcome of each scenario in the set's order; a scenario without checks has not passed."""
    kinds = dict.fromkeys(required.scored, "scored")
    kinds |= {name: f"unscored, {required.others.get(name, 'not run')}" for name in UNSCORED[revision]}
    kinds = {**kinds, **{name: reason for name, reason in required.others.items() if name not in kinds}}
    wanted = {*required.scored, *UNSCORED[revision]}
    return [_outcome(revision, name, kind, name in wanted, found) for name, kind in kinds.items()]


def read_checks(folder: Path) -> dict[str, Counter[str]]:
    """The number of checks of each status, by scenario, from the files in `folder`."""
    found: dict[str, Counter[str]] = {}
    for path in sorted(folder.glob("*/checks.json")):
        named = _FOLDER.fullmatch(path.parent.name)
        if named is not None:
            found[named[1]] = Counter(check["status"] for check in json.loads(path.read_text()))
    return found


def as_table(outcomes: Iterable[Outcome]) -> str:
    """A line for each scenario."""
    return "\n".join(
        f"{each.verdict:<12}{each.revision}  {each.scenario:<46}"
        f"{each.passed} passed, {each.failed} failed, {each.warnings} warnings, {each.skipped} skipped"
        for each in outcomes
    )


def as_document(outcomes: Sequence[Outcome], *, version: str, date: str) -> str:
    """The page of the documentation with the result."""
    parts = [_PREFACE.format(version=version, date=date)]
    for revision in REVISIONS:
        of_set = [each for each in outcomes if each.revision == revision]
        parts.append(f"## {revision}\n\n{_counted(of_set)}\n\n{_rows(of_set)}\n")
    return "\n".join(parts)


_PREFACE: Final = """\
# Conformance

Results of `make conformance` on {date}: the official suite, `@modelcontextprotocol/conformance`
{version}, ran against the fixture in `tests/conformance`, through the Lambda adapter and with sessions in
DynamoDB. The suite's own requirement sets define which scenarios are scored. This page is written by
`python -m tests.conformance.run --write`.

The scenarios of the tasks extension are not offered: a task continues after its request, and a Lambda
function does not.
"""


def _outcome(
    revision: str, scenario: str, kind: str, wanted: bool, found: Mapping[str, Counter[str]]
) -> Outcome:
    counts = found.get(scenario, Counter())
    figures = (counts[status] for status in ("SUCCESS", "FAILURE", "WARNING", "SKIPPED"))
    return Outcome(revision, scenario, kind, wanted, *figures)


def _counted(outcomes: Sequence[Outcome]) -> str:
    scored = [each for each in outcomes if each.kind == "scored"]
    unscored = [each for each in outcomes if each.wanted and each.kind != "scored"]
    return (
        f"{sum(each.good for each in scored)} of {len(scored)} scored scenarios passed, "
        f"and {sum(each.good for each in unscored)} of {len(unscored)} that are not scored."
    )


def _rows(outcomes: Iterable[Outcome]) -> str:
    lines = [
        "| scenario | set | outcome | checks passed | failed | warnings | skipped |",
        "| --- | --- | --- | --: | --: | --: | --: |",
        *(
            f"| {each.scenario} | {each.kind} | {each.verdict} | {each.passed} | {each.failed} "
            f"| {each.warnings} | {each.skipped} |"
            for each in outcomes
        ),
    ]
    return "\n".join(lines)
