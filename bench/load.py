"""What traffic needs of each quota, and what happens when it comes from nothing.

Steady traffic is Little's law; the rest counts environments in small steps of time. Both take every request
for equally long, and clients for not trying again.
"""

from collections import deque
from math import inf
from typing import Final, NamedTuple

from bench.quotas import PER_ENVIRONMENT, QUOTAS, Demand, Quota
from bench.works import SESSION_WRITES, Service

__all__ = ["Ramp", "demand", "environments", "first_met", "met_at", "ramp"]

# Environments that a function gets at once, and then each second: 1,000 each 10 seconds, refilled steadily.
_AT_ONCE: Final = 1_000.0
_PER_SECOND: Final = 100.0
_STEP_SECONDS: Final = 0.01
_PATIENCE_SECONDS: Final = 600.0


class Ramp(NamedTuple):
    """Traffic that comes from nothing and stays: environments started, requests refused, and for how long.

    `environments` is also the number of requests that meet a cold start.
    """

    environments: float
    refused: float
    seconds: float


def demand(rate: float, service: Service, *, in_sessions: float) -> Demand:
    """What `rate` requests per second ask for, of which a share is in sessions of older revisions."""
    seconds = service.modern_seconds * (1 - in_sessions) + service.session_seconds * in_sessions
    return Demand(
        requests=rate,
        in_flight=rate * seconds,
        reads=rate * in_sessions,
        writes=rate * in_sessions * SESSION_WRITES,
    )


def environments(demand: Demand) -> float:
    """How many environments steady traffic keeps: one for each request at once, or for each ten a second."""
    return max(demand.in_flight, demand.requests / PER_ENVIRONMENT)


def met_at(quota: Quota, service: Service, *, in_sessions: float) -> float:
    """The rate at which a quota is used up, infinite if such traffic does not use it."""
    factor = quota.factor(demand(1, service, in_sessions=in_sessions))
    return 1 / factor if factor else inf


def first_met(rate: float, service: Service, *, in_sessions: float) -> list[Quota]:
    """The quotas that `rate` is too much for, the one that is met first at the head."""
    asked = demand(rate, service, in_sessions=in_sessions)
    exceeded = [quota for quota in QUOTAS if quota.factor(asked) > 1]
    return sorted(exceeded, key=lambda quota: met_at(quota, service, in_sessions=in_sessions))


def ramp(rate: float, service: Service, *, concurrency: float = inf) -> Ramp:
    """What `rate` meets when a moment ago there was nothing, of an account with so much concurrency.

    A request that finds no idle environment starts one; one that may not be started is refused.
    """
    occupied_seconds = max(service.modern_seconds, 1 / PER_ENVIRONMENT)
    arriving = rate * _STEP_SECONDS
    starting: deque[float] = deque([0.0] * max(1, round(service.cold_seconds / _STEP_SECONDS)))
    started = ready = refused = 0.0
    allowed, seconds = _AT_ONCE, 0.0
    for step in range(round(_PATIENCE_SECONDS / _STEP_SECONDS)):
        ready += starting.popleft()
        waiting = max(0.0, arriving - ready * _STEP_SECONDS / occupied_seconds)
        new = min(waiting, allowed, concurrency - started)
        starting.append(new)
        started += new
        allowed = min(_AT_ONCE, allowed - new + _PER_SECOND * _STEP_SECONDS)
        if waiting > new:
            refused += waiting - new
            seconds = (step + 1) * _STEP_SECONDS
        if not waiting:
            return Ramp(started, refused, seconds)
    return Ramp(started, refused, inf)
