"""The arithmetic of what a million requests cost."""

import pytest

from bench.cost import PRICES, Cost, Work, billed_ms, cost, works
from bench.serving.events import CALL, INITIALIZE, LEGACY_CALL

MILLION = 1_000_000


@pytest.mark.parametrize(
    ("work", "memory_mb", "milliseconds"),
    [
        (Work("less than one", busy_ms=0.3), 1769, 1),
        (Work("just one", busy_ms=1.0), 1769, 1),
        (Work("a little more", busy_ms=1.001), 1769, 2),
        (Work("half a processor", busy_ms=1.0), 1769 // 2, 3),
        (Work("no more than one processor", busy_ms=10.0), 3008, 10),
        (Work("waiting is as long in a small one", busy_ms=1.0, waiting_ms=5.0), 128, 19),
    ],
)
def test_time_is_billed_in_whole_milliseconds_of_the_part_of_a_processor(
    work: Work, memory_mb: int, milliseconds: int
) -> None:
    assert billed_ms(work, memory_mb) == milliseconds


def test_a_cold_start_is_billed_with_its_first_request() -> None:
    assert billed_ms(Work("cold", busy_ms=1.0, cold_ms=100.0), 1769, cold=True) == 101


def test_a_million_requests_of_a_millisecond_and_a_gigabyte_are_a_thousand_gigabyte_seconds() -> None:
    found = cost(Work("one", busy_ms=0.5), 1024, architecture="x86_64")
    assert found == pytest.approx(Cost(gateway=1.0, function=0.0166667, requests=0.2, store=0.0))
    assert found.total == pytest.approx(1.2166667)


def test_a_request_in_a_session_pays_for_its_read_and_the_one_that_opens_it_for_a_write() -> None:
    read, opened = Work("read", busy_ms=1, reads=1), Work("opened", busy_ms=1, writes=1)
    assert (cost(read, 512).store, cost(opened, 512).store) == pytest.approx((0.125, 0.625))


def test_the_share_of_cold_starts_is_a_mean_of_both() -> None:
    work = Work("mixed", busy_ms=1.0, cold_ms=99.0)
    warm, cold, mixed = (cost(work, 1769, cold_share=share).function for share in (0.0, 1.0, 0.25))
    assert cold == pytest.approx(100 * warm)
    assert mixed == pytest.approx(0.75 * warm + 0.25 * cold)


def test_every_price_is_of_something() -> None:
    assert all(price.dollars > 0 and price.per >= 1 and price.unit for price in PRICES.values())


def test_work_is_taken_from_the_figures_and_the_store_of_this_machine_is_not() -> None:
    figures = {
        "warm": {
            "floor": {CALL: {"p50_us": 40}},
            "ours, quiet": {LEGACY_CALL: {"p50_us": 3000, "rest_p50_us": 400, "store_p50_us": 2600}},
        },
        "cold": {
            "floor": {CALL: {"whole_ms": {"median": 41}, "warm_reported_ms": 1.04}},
            "ours": {INITIALIZE: {"whole_ms": {"median": 300}}},
        },
    }
    assert list(works(figures)) == [
        Work(f"floor: {CALL}", busy_ms=1.04, cold_ms=41),
        Work(f"ours, quiet: {LEGACY_CALL}", busy_ms=0.4, waiting_ms=5.0, reads=1.0, cold_ms=300),
    ]
