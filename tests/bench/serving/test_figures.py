"""What repetitions and figures come to."""

from typing import Any

import pytest

from bench.serving.events import CALL, CONSTANT, INITIALIZE, LEGACY_CALL
from bench.serving.figures import BOUNDS, Spread, paired, percentile, ratios, spread

WHOLE: dict[str, Any] = {
    "cold": {
        "floor": {CALL: {"whole_ms": {"median": 40}}, INITIALIZE: {"whole_ms": {"median": 50}}},
        "awslabs": {LEGACY_CALL: {"whole_ms": {"median": 200}}},
        "sdk": {CALL: {"whole_ms": {"median": 800}}, INITIALIZE: {"whole_ms": {"median": 1000}}},
        "fastmcp": {CALL: {"whole_ms": {"median": 1600}}},
        "ours": {CALL: {"whole_ms": {"median": 100}}, INITIALIZE: {"whole_ms": {"median": 250}}},
    },
    "warm": {
        "ours, quiet": {
            **{kind: {"p50_us": 20, "p99_us": 40} for kind in CONSTANT[:2]},
            CONSTANT[2]: {"p50_us": 30, "p99_us": 60},
            CALL: {"p50_us": 90, "p99_us": 270, "match_p50_us": 31, "less_match_p50_us": 60},
            LEGACY_CALL: {"p50_us": 900, "p99_us": 990, "store_p50_us": 800, "less_store_p50_us": 108},
        },
    },
    # In the second turn the machine was twice as slow, in the third the floor alone.
    "turns": {
        "warm": {
            "floor-with-tool": {
                CONSTANT[0]: {"whole": [10, 20, 20]},
                CONSTANT[1]: {"whole": [5, 10, 10]},
                CONSTANT[2]: {"whole": [4, 8, 8]},
                CALL: {"whole": [40, 80, 80]},
            },
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


def test_a_percentile_is_the_least_value_that_so_many_do_not_exceed() -> None:
    values = list(range(1, 101))
    assert [percentile(values, share) for share in (0.001, 0.5, 0.99, 1)] == [1, 50, 99, 100]


def test_one_repetition_is_its_own_spread() -> None:
    assert spread([7.0]) == Spread(7.0, 7.0, 7.0, 7.0, 7.0, 1)


def test_a_spread_is_not_moved_by_one_slow_repetition() -> None:
    assert spread([5, 3, 4, 900, 2]) == Spread(4, 3, 5, 2, 900, 5)


def test_every_ratio_is_made_of_the_figures_that_it_names() -> None:
    assert ratios(WHOLE) == {
        "cold_tools_call_vs_floor": 2.5,
        "cold_initialize_vs_floor": 5,
        "cold_tools_call_vs_sdk": 0.125,
        "cold_initialize_vs_sdk": 0.25,
        "cold_tools_call_vs_awslabs": 0.5,
        "cold_tools_call_vs_fastmcp": 0.062,
        "warm_constant_vs_floor_with_tool": 3,
        "warm_tools_list_vs_floor_with_tool": 2,
        "warm_server_discover_vs_floor_with_tool": 1.5,
        "warm_resources_list_vs_floor_with_tool": 3,
        "warm_server_discover_vs_floor_with_tool_same_kind": 3,
        "warm_resources_list_vs_floor_with_tool_same_kind": 7.5,
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


def test_two_that_took_turns_are_held_against_each_other_turn_by_turn() -> None:
    found = paired(WHOLE)
    assert found["warm_tools_call_less_match_vs_floor_with_tool"] == Spread(1.5, 0.75, 1.5, 0.75, 1.5, 3)
    assert found["growth_p50_of_tools"] == spread([1.01, 1.01, 1.01])


def test_of_several_kinds_the_one_with_the_highest_median_is_told() -> None:
    found = paired(WHOLE)
    assert found["warm_constant_vs_floor_with_tool"] == found["warm_resources_list_vs_floor_with_tool"]
    assert found["warm_observed_constant_vs_quiet"] == spread([1.8, 1.8, 1.8])


def test_without_the_medians_of_turns_there_is_no_ratio_of_two_that_took_them() -> None:
    older = {name: found for name, found in WHOLE.items() if name != "turns"}
    assert paired(older) == {}
    assert ratios(older) == {
        name: found for name, found in ratios(WHOLE).items() if name not in paired(WHOLE)
    }


def test_a_kind_that_one_of_two_was_not_asked_leaves_their_ratio_out() -> None:
    quiet = {CONSTANT[0]: {"whole": [20]}}
    floor = {CONSTANT[0]: {"whole": [10]}}
    turns = {"warm": {"ours, quiet": quiet, "floor-with-tool": floor}}
    assert ratios({"turns": turns}) == {"warm_tools_list_vs_floor_with_tool": 2}


def test_every_bound_is_of_a_ratio_that_there_is() -> None:
    assert BOUNDS.keys() <= ratios(WHOLE).keys()


@pytest.mark.parametrize("missing", ["sdk", "floor", "ours"])
def test_what_was_not_measured_is_left_out(missing: str) -> None:
    cold = {name: found for name, found in WHOLE["cold"].items() if name != missing}
    found = ratios({"cold": cold})
    assert [name for name in found if missing in name] == []
    assert ("cold_tools_call_vs_awslabs" in found) == (missing != "ours")
