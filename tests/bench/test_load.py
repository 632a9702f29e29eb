"""What traffic needs, where it can be computed by hand."""

from math import inf

import pytest

from bench.deployment import parameter
from bench.load import demand, environments, first_met, met_at, ramp
from bench.quotas import QUOTAS, Demand, Quota
from bench.works import Service

# Requests of 10 ms, of 30 in a session, and of half a second when an environment starts.
SERVICE = Service(modern_seconds=0.01, session_seconds=0.03, cold_seconds=0.5)
QUOTA = {quota.name: quota for quota in QUOTAS}


def test_so_many_are_in_flight_as_come_while_one_is_served() -> None:
    assert demand(2_000, SERVICE, in_sessions=0) == Demand(2_000, in_flight=20, reads=0, writes=0)


def test_a_session_takes_longer_reads_each_time_and_writes_each_fifth() -> None:
    # a quarter of 2,000 in sessions: 1,500 of 0.01 s and 500 of 0.03 s
    assert demand(2_000, SERVICE, in_sessions=0.25) == Demand(2_000, in_flight=30, reads=500, writes=100)


@pytest.mark.parametrize(("seconds", "kept"), [(0.01, 200), (0.1, 200), (0.2, 400)])
def test_an_environment_takes_ten_requests_a_second_however_short_they_are(seconds: float, kept: int) -> None:
    lasting = Service(seconds, seconds, 1.0)
    assert environments(demand(2_000, lasting, in_sessions=0)) == kept


@pytest.mark.parametrize(
    ("name", "modern", "in_sessions"),
    [
        ("throttle of the API", parameter("ThrottlingRateLimit"), parameter("ThrottlingRateLimit")),
        ("API Gateway's throttle of the account", 10_000, 10_000),
        ("Lambda's requests, 10 per second and environment", 10_000, 10_000),
        ("Lambda's concurrent executions", 100_000, 1_000 / 0.03),
        ("reads that a new table is ready for", inf, 12_000),
        ("writes that a new table is ready for", inf, 20_000),
        ("reads of one table", inf, 40_000),
        ("writes of one table", inf, 200_000),
    ],
)
def test_a_quota_is_met_at_the_rate_that_uses_it_up(name: str, modern: float, in_sessions: float) -> None:
    rates = [met_at(QUOTA[name], SERVICE, in_sessions=share) for share in (0, 1)]
    assert rates == pytest.approx([modern, in_sessions])


def test_a_quota_of_nothing_lets_nothing_through() -> None:
    shut = Quota("shut", 0, "", lambda demand: demand.requests, "", "")
    assert shut.factor(demand(1, SERVICE, in_sessions=0)) == inf


def test_the_quotas_that_are_too_little_come_in_the_order_in_which_they_are_met() -> None:
    found = [quota.name for quota in first_met(15_000, SERVICE, in_sessions=1)]
    assert found == [
        "throttle of the API",
        "API Gateway's throttle of the account",
        "Lambda's requests, 10 per second and environment",
        "reads that a new table is ready for",
    ]


def test_what_is_just_used_up_is_enough() -> None:
    assert first_met(parameter("ThrottlingRateLimit"), SERVICE, in_sessions=1) == []


def test_who_comes_before_the_first_environment_is_ready_starts_another() -> None:
    # 1,000 a second for half a second; then, until they suffice at ten a second each, half of 0.1 s more.
    found = ramp(1_000, SERVICE)
    assert found.environments == pytest.approx(550, abs=10)
    assert (found.refused, found.seconds) == (0, 0)


def test_a_thousand_environments_start_at_once_and_a_hundred_more_each_second() -> None:
    # Of 4,000 a second a thousand start one, then 100 a second. From 0.256 s on 3,900 a second are refused,
    # until the first is ready at 0.5 s: 950. Those ready suffice 0.1 s later, and until then half come too
    # soon: 200, of which 10 still start one.
    found = ramp(4_000, SERVICE)
    assert found.environments == pytest.approx(1_060, abs=5)
    assert found.refused == pytest.approx(1_140, abs=25)
    assert found.seconds == pytest.approx(0.6, abs=0.02)


def test_ten_thousand_a_second_more_are_let_in_each_ten_seconds() -> None:
    # 10,000 environments are needed: 1,000 at once, the others in 90 seconds, ready half a second later.
    found = ramp(100_000, SERVICE)
    assert found.environments == pytest.approx(10_050, abs=20)
    assert found.seconds == pytest.approx(90.5, abs=0.5)
    # A triangle of 90,000 a second, and at first all but the thousand.
    assert found.refused == pytest.approx(90_000 * 90 / 2 + 100_000 * 0.5, rel=0.01)


def test_an_account_with_too_little_concurrency_refuses_for_ever() -> None:
    assert ramp(100_000, SERVICE, concurrency=1_000).seconds == inf
    assert ramp(100_000, SERVICE, concurrency=1_000).environments == 1_000


def test_an_environment_that_is_slower_than_ten_a_second_is_busy_for_longer() -> None:
    slow = Service(modern_seconds=1.0, session_seconds=1.0, cold_seconds=2.0)
    # 100 a second for 2 s, and half of a further second until a hundred serve a hundred.
    assert ramp(100, slow).environments == pytest.approx(250, abs=2)
