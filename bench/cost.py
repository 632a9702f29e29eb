"""`python -m bench.cost`: AWS cost of a million requests, and the request rate that uses up each quota.

Prices, quotas and what one request uses stand in `prices.toml`, each with its date and source.
"""

import argparse
import json
import sys
import tomllib
from collections.abc import Iterator
from math import ceil, inf
from pathlib import Path
from typing import Any, Final

from bench.markdown import head, row

__all__ = ["PRICES", "QUOTAS", "cost", "estimated_duration_ms", "monthly_cost", "quota_rates"]

_DATA: Final[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("prices.toml").read_text())
PRICES: Final[dict[str, Any]] = _DATA["prices"]
QUOTAS: Final[list[dict[str, Any]]] = _DATA["quotas"]
_BYTES_PER_GB: Final = 2**30
_ONE_CPU_MB: Final = 1769  # Memory size at which Lambda gives a function one whole processor.


def cost(
    *,
    requests: float,
    session_share: float,
    memory_mb: int,
    duration_ms: float,
    architecture: str = "arm64",
    gzip_share: float = 1.0,
) -> dict[str, float]:
    """Dollars for `requests` tool calls, by item.

    `session_share` is the share of requests in a session (revisions before 2026-07-28), `duration_ms` the
    mean billed duration of a request, `gzip_share` the share of requests whose client accepts gzip.
    """
    gb_seconds = requests * duration_ms / 1000 * memory_mb / 1024
    compressed, plain, log_gb = (
        requests * _usage(name, session_share) / _BYTES_PER_GB
        for name in ("reply_bytes", "plain_reply_bytes", "log_bytes")
    )
    traffic_gb = compressed * gzip_share + plain * (1 - gzip_share)
    return {
        "HTTP API requests": _dollars("http_api_request", requests),
        "Lambda requests": _dollars("lambda_request", requests),
        "Lambda duration": _dollars(f"lambda_{architecture}", gb_seconds),
        "DynamoDB reads": _dollars("dynamodb_read", requests * _usage("reads", session_share)),
        "DynamoDB writes": _dollars("dynamodb_write", requests * _usage("writes", session_share)),
        "log lines": _dollars("log_gb", log_gb),
        "traffic out": _dollars("traffic_gb", traffic_gb),
    }


def estimated_duration_ms(*, session_share: float, memory_mb: int, cold_share: float) -> float:
    """Mean billed duration of a tool call, from the measured times in `prices.toml`.

    Lambda rounds each request up to a millisecond and bills the start of an environment with its first
    request. Below 1,769 MB a function gets part of a processor: computing takes longer in proportion, waiting
    does not.
    """
    slowdown = max(1.0, _ONE_CPU_MB / memory_mb)

    def billed(era: str, *, cold: bool) -> int:
        usage: dict[str, float] = _DATA["usage"][era]
        compute_ms = usage["compute_ms"] + (usage["cold_ms"] if cold else 0.0)
        return ceil(round(compute_ms * slowdown + usage["wait_ms"], 6))

    modern, session = (
        billed(era, cold=False) * (1 - cold_share) + billed(era, cold=True) * cold_share
        for era in ("modern", "session")
    )
    return modern * (1 - session_share) + session * session_share


def monthly_cost() -> float:
    """Dollars for the custom metrics and alarms of a month in which there is traffic."""
    return sum(_dollars(name, units) for name, units in _DATA["monthly"].items())


def quota_rates(*, session_share: float, duration_ms: float) -> dict[str, float]:
    """Requests per second at which each default quota is used up; infinite if such requests do not use it."""
    quota_use = {
        "requests": 1.0,
        "concurrency": duration_ms / 1000,  # Little's law, for one request per second
        "reads": _usage("reads", session_share),
        "writes": _usage("writes", session_share),
    }
    return {
        quota["name"]: quota["limit"] / use if (use := quota_use[quota["uses"]]) else inf for quota in QUOTAS
    }


def _usage(name: str, session_share: float) -> float:
    """Mean use per request over both eras."""
    modern, session = (float(_DATA["usage"][era][name]) for era in ("modern", "session"))
    return modern * (1 - session_share) + session * session_share


def _dollars(name: str, units: float) -> float:
    price = PRICES[name]
    return float(price["dollars"] * units / price["per"])


def _report(arguments: argparse.Namespace, duration_ms: float, items: dict[str, float]) -> Iterator[str]:
    yield (
        f"{arguments.requests:,} requests, {arguments.session_share:.0%} in sessions, {arguments.memory} MB "
        f"{arguments.architecture}, {duration_ms:.1f} ms billed for each; list prices of {_DATA['region']}."
    )
    yield ""
    yield from head("item", "$")
    yield from (row(name, f"{dollars:.2f}") for name, dollars in items.items())
    yield row("total", f"{sum(items.values()):.2f}")
    yield row("each month, metrics and alarms", f"{monthly_cost():.2f}")
    yield ""
    yield from head("default quota", "limit", "used up at requests/s", "to raise", text_columns=1)
    rates = quota_rates(session_share=arguments.session_share, duration_ms=duration_ms)
    for quota in QUOTAS:
        rate = rates[quota["name"]]
        reached = "never" if rate == inf else f"{rate:,.0f}"
        yield row(quota["name"], f"{quota['limit']:,}", reached, quota["raise"])


def main() -> int:
    """Print the cost of requests by item, and the rate that uses up each quota; the last line is JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.cost", description=main.__doc__)
    parser.add_argument("--requests", type=int, default=1_000_000)
    parser.add_argument("--session-share", type=float, default=0.0, help="share of requests in a session [0]")
    parser.add_argument("--memory", type=int, default=512, help="MB of the function [512]")
    parser.add_argument("--duration-ms", type=float, help="billed for a request, mean [estimated]")
    parser.add_argument("--cold-share", type=float, default=0.01, help="cold starts in the estimate [0.01]")
    parser.add_argument("--gzip-share", type=float, default=1.0, help="share of clients that accept gzip [1]")
    parser.add_argument("--architecture", choices=("arm64", "x86_64"), default="arm64")
    arguments = parser.parse_args()
    share, memory_mb = arguments.session_share, arguments.memory
    duration_ms = arguments.duration_ms or estimated_duration_ms(
        session_share=share, memory_mb=memory_mb, cold_share=arguments.cold_share
    )
    items = cost(
        requests=arguments.requests,
        session_share=share,
        memory_mb=memory_mb,
        duration_ms=duration_ms,
        architecture=arguments.architecture,
        gzip_share=arguments.gzip_share,
    )
    print("\n".join(_report(arguments, duration_ms, items)))
    print(json.dumps({name: round(dollars, 4) for name, dollars in items.items()}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
