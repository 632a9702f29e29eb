"""What `make conformance` fails on beside a failed scenario, and the page that it writes."""

from typing import Final

from tests.conformance.explanations import EXPLANATIONS
from tests.conformance.page import as_document
from tests.conformance.referees import Finding, Report
from tests.conformance.results import REVISIONS, Check, Outcome
from tests.conformance.run import faults

SKIPPED: Final = [Check(name, "SKIPPED", "Not | applicable") for name in EXPLANATIONS]


def outcome(*remarks: Check, scenario: str = "ping", wanted: bool = True) -> Outcome:
    return Outcome(REVISIONS[0], scenario, "scored", wanted, int(wanted), 0, 0, len(remarks), remarks)


def report(*findings: Finding, transport: str = "HTTP", passed: int = 1) -> Report:
    return Report("referee", "1.2", transport, passed, findings, "1/2")


def test_checks_that_are_all_explained_are_no_fault() -> None:
    assert faults([outcome(*SKIPPED)], [report()]) == []


def test_a_skipped_check_or_a_finding_without_an_explanation_is_a_fault() -> None:
    skipped, found = Check("new-check", "SKIPPED", ""), Finding("new-finding", "")
    assert faults([outcome(*SKIPPED, skipped)], [report(found)]) == [
        "no explanation: new-check",
        "no explanation: new-finding",
    ]


def test_an_explanation_of_what_nobody_reports_is_a_fault() -> None:
    _, *others = SKIPPED
    assert faults([outcome(*others)], []) == [f"an explanation of what nobody reports: {SKIPPED[0].name}"]


def test_a_scenario_is_left_out_for_a_reason_alone() -> None:
    left_out = [outcome(scenario=name, wanted=False) for name in ("tasks-lifecycle", "new-scenario")]
    assert faults([outcome(*SKIPPED), *left_out], []) == ["no reason to leave it out: new-scenario"]


def test_a_referee_that_passed_no_check_has_given_no_verdict() -> None:
    assert faults([outcome(*SKIPPED)], [report(passed=0)]) == ["no verdict: referee over HTTP"]


def test_the_page_counts_each_set_and_explains_what_did_not_pass() -> None:
    finding = Finding("server_icons_present", "no icons")
    reports = [report(finding), report(finding, transport="stdio")]
    page = as_document([outcome(SKIPPED[0])], reports, version="1.2.3", date="2026-11-21")
    assert "on 2026-11-21" in page
    assert "1.2.3, ran" in page
    assert "1 of 1 scored scenarios passed, and 0 of 0 that are not scored." in page
    check = SKIPPED[0].name
    explained = f"{check}: skipped | Not \\| applicable | {EXPLANATIONS[check]}."
    assert f"| {REVISIONS[0]} | ping | {explained} |" in page
    words = f"server_icons_present | no icons | {EXPLANATIONS['server_icons_present']}."
    assert f"| referee | HTTP and stdio | {words} |" in page
    assert "| referee 1.2 | stdio | 1 | 1 | 1/2 |" in page
