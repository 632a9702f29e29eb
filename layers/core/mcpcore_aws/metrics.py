"""CloudWatch's embedded metric format: what makes a log line count (CloudWatch, "Embedded metric format").

A line that has these members is read by CloudWatch as metrics too, so a request need not be written twice.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

__all__ = ["MILLISECONDS", "MetricSet", "embedded"]

MILLISECONDS: Final = "Milliseconds"

_COUNT: Final = "Count"

# As many metrics as one directive may name ("Embedded metric format", MetricDirective).
_MOST_NAMED: Final = 100


class MetricSet(NamedTuple):
    """Values by the same dimensions; both are members of the line. What has no unit is a count."""

    dimensions: tuple[str, ...]
    values: Mapping[str, float]
    units: Mapping[str, str] = {}


def embedded(namespace: str, milliseconds: int, *sets: MetricSet) -> dict[str, Any]:
    """What a line must have beside the dimensions' members; `milliseconds` since the epoch is its time."""
    directives = [directive for each in sets for directive in _directives(namespace, each)]
    members: dict[str, Any] = {"_aws": {"Timestamp": milliseconds, "CloudWatchMetrics": directives}}
    for each in sets:
        members |= each.values
    return members


def _directives(namespace: str, metrics: MetricSet) -> Iterator[dict[str, Any]]:
    named = [{"Name": name, "Unit": metrics.units.get(name, _COUNT)} for name in metrics.values]
    for start in range(0, len(named), _MOST_NAMED):
        yield {
            "Namespace": namespace,
            "Dimensions": [metrics.dimensions],
            "Metrics": named[start : start + _MOST_NAMED],
        }
