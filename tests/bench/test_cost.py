"""What requests cost, and the rate at which quotas are used up."""

import json
import re
from math import inf

import pytest

from bench.cost import PRICES, QUOTAS, cost, estimated_duration_ms, main, quota_rates

GB = 2**30


def test_a_million_requests_of_a_second_with_one_gb_cost_a_million_gb_seconds() -> None:
    found = cost(requests=1e6, session_share=0, memory_mb=1024, duration_ms=1000, architecture="x86_64")
    assert found == pytest.approx(
        {
            "HTTP API requests": 1.00,
            "Lambda requests": 0.20,
            "Lambda duration": 16.6667,
            "DynamoDB reads": 0,
            "DynamoDB writes": 0,
            "log lines": 0.5 * 879e6 / GB,
            "traffic out": 0.09 * 1083e6 / GB,
        }
    )


def test_half_the_requests_in_sessions_read_each_and_write_a_fifth() -> None:
    found = cost(requests=1e6, session_share=0.5, memory_mb=512, duration_ms=10)
    # Half of 0.125 for reads, and a tenth of 0.625 for writes.
    assert (found["DynamoDB reads"], found["DynamoDB writes"]) == pytest.approx((0.0625, 0.0625))
    assert found["log lines"] == pytest.approx(0.5 * 893.5e6 / GB)


def test_a_client_that_does_not_accept_gzip_is_sent_three_times_the_bytes() -> None:
    found = cost(requests=1e6, session_share=0, memory_mb=512, duration_ms=10, gzip_share=0.5)
    assert found["traffic out"] == pytest.approx(0.09 * (1083e6 + 3159e6) / 2 / GB)


def test_a_million_calls_with_logs_and_metrics_cost_less_than_the_sdk_without() -> None:
    milliseconds = estimated_duration_ms(session_share=0, memory_mb=512, cold_share=0.01)
    ours = cost(requests=1e6, session_share=0, memory_mb=512, duration_ms=milliseconds)
    assert sum(ours.values()) < 1.91  # docs/performance.md, "Cost": the SDK, measured once


@pytest.mark.parametrize(
    ("session_share", "memory_mb", "cold_share", "milliseconds"),
    [
        (0, 1769, 0, 2),  # 1.69 ms, rounded up
        (0, 3008, 0, 2),  # no more than one processor is used
        (0, 512, 0, 6),  # 1.69 * 1769 / 512 is 5.84
        (1, 512, 0, 13),  # 2.12 * 1769 / 512 is 7.32, and 5 of waiting
        (0.5, 512, 0, 9.5),
        (0, 1769, 0.5, 69.5),  # half of 2 and half of 137
    ],
)
def test_the_estimated_duration_depends_on_era_memory_and_cold_starts(
    session_share: float, memory_mb: int, cold_share: float, milliseconds: float
) -> None:
    found = estimated_duration_ms(session_share=session_share, memory_mb=memory_mb, cold_share=cold_share)
    assert found == pytest.approx(milliseconds)


def test_a_quota_is_used_up_at_its_limit_divided_by_the_use_of_one_request() -> None:
    modern = quota_rates(session_share=0, duration_ms=20)
    assert modern["API Gateway throttle of the account"] == 10_000
    assert modern["Lambda concurrent executions"] == pytest.approx(50_000)
    assert modern["reads of one table"] == inf
    session = quota_rates(session_share=1, duration_ms=20)
    assert session["reads of one table"] == 40_000
    assert session["writes of a new table"] == pytest.approx(20_000)


def test_every_price_and_quota_has_a_month_and_a_source() -> None:
    entries = [*PRICES.values(), *QUOTAS]
    assert all(re.fullmatch(r"20\d\d-[01]\d", each["date"]) and each["source"] for each in entries)


def test_the_command_ends_with_the_items_as_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["cost", "--requests", "2000000", "--session-share", "0.1"])
    assert main() == 0
    *_, last = capsys.readouterr().out.splitlines()
    assert json.loads(last)["HTTP API requests"] == 2.0
