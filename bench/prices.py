"""What AWS asks for what the product uses: list prices of us-east-1, no free tiers, and where each was seen.

No page of AWS was reached while this was written: all are copies, as old as they say. Ask
https://aws.amazon.com/pricing/ before money depends on them.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

__all__ = ["BYTES_PER_GB", "PRICES", "REGION", "Price", "dollars"]

REGION: Final = "us-east-1"
BYTES_PER_GB: Final = 2**30
_MILLION: Final = 1_000_000

_PRICE_LIST: Final = "a copy of AWS's price list, offers of September 2026"
_PRICING_PAGE: Final = "that list; a copy of AWS's pricing page, whose example multiplies with it"


class Price(NamedTuple):
    """Dollars for `per` units, and what said so."""

    dollars: float
    per: float
    unit: str
    seen: str


PRICES: Final[Mapping[str, Price]] = {
    "http_api_request": Price(
        1.00, _MILLION, "requests of the HTTP API, 512 KB each, first tier", _PRICE_LIST
    ),
    "lambda_request": Price(0.20, _MILLION, "requests of Lambda", _PRICE_LIST),
    "lambda_arm64": Price(0.0000133334, 1, "GB-seconds of Lambda, arm64, first tier", _PRICE_LIST),
    "lambda_x86_64": Price(0.0000166667, 1, "GB-seconds of Lambda, x86-64, first tier", _PRICE_LIST),
    "dynamodb_read": Price(0.125, _MILLION, "read units on demand, 4 KB read consistently each", _PRICE_LIST),
    "dynamodb_write": Price(0.625, _MILLION, "write units on demand, 1 KB each", _PRICE_LIST),
    "log_gb": Price(0.50, 1, "GB of log lines, first tier", _PRICE_LIST),
    "metric": Price(0.30, 1, "custom metrics for a month, first 10,000", "a vendor's guide of February 2026"),
    "alarm": Price(0.10, 1, "alarms for a month", _PRICE_LIST),
    "traffic_gb": Price(0.09, 1, "GB to the internet, first tier", _PRICE_LIST),
    "snapshot_second": Price(
        0.0000015046, 1, "GB-seconds of a kept snapshot, 3 hours at least", _PRICING_PAGE
    ),
    "snapshot_restore": Price(0.0001397998, 1, "GB of memory restored from a snapshot", _PRICING_PAGE),
}


def dollars(name: str, units: float) -> float:
    """What so many units cost."""
    price = PRICES[name]
    return price.dollars * units / price.per
