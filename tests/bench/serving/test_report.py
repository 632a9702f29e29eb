"""The figures as they are told: JSON, tables, pictures."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from bench.serving.events import CALL, CONSTANT, INITIALIZE, LEGACY_CALL
from bench.serving.report import as_json, as_markdown, draw

TIMES: Final = {"median": 40, "low": 39, "high": 44, "least": 38, "most": 60, "repeats": 5}
STARTED: Final = {"whole_ms": TIMES, "reported_ms": TIMES, "first_mb": 15.3}
WARM: Final = {"p50_us": 10.0, "p99_us": 19.6}
FIGURES: Final[dict[str, Any]] = {
    "conditions": {
        "cpu": "A processor",
        "cores": 2,
        "architecture": "x86_64",
        "python": "3.13.0",
        "runtime_python_wanted": "3.13",
        "bytecode": True,
        "repeats": 5,
        "processes": 3,
        "turns": 20,
        "requests": 1000,
        "versions": {"mcp": "2.3.0"},
    },
    "cold": {"floor": {CALL: STARTED, INITIALIZE: STARTED}, "awslabs": {LEGACY_CALL: STARTED}},
    "warm": {
        "floor-with-tool": {CONSTANT[0]: WARM, CALL: WARM},
        "ours": dict.fromkeys((*CONSTANT, CALL), WARM),
        "ours, quiet": {
            **dict.fromkeys(CONSTANT, WARM),
            CALL: {**WARM, "match_p50_us": 4.0, "less_match_p50_us": 6.0},
            LEGACY_CALL: {**WARM, "store_p50_us": 7.0, "less_store_p50_us": 3.0},
        },
    },
    "rss": {"floor": {"first_mb": 15.3, "after_mb": 15.5}, "awslabs": {"first_mb": 39}},
    "unzipped_mb": {"floor": 0.01, "awslabs": 26.7},
    "growth": {
        "requests": 100_000,
        "begin_rss_mb": 40,
        "end_rss_mb": 41,
        "begin_own_mb": 29,
        "middle_own_mb": 30,
        "end_own_mb": 30.3,
        "begin_blocks": 100_000,
        "middle_blocks": 100_000,
        "end_blocks": 101_000,
    },
    "turns": {
        "warm": {
            "ours": {CALL: {"whole": [20, 30, 60]}},
            "ours, quiet": {CALL: {"whole": [10.5, 10, 10]}},
        }
    },
    "tools": {"4": {**WARM, "rss_mb": 20.1}, "200": {**WARM, "rss_mb": 20.6}},
}


@pytest.mark.parametrize(
    "line",
    [
        f"| floor | {CALL} | 40 | 39 to 44 | 38 to 60 | 40 | 1.00 |",
        f"| awslabs | {LEGACY_CALL} | 40 | 39 to 44 | 38 to 60 | 40 | 1.00 |",
        "| floor | 15.3 | 15.5 | 0.0 |",
        "| awslabs | 39.0 |  | 26.7 |",
        "| floor-with-tool | 10 (20) |  |  | 10 (20) |  |  |",
        "| of it the match |  |  |  | 4 |  |  |",
        f"| {LEGACY_CALL} | 7 | 3 |",
        "| `warm_observed_tools_call_vs_quiet` | ≤ 2 | 3.00 | 1.90 to 6.00 |",
        "| `growth_rss_of_requests` |  | 1.02 |  |",
        "| `growth_own_memory_of_second_half` | ≤ 1.05 | 1.01 |  |",
        "| of it no page of a file, MB | 29.0 | 30.0 | 30.3 |",
        "| blocks of Python's memory | 100,000 | 100,000 | 101,000 |",
        "| `growth_rss_of_tools` |  | 1.02 |  |",
        "| 200 tools registered | 10 | 20 | 20.6 |",
    ],
)
def test_each_figure_has_its_place(line: str) -> None:
    assert line in as_markdown(FIGURES).splitlines()


def test_the_conditions_come_first() -> None:
    first = as_markdown(FIGURES).splitlines()[0]
    assert first.startswith("A processor, 2 cores, x86_64; Python 3.13.0; bytecode shipped; 5 cold starts")
    assert first.endswith("mcp 2.3.0.")


def test_the_conditions_say_how_often_the_warm_path_was_measured() -> None:
    first = as_markdown(FIGURES).splitlines()[0]
    assert "warm path: 3 processes of each, one after another, with 20 turns each." in first


def test_figures_are_kept_whole_with_a_row_of_numbers_on_one_line() -> None:
    text = as_json(FIGURES)
    assert json.loads(text) == FIGURES
    assert '"whole": [20,30,60]' in map(str.strip, text.splitlines())


def test_another_python_than_that_of_the_runtime_is_told() -> None:
    conditions = FIGURES["conditions"] | {"python": "3.11.7"}
    first = as_markdown(FIGURES | {"conditions": conditions}).splitlines()[0]
    assert "Python 3.11.7 (Lambda's is 3.13, which is not here); bytecode shipped" in first


def test_pictures_are_drawn_of_what_there_is(tmp_path: Path) -> None:
    draw({"cold": FIGURES["cold"]}, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["cold.png"]
