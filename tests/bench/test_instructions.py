"""Counts of instructions beside their budget."""

import pytest

from bench.instructions import collected, different, judged, main, per_request

LOG = """
==12== Events    : Ir
==12== Collected : 1234567890
==12==
"""


def test_the_count_is_read_from_what_callgrind_writes() -> None:
    assert collected(LOG) == 1_234_567_890


def test_a_log_without_a_count_is_an_error() -> None:
    with pytest.raises(ValueError, match="no count: it failed"):
        collected("it failed")


def test_a_request_takes_what_a_run_with_more_of_them_takes_more() -> None:
    assert per_request({"base": 1_000, "list": 1_500, "call": 3_000}, 10) == {"list": 50, "call": 200}


def test_what_is_within_the_tolerance_is_within_the_budget() -> None:
    assert judged({"list": 110, "call": 90}, {"list": 100, "call": 100}) == []


def test_what_is_over_the_budget_is_told_in_a_sentence() -> None:
    (told,) = judged({"list": 1_120, "call": 90}, {"list": 1_000, "call": 100})
    assert told.startswith("list takes 1,120 instructions, 12% more than the 1,000 of the budget")


def test_a_kind_without_a_budget_is_told() -> None:
    assert judged({"list": 5}, {}) == ["list has no budget; RECORD=1 stores one."]


@pytest.mark.parametrize(
    ("python", "architecture", "told"),
    [
        ("3.13.7", "x86_64", ""),
        ("3.11.7", "x86_64", "the budget is for Python 3.13, and this is 3.11"),
        ("3.13.0", "aarch64", "the budget is for x86_64, and this is aarch64"),
    ],
)
def test_a_budget_of_another_python_or_architecture_does_not_bind(
    python: str, architecture: str, told: str
) -> None:
    budget = {"python": "3.13.0", "architecture": "x86_64"}
    assert different({"python": python, "architecture": architecture}, budget) == told


@pytest.mark.parametrize(("ci", "status"), [("true", 1), ("", 0)])
def test_without_valgrind_it_says_so_and_only_ci_fails(
    ci: str, status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("CI", ci)
    monkeypatch.setattr("sys.argv", ["instructions"])
    assert main() == status
    assert "apt-get install valgrind" in capsys.readouterr().out
