"""The command that compares instructions with a budget, and the processes that it counts."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from bench.instructions.callgrind import per_request, total_in, why_not_countable
from bench.instructions.run import main, report
from bench.serving.events import CALL, CONSTANT, request
from tests.support.emulator import Python
from tests.support.processes import ROOT

COUNTS: Final = {
    "ours, quiet": dict.fromkeys((*CONSTANT, CALL), 400),
    "ours": dict.fromkeys((*CONSTANT, CALL), 600),
    "floor-with-tool": {CONSTANT[0]: 200, CALL: 200},
    "match": {CALL: 100},
}


def test_within_the_budget_it_succeeds_and_ends_with_the_figures(capsys: pytest.CaptureFixture[str]) -> None:
    assert report(COUNTS, COUNTS) == 0
    *_, verdict, figures = capsys.readouterr().out.splitlines()
    assert verdict == "Within the budget."
    assert json.loads(figures)["bounded"]["warm_tools_call_less_match_vs_floor_with_tool"] == 1.5
    assert json.loads(figures)["instructions"] == COUNTS


def test_over_the_budget_it_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert report(COUNTS | {"match": {CALL: 150}}, COUNTS) == 1
    *_, verdict, _ = capsys.readouterr().out.splitlines()
    assert verdict.startswith(f"match: {CALL} takes 0.75 times")


def test_where_nothing_can_be_counted_it_says_so_and_succeeds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("sys.argv", ["run"])
    assert main() == 0
    warning, last = capsys.readouterr().out.splitlines()
    assert warning.startswith("UNMEASURED: ")
    assert json.loads(last).keys() == {"unmeasured"}


def test_a_budget_cannot_be_recorded_where_nothing_can_be_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("sys.argv", ["run", "--record"])
    assert main() == 1


def test_the_count_is_read_from_callgrinds_log() -> None:
    assert total_in("==12== Events    : Ir\n==12== Collected : 1234567890\n==12==\n") == 1_234_567_890
    with pytest.raises(ValueError, match="no count: it failed"):
        total_in("it failed")


def test_a_request_takes_the_difference_divided_by_the_number_of_requests() -> None:
    assert per_request({"base": 1_000, "list": 1_500, "call": 3_000}, 10) == {"list": 50, "call": 200}


@pytest.mark.parametrize(
    ("script", "reason"),
    [("exit 0", ""), ("echo no redirection >&2; exit 1", "valgrind cannot run Python here: no redirection")],
)
def test_a_valgrind_that_does_not_run_python_cannot_count(
    script: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    valgrind = tmp_path / "valgrind"
    valgrind.write_text(f"#!/bin/sh\n{script}\n")
    valgrind.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert why_not_countable(Python(Path(sys.executable), "3.13")) == reason


@pytest.mark.parametrize(("event", "status"), [(request(CALL), 0), ({"body": '{"method": "no/such"}'}, 1)])
def test_the_counted_process_succeeds_only_if_its_requests_do(event: dict[str, Any], status: int) -> None:
    job = {"of": "handler", "handler": "peers.floor_with_tool.lambda_handler", "events": {CALL: event}}
    done = subprocess.run(
        [sys.executable, ROOT / "bench" / "instructions" / "counted_process.py"],
        input=json.dumps(job | {"requests": {CALL: 2}}),
        env={"PYTHONPATH": str(ROOT / "bench")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status
