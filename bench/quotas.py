"""The quotas between a client and an answer: how much each holds by default, and what of it traffic uses.

Those of AWS are per account and Region if nothing else is said, and a new account may have less. Where each
was seen is told with it; what an account really has, its Service Quotas page tells.
"""

from collections.abc import Callable
from math import inf
from typing import Final, NamedTuple

from bench.deployment import parameter

__all__ = ["PER_ENVIRONMENT", "QUOTAS", "Demand", "Quota"]

PER_ENVIRONMENT: Final = 10.0
"""Synchronous requests per second that Lambda sends to one environment at most, however short they are."""

_CONCURRENCY: Final = 1_000

_API_GUIDE: Final = "API Gateway guide, repository of April 2023 and a later copy of the page"
_LAMBDA_GUIDE: Final = "Lambda guide, repository of November 2022 and copies of the page up to September 2026"
_DYNAMODB_GUIDE: Final = "DynamoDB guide, repository of February 2023 and later copies of the page"
_REQUEST: Final = "Service Quotas"


class Demand(NamedTuple):
    """What steady traffic asks for, each second but for `in_flight`, the requests that are served at once."""

    requests: float
    in_flight: float
    reads: float
    writes: float


class Quota(NamedTuple):
    """So much there is by default; `used` says how much of it is needed, `raised` how to get more."""

    name: str
    limit: float
    unit: str
    used: Callable[[Demand], float]
    raised: str
    seen: str

    def factor(self, demand: Demand) -> float:
        """What is used as a part of what there is: above 1 requests are refused."""
        used = self.used(demand)
        return used / self.limit if self.limit else inf


def _quotas() -> tuple[Quota, ...]:
    rate = parameter("ThrottlingRateLimit")
    return (
        Quota(
            "throttle of the API",
            rate,
            "requests/s",
            lambda demand: demand.requests,
            "`ThrottlingRateLimit`, `ThrottlingBurstLimit`",
            "template.yaml",
        ),
        Quota(
            "API Gateway's throttle of the account",
            10_000,
            "requests/s",
            lambda demand: demand.requests,
            f"{_REQUEST}, apigateway L-8A5B8E43; AWS sets the burst by it",
            _API_GUIDE,
        ),
        Quota(
            "Lambda's requests, 10 per second and environment",
            PER_ENVIRONMENT * _CONCURRENCY,
            "requests/s",
            lambda demand: demand.requests,
            f"{_REQUEST}, lambda L-B99A9384, the same as the next",
            _LAMBDA_GUIDE,
        ),
        Quota(
            "Lambda's concurrent executions",
            _CONCURRENCY,
            "at once",
            lambda demand: demand.in_flight,
            f"{_REQUEST}, lambda L-B99A9384; `ReservedConcurrency` if it is set",
            _LAMBDA_GUIDE,
        ),
        Quota(
            "reads that a new table is ready for",
            12_000,
            "units/s",
            lambda demand: demand.reads,
            "grows by itself to twice the last peak within 30 minutes; ahead of time by warm throughput",
            _DYNAMODB_GUIDE,
        ),
        Quota(
            "writes that a new table is ready for",
            4_000,
            "units/s",
            lambda demand: demand.writes,
            "as for reads",
            _DYNAMODB_GUIDE,
        ),
        Quota(
            "reads of one table",
            40_000,
            "units/s",
            lambda demand: demand.reads,
            f"{_REQUEST}, dynamodb L-CF0CBE56",
            _DYNAMODB_GUIDE,
        ),
        Quota(
            "writes of one table",
            40_000,
            "units/s",
            lambda demand: demand.writes,
            f"{_REQUEST}, dynamodb L-AB614373",
            _DYNAMODB_GUIDE,
        ),
    )


QUOTAS: Final = _quotas()
