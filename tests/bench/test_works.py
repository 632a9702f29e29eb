"""What one request takes, and what of it is billed."""

import pytest

from bench.serving.events import CALL, INITIALIZE, LEGACY_CALL
from bench.works import Service, Work, billed_ms, service, works

FIGURES = {
    "warm": {
        "floor": {CALL: {"p50_us": 40}},
        "ours": {
            CALL: {"p50_us": 800},
            LEGACY_CALL: {"p50_us": 3000, "less_store_p50_us": 400, "store_p50_us": 2600},
        },
    },
    "cold": {
        "floor": {CALL: {"whole_ms": {"median": 41}, "warm_reported_ms": 1.04}},
        "ours": {
            CALL: {"whole_ms": {"median": 150}},
            INITIALIZE: {"whole_ms": {"median": 300}},
        },
    },
    "written": {"ours": {CALL: {"log_bytes": 800, "reply_bytes": 2000}}},
}


def taking(busy_ms: float, waiting_ms: float = 0.0, cold_ms: float = 0.0) -> Work:
    return Work("ours", CALL, busy_ms, waiting_ms=waiting_ms, cold_ms=cold_ms)


@pytest.mark.parametrize(
    ("work", "memory_mb", "milliseconds"),
    [
        (taking(0.3), 1769, 1),
        (taking(1.0), 1769, 1),
        (taking(1.001), 1769, 2),
        # half a processor
        (taking(1.0), 1769 // 2, 3),
        # no more than one
        (taking(10.0), 3008, 10),
        # waiting takes as long in a small function: 1769 / 128 = 13.8, and 5
        (taking(1.0, waiting_ms=5.0), 128, 19),
    ],
)
def test_time_is_billed_in_whole_milliseconds_of_the_part_of_a_processor(
    work: Work, memory_mb: int, milliseconds: int
) -> None:
    assert billed_ms(work, memory_mb) == milliseconds


def test_a_cold_start_is_billed_with_its_first_request() -> None:
    assert billed_ms(taking(1.0, cold_ms=100.0), 1769, cold=True) == 101


def test_work_is_taken_from_the_figures_and_the_store_of_this_machine_is_not() -> None:
    assert list(works(FIGURES)) == [
        Work("floor", CALL, busy_ms=1.04, cold_ms=41),
        Work("ours", CALL, busy_ms=0.8, cold_ms=150, log_bytes=800, reply_bytes=2000),
        Work("ours", LEGACY_CALL, busy_ms=0.4, waiting_ms=5.0, reads=1.0, writes=0.2, cold_ms=300),
    ]


def test_a_quiet_product_starts_as_cold_as_it_does_otherwise() -> None:
    figures = {"warm": {"ours, quiet": {CALL: {"p50_us": 300}}}, "cold": FIGURES["cold"]}
    assert list(works(figures)) == [Work("ours, quiet", CALL, busy_ms=0.3, cold_ms=150)]


def test_the_service_lasts_as_long_as_is_billed() -> None:
    # On a quarter of a processor: 0.8 is 3.2, 0.4 is 1.6 and 5 of waiting, 150.8 is 603.2.
    assert service(FIGURES, 1769 // 4) == Service(0.004, 0.007, 0.604)
