"""The command that guards instructions: its status, and what it tells."""

import json

import pytest

from bench.instructions import main, told
from bench.serving.events import CALL, CONSTANT

COUNTS = {
    "ours, quiet": dict.fromkeys((*CONSTANT, CALL), 400),
    "ours": dict.fromkeys((*CONSTANT, CALL), 600),
    "floor-with-tool": {CONSTANT[0]: 200, CALL: 200},
    "match": {CALL: 100},
}


def test_within_the_budget_it_succeeds_and_ends_with_the_figures(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(COUNTS, COUNTS) == 0
    *_, judgement, figures = capsys.readouterr().out.splitlines()
    assert judgement == "Within the budget."
    found = json.loads(figures)
    assert found["bounded"]["warm_tools_call_less_match_vs_floor_with_tool"] == 1.5
    assert found["vs_floor_with_tool"]["ours: 2026 tools/list"] == 3
    assert found["instructions"] == COUNTS


def test_over_the_budget_it_fails_and_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(COUNTS | {"match": {CALL: 150}}, COUNTS) == 1
    *_, judgement, _ = capsys.readouterr().out.splitlines()
    assert judgement.startswith(f"match: {CALL} takes 0.75 times")
    assert "make bench-instructions RECORD=1" in judgement


@pytest.mark.parametrize("ci", ["true", ""])
def test_where_nothing_can_be_counted_it_says_so_and_succeeds(
    ci: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("CI", ci)
    monkeypatch.setattr("sys.argv", ["instructions"])
    assert main() == 0
    warning, closing = capsys.readouterr().out.splitlines()
    assert warning.startswith("UNMEASURED: the instructions of a warm request were not counted")
    assert json.loads(closing).keys() == {"unmeasured"}


def test_a_budget_cannot_be_recorded_where_nothing_can_be_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("sys.argv", ["instructions", "--record"])
    assert main() == 1
