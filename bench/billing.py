"""What a request, a month and a snapshot cost, from what they take.

Billed time is rounded up to a millisecond, for each request by itself. Free tiers, lower prices of higher
tiers, stored logs (some cents) and what is stored in DynamoDB are left out.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from bench.prices import BYTES_PER_GB, dollars
from bench.works import Work, billed_ms

__all__ = ["Cost", "Snapshot", "cost", "month", "snapshot"]

_MILLION: Final = 1_000_000
_MONTH_SECONDS: Final = 30 * 24 * 3600


class Cost(NamedTuple):
    """Dollars for a million requests, by what is paid for."""

    gateway: float
    requests: float
    function: float
    store: float
    logs: float
    traffic: float

    @property
    def total(self) -> float:
        """All of it."""
        return sum(self)


class Snapshot(NamedTuple):
    """Dollars for SnapStart: a month of one version, a million restores, and a million starts without it."""

    kept: float
    restored: float
    started: float


def cost(
    work: Work,
    memory_mb: int,
    *,
    architecture: str = "arm64",
    cold_share: float = 0.0,
    more_log_bytes: float = 0.0,
) -> Cost:
    """Dollars for a million requests of one kind, of which `cold_share` start an environment.

    `more_log_bytes` are what AWS logs of each, beside the function's own lines.
    """
    warm, cold = (billed_ms(work, memory_mb, cold=each) for each in (False, True))
    milliseconds = warm * (1 - cold_share) + cold * cold_share
    return Cost(
        gateway=dollars("http_api_request", _MILLION),
        requests=dollars("lambda_request", _MILLION),
        function=dollars(f"lambda_{architecture}", _gb_seconds(milliseconds, memory_mb)),
        store=dollars("dynamodb_read", work.reads * _MILLION)
        + dollars("dynamodb_write", work.writes * _MILLION),
        logs=dollars("log_gb", (work.log_bytes + more_log_bytes) * _MILLION / BYTES_PER_GB),
        traffic=dollars("traffic_gb", work.reply_bytes * _MILLION / BYTES_PER_GB),
    )


def snapshot(work: Work, memory_mb: int, *, architecture: str = "arm64") -> Snapshot:
    """What SnapStart costs at that size, and what the starts that it replaces cost."""
    gb = memory_mb / 1024
    start = billed_ms(work, memory_mb, cold=True) - billed_ms(work, memory_mb)
    return Snapshot(
        kept=dollars("snapshot_second", gb * _MONTH_SECONDS),
        restored=dollars("snapshot_restore", gb * _MILLION),
        started=dollars(f"lambda_{architecture}", _gb_seconds(start, memory_mb)),
    )


def month(metrics: Iterable[object], *, alarms: int) -> float:
    """Dollars a month for custom metrics, each set of dimensions one of its own, and for alarms."""
    return dollars("metric", len(set(metrics))) + dollars("alarm", alarms)


def _gb_seconds(milliseconds: float, memory_mb: int) -> float:
    """GB-seconds of a million requests."""
    return milliseconds / 1000 * memory_mb / 1024 * _MILLION
