"""The figures as they are told: tables, pictures."""

from pathlib import Path
from typing import Any, Final

import pytest

from bench.serving.events import CALL, CONSTANT, INITIALIZE, LEGACY_CALL
from bench.serving.report import as_markdown, draw

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
        "begin_p50_us": 100,
        "end_p50_us": 99,
    },
    "tools": {"4": WARM, "200": WARM},
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
        "| `warm_observed_constant_vs_quiet` | ≤ 2 | 1.00 |",
        "| 200 tools registered | 10 | 20 |",
    ],
)
def test_each_figure_has_its_place(line: str) -> None:
    assert line in as_markdown(FIGURES).splitlines()


def test_the_conditions_come_first() -> None:
    first = as_markdown(FIGURES).splitlines()[0]
    assert first.startswith("A processor, 2 cores, x86_64; Python 3.13.0; bytecode shipped; 5 cold starts")
    assert first.endswith("mcp 2.3.0.")


def test_another_python_than_that_of_the_runtime_is_told() -> None:
    conditions = FIGURES["conditions"] | {"python": "3.11.7"}
    first = as_markdown(FIGURES | {"conditions": conditions}).splitlines()[0]
    assert "Python 3.11.7 (Lambda's is 3.13, which is not here); bytecode shipped" in first


def test_pictures_are_drawn_of_what_there_is(tmp_path: Path) -> None:
    draw({"cold": FIGURES["cold"]}, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["cold.png"]
