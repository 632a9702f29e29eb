"""`python -m bench.cost`: dollars per million requests by memory size and era, from measured times.

A function's processor grows with its memory: below 1,769 MB it has a part of one, and computing takes as much
longer; waiting for DynamoDB does not. Billed time is rounded up to a millisecond, for each request by itself,
and since August 2025 holds the start of an environment too. Traffic out, logs and free tiers are left out.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from math import ceil
from pathlib import Path
from typing import Any, Final, NamedTuple

from bench.serving.events import CALL, INITIALIZE, LEGACY_CALL
from bench.serving.figures import Figures

__all__ = ["MEMORY_SIZES", "PRICES", "Cost", "Work", "billed_ms", "cost", "works"]

MEMORY_SIZES: Final = (128, 256, 512, 1024, 1769, 3008)

# Memory that gives one whole processor; a single-threaded function gains nothing from more.
_WHOLE_PROCESSOR_MB: Final = 1769
_MILLION: Final = 1_000_000
# Each 512 KB of a request count as one (HTTP API); ours are far smaller.
_REGION: Final = "us-east-1"
_AS_OF: Final = "2025-08"

# Where it is not measured: a consistent read of a small item, seen from Lambda in the same region.
_STORE_WAIT_MS: Final = 5.0


class Price(NamedTuple):
    """A list price, in dollars for `per` units; check it on the vendor's pages before you rely on it."""

    dollars: float
    per: float
    unit: str


PRICES: Final[Mapping[str, Price]] = {
    "lambda_arm64": Price(0.0000133334, 1, "GB-second, first 7.5 billion a month"),
    "lambda_x86_64": Price(0.0000166667, 1, "GB-second, first 6 billion a month"),
    "lambda_request": Price(0.20, _MILLION, "requests"),
    "http_api_request": Price(1.00, _MILLION, "requests, first 300 million a month"),
    "dynamodb_read": Price(0.125, _MILLION, "read units, on demand; a consistent read of up to 4 KB is one"),
    "dynamodb_write": Price(0.625, _MILLION, "write units, on demand; 1 KB is one"),
}


class Work(NamedTuple):
    """What one request takes: computing on a whole processor, waiting, and units of DynamoDB."""

    name: str
    busy_ms: float
    waiting_ms: float = 0.0
    reads: float = 0.0
    writes: float = 0.0
    cold_ms: float = 0.0


class Cost(NamedTuple):
    """Dollars for a million requests, by who is paid."""

    gateway: float
    function: float
    requests: float
    store: float

    @property
    def total(self) -> float:
        """All of it."""
        return sum(self)


def billed_ms(work: Work, memory_mb: int, *, cold: bool = False) -> int:
    """What Lambda bills for one request of a function of that size, in whole milliseconds."""
    slower = max(1.0, _WHOLE_PROCESSOR_MB / memory_mb)
    busy = work.busy_ms + (work.cold_ms if cold else 0.0)
    return ceil(round(busy * slower + work.waiting_ms, 6))


def cost(work: Work, memory_mb: int, *, architecture: str = "arm64", cold_share: float = 0.0) -> Cost:
    """Dollars for a million requests of one kind, of which `cold_share` start an environment."""
    warm, cold = (billed_ms(work, memory_mb, cold=each) for each in (False, True))
    milliseconds = warm * (1 - cold_share) + cold * cold_share
    gb_seconds = milliseconds / 1000 * memory_mb / 1024 * _MILLION
    return Cost(
        gateway=_dollars("http_api_request", _MILLION),
        function=_dollars(f"lambda_{architecture}", gb_seconds),
        requests=_dollars("lambda_request", _MILLION),
        store=_dollars("dynamodb_read", work.reads * _MILLION)
        + _dollars("dynamodb_write", work.writes * _MILLION),
    )


def _dollars(name: str, units: float) -> float:
    price = PRICES[name]
    return price.dollars * units / price.per


def works(figures: Figures) -> Iterator[Work]:
    """What was measured of each target, in each era that it speaks."""
    for name, warm in figures["warm"].items():
        for kind in (CALL, LEGACY_CALL):
            if kind in warm:
                yield _work(name, kind, figures)


def _work(name: str, kind: str, figures: Figures) -> Work:
    found = figures["warm"][name][kind]
    stored = "store_p50_us" in found
    cold = figures.get("cold", {}).get(name.partition(",")[0], {})
    first: Mapping[str, Any] = cold.get(INITIALIZE if stored else kind) or next(iter(cold.values()), {})
    return Work(
        f"{name}: {kind}",
        # The time inside the store is that of a server on this machine: a real one is waited for instead.
        busy_ms=found["rest_p50_us" if stored else "p50_us"] / 1000 + _runtime_ms(name, figures),
        waiting_ms=_STORE_WAIT_MS if stored else 0.0,
        reads=1.0 if stored else 0.0,
        cold_ms=first.get("whole_ms", {}).get("median", 0.0),
    )


def _runtime_ms(name: str, figures: Figures) -> float:
    """What the runtime adds to the handler's own time, as far as the emulator's reports and ours tell."""
    target = name.partition(",")[0]
    for kind, found in figures.get("cold", {}).get(target, {}).items():
        if "warm_reported_ms" in found and kind in figures["warm"].get(target, {}):
            added_ms: float = found["warm_reported_ms"] - figures["warm"][target][kind]["p50_us"] / 1000
            return max(0.0, added_ms)
    return 0.0


def as_markdown(figures: Figures, *, cold_share: float, architecture: str) -> str:
    """A table of dollars per million requests, under the prices that it is made of."""
    lines = [
        f"List prices of {_REGION} as known in {_AS_OF}, to be checked: "
        + "; ".join(
            f"{name} ${price.dollars:g} per {price.per:,.0f} {price.unit}" for name, price in PRICES.items()
        )
        + f". {architecture}, {cold_share:.1%} of requests cold, "
        f"{_STORE_WAIT_MS:g} ms for a request to DynamoDB.",
        "",
        f"| $ per million requests | {' | '.join(f'{size:,} MB' for size in MEMORY_SIZES)} |",
        f"| --- |{' ---: |' * len(MEMORY_SIZES)}",
    ]
    for work in works(figures):
        totals = (
            cost(work, size, architecture=architecture, cold_share=cold_share).total for size in MEMORY_SIZES
        )
        lines.append(f"| {work.name} | {' | '.join(f'{total:.2f}' for total in totals)} |")
    return "\n".join(lines)


def main() -> int:
    """Tell what a million requests cost, from the figures that `make bench` left."""
    parser = argparse.ArgumentParser(prog="python -m bench.cost", description=main.__doc__)
    parser.add_argument("--figures", type=Path, default=Path(".bench/figures/figures.json"))
    parser.add_argument("--cold-share", type=float, default=0.01, help="of all requests [0.01]")
    parser.add_argument("--architecture", choices=("arm64", "x86_64"), default="arm64")
    arguments = parser.parse_args()
    figures = json.loads(arguments.figures.read_text())
    print(as_markdown(figures, cold_share=arguments.cold_share, architecture=arguments.architecture))
    return 0


if __name__ == "__main__":
    sys.exit(main())
