"""`make conformance`: the official suite against the fixture, and the other referees against the product."""

import argparse
import contextlib
import datetime
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import yaml

from tests.conformance.explanations import NOT_OFFERED, unexplained, unused
from tests.conformance.page import as_document
from tests.conformance.referees import Report, judge_product
from tests.conformance.results import REVISIONS, Outcome, Requirements, as_table, judged, read_checks
from tests.conformance.suite import OLDEST_NODE, Suite, install_suite
from tests.support.node import Node, NodeMissing, find_node
from tests.support.processes import ROOT
from tests.support.serving import serving

__all__ = ["faults", "main"]

_PAGE: Final = ROOT / "docs" / "conformance.md"
_TIMEOUT_SECONDS: Final = 300


def main() -> int:
    """Run the suite and the referees; 1 if what must pass has not, or nothing explains it."""
    parser = argparse.ArgumentParser(prog="make conformance", description=main.__doc__)
    parser.add_argument("--url", help="a server that runs already: the suite alone judges it")
    parser.add_argument("--write", action="store_true", help=f"keep the result in {_PAGE.relative_to(ROOT)}")
    arguments = parser.parse_args()
    try:
        node = find_node(OLDEST_NODE)
    except NodeMissing as error:
        print(error, file=sys.stderr)
        return 1
    suite = install_suite(node)
    outcomes, reports = _verdicts(node, suite, arguments.url)
    print(as_table(outcomes))
    for report in reports:
        print(f"{report.score:<12}{report.referee} {report.version} over {report.transport}")
    if arguments.write:
        today = datetime.datetime.now(datetime.UTC).date().isoformat()
        _PAGE.write_text(as_document(outcomes, reports, version=suite.version, date=today))
    found = faults(outcomes, reports) if arguments.url is None else []
    for fault in found:
        print(fault)
    passed = sum(each.wanted and each.good for each in outcomes) + sum(each.judged for each in reports)
    failed = sum(each.wanted and not each.good for each in outcomes) + len(found)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def _verdicts(node: Node, suite: Suite, url: str | None) -> tuple[list[Outcome], list[Report]]:
    """What the suite says of the fixture, or of `url` alone, and the other referees of the product."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with _served(url, folder) as served:
            outcomes = [
                outcome
                for revision in REVISIONS
                for outcome in _run_set(node, suite, served, revision, folder / revision)
            ]
        return outcomes, judge_product(folder) if url is None else []


def faults(outcomes: Sequence[Outcome], reports: Sequence[Report]) -> list[str]:
    """What nothing explains, explanations that nothing needs, and referees that passed no check."""
    checks = [check.name for each in outcomes for check in each.remarks]
    checks += [finding.check for each in reports for finding in each.findings]
    left_out = [each.scenario for each in outcomes if each.verdict == "not offered"]
    return [
        *(f"no explanation: {check}" for check in unexplained(checks)),
        *(f"an explanation of what nobody reports: {check}" for check in unused(checks)),
        *(
            f"no reason to leave it out: {name}"
            for name in left_out
            if not name.startswith(tuple(NOT_OFFERED))
        ),
        *(f"no verdict: {each.referee} over {each.transport}" for each in reports if not each.judged),
    ]


@contextmanager
def _served(url: str | None, folder: Path) -> Iterator[str]:
    if url is not None:
        yield url
        return
    with serving(folder, module="tests.conformance.serve") as fixture:
        yield fixture.url


def _run_set(node: Node, suite: Suite, url: str, revision: str, folder: Path) -> list[Outcome]:
    """The outcomes of one requirement set. The suite's output is printed if one that must pass failed."""
    document = yaml.safe_load((suite.requirements / f"{revision}.yaml").read_text())
    log = folder.with_suffix(".log")
    with log.open("wb") as opened, contextlib.suppress(subprocess.TimeoutExpired):
        subprocess.run(
            [node.program, suite.program, "server", "--url", url, "--requirements", revision, "-o", folder],
            stdin=subprocess.DEVNULL,
            stdout=opened,
            stderr=subprocess.STDOUT,
            timeout=_TIMEOUT_SECONDS,
            check=False,
        )
    outcomes = judged(revision, Requirements.of(document), read_checks(folder))
    if any(each.wanted and not each.good for each in outcomes):
        print(log.read_text(errors="replace"))
    return outcomes


if __name__ == "__main__":
    sys.exit(main())
