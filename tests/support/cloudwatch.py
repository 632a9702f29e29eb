"""CloudWatch's alarms, as far as the template uses them: metrics in, states out.

Metrics come from log lines by the rules of the embedded metric format (CloudWatch user guide, "Embedded
metric format specification"), from metric filters, or as AWS's own services send them. Alarms are evaluated
by the rules of "Using Amazon CloudWatch alarms" and "Using math expressions with CloudWatch metrics". moto
stores metrics, but evaluates neither expressions nor percentiles for alarms.
"""

import ast
import itertools
import json
import math
import operator
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from tests.support.sam_template import Document

__all__ = ["Metrics", "filtered", "firing"]

Series: TypeAlias = dict[int, float]
"""Values by the number of their period; a period without data has no entry."""

_COMPARISONS: Final[dict[str, Callable[[float, float], bool]]] = {
    "GreaterThanOrEqualToThreshold": operator.ge,
    "GreaterThanThreshold": operator.gt,
}
_OPERATIONS: Final[dict[type, Callable[[float, float], float]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda left, right: left / right if right else math.nan,
    ast.GtE: operator.ge,
}


class _Name(NamedTuple):
    namespace: str
    name: str
    dimensions: frozenset[tuple[str, str]]


class Metrics:
    """Values of metrics, each with its time in seconds."""

    def __init__(self) -> None:
        self._values: defaultdict[_Name, list[tuple[float, float]]] = defaultdict(list)

    def put(self, name: str, dimensions: Mapping[str, str], value: float, *, at: float) -> None:
        """Add a value; `name` is the namespace, a slash and the metric's name."""
        namespace, _, metric = name.rpartition("/")
        self._values[_Name(namespace, metric, frozenset(dimensions.items()))].append((at, value))

    def put_lines(self, output: str, *, at: float | None = None) -> None:
        """Add the metrics of log lines in the embedded metric format, at `at` instead of their own time."""
        for line in map(json.loads, output.splitlines()):
            for directive in line.get("_aws", {}).get("CloudWatchMetrics", ()):
                seconds = line["_aws"]["Timestamp"] / 1000 if at is None else at
                for names in directive["Dimensions"]:
                    dimensions = {name: line[name] for name in names}
                    assert all(isinstance(value, str) and value for value in dimensions.values())
                    for metric in directive["Metrics"]:
                        name = f"{directive['Namespace']}/{metric['Name']}"
                        self.put(name, dimensions, line[metric["Name"]], at=seconds)

    def series(self, stat: Document) -> Series:
        """The statistic of an alarm, or of a `MetricStat`, for each period."""
        dimensions = frozenset((each["Name"], each["Value"]) for each in stat.get("Dimensions", ()))
        values = self._values.get(_Name(stat["Namespace"], stat["MetricName"], dimensions), [])
        buckets: defaultdict[int, list[float]] = defaultdict(list)
        for at, value in values:
            buckets[int(at // stat["Period"])].append(value)
        return {period: _statistic(stat["Stat"], found) for period, found in buckets.items()}


def firing(alarms: Mapping[str, Document], metrics: Metrics, *, at: float) -> set[str]:
    """Names of the alarms that are in state ALARM once the period of `at` has ended."""
    return {name for name, alarm in alarms.items() if _fires(alarm["Properties"], metrics, at)}


def filtered(pattern: str, lines: Iterable[str]) -> int:
    """How many lines a metric filter of the form `{ $.field = "value" }` matches."""
    found = re.fullmatch(r'\{ \$\.(\w+) = "([^"]*)" \}', pattern)
    assert found is not None
    return sum(json.loads(line).get(found[1]) == found[2] for line in lines)


def _fires(alarm: Document, metrics: Metrics, at: float) -> bool:
    assert alarm["TreatMissingData"] == "notBreaching"
    stats, expression, period = _watched(alarm)
    last = int(at // period)
    length: int = alarm["EvaluationPeriods"]
    evaluated = range(last - length + 1, last + 1)
    series = {
        name: {each: value for each, value in metrics.series(stat).items() if each in evaluated}
        for name, stat in stats.items()
    }
    compare, threshold = _COMPARISONS[alarm["ComparisonOperator"]], float(alarm["Threshold"])
    values = _Evaluation(series, expression).value().values()
    breaching = sum(compare(value, threshold) for value in values)
    return breaching >= int(alarm.get("DatapointsToAlarm", length))


def _watched(alarm: Document) -> tuple[dict[str, Document], dict[str, str], int]:
    """The statistics that an alarm reads, its expressions, of which the first is compared, and its period."""
    if "Metrics" not in alarm:
        stat = alarm.get("Statistic") or alarm["ExtendedStatistic"]
        return {"metric": {**alarm, "Stat": stat}}, {"": "metric"}, alarm["Period"]
    stats = {each["Id"]: _flat(each["MetricStat"]) for each in alarm["Metrics"] if "MetricStat" in each}
    (period,) = {stat["Period"] for stat in stats.values()}
    expressions = [each for each in alarm["Metrics"] if "Expression" in each]
    first, *others = sorted(expressions, key=lambda each: not each.get("ReturnData", True))
    assert all(each["ReturnData"] is False for each in (*others, *alarm["Metrics"]) if each is not first)
    return stats, {each["Id"]: each["Expression"] for each in (first, *others)}, period


def _flat(stat: Document) -> Document:
    return {**stat, **stat["Metric"]}


def _statistic(name: str, values: list[float]) -> float:
    if name == "Sum":
        return sum(values)
    share = float(name.removeprefix("p")) / 100
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


class _Evaluation:
    """Expressions over series. A term without data in a period has no value there, unless it is filled."""

    def __init__(self, series: dict[str, Series], expressions: dict[str, str]) -> None:
        self._series = series
        self._expressions = expressions
        self._periods = sorted({period for each in series.values() for period in each})

    def value(self) -> Series:
        """The series of the first expression."""
        return self._named(next(iter(self._expressions)))

    def _named(self, name: str) -> Series:
        if name in self._series:
            return self._series[name]
        # Python's grammar has CloudWatch's, but for the spelling of AND.
        return self._value(ast.parse(self._expressions[name].replace(" AND ", " and "), mode="eval").body)

    def _value(self, node: ast.expr) -> Series:
        match node:
            case ast.Constant(value=int() | float() as number):
                return dict.fromkeys(self._periods, float(number))
            case ast.Name(id=name):
                return self._named(name)
            case ast.BinOp(left=left, op=op, right=right):
                return _joined(_OPERATIONS[type(op)], self._value(left), self._value(right))
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return _joined(_OPERATIONS[type(op)], self._value(left), self._value(right))
            case ast.BoolOp(op=ast.And(), values=[left, right]):
                return _joined(lambda one, two: bool(one and two), self._value(left), self._value(right))
            case ast.Call(func=ast.Name(id=name), args=arguments):
                return self._called(name, *arguments)
            case _:
                raise NotImplementedError(ast.dump(node))

    def _called(self, name: str, *arguments: ast.expr) -> Series:
        values: list[Any] = [self._value(each) for each in arguments]
        match name, values:
            case "FILL", [found, default]:
                return {period: found.get(period, default[period]) for period in self._periods}
            case "DIFF", [found]:
                periods = sorted(found)
                return {now: found[now] - found[before] for before, now in itertools.pairwise(periods)}
            case "IF", [condition, then, otherwise]:
                chosen = {period: then if true else otherwise for period, true in condition.items()}
                return {period: each[period] for period, each in chosen.items() if period in each}
            case _:
                raise NotImplementedError(name)


def _joined(operation: Callable[[float, float], float], left: Series, right: Series) -> Series:
    both = {period: operation(left[period], right[period]) for period in left.keys() & right.keys()}
    return {period: float(value) for period, value in both.items() if not math.isnan(value)}
