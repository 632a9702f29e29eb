"""Counts of instructions as ratios, compared with their budget."""

from collections.abc import Mapping
from typing import Final

import pytest

from bench.instructions.budget import bounded_ratios, budget_mismatch, over_budget, ratios

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


def without(name: str) -> dict[str, dict[str, int]]:
    return {each: kinds for each, kinds in COUNTS.items() if each != name}


def test_calls_are_compared_with_a_call_and_other_requests_with_a_list_of_the_bare_handler() -> None:
    assert ratios({name: COUNTS[name] for name in ("ours, quiet", "floor-with-tool")}) == {
        "ours, quiet: 2026 tools/list": 1.9,
        "ours, quiet: 2026 server/discover": 1.7,
        "ours, quiet: 2026 resources/list": 2,
        "ours, quiet: 2026 tools/call": 4,
        "ours, quiet: 2025 tools/call": 4.2,
    }


def test_the_bounds_are_on_the_highest_constant_and_the_call_less_its_match() -> None:
    assert bounded_ratios(COUNTS) == {
        "warm_constant_vs_floor_with_tool": 2,
        "warm_tools_call_less_match_vs_floor_with_tool": 2,
        "warm_observed_constant_vs_quiet": 1.8,
        "warm_observed_tools_call_vs_quiet": 1.2,
    }


@pytest.mark.parametrize(
    "counts",
    [
        pytest.param(times(COUNTS, 2), id="another build of Python, where everything takes more"),
        pytest.param(COUNTS | {"match": {"2026 tools/call": 1_079}}, id="within the tolerance"),
        pytest.param(COUNTS | {"match": {"2026 tools/call": 500}}, id="fewer"),
    ],
)
def test_a_ratio_that_did_not_rise_by_more_than_the_tolerance_is_within_the_budget(
    counts: Mapping[str, Mapping[str, int]],
) -> None:
    assert over_budget(counts, COUNTS) == []


def test_a_ratio_over_the_budget_is_named_with_what_to_do() -> None:
    (sentence,) = over_budget(COUNTS | {"match": {"2026 tools/call": 1_120}}, COUNTS)
    assert sentence.startswith("match: 2026 tools/call takes 2.24 times")
    assert "12% more than the 2.00 of the budget" in sentence
    assert "make bench-instructions RECORD=1" in sentence


def test_a_count_without_a_budget_is_over_it() -> None:
    (sentence,) = over_budget(COUNTS, without("match"))
    assert sentence.startswith("match: 2026 tools/call has no budget")
    assert len(over_budget(COUNTS, without("floor-with-tool"))) == len(ratios(COUNTS))


@pytest.mark.parametrize(
    ("python", "architecture", "reason"),
    [
        ("3.13.7", "x86_64", ""),
        ("3.11.7", "x86_64", "the budget is for Python 3.13, and this is 3.11"),
        ("3.13.0", "aarch64", "the budget is for x86_64, and this is aarch64"),
    ],
)
def test_a_budget_applies_to_the_same_minor_version_and_architecture(
    python: str, architecture: str, reason: str
) -> None:
    budget = {"python": "3.13.0", "architecture": "x86_64"}
    assert budget_mismatch({"python": python, "architecture": architecture}, budget) == reason
