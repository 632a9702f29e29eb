"""`python -m bench.cost`: what the product costs, as tables.

Dollars per million requests by memory size, era and what is paid for, and what comes on top each month.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bench.billing import cost, month, snapshot
from bench.deployment import ACCESS_LOG_BYTES, ALARMS, AWS_LOG_BYTES, parameter
from bench.log_lines import platform_bytes
from bench.prices import BYTES_PER_GB, PRICES, REGION, dollars
from bench.serving.events import CALL
from bench.serving.figures import Figures
from bench.serving.targets import OURS
from bench.tables import head, row
from bench.works import FIGURES, SESSION_WRITES, STORE_WAIT_MS, work, works

__all__ = ["COLD_SHARE", "MEMORY_SIZES", "as_markdown"]

MEMORY_SIZES: Final = (128, 256, 512, 1024, 1769, 3008)

COLD_SHARE: Final = 0.01
_MILLION: Final = 1_000_000


def as_markdown(figures: Figures, *, cold_share: float = COLD_SHARE, architecture: str = "arm64") -> str:
    """Tables of dollars, under what they are computed with and above the prices."""
    parts = (
        _assumptions(cold_share, architecture),
        _by_memory(figures, cold_share, architecture),
        _by_part(figures, cold_share, architecture),
        _by_kind(figures),
        _monthly(figures),
        _snapshots(figures, architecture),
        _prices(),
    )
    return "\n\n".join(text for part in parts if (text := "\n".join(part)))


def _assumptions(cold_share: float, architecture: str) -> Iterator[str]:
    yield (
        f"List prices of {REGION}, {architecture}, {cold_share:.1%} of requests cold, "
        f"{STORE_WAIT_MS:g} ms for a read of DynamoDB, {SESSION_WRITES:g} writes per "
        "request in a session; no free tier."
    )


def _by_memory(figures: Figures, cold_share: float, architecture: str) -> Iterator[str]:
    yield from head("$ per million requests", *(f"{size:,} MB" for size in MEMORY_SIZES))
    for each in works(figures):
        totals = (
            cost(
                each, size, architecture=architecture, cold_share=cold_share, more_log_bytes=AWS_LOG_BYTES
            ).total
            for size in MEMORY_SIZES
        )
        yield row(f"{each.target}: {each.kind}", *(f"{total:.2f}" for total in totals))


def _by_part(figures: Figures, cold_share: float, architecture: str) -> Iterator[str]:
    size = parameter("MemorySize")
    parts = ("HTTP API", "Lambda's requests", "its time", "DynamoDB", "log lines", "traffic out")
    yield from head(f"$ per million requests, {size} MB", *parts)
    for each in works(figures):
        found = cost(
            each, size, architecture=architecture, cold_share=cold_share, more_log_bytes=AWS_LOG_BYTES
        )
        yield row(f"{each.target}: {each.kind}", *(f"{part:.2f}" for part in found))


def _by_kind(figures: Figures) -> Iterator[str]:
    written = figures.get("written", {}).get(OURS, {})
    if not written:
        return
    yield from head(
        "bytes of one request", "function's log", "Lambda's", "access log", "reply", "$ per million for these"
    )
    for kind, found in written.items():
        logs = dollars("log_gb", (found["log_bytes"] + AWS_LOG_BYTES) * _MILLION / BYTES_PER_GB)
        traffic = dollars("traffic_gb", found["reply_bytes"] * _MILLION / BYTES_PER_GB)
        sizes = (found["log_bytes"], platform_bytes(), ACCESS_LOG_BYTES, found["reply_bytes"])
        yield row(kind, *(f"{size:,}" for size in sizes), f"{logs + traffic:.2f}")


def _monthly(figures: Figures) -> Iterator[str]:
    written = figures.get("written", {}).get(OURS, {})
    metrics = {metric for found in written.values() for metric in found["metrics"]}
    if not metrics:
        return
    yield (
        f"Each month in which there is traffic, for these {len(written)} kinds of request: {len(metrics)} "
        f"custom metrics and {ALARMS} alarms, ${month(metrics, alarms=ALARMS):.2f}."
    )
    yield ""
    yield from head("custom metric", "sets of dimensions")
    names = [metric.partition(" ")[0] for metric in metrics]
    for name in sorted(set(names)):
        yield row(f"`{name}`", str(names.count(name)))


def _snapshots(figures: Figures, architecture: str) -> Iterator[str]:
    if OURS not in figures["warm"]:
        return
    yield from head("SnapStart, $", *(f"{size:,} MB" for size in MEMORY_SIZES))
    ours = work(OURS, CALL, figures)
    found = [snapshot(ours, size, architecture=architecture) for size in MEMORY_SIZES]
    yield row("one version kept for a month", *(f"{each.kept:.2f}" for each in found))
    yield row("a million starts restored from it", *(f"{each.restored:.2f}" for each in found))
    yield row("a million starts without it", *(f"{each.started:.2f}" for each in found))


def _prices() -> Iterator[str]:
    yield from head("price", "$", "seen in", worded=1)
    for price in PRICES.values():
        per = f"{price.per:,.0f} " if price.per != 1 else ""
        yield row(f"{per}{price.unit}", f"{price.dollars:.10f}".rstrip("0").rstrip("."), price.seen)


def main() -> int:
    """Tell what a million requests cost, from the figures that `make bench WRITE=1` left."""
    parser = argparse.ArgumentParser(prog="python -m bench.cost", description=main.__doc__)
    parser.add_argument("--figures", type=Path, default=FIGURES)
    parser.add_argument(
        "--cold-share", type=float, default=COLD_SHARE, help=f"of all requests [{COLD_SHARE}]"
    )
    parser.add_argument("--architecture", choices=("arm64", "x86_64"), default="arm64")
    arguments = parser.parse_args()
    figures = json.loads(arguments.figures.read_text())
    print(as_markdown(figures, cold_share=arguments.cold_share, architecture=arguments.architecture))
    return 0


if __name__ == "__main__":
    sys.exit(main())
