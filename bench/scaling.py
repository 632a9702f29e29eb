"""`python -m bench.scaling`: where the deployment bends, as tables.

Each quota, each rate, and traffic that comes from nothing.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from math import inf
from pathlib import Path
from typing import Final

from bench.billing import cost
from bench.deployment import AWS_LOG_BYTES, parameter
from bench.load import demand, environments, first_met, met_at, ramp
from bench.quotas import QUOTAS
from bench.serving.events import CALL, LEGACY_CALL
from bench.serving.figures import Figures
from bench.serving.targets import OURS
from bench.tables import head, row
from bench.works import FIGURES, SESSION_WRITES, Service, service, work

__all__ = ["IN_SESSIONS", "RATES", "as_markdown"]

RATES: Final = (10.0, 1_000.0, 100_000.0)

IN_SESSIONS: Final = (0.0, 1.0)
"""The two ends: all traffic modern, and all of it in sessions of older revisions."""

_CONCURRENCY: Final = (1_000.0, inf)


def as_markdown(
    figures: Figures, *, rates: Sequence[float] = RATES, shares: Sequence[float] = IN_SESSIONS
) -> str:
    """Tables of quotas by the rate that uses them up, of what each rate uses, and of sudden traffic."""
    lasting = service(figures, parameter("MemorySize"))
    parts = (
        _assumptions(lasting),
        _ladder(lasting, shares),
        *(_at(rate, lasting, shares) for rate in rates),
        _loads(figures, lasting, rates, shares),
        _ramps(lasting, rates),
        _seen(),
    )
    return "\n\n".join("\n".join(part) for part in parts)


def _assumptions(lasting: Service) -> Iterator[str]:
    modern, session, cold = (f"{seconds * 1000:.0f} ms" for seconds in lasting)
    yield (
        f"{parameter('MemorySize')} MB: {modern} for a 2026-07-28 `tools/call`, {session} for one in a "
        f"session, {cold} for the first of an environment. In a session a request reads once and writes "
        f"{SESSION_WRITES:g} times."
    )


def _ladder(lasting: Service, shares: Sequence[float]) -> Iterator[str]:
    columns = [f"met at requests/s, {_share(share)}" for share in shares]
    yield from head("quota, the default", "holds", *columns, "how to raise it", worded=1)
    ordered = sorted(
        QUOTAS, key=lambda quota: min(met_at(quota, lasting, in_sessions=share) for share in shares)
    )
    for quota in ordered:
        rates = (met_at(quota, lasting, in_sessions=share) for share in shares)
        yield row(quota.name, f"{quota.limit:,.0f} {quota.unit}", *map(_rate, rates), quota.raised)


def _at(rate: float, lasting: Service, shares: Sequence[float]) -> Iterator[str]:
    yield f"### {rate:,.0f} requests per second"
    yield ""
    yield from (_verdict(rate, lasting, share) for share in shares)
    yield ""
    columns = (f"{what}, {_share(share)}" for share in shares for what in ("used", "÷ default"))
    yield from head("quota, the default", "holds", *columns)
    asked = [demand(rate, lasting, in_sessions=share) for share in shares]
    for quota in QUOTAS:
        cells = [cell for each in asked for cell in (f"{quota.used(each):,.1f}", _times(quota.factor(each)))]
        yield row(quota.name, f"{quota.limit:,.0f} {quota.unit}", *cells)


def _verdict(rate: float, lasting: Service, share: float) -> str:
    exceeded = [quota.name for quota in first_met(rate, lasting, in_sessions=share)]
    told = (
        f"too little, in the order in which they are met: {'; '.join(exceeded)}"
        if exceeded
        else "the defaults do"
    )
    return f"- {_share(share)}: {told}."


def _loads(
    figures: Figures, lasting: Service, rates: Sequence[float], shares: Sequence[float]
) -> Iterator[str]:
    yield "### What it amounts to"
    yield ""
    modern, session = (work(OURS, kind, figures) for kind in (CALL, LEGACY_CALL))
    yield from head("requests/s", "in sessions", "environments", "log lines, MB/s", "$ per hour, first tier")
    size = parameter("MemorySize")
    for rate in rates:
        for share in shares:
            logged = modern.log_bytes * (1 - share) + session.log_bytes * share + AWS_LOG_BYTES
            each = [cost(kind, size, more_log_bytes=AWS_LOG_BYTES).total for kind in (modern, session)]
            paid = (each[0] * (1 - share) + each[1] * share) * rate * 3600 / 1_000_000
            kept = environments(demand(rate, lasting, in_sessions=share))
            megabytes = logged * rate / 1_000_000
            yield row(f"{rate:,.0f}", f"{share:.0%}", f"{kept:,.0f}", f"{megabytes:,.2f}", f"{paid:,.2f}")


def _ramps(lasting: Service, rates: Sequence[float]) -> Iterator[str]:
    yield "### From nothing, all at once"
    yield ""
    columns = (
        "concurrency of the account",
        "cold starts",
        "refused by Lambda",
        "seconds until none is refused",
    )
    yield from head("requests/s, modern", *columns)
    for rate in rates:
        for concurrency in _CONCURRENCY:
            found = ramp(rate, lasting, concurrency=concurrency)
            seconds = "never" if found.seconds == inf else f"{found.seconds:.1f}"
            refused = "" if found.seconds == inf else f"{found.refused:,.0f}"
            allowed = "as needed" if concurrency == inf else f"{concurrency:,.0f}"
            yield row(f"{rate:,.0f}", allowed, f"{found.environments:,.0f}", refused, seconds)


def _seen() -> Iterator[str]:
    yield from head("default", "seen in", worded=1)
    for quota in QUOTAS:
        yield row(quota.name, quota.seen)
    yield row(
        "1,000 more environments each 10 seconds", "Lambda guide, copies of the page up to September 2026"
    )


def _share(share: float) -> str:
    return {0.0: "modern", 1.0: "in sessions"}.get(share, f"{share:.0%} in sessions")


def _times(factor: float) -> str:
    return f"{factor:,.2f}" if factor >= 0.01 or not factor else "< 0.01"


def _rate(rate: float) -> str:
    return "never" if rate == inf else f"{rate:,.0f}"


def main() -> int:
    """Tell where the deployment bends, from the figures that `make bench WRITE=1` left."""
    parser = argparse.ArgumentParser(prog="python -m bench.scaling", description=main.__doc__)
    parser.add_argument("--figures", type=Path, default=FIGURES)
    parser.add_argument(
        "--in-sessions", type=float, nargs="+", default=IN_SESSIONS, help="shares of requests"
    )
    parser.add_argument("--rates", type=float, nargs="+", default=RATES, help="requests per second")
    arguments = parser.parse_args()
    figures = json.loads(arguments.figures.read_text())
    print(as_markdown(figures, rates=arguments.rates, shares=arguments.in_sessions))
    return 0


if __name__ == "__main__":
    sys.exit(main())
