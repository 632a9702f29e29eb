"""`make conformance`: the official suite against the fixture, with both requirement sets."""

import argparse
import contextlib
import datetime
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import yaml

from tests.conformance.results import (
    REVISIONS,
    Outcome,
    Requirements,
    as_document,
    as_table,
    judged,
    read_checks,
)
from tests.conformance.suite import OLDEST_NODE, Suite, install_suite
from tests.support.node import Node, NodeMissing, find_node
from tests.support.processes import ROOT
from tests.support.serving import serving

__all__ = ["main"]

_PAGE: Final = ROOT / "docs" / "conformance.md"
_TIMEOUT_SECONDS: Final = 300


def main() -> int:
    """Run the suite; 1 if a scenario that must pass has not."""
    parser = argparse.ArgumentParser(prog="make conformance", description=main.__doc__)
    parser.add_argument("--url", help="a server that runs already, instead of the fixture")
    parser.add_argument("--write", action="store_true", help=f"keep the result in {_PAGE.relative_to(ROOT)}")
    arguments = parser.parse_args()
    try:
        node = find_node(OLDEST_NODE)
    except NodeMissing as error:
        print(error, file=sys.stderr)
        return 1
    suite = install_suite(node)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with _served(arguments.url, folder) as url:
            outcomes = [
                outcome
                for revision in REVISIONS
                for outcome in _run_set(node, suite, url, revision, folder / revision)
            ]
    print(as_table(outcomes))
    if arguments.write:
        today = datetime.datetime.now(datetime.UTC).date().isoformat()
        _PAGE.write_text(as_document(outcomes, version=suite.version, date=today))
    failed = sum(each.wanted and not each.good for each in outcomes)
    print(f"{sum(each.wanted and each.good for each in outcomes)} passed, {failed} failed")
    return 1 if failed else 0


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
