"""The arithmetic of what a million requests cost."""

import pytest

from bench.billing import Cost, Snapshot, cost, month, snapshot
from bench.prices import BYTES_PER_GB, PRICES, dollars
from bench.works import Work


def taking(busy_ms: float, cold_ms: float = 0.0) -> Work:
    return Work("ours", "2026 tools/call", busy_ms, cold_ms=cold_ms)


def test_a_million_requests_of_a_millisecond_and_a_gigabyte_are_a_thousand_gigabyte_seconds() -> None:
    found = cost(taking(0.5), 1024, architecture="x86_64")
    assert found == pytest.approx(Cost(1.0, 0.2, function=0.0166667, store=0.0, logs=0.0, traffic=0.0))
    assert found.total == pytest.approx(1.2166667)


def test_a_request_in_a_session_pays_for_its_read_and_its_part_of_the_writes() -> None:
    found = cost(taking(1)._replace(reads=1, writes=0.2), 512)
    # 0.125 for reads, and a fifth of 0.625 for writes
    assert found.store == pytest.approx(0.25)


def test_what_the_function_logs_and_what_aws_logs_are_paid_alike() -> None:
    # A millionth of a GB each of a million requests is a GB: half a dollar.
    found = cost(taking(1)._replace(log_bytes=BYTES_PER_GB / 2e6), 512, more_log_bytes=BYTES_PER_GB / 2e6)
    assert found.logs == pytest.approx(0.50)


def test_replies_are_paid_for_as_traffic() -> None:
    assert cost(taking(1)._replace(reply_bytes=3 * BYTES_PER_GB / 1e6), 512).traffic == pytest.approx(0.27)


def test_the_share_of_cold_starts_is_a_mean_of_both() -> None:
    warm, cold, mixed = (
        cost(taking(1.0, cold_ms=99.0), 1769, cold_share=share).function for share in (0.0, 1.0, 0.25)
    )
    assert cold == pytest.approx(100 * warm)
    assert mixed == pytest.approx(0.75 * warm + 0.25 * cold)


def test_a_snapshot_is_paid_by_memory_and_a_start_by_memory_and_time() -> None:
    # 2,592,000 seconds of a month; a start of 125 ms more takes 125,000 GB-seconds a million times.
    assert snapshot(taking(1.0, cold_ms=125.0 / 1769 * 1024), 1024) == pytest.approx(
        Snapshot(kept=3.8999232, restored=139.7998, started=1.666675)
    )


def test_snapshots_cost_what_they_do_in_the_example_of_the_pricing_page() -> None:
    # One GB for 31 days, and 74,400 restores of it.
    kept, restored = dollars("snapshot_second", 2_678_400), dollars("snapshot_restore", 74_400)
    assert (round(kept, 2), round(restored, 1)) == (4.03, 10.4)


def test_a_month_pays_for_each_metric_once_and_for_the_alarms() -> None:
    # two at 0.30, three at 0.10
    assert month(["requests (era=modern)", "requests (era=legacy)", "requests (era=modern)"], alarms=3) == (
        pytest.approx(0.90)
    )


def test_every_price_is_of_something_and_was_seen_somewhere() -> None:
    assert all(
        price.dollars > 0 and price.per >= 1 and price.unit and price.seen for price in PRICES.values()
    )
