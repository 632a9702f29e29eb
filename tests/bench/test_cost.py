"""The costs as they are told."""

from typing import Any, Final

import pytest

from bench.cost import as_markdown
from bench.deployment import AWS_LOG_BYTES
from bench.serving.events import CALL

MILLIONTH_GB = 2**30 // 1_000_000

FIGURES: Final[dict[str, Any]] = {
    "warm": {"ours": {CALL: {"p50_us": 900}}},
    "cold": {"ours": {CALL: {"whole_ms": {"median": 99.1}}}},
    "written": {
        "ours": {
            CALL: {
                "log_bytes": 2 * MILLIONTH_GB - AWS_LOG_BYTES,
                "reply_bytes": 10 * MILLIONTH_GB,
                "metrics": ["mcp_latency (a)", "mcp_requests_total (a)", "mcp_requests_total (b)"],
            }
        }
    },
}


@pytest.mark.parametrize(
    "line",
    [
        # 2 GB of lines, 10 GB of replies; at 512 MB 4 ms, and one in a hundred 346 ms.
        f"| ours: {CALL} | 1.00 | 0.20 | 0.05 | 0.00 | 1.00 | 0.90 |",
        f"| {CALL} | {2 * MILLIONTH_GB - AWS_LOG_BYTES:,} | 369 | 275 | {10 * MILLIONTH_GB:,} | 1.90 |",
        "| `mcp_requests_total` | 2 |",
        "| 1,000,000 requests of Lambda | 0.2 | a copy of AWS's price list, offers of September 2026 |",
    ],
)
def test_each_cost_has_its_place(line: str) -> None:
    assert line in as_markdown(FIGURES).splitlines()


def test_every_memory_size_has_its_total() -> None:
    (line,) = (line for line in as_markdown(FIGURES).splitlines() if line.startswith(f"| ours: {CALL} | 3."))
    # 3.0987, and time: at 1,024 MB 99 of 2 ms and one of 173 ms are 3.71 thousand GB-seconds, 0.0495.
    assert line == f"| ours: {CALL} | 3.14 | 3.14 | 3.15 | 3.15 | 3.14 | 3.18 |"


def test_the_month_counts_metrics_and_the_alarms_of_the_template() -> None:
    assert "for these 1 kinds of request: 3 custom metrics and 3 alarms, $1.20." in as_markdown(FIGURES)


def test_what_was_not_measured_is_not_told() -> None:
    told = as_markdown({"warm": {"floor": FIGURES["warm"]["ours"]}})
    assert "SnapStart" not in told
    assert "custom metric |" not in told
