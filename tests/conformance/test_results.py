"""Which results of the suite count as passed, and the reports of them."""

import json
from pathlib import Path
from typing import Final

import pytest

from tests.conformance.results import (
    UNSCORED,
    Check,
    Outcome,
    Requirements,
    as_table,
    judged,
    read_checks,
)

REVISION: Final = "2025-11-25"
POLLING: Final = "server-sse-polling"
REQUIRED: Final = Requirements(scored=("ping",), others={POLLING: "pending", "tasks-lifecycle": "extension"})


def checks(**statuses: int) -> list[Check]:
    """So many checks of each status."""
    return [Check("a", status, "b") for status, count in statuses.items() for _ in range(count)]


PASSED: Final = checks(SUCCESS=2, INFO=1)


def outcome(found: dict[str, list[Check]], scenario: str = "ping") -> Outcome:
    (chosen,) = [each for each in judged(REVISION, REQUIRED, found) if each.scenario == scenario]
    return chosen


def test_a_scenario_with_checks_that_all_succeed_has_passed() -> None:
    assert outcome({"ping": PASSED}) == Outcome(REVISION, "ping", "scored", True, 2, 0, 0, 0, [])
    assert outcome({"ping": PASSED}).verdict == "passed"


@pytest.mark.parametrize("statuses", [{"SUCCESS": 9, "FAILURE": 1}, {"WARNING": 1}, {"SKIPPED": 1}, {}])
def test_a_scenario_with_a_failure_or_without_a_success_has_not(statuses: dict[str, int]) -> None:
    assert outcome({"ping": checks(**statuses)}).verdict == "failed"


@pytest.mark.parametrize("scenario", ["ping", *UNSCORED[REVISION]])
def test_a_scenario_that_was_not_run_has_failed(scenario: str) -> None:
    assert outcome({}, scenario).verdict == "failed"


def test_a_scenario_of_an_extension_need_not_pass() -> None:
    chosen = outcome({"tasks-lifecycle": checks(FAILURE=1)}, "tasks-lifecycle")
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


def test_checks_are_read_by_scenario_with_the_words_of_the_suite(tmp_path: Path) -> None:
    folder = tmp_path / "server-server-sse-polling-2026-11-21T22-52-45-488Z"
    folder.mkdir()
    documents = [
        {"id": "first", "status": "SUCCESS", "description": "It works"},
        {"id": "second", "status": "SKIPPED", "description": "?", "details": {"note": "Not applicable"}},
        {"id": "third", "status": "WARNING", "description": "?", "details": {}, "errorMessage": "Slow"},
    ]
    (folder / "checks.json").write_text(json.dumps(documents))
    first, *others = [
        Check("first", "SUCCESS", "It works"),
        Check("second", "SKIPPED", "Not applicable"),
        Check("third", "WARNING", "Slow"),
    ]
    found = read_checks(tmp_path)
    assert found == {POLLING: [first, *others]}
    assert outcome({"ping": found[POLLING]}).remarks == others


def test_every_scenario_has_a_line() -> None:
    outcomes = judged(REVISION, REQUIRED, {"ping": PASSED})
    first, *others = as_table(outcomes).splitlines()
    assert first.split() == f"passed {REVISION} ping 2 passed, 0 failed, 0 warnings, 0 skipped".split()
    assert len(others) == len(UNSCORED[REVISION]) + 1
