"""Counts of instructions as ratios, beside their budget and the bounds."""

from collections.abc import Mapping
from typing import Final

import pytest

from bench.instructions_budget import bounded, different, judged, ratios, tables
from bench.serving.figures import BOUNDS

COUNTS: Final = {
    "ours, quiet": {
        "2026 tools/list": 190,
        "2026 server/discover": 170,
        "2026 resources/list": 200,
        "2026 tools/call": 2_000,
        "2025 tools/call": 2_100,
    },
    "ours": {
        "2026 tools/list": 285,
        "2026 server/discover": 306,
        "2026 resources/list": 340,
        "2026 tools/call": 2_400,
    },
    "floor-with-tool": {"2026 tools/list": 100, "2026 tools/call": 500},
    "match": {"2026 tools/call": 1_000},
}


def times(counts: Mapping[str, Mapping[str, int]], factor: float) -> dict[str, dict[str, int]]:
    return {
        name: {kind: round(count * factor) for kind, count in kinds.items()} for name, kinds in counts.items()
    }


def test_calls_are_held_against_a_call_and_all_else_against_a_list_of_the_bare_handler() -> None:
    assert ratios(COUNTS) == {
        "ours, quiet: 2026 tools/list": 1.9,
        "ours, quiet: 2026 server/discover": 1.7,
        "ours, quiet: 2026 resources/list": 2,
        "ours, quiet: 2026 tools/call": 4,
        "ours, quiet: 2025 tools/call": 4.2,
        "ours: 2026 tools/list": 2.85,
        "ours: 2026 server/discover": 3.06,
        "ours: 2026 resources/list": 3.4,
        "ours: 2026 tools/call": 4.8,
        "match: 2026 tools/call": 2,
    }


def test_the_bounds_are_held_against_the_dearest_constant_and_the_call_less_its_match() -> None:
    assert bounded(COUNTS) == {
        "warm_constant_vs_floor_with_tool": 2,
        "warm_tools_call_less_match_vs_floor_with_tool": 2,
        "warm_observed_constant_vs_quiet": 1.8,
        "warm_observed_tools_call_vs_quiet": 1.2,
    }


def test_every_ratio_that_is_told_with_a_bound_has_one() -> None:
    assert bounded(COUNTS).keys() <= BOUNDS.keys()


def test_another_build_of_python_under_which_everything_takes_more_is_within_the_budget() -> None:
    assert judged(times(COUNTS, 2), COUNTS) == []


def test_what_is_within_the_tolerance_is_within_the_budget() -> None:
    assert judged(COUNTS | {"match": {"2026 tools/call": 1_079}}, COUNTS) == []


def test_what_became_cheaper_is_within_the_budget() -> None:
    assert judged(COUNTS | {"match": {"2026 tools/call": 500}}, COUNTS) == []


def test_what_is_over_the_budget_is_told_in_a_sentence_that_says_what_to_do() -> None:
    assert judged(COUNTS | {"match": {"2026 tools/call": 1_120}}, COUNTS) == [
        "match: 2026 tools/call takes 2.24 times the instructions of the bare handler with a tool, 12% more "
        "than the 2.00 of the budget (tolerance 8%). Make it cheaper, or store what it takes now with "
        "make bench-instructions RECORD=1 and say in the commit what it is spent on."
    ]


def test_a_kind_without_a_budget_is_told() -> None:
    budget = {name: kinds for name, kinds in COUNTS.items() if name != "match"}
    assert judged(COUNTS, budget) == [
        "match: 2026 tools/call has no budget; make bench-instructions RECORD=1 stores one."
    ]


def test_nothing_has_a_budget_that_was_counted_without_the_bare_handler() -> None:
    budget = {name: kinds for name, kinds in COUNTS.items() if name != "floor-with-tool"}
    assert len(judged(COUNTS, budget)) == len(ratios(COUNTS))


def test_the_table_has_counts_and_ratios_beside_the_budget() -> None:
    told = tables(COUNTS, times(COUNTS, 2) | {"match": {"2026 tools/call": 1_600}}).splitlines()
    assert "| ours: 2026 tools/call | 2,400 | 4,800 | 4.80 | 4.80 | +0.0% |" in told
    assert "| floor-with-tool: 2026 tools/list | 100 | 200 |  |  |  |" in told
    assert "| match: 2026 tools/call | 1,000 | 1,600 | 2.00 | 1.60 | +25.0% |" in told
    assert "| `warm_constant_vs_floor_with_tool` | ≤ 3 | 2.00 |" in told


def test_the_table_leaves_out_what_has_no_budget() -> None:
    assert "| match: 2026 tools/call | 1,000 |  | 2.00 |  |  |" in tables(COUNTS, {}).splitlines()


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
