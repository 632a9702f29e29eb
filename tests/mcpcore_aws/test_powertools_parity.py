"""The request line is what Powertools' own Logger and Metrics write for the same members and metrics."""

import io
import json
import logging
import re
import uuid
from typing import Any, Final, NamedTuple

import pytest
from aws_lambda_powertools import Logger
from aws_lambda_powertools.metrics import EphemeralMetrics

from tests.support.adapters import Observe, adapter, written
from tests.support.exchanges import Sent, initialize, modern, notification, through_handler

TRACE: Final = "1-5759e988-bd862e3fe1be46a994272793"
HEADING: Final = {"level", "message", "timestamp", "service"}
COUNT: Final = "Count"


class MetricSet(NamedTuple):
    """The metrics of a request for some dimensions besides the service, each with its unit.

    They are counted once more with the dimensions `few` alone, which Powertools would write as a blob of its
    own.
    """

    dimensions: tuple[str, ...]
    units: dict[str, str]
    few: tuple[str, ...] = ()


BY_REQUEST: Final = ("era", "method", "tool")
TIMED: Final = {"mcp_latency": "Milliseconds"}
ERROR: Final = MetricSet(("outcome", "error"), {"mcp_errors_total": COUNT}, ("outcome",))

REQUESTS: Final[dict[str, tuple[Sent, list[MetricSet]]]] = {
    "a list": (modern("tools/list"), [MetricSet(BY_REQUEST, {"mcp_requests_total": COUNT, **TIMED})]),
    "a call with a counter": (
        modern("tools/call", name="get_sources", arguments={"query": "rust"}),
        [MetricSet(BY_REQUEST, {"mcp_requests_total": COUNT, "mcp_matches_total": COUNT, **TIMED})],
    ),
    "a search without a match, with a note": (
        modern("tools/call", name="get_sources", arguments={"query": "nothing"}),
        [MetricSet(BY_REQUEST, {"mcp_requests_total": COUNT, "mcp_no_matches_total": COUNT, **TIMED})],
    ),
    "a protocol error with a lone surrogate": (
        modern("\ud800"),
        [MetricSet(BY_REQUEST, {"mcp_requests_total": COUNT, **TIMED}), ERROR],
    ),
    "a handshake": (
        initialize(),
        [MetricSet(BY_REQUEST, {"mcp_requests_total": COUNT, "mcp_sessions_opened_total": COUNT, **TIMED})],
    ),
    "a notification, at DEBUG": (
        notification("notifications/cancelled"),
        [MetricSet(BY_REQUEST, {"mcp_notifications_total": COUNT, **TIMED})],
    ),
}


def logged_by_powertools(line: dict[str, Any], members: dict[str, Any]) -> dict[str, Any]:
    """The line of a Logger with `members`, at the level of `line`; it reads service and trace id itself."""
    stream = io.StringIO()
    logger = Logger(stream=stream, location=None, use_rfc3339=True, utc=True)
    getattr(logger, line["level"].lower())(line["message"], extra=members)
    result: dict[str, Any] = json.loads(stream.getvalue())
    return result


def measured_by_powertools(line: dict[str, Any], sets: list[MetricSet]) -> list[dict[str, Any]]:
    """The blobs of Metrics for the values in `line`; it reads the namespace itself.

    It is given the service, because it leaves out the dimension of a service without a name.
    """
    blobs = []
    for dimensions, units, few in sets:
        metrics = EphemeralMetrics(service=line["service"])
        for name in dimensions:
            metrics.add_dimension(name, line[name])
        for name, unit in units.items():
            metrics.add_metric(name, unit, line[name])
        blob: dict[str, Any] = dict(metrics.serialize_metric_set())
        blob["_aws"]["CloudWatchMetrics"][0]["Dimensions"].append([*few, "service"])
        blobs.append(blob)
    return blobs


def members_of_metrics(blobs: list[dict[str, Any]]) -> dict[str, Any]:
    """The members of blobs on one line. Powertools puts each value into a list; the format allows both."""
    values = {name: value for blob in blobs for name, value in blob.items() if name != "_aws"}
    return {name: value[0] if isinstance(value, list) else value for name, value in values.items()}


def directives(blob: dict[str, Any]) -> list[dict[str, Any]]:
    """The directives of a blob without the order of dimensions and metrics."""
    return [
        {
            **directive,
            "Dimensions": [sorted(names) for names in directive["Dimensions"]],
            "Metrics": sorted(directive["Metrics"], key=lambda metric: metric["Name"]),
        }
        for directive in blob["_aws"]["CloudWatchMetrics"]
    ]


@pytest.fixture(params=[False, True], ids=["unnamed", "named"])
def environment(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Powertools' variables, without a name of the service and with one."""
    monkeypatch.delitem(logging.root.manager.loggerDict, "service_undefined", raising=False)
    monkeypatch.delenv("POWERTOOLS_SERVICE_NAME")
    if request.param:
        monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", f"orders-{uuid.uuid4().hex}")
    monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", "Shop")
    monkeypatch.setenv("_X_AMZN_TRACE_ID", f"Root={TRACE};Parent=53995c3f42cd8ad8;Sampled=1")


@pytest.mark.usefixtures("environment")
@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_line_equals_the_one_of_powertools(observe: Observe, name: str) -> None:
    sent, sets = REQUESTS[name]
    (line,) = observe(sent).logs
    blobs = measured_by_powertools(line, sets)
    metrics = {metric for each in sets for metric in each.units}
    members = {key: value for key, value in line.items() if key not in HEADING | metrics | {"_aws"}}
    without_trace = {key: value for key, value in members.items() if key != "xray_trace_id"}

    theirs = logged_by_powertools(line, without_trace)

    assert shape(line.pop("timestamp")) == shape(theirs.pop("timestamp"))
    embedded = line.pop("_aws")
    assert line == theirs | members_of_metrics(blobs)
    assert directives({"_aws": embedded}) == [each for blob in blobs for each in directives(blob)]
    assert embedded.keys() == blobs[0]["_aws"].keys()
    assert abs(embedded["Timestamp"] - blobs[0]["_aws"]["Timestamp"]) < 10_000


def shape(timestamp: str) -> str:
    """The format of a timestamp: every digit as 0."""
    return re.sub(r"\d", "0", timestamp)


@pytest.mark.parametrize("disabled", ["true", "1", "True", "Y", "on", "false", "0", "no", "off", "n"])
def test_metrics_are_disabled_by_the_values_that_disable_those_of_powertools(
    disabled: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", disabled)
    monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", "Shop")
    metrics = EphemeralMetrics()
    metrics.add_metric("OrdersPlaced", COUNT, 1)
    metrics.flush_metrics()
    theirs = written(capsys).metrics
    through_handler(adapter())(modern("tools/list"))
    ours = written(capsys)
    assert (len(ours.logs), len(ours.metrics)) == (1, len(theirs))


def test_a_tools_own_logger_does_not_change_the_line_of_a_fault(observe: Observe) -> None:
    (expected,) = observe(modern("tools/call", name="broken")).logs
    own = Logger(level="CRITICAL")
    own.append_keys(status=0, shelf="tea")
    (line,) = observe(modern("tools/call", name="broken")).logs
    assert line.keys() == expected.keys()
    assert (line["service"], line["status"]) == (own.service, 200)
    assert shape(line["timestamp"]) == shape(expected["timestamp"])
