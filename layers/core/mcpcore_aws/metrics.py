"""CloudWatch's embedded metric format (CloudWatch user guide, "Embedded metric format specification").

CloudWatch extracts metrics from a log line with these members, so one line serves as log and as metrics.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

__all__ = ["MILLISECONDS", "MetricSet", "embedded"]

MILLISECONDS: Final = "Milliseconds"

_COUNT: Final = "Count"

# The limit of one directive ("Embedded metric format specification", MetricDirective object).
_MAX_METRICS: Final = 100


class MetricSet(NamedTuple):
    """Metrics with the same sets of dimensions; the line needs a member for each. The default unit is Count.

    CloudWatch makes a metric of each name for each set. An alarm names all dimensions of its metric.
    """

    dimensions: tuple[tuple[str, ...], ...]
    values: Mapping[str, float]
    units: Mapping[str, str] = {}


def embedded(namespace: str, milliseconds: int, *sets: MetricSet) -> dict[str, Any]:
    """The members of the line except the dimensions; `milliseconds` is the time since the epoch."""
    directives = [directive for each in sets for directive in _directives(namespace, each)]
    members: dict[str, Any] = {"_aws": {"Timestamp": milliseconds, "CloudWatchMetrics": directives}}
    for each in sets:
        members |= each.values
    return members


def _directives(namespace: str, metrics: MetricSet) -> Iterator[dict[str, Any]]:
    definitions = [{"Name": name, "Unit": metrics.units.get(name, _COUNT)} for name in metrics.values]
    for start in range(0, len(definitions), _MAX_METRICS):
        yield {
            "Namespace": namespace,
            "Dimensions": metrics.dimensions,
            "Metrics": definitions[start : start + _MAX_METRICS],
        }
