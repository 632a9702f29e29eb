"""`python -m bench.cold_share`: how many requests meet a cold start, in steady and in bursty traffic.

It is a simulation. Lambda gives a request to an environment that is idle, the one used last first, and starts
another when there is none; one that was idle for some minutes is taken away. How long it is kept AWS does not
say: it is a parameter.
"""

import argparse
import heapq
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from bench.deployment import parameter
from bench.serving.figures import Figures
from bench.tables import head, row
from bench.works import FIGURES, service

__all__ = [
    "KEPT_MINUTES",
    "RATES",
    "REQUESTS",
    "Environments",
    "as_markdown",
    "bursty",
    "cold_share",
    "poisson",
    "shares",
    "simulated",
]

RATES: Final = (0.01, 0.1, 1.0, 10.0, 100.0)
KEPT_MINUTES: Final = (5.0, 15.0, 45.0)
REQUESTS: Final = 20_000
_LEAST_TOLD: Final = 0.0001

# A burst is twenty times as busy as the mean and takes a thirtieth of the time; a cycle is ten minutes.
_BURST_FACTOR: Final = 20.0
_BURST_SHARE: Final = 1 / 30
_CYCLE_SECONDS: Final = 600.0

_SEED: Final = 20260728
# So many cycles at least, however many requests those are; what comes in the first is not counted, because a
# service that has been there for a while does not begin with nothing.
_CYCLES: Final = 18


class Environments(NamedTuple):
    """Seconds that a request keeps an environment busy, warm or cold, and that an idle one is kept."""

    warm_seconds: float
    cold_seconds: float
    kept_seconds: float


def poisson(rate: float, random: Random) -> Iterator[float]:
    """Times of arrivals that know nothing of each other, `rate` a second in the mean, without end."""
    now = 0.0
    while True:
        now += random.expovariate(rate)
        yield now


def bursty(rate: float, random: Random) -> Iterator[float]:
    """Arrivals of the same mean `rate` in bursts: a two-state Markov chain switches the rate of `poisson`."""
    quiet_rate = rate * (1 - _BURST_FACTOR * _BURST_SHARE) / (1 - _BURST_SHARE)
    states = (
        (quiet_rate, _CYCLE_SECONDS * (1 - _BURST_SHARE)),
        (rate * _BURST_FACTOR, _CYCLE_SECONDS * _BURST_SHARE),
    )
    now, state = 0.0, 0
    ends = random.expovariate(1 / states[0][1])
    while True:
        following = now + random.expovariate(states[state][0])
        if following < ends:
            now = following
            yield now
        else:
            # Exponential times have no memory: at the switch the wait begins anew, at the other rate.
            now, state = ends, 1 - state
            ends = now + random.expovariate(1 / states[state][1])


def cold_share(arrivals: Iterable[float], environments: Environments, *, counted_from: float = 0.0) -> float:
    """The share of `arrivals`, in order of time, that find no environment idle.

    Those before `counted_from` only bring about what the others find.
    """
    busy_until: list[float] = []
    # Since when each is idle, the one used last at the end: the order in which they became so.
    idle_since: list[float] = []
    cold = total = 0
    for now in arrivals:
        while busy_until and busy_until[0] <= now:
            idle_since.append(heapq.heappop(busy_until))
        counted = now >= counted_from
        total += counted
        if idle_since and now - idle_since[-1] <= environments.kept_seconds:
            idle_since.pop()
            heapq.heappush(busy_until, now + environments.warm_seconds)
        else:
            # If the one used last is gone, all are.
            idle_since.clear()
            cold += counted
            heapq.heappush(busy_until, now + environments.cold_seconds)
    return cold / total if total else 0.0


def shares(
    environments: Environments, *, requests: int, rates: Sequence[float] = RATES
) -> dict[str, dict[float, float]]:
    """The share of cold starts by kind of traffic and rate; the same every time."""
    return {
        name: {
            rate: cold_share(
                _until(max(requests / rate, _CYCLES * _CYCLE_SECONDS), kind(rate, Random(_SEED))),
                environments,
                counted_from=_CYCLE_SECONDS,
            )
            for rate in rates
        }
        for name, kind in {"steady": poisson, "bursty": bursty}.items()
    }


def _until(end: float, arrivals: Iterable[float]) -> Iterator[float]:
    return takewhile(lambda time: time < end, arrivals)


def simulated(
    figures: Figures, *, kept_minutes: Sequence[float] = KEPT_MINUTES, requests: int = REQUESTS
) -> dict[tuple[str, float], dict[float, float]]:
    """The shares by kind of traffic and minutes kept, of the product in the template's size."""
    lasting = service(figures, parameter("MemorySize"))
    return {
        (kind, minutes): found
        for minutes in kept_minutes
        for kind, found in shares(
            Environments(lasting.modern_seconds, lasting.cold_seconds, minutes * 60), requests=requests
        ).items()
    }


def as_markdown(simulated: Mapping[tuple[str, float], Mapping[float, float]]) -> str:
    """A table of the shares, a line for each kind of traffic and time that idle environments are kept."""
    lines = [*head("cold starts, share of requests", *(f"{rate:g}/s" for rate in RATES))]
    for (kind, minutes), found in simulated.items():
        lines.append(row(f"{kind}, kept {minutes:g} minutes", *map(_told, found.values())))
    return "\n".join(lines)


def _told(share: float) -> str:
    """Not finer than a simulation of some ten thousand requests is."""
    return f"{share:.2%}" if share >= _LEAST_TOLD else f"< {_LEAST_TOLD:.2%}"


def main() -> int:
    """Tell which share of requests meets a cold start, from the figures that `make bench WRITE=1` left."""
    parser = argparse.ArgumentParser(prog="python -m bench.cold_share", description=main.__doc__)
    parser.add_argument("--figures", type=Path, default=FIGURES)
    parser.add_argument("--kept-minutes", type=float, nargs="+", default=KEPT_MINUTES)
    parser.add_argument("--requests", type=int, default=REQUESTS, help="to simulate at each rate, at least")
    arguments = parser.parse_args()
    figures = json.loads(arguments.figures.read_text())
    found = simulated(figures, kept_minutes=arguments.kept_minutes, requests=arguments.requests)
    print(as_markdown(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
