"""Statistics of repetitions, and the ratios made of them."""

import json
from typing import Any

import pytest

from bench.serving.events import CALL, CONSTANT, INITIALIZE, LEGACY_CALL
from bench.serving.ratios import BOUNDS, Spread, paired_ratios, percentile, ratios, spread
from bench.serving.report import as_json

WHOLE: dict[str, Any] = {
    "cold": {
        "floor": {CALL: {"whole_ms": {"median": 40}}, INITIALIZE: {"whole_ms": {"median": 50}}},
        "awslabs": {LEGACY_CALL: {"whole_ms": {"median": 200}}},
        "sdk": {CALL: {"whole_ms": {"median": 800}}, INITIALIZE: {"whole_ms": {"median": 1000}}},
        "sdk-authorized": {CALL: {"whole_ms": {"median": 900}}},
        "fastmcp": {CALL: {"whole_ms": {"median": 1600}}},
        "ours": {CALL: {"whole_ms": {"median": 100}}, INITIALIZE: {"whole_ms": {"median": 250}}},
        "ours-authorized": {CALL: {"whole_ms": {"median": 180}}},
    },
    "warm": {
        "ours, quiet": {
            **{kind: {"p50_us": 20, "p99_us": 40} for kind in CONSTANT[:2]},
            CONSTANT[2]: {"p50_us": 30, "p99_us": 60},
            CALL: {"p50_us": 90, "p99_us": 270, "match_p50_us": 31, "less_match_p50_us": 60},
            LEGACY_CALL: {"p50_us": 900, "p99_us": 990, "store_p50_us": 800, "less_store_p50_us": 108},
        },
    },
    # In the second turn the machine was twice as slow, in the third only while the floor ran.
    "turns": {
        "warm": {
            "floor-with-tool": {CONSTANT[0]: {"whole": [10, 20, 20]}, CALL: {"whole": [40, 80, 80]}},
            "ours, quiet": {
                CONSTANT[0]: {"whole": [20, 40, 20]},
                CONSTANT[1]: {"whole": [15, 30, 15]},
                CONSTANT[2]: {"whole": [30, 60, 30]},
                CALL: {"whole": [90, 180, 90], "match": [30, 60, 30], "less_match": [60, 120, 60]},
            },
            "ours": {
                CONSTANT[0]: {"whole": [36, 72, 36]},
                CONSTANT[1]: {"whole": [21, 42, 21]},
                CONSTANT[2]: {"whole": [30, 60, 30]},
                CALL: {"whole": [108, 216, 108]},
            },
        },
        "growth": {
            "fresh": {kind: {"whole": [100, 200, 100]} for kind in (*CONSTANT, CALL)},
            "aged": {
                **{kind: {"whole": [90, 180, 90]} for kind in CONSTANT},
                CALL: {"whole": [95, 190, 95]},
            },
        },
        "tools": {"4": {CALL: {"whole": [100, 200, 300]}}, "200": {CALL: {"whole": [101, 202, 303]}}},
    },
    "rss": {"ours": {"first_mb": 30, "after_mb": 31}},
    "unzipped_mb": {"ours": 25},
    "growth": {
        "begin_rss_mb": 40,
        "end_rss_mb": 42,
        "middle_own_mb": 30,
        "end_own_mb": 30.3,
        "begin_blocks": 100_000,
        "end_blocks": 101_000,
    },
    "tools": {"4": {"p50_us": 200, "rss_mb": 20}, "200": {"p50_us": 202, "rss_mb": 21}},
}


def test_a_percentile_is_the_least_value_that_this_share_does_not_exceed() -> None:
    values = list(range(1, 101))
    assert [percentile(values, share) for share in (0.001, 0.5, 0.99, 1)] == [1, 50, 99, 100]


def test_the_median_of_a_spread_is_not_moved_by_one_slow_repetition() -> None:
    assert spread([5, 3, 4, 900, 2]) == Spread(4, 3, 5, 2, 900, 5)
    assert spread([7.0]) == Spread(7.0, 7.0, 7.0, 7.0, 7.0, 1)


def test_every_ratio_is_made_of_the_figures_that_it_names() -> None:
    assert ratios(WHOLE) == {
        "cold_tools_call_vs_floor": 2.5,
        "cold_initialize_vs_floor": 5,
        "cold_tools_call_vs_sdk": 0.125,
        "cold_initialize_vs_sdk": 0.25,
        "cold_tools_call_vs_awslabs": 0.5,
        "cold_tools_call_vs_fastmcp": 0.062,
        "cold_authorized_tools_call_vs_sdk": 0.2,
        "warm_constant_vs_floor_with_tool": 3,
        "warm_tools_call_less_match_vs_floor_with_tool": 1.5,
        "warm_observed_constant_vs_quiet": 1.8,
        "warm_observed_tools_call_vs_quiet": 1.2,
        "warm_p99_vs_p50": 3,
        "warm_session_tools_call_less_store_vs_2026": 1.2,
        "peak_rss_mb": 31,
        "unzipped_mb": 25,
        "growth_rss_of_requests": 1.05,
        "growth_own_memory_of_second_half": 1.01,
        "growth_blocks_of_requests": 1.01,
        "growth_p50_of_requests": 0.95,
        "growth_rss_of_tools": 1.05,
        "growth_p50_of_tools": 1.01,
    }
    assert BOUNDS.keys() <= ratios(WHOLE).keys()


def test_a_ratio_of_targets_that_took_turns_is_the_median_over_turns_and_the_highest_of_its_kinds() -> None:
    found = paired_ratios(WHOLE)
    assert found["warm_tools_call_less_match_vs_floor_with_tool"] == Spread(1.5, 0.75, 1.5, 0.75, 1.5, 3)
    assert found["warm_constant_vs_floor_with_tool"] == spread([3, 3, 1.5])


def test_a_ratio_of_which_one_kind_was_not_measured_is_left_out() -> None:
    warm = WHOLE["turns"]["warm"]
    quiet = {kind: found for kind, found in warm["ours, quiet"].items() if kind != CONSTANT[2]}
    assert ratios({"turns": {"warm": warm | {"ours, quiet": quiet}}}).keys() == {
        "warm_tools_call_less_match_vs_floor_with_tool",
        "warm_observed_tools_call_vs_quiet",
    }
    assert paired_ratios({}) == {}


@pytest.mark.parametrize(
    ("missing", "left"),
    [
        (
            "sdk",
            {
                *("tools_call_vs_floor", "initialize_vs_floor", "tools_call_vs_awslabs"),
                *("tools_call_vs_fastmcp", "authorized_tools_call_vs_sdk"),
            },
        ),
        (
            "floor",
            {
                *("tools_call_vs_sdk", "initialize_vs_sdk", "tools_call_vs_awslabs"),
                *("tools_call_vs_fastmcp", "authorized_tools_call_vs_sdk"),
            },
        ),
        ("ours", {"authorized_tools_call_vs_sdk"}),
    ],
)
def test_a_target_that_was_not_measured_has_no_ratios(missing: str, left: set[str]) -> None:
    cold = {name: found for name, found in WHOLE["cold"].items() if name != missing}
    assert ratios({"cold": cold}).keys() == {f"cold_{name}" for name in left}


def test_figures_are_stored_whole_with_a_list_of_numbers_on_one_line() -> None:
    text = as_json(WHOLE)
    assert json.loads(text) == WHOLE
    assert '"whole": [10,20,20]' in map(str.strip, text.splitlines())
