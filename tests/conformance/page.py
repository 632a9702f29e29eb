"""The page of the documentation with the verdicts of the suite and of the other referees."""

from collections.abc import Iterable, Sequence
from typing import Final

from tests.conformance.explanations import EXPLANATIONS, NOT_OFFERED
from tests.conformance.referees import Report
from tests.conformance.results import REVISIONS, Outcome
from tests.support.official_schemas import DEVIATIONS

__all__ = ["as_document"]


def as_document(outcomes: Sequence[Outcome], reports: Sequence[Report], *, version: str, date: str) -> str:
    """The page, in Markdown."""
    parts = [_PREFACE.format(version=version, date=date)]
    for revision in REVISIONS:
        of_set = [each for each in outcomes if each.revision == revision]
        parts.append(f"## {revision}\n\n{_counted(of_set)}\n\n{_scenarios(of_set)}\n")
    parts.append(f"{_REMARKS}\n{_remarks(outcomes)}\n")
    parts.append(f"{_REFEREES}\n{_reports(reports)}\n\n{_findings(reports)}\n")
    parts.append(f"{_RECORDED}\n{_deviations()}\n")
    return "\n".join(parts)


_PREFACE: Final = """\
# Conformance

Results of `make conformance` on {date}: the official suite, `@modelcontextprotocol/conformance`
{version}, ran against the fixture in `tests/conformance`, through the Lambda adapter and with sessions in
DynamoDB. The suite's own requirement sets define which scenarios are scored. This page is written by
`python -m tests.conformance.run --write`.
"""

_REMARKS: Final = """\
## Skipped checks and warnings

Each has an explanation; `make conformance` fails on one without, and on an explanation that is not needed.
"""

_REFEREES: Final = """\
## Other referees

They judged the product itself, served on this machine. A referee's score is its own figure; what it holds
not applicable (authorization, for example) is in none of its figures. What it found is mended or explained
here, as above.
"""

_RECORDED: Final = """\
## Recorded replies

`make test` records the replies of the served product, the served fixture, the handler and the built artifact
to its tests and to the real clients in them, and judges each by the specification's JSON schema of its
revision (`tests/recorded`). These faults alone are allowed, for the reason given:
"""


def _counted(outcomes: Sequence[Outcome]) -> str:
    scored = [each for each in outcomes if each.kind == "scored"]
    unscored = [each for each in outcomes if each.wanted and each.kind != "scored"]
    counted = (
        f"{sum(each.good for each in scored)} of {len(scored)} scored scenarios passed, "
        f"and {sum(each.good for each in unscored)} of {len(unscored)} that are not scored."
    )
    if all(each.wanted for each in outcomes):
        return counted
    reasons = "; ".join(f"`{beginning}*`: {reason}" for beginning, reason in NOT_OFFERED.items())
    return f"{counted} Not offered are {reasons}."


def _scenarios(outcomes: Iterable[Outcome]) -> str:
    rows = [
        [each.scenario, each.kind, each.verdict, each.passed, each.failed, each.warnings, each.skipped]
        for each in outcomes
    ]
    return _table(["scenario", "set", "outcome", "checks passed", "failed", "warnings", "skipped"], rows)


def _remarks(outcomes: Iterable[Outcome]) -> str:
    rows = [
        [each.revision, each.scenario, f"{check.name}: {check.status.lower()}", check.note, _why(check.name)]
        for each in outcomes
        for check in each.remarks
    ]
    return _table(["revision", "scenario", "check", "the suite says", "explanation"], rows)


def _reports(reports: Iterable[Report]) -> str:
    rows = [
        [f"{each.referee} {each.version}", each.transport, each.passed, len(each.findings), each.score]
        for each in reports
    ]
    return _table(["referee", "over", "checks passed", "findings", "score"], rows)


def _findings(reports: Iterable[Report]) -> str:
    found: dict[tuple[str, str, str], list[str]] = {}
    for each in reports:
        for check, message in each.findings:
            found.setdefault((each.referee, check, message), []).append(each.transport)
    rows = [
        [referee, " and ".join(transports), check, message, _why(check)]
        for (referee, check, message), transports in found.items()
    ]
    return _table(["referee", "over", "finding", "its words", "explanation"], rows)


def _deviations() -> str:
    versions: dict[tuple[str, str], list[str]] = {}
    for (version, fault), reason in DEVIATIONS.items():
        versions.setdefault((fault, reason), []).append(version)
    rows = [[fault, ", ".join(of), f"{reason}."] for (fault, reason), of in versions.items()]
    return _table(["a reply's fault by the schema", "revisions", "reason"], rows)


def _why(check: str) -> str:
    return f"{EXPLANATIONS.get(check, '**none**')}."


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table; columns whose cells are all numbers are aligned to the right."""
    cells = [list(row) for row in rows]
    numbers = [bool(cells) and all(isinstance(row[at], int) for row in cells) for at in range(len(heads))]
    rules = ["--:" if number else "---" for number in numbers]
    lines = [heads, rules, *([str(cell).replace("|", "\\|") for cell in row] for row in cells)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
