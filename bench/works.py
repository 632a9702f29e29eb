"""What one request takes, from the figures of `make bench`: the input of every model beside this file."""

from collections.abc import Iterator, Mapping
from math import ceil
from typing import Any, Final, NamedTuple

from bench.serving.events import CALL, INITIALIZE, LEGACY_CALL
from bench.serving.figures import Figures
from bench.serving.targets import OURS
from tests.support.processes import ROOT

__all__ = [
    "FIGURES",
    "SESSION_WRITES",
    "STORE_WAIT_MS",
    "Service",
    "Work",
    "billed_ms",
    "service",
    "work",
    "works",
]

FIGURES: Final = ROOT / "docs" / "performance" / "figures.json"
"""Those that stand in the documentation."""

# Memory that gives one whole processor; a single-threaded function gains nothing from more.
_WHOLE_PROCESSOR_MB: Final = 1769

STORE_WAIT_MS: Final = 5.0
"""A consistent read of a small item from Lambda in the same region. Assumed: it is not measured here."""

SESSION_WRITES: Final = 0.2
"""Writes per request in a session: it is opened and ended, and ten requests come between. Assumed."""


class Work(NamedTuple):
    """What one request takes: computing on a whole processor, waiting, units of DynamoDB, bytes written."""

    target: str
    kind: str
    busy_ms: float
    waiting_ms: float = 0.0
    reads: float = 0.0
    writes: float = 0.0
    cold_ms: float = 0.0
    log_bytes: float = 0.0
    reply_bytes: float = 0.0


class Service(NamedTuple):
    """Seconds that one request keeps an environment of the product: modern, in a session, and the first."""

    modern_seconds: float
    session_seconds: float
    cold_seconds: float


def billed_ms(work: Work, memory_mb: int, *, cold: bool = False) -> int:
    """What Lambda bills for one request of a function of that size, in whole milliseconds.

    A function's processor grows with its memory: below 1,769 MB it has a part of one, and computing takes
    as much longer; waiting does not. Since August 2025 the start of an environment is billed with it.
    """
    slower = max(1.0, _WHOLE_PROCESSOR_MB / memory_mb)
    busy = work.busy_ms + (work.cold_ms if cold else 0.0)
    return ceil(round(busy * slower + work.waiting_ms, 6))


def service(figures: Figures, memory_mb: int) -> Service:
    """How long the product keeps an environment with one request, at that size."""
    modern, session = (work(OURS, kind, figures) for kind in (CALL, LEGACY_CALL))
    return Service(
        billed_ms(modern, memory_mb) / 1000,
        billed_ms(session, memory_mb) / 1000,
        billed_ms(modern, memory_mb, cold=True) / 1000,
    )


def works(figures: Figures) -> Iterator[Work]:
    """A tool call to each target, in each era that it speaks."""
    for target, warm in figures["warm"].items():
        for kind in (CALL, LEGACY_CALL):
            if kind in warm:
                yield work(target, kind, figures)


def work(target: str, kind: str, figures: Figures) -> Work:
    """What was measured of `kind` with `target`; nothing is what was not measured."""
    found = figures["warm"][target][kind]
    stored = "store_p50_us" in found
    cold = figures.get("cold", {}).get(target.partition(",")[0], {})
    first: Mapping[str, Any] = cold.get(INITIALIZE if stored else kind) or next(iter(cold.values()), {})
    written = figures.get("written", {}).get(target, {}).get(kind, {})
    return Work(
        target,
        kind,
        # The time inside the store is that of a server on this machine: a real one is waited for instead.
        busy_ms=found["less_store_p50_us" if stored else "p50_us"] / 1000 + _runtime_ms(target, figures),
        waiting_ms=STORE_WAIT_MS if stored else 0.0,
        reads=1.0 if stored else 0.0,
        writes=SESSION_WRITES if stored else 0.0,
        cold_ms=first.get("whole_ms", {}).get("median", 0.0),
        log_bytes=written.get("log_bytes", 0.0),
        reply_bytes=written.get("reply_bytes", 0.0),
    )


def _runtime_ms(name: str, figures: Figures) -> float:
    """What the runtime adds to the handler's own time, as far as the emulator's reports and ours tell."""
    target = name.partition(",")[0]
    for kind, found in figures.get("cold", {}).get(target, {}).items():
        if "warm_reported_ms" in found and kind in figures["warm"].get(target, {}):
            added_ms: float = found["warm_reported_ms"] - figures["warm"][target][kind]["p50_us"] / 1000
            return max(0.0, added_ms)
    return 0.0
