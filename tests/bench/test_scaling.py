"""Where it bends, as it is told."""

import pytest

from bench.scaling import as_markdown
from bench.serving.events import CALL, INITIALIZE, LEGACY_CALL

# 1 ms of a whole processor is 3.5 at 512 MB: 4 ms, and 9 with the store; 100 ms are 349.
FIGURES = {
    "warm": {
        "ours": {
            CALL: {"p50_us": 1000},
            LEGACY_CALL: {"p50_us": 9000, "less_store_p50_us": 1000, "store_p50_us": 8000},
        }
    },
    "cold": {"ours": {CALL: {"whole_ms": {"median": 100}}, INITIALIZE: {"whole_ms": {"median": 100}}}},
}
LINES = as_markdown(FIGURES).splitlines()


def test_it_begins_with_the_times_that_it_is_computed_from() -> None:
    assert LINES[0].startswith(
        "512 MB: 4 ms for a 2026-07-28 `tools/call`, 9 ms for one in a session, 349 ms"
    )


def test_the_ladder_ends_with_what_is_met_last() -> None:
    ladder = LINES[4 : LINES.index("### 10 requests per second") - 1]
    assert [line.split(" | ")[3] for line in ladder] == [
        *("50", "10,000", "10,000", "12,000", "20,000", "40,000", "111,111", "200,000"),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "- modern: the defaults do.",
        "- in sessions: too little, in the order in which they are met: throttle of the API.",
        "| Lambda's concurrent executions | 1,000 at once | 400.0 | 0.40 | 900.0 | 0.90 |",
        "| writes that a new table is ready for | 4,000 units/s | 0.0 | 0.00 | 20,000.0 | 5.00 |",
        "| 10 | 1,000 | 4 | 0 | 0.0 |",
        "| 100,000 | 1,000 | 1,000 |  | never |",
    ],
)
def test_each_use_has_its_place(line: str) -> None:
    assert line in LINES


def test_an_hour_costs_what_its_requests_do() -> None:
    # 3.6 million at 1,000 a second, of $1.20 each, 0.027 for time and 0.300 for AWS's own 644 bytes of log.
    assert "| 1,000 | 0% | 100 | 0.64 | 5.50 |" in LINES


def test_other_shares_and_rates_can_be_asked_for() -> None:
    told = as_markdown(FIGURES, rates=[20_000], shares=[0.5])
    assert "### 20,000 requests per second" in told
    assert "used, 50% in sessions" in told
    assert "### 10 requests" not in told
