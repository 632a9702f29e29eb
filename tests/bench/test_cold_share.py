"""The simulation, where the answer is known without it."""

from collections.abc import Callable, Iterator
from itertools import islice
from math import exp
from random import Random

import pytest

from bench.cold_share import Environments, bursty, cold_share, poisson, shares

BRIEF = Environments(warm_seconds=1e-9, cold_seconds=1e-9, kept_seconds=60)


def test_nobody_asks_and_nothing_is_cold() -> None:
    assert cold_share([], BRIEF) == 0


def test_only_the_first_is_cold_when_requests_come_one_after_the_other() -> None:
    assert cold_share(range(100), BRIEF) == 0.01


def test_all_are_cold_that_come_at_once_or_too_late() -> None:
    assert cold_share([5.0] * 10, BRIEF) == 1
    assert cold_share([61.0 * number for number in range(10)], BRIEF) == 1


def test_a_request_waits_for_no_busy_environment() -> None:
    slow = Environments(warm_seconds=0.5, cold_seconds=2.0, kept_seconds=60)
    # The first is busy until 2, so the second starts another; then there are two, and both are used.
    assert cold_share([0.0, 1.0, 2.5, 3.1, 3.2], slow) == 2 / 5


def test_the_environment_used_last_is_used_again_and_the_others_grow_old() -> None:
    kept = Environments(warm_seconds=1e-9, cold_seconds=1.0, kept_seconds=10)
    both, one_of_them = [0.0, 0.5], [float(number) for number in range(2, 20)]
    assert cold_share([*both, *one_of_them, 19.0], kept) == 3 / 21


@pytest.mark.parametrize("rate", [0.005, 0.02, 0.05])
def test_steady_traffic_is_cold_as_often_as_a_gap_is_longer_than_environments_are_kept(rate: float) -> None:
    found = cold_share(islice(poisson(rate, Random(1)), 40_000), BRIEF)
    assert found == pytest.approx(exp(-rate * BRIEF.kept_seconds), abs=0.01)


@pytest.mark.parametrize("arrivals", [poisson, bursty])
def test_arrivals_come_at_the_mean_rate_and_the_same_each_time(
    arrivals: Callable[[float, Random], Iterator[float]],
) -> None:
    first, second = (list(islice(arrivals(2.0, Random(7)), 200_000)) for _ in range(2))
    assert first == second == sorted(first)
    assert len(first) / first[-1] == pytest.approx(2.0, rel=0.1)


def test_bursts_meet_more_cold_starts_than_steady_traffic_of_the_same_rate() -> None:
    busy = Environments(warm_seconds=0.05, cold_seconds=0.3, kept_seconds=300)
    steady, bursts = (cold_share(islice(kind(10.0, Random(3)), 50_000), busy) for kind in (poisson, bursty))
    assert bursts > steady


def test_the_beginning_can_be_left_out_of_the_count() -> None:
    slow = Environments(warm_seconds=1e-9, cold_seconds=1.0, kept_seconds=60)
    arrivals = [0.0, 0.5, *(float(number) for number in range(2, 10))]
    assert cold_share(arrivals, slow) == 2 / 10
    assert cold_share(arrivals, slow, counted_from=0.5) == 1 / 9
    assert cold_share(arrivals, slow, counted_from=2.0) == 0


def test_the_shares_of_every_rate_are_the_same_each_time() -> None:
    first, second = (shares(BRIEF, requests=10, rates=(0.1, 1.0)) for _ in range(2))
    assert first == second
    assert [(kind, *found) for kind, found in first.items()] == [("steady", 0.1, 1.0), ("bursty", 0.1, 1.0)]
