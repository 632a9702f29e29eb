"""Which results of the suite count as passed, and the reports of them."""

import json
from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from tests.conformance.results import (
    REVISIONS,
    UNSCORED,
    Outcome,
    Requirements,
    as_document,
    as_table,
    judged,
    read_checks,
)

REVISION: Final = "2025-11-25"
POLLING: Final = "server-sse-polling"
REQUIRED: Final = Requirements(scored=("ping",), others={POLLING: "pending", "tasks-lifecycle": "extension"})
PASSED: Final = Counter(SUCCESS=2, INFO=1)


def outcome(found: dict[str, Counter[str]], scenario: str = "ping") -> Outcome:
    (chosen,) = [each for each in judged(REVISION, REQUIRED, found) if each.scenario == scenario]
    return chosen


def test_a_scenario_with_checks_that_all_succeed_has_passed() -> None:
    assert outcome({"ping": PASSED}) == Outcome(REVISION, "ping", "scored", True, 2, 0, 0, 0)
    assert outcome({"ping": PASSED}).verdict == "passed"


@pytest.mark.parametrize(
    "checks", [Counter(SUCCESS=9, FAILURE=1), Counter(WARNING=1), Counter(SKIPPED=1), Counter()]
)
def test_a_scenario_with_a_failure_or_without_a_success_has_not(checks: Counter[str]) -> None:
    assert outcome({"ping": checks}).verdict == "failed"


@pytest.mark.parametrize("scenario", ["ping", *UNSCORED[REVISION]])
def test_a_scenario_that_was_not_run_has_failed(scenario: str) -> None:
    assert outcome({}, scenario).verdict == "failed"


def test_a_scenario_of_an_extension_need_not_pass() -> None:
    chosen = outcome({"tasks-lifecycle": Counter(FAILURE=1)}, "tasks-lifecycle")
    assert (chosen.wanted, chosen.kind, chosen.verdict) == (False, "extension", "not offered")


def test_the_requirements_are_those_of_a_server() -> None:
    document = {
        "server": ["ping"],
        "client": ["initialize"],
        "not_scored": [
            {"scenario": POLLING, "leg": "server", "reason": "pending"},
            {"scenario": "auth/dpop", "leg": "client", "reason": "extension"},
        ],
    }
    assert Requirements.of(document) == Requirements(["ping"], {POLLING: "pending"})


def test_checks_are_counted_by_scenario(tmp_path: Path) -> None:
    folder = tmp_path / "server-server-sse-polling-2026-11-21T22-52-45-488Z"
    folder.mkdir()
    checks = [{"status": "SUCCESS"}, {"status": "SUCCESS"}, {"status": "WARNING"}]
    (folder / "checks.json").write_text(json.dumps(checks))
    assert read_checks(tmp_path) == {POLLING: Counter(SUCCESS=2, WARNING=1)}


def test_every_scenario_has_a_line() -> None:
    outcomes = judged(REVISION, REQUIRED, {"ping": PASSED})
    first, *others = as_table(outcomes).splitlines()
    assert first.split() == f"passed {REVISION} ping 2 passed, 0 failed, 0 warnings, 0 skipped".split()
    assert len(others) == len(UNSCORED[REVISION]) + 1


def test_the_page_counts_each_set() -> None:
    outcomes = [each for revision in REVISIONS for each in judged(revision, REQUIRED, {"ping": PASSED})]
    page = as_document(outcomes, version="1.2.3", date="2026-11-21")
    assert "2026-11-21" in page
    assert "1.2.3" in page
    assert page.count("1 of 1 scored scenarios passed, and 0 of 3 that are not scored.") == 2
