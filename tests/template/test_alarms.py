"""Each alarm goes off by the metrics that its cause really emits, and by nothing else."""

import os
import re
import runpy
import time
from collections.abc import Callable
from typing import Final

import pytest

from mcpcore import MemorySessions, Server, SessionStore
from mcpcore_aws.adapter import LambdaAdapter
from mcpcore_aws.settings import RateLimits
from tests.support.adapters import BrokenSessions, fresh_log
from tests.support.cloudwatch import Metrics, filtered, firing
from tests.support.dynamodb import use_dynamodb
from tests.support.exchanges import Sent, legacy, modern, through_handler
from tests.support.processes import ROOT
from tests.support.published import baked_folder
from tests.support.sam_template import effective, load_template, of_type
from tests.support.scripted import failure, scripted

STACK: Final = "three-good-sources"
TEMPLATE: Final = load_template()
NOW: Final = 1_800_000_000  # the start of an hour
HOUR: Final = 3600

Lines = Callable[..., str]
"""What the server logs for requests to the tools of `faulty_server`, or to the product."""


RESOURCES: Final = effective(TEMPLATE, stack=STACK)
ALARMS: Final = of_type({"Resources": RESOURCES}, "AWS::CloudWatch::Alarm")
VARIABLES: Final = RESOURCES["McpFunction"]["Properties"]["Environment"]["Variables"]


def crash() -> str:
    raise RuntimeError("a fault")


def wrong_architecture() -> str:
    raise ImportError("_lexicon.so: cannot open shared object file: wrong ELF class")


def slow() -> str:
    time.sleep(2.1)
    return "late"


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Lines:
    fresh_log(monkeypatch)
    given = VARIABLES | {"REGISTRY_DIR": str(baked_folder()), "POWERTOOLS_SERVICE_NAME": service()}
    for name, value in given.items():
        monkeypatch.setenv(name, str(value))

    def of_faulty(
        *requests: Sent,
        seconds: float = 20,
        sessions: SessionStore | None = None,
        limits: RateLimits | None = None,
    ) -> str:
        server = Server("faulty", version="1")
        for tool in (crash, wrong_architecture, slow):
            server.tool(description="A tool with a fault.")(tool)
        adapter = LambdaAdapter(
            server,
            sessions=sessions or MemorySessions(),
            tool_timeout_seconds=seconds,
            rate_limits=limits,
        )
        for request in requests:
            through_handler(adapter)(request)
        return logged(capsys)

    return of_faulty


@pytest.fixture
def product(lines: Lines, capsys: pytest.CaptureFixture[str]) -> Callable[[str], str]:  # noqa: ARG001  # sets the variables
    """What the product logs for one query."""
    handler = runpy.run_path(str(ROOT / "functions/mcp/handler.py"))["lambda_handler"]

    def of_query(query: str) -> str:
        through_handler(handler)(called("get_sources", query=query))
        return logged(capsys)

    return of_query


def called(tool: str, **arguments: str) -> Sent:
    return modern("tools/call", name=tool, arguments=arguments)


@pytest.mark.parametrize(
    ("tool", "seconds", "alarm"),
    [
        ("crash", 20, "CrashAlarm"),
        ("wrong_architecture", 20, "CrashAlarm"),
        ("slow", 0.05, "DeadlineAlarm"),
    ],
)
def test_a_tool_that_fails_sets_off_the_alarm_of_its_fault(
    tool: str, seconds: float, alarm: str, lines: Lines
) -> None:
    assert firing(ALARMS, metrics_of(lines(called(tool), seconds=seconds)), at=NOW) == {alarm}


def test_a_fault_of_the_server_itself_is_an_internal_error(lines: Lines) -> None:
    output = lines(legacy("tools/list", session="s" * 32), sessions=BrokenSessions())
    assert firing(ALARMS, metrics_of(output), at=NOW) == {"InternalErrorAlarm"}


def test_requests_that_are_slow_for_ten_minutes_set_off_the_alarm_on_latency(lines: Lines) -> None:
    output = lines(called("slow"))
    metrics = metrics_of(output)
    assert firing(ALARMS, metrics, at=NOW) == set()
    metrics.put_lines(output, at=NOW - 300)
    assert firing(ALARMS, metrics, at=NOW) == {"LatencyAlarm"}


def test_queries_that_cease_to_match_set_off_their_alarm(product: Callable[[str], str]) -> None:
    found, not_found = product("how do I learn rust"), product("zxqv wvvk")
    metrics = metrics_of(found * 60, at=NOW - HOUR)
    metrics.put_lines(not_found * 15 + found * 45, at=NOW)
    assert firing(ALARMS, metrics, at=NOW) == {"NoMatchesAlarm"}


@pytest.mark.parametrize(("before", "now"), [(60, 40), (40, 60)])
def test_an_hour_with_few_queries_is_not_compared(
    before: int, now: int, product: Callable[[str], str]
) -> None:
    metrics = metrics_of(product("how do I learn rust") * before, at=NOW - HOUR)
    metrics.put_lines(product("zxqv wvvk") * now, at=NOW)
    assert firing(ALARMS, metrics, at=NOW) == set()


def test_requests_that_the_api_refuses_with_429_set_off_their_alarm() -> None:
    metrics = Metrics()
    put_access_log(metrics, [*[access_log_line("429")] * 10, access_log_line("200")])
    assert firing(ALARMS, metrics, at=NOW) == {"ClientsThrottledAlarm"}


@pytest.mark.parametrize("access_log", [True, False])
@pytest.mark.parametrize(("refused", "alarms"), [(9, set()), (10, {"ClientsThrottledAlarm"})])
def test_requests_that_the_server_refuses_with_429_are_counted_once(
    access_log: bool, refused: int, alarms: set[str], lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scripted(failure("ConditionalCheckFailedException")) as server:
        use_dynamodb(monkeypatch, server.endpoint)
        output = lines(*[modern("tools/list")] * refused, limits=RateLimits(1, table="t"))
    metrics = metrics_of(output)
    put_access_log(metrics, [access_log_line("429")] * refused * access_log)
    assert firing(ALARMS, metrics, at=NOW) == alarms


@pytest.mark.parametrize(
    ("metric", "dimensions", "alarm"),
    [
        ("AWS/Lambda/Errors", {"FunctionName": "McpFunction"}, "FunctionErrorsAlarm"),
        ("AWS/Lambda/Throttles", {"FunctionName": "McpFunction"}, "FunctionThrottlesAlarm"),
        ("AWS/ApiGateway/5xx", {"ApiId": "McpApi"}, "ApiServerErrorsAlarm"),
        ("AWS/DynamoDB/ReadThrottleEvents", {"TableName": "SessionsTable"}, "TableThrottlesAlarm"),
        ("AWS/DynamoDB/WriteThrottleEvents", {"TableName": "SessionsTable"}, "TableThrottlesAlarm"),
    ],
)
def test_what_services_of_aws_count_sets_off_the_alarm_on_it(
    metric: str, dimensions: dict[str, str], alarm: str
) -> None:
    metrics = Metrics()
    for minute in range(3):
        metrics.put(metric, dimensions, 1, at=NOW + 60 * minute)
    assert firing(ALARMS, metrics, at=NOW + 120) == {alarm}


def test_ordinary_traffic_sets_off_nothing(product: Callable[[str], str], lines: Lines) -> None:
    found, not_found, refused = product("how do I learn rust"), product("zxqv wvvk"), product("")
    mistaken = lines(called("unknown"), modern("resources/read", uri="registry://unknown"))
    metrics = Metrics()
    for period in range(3 * HOUR // 300):
        metrics.put_lines(found * 6 + not_found * 2 + refused + mistaken, at=NOW - 300 * period)
    assert firing(ALARMS, metrics, at=NOW) == set()


def test_without_traffic_no_alarm_goes_off() -> None:
    assert firing(ALARMS, Metrics(), at=NOW) == set()


def test_every_alarm_is_set_off_by_a_test() -> None:
    assert set(re.findall(r'"(\w+Alarm)"', (ROOT / "tests/template/test_alarms.py").read_text())) == set(
        ALARMS
    )


def service() -> str:
    """The name of the service in this test: Powertools keeps a logger and its output for each name."""
    return os.environ["POWERTOOLS_SERVICE_NAME"]


def logged(capsys: pytest.CaptureFixture[str]) -> str:
    assert VARIABLES["POWERTOOLS_SERVICE_NAME"] == STACK
    return capsys.readouterr().out.replace(service(), STACK)


def metrics_of(output: str, at: float = NOW) -> Metrics:
    metrics = Metrics()
    metrics.put_lines(output, at=at)
    return metrics


def put_access_log(metrics: Metrics, written: list[str]) -> None:
    found = RESOURCES["ApiThrottlesFilter"]["Properties"]
    (counted,) = found["MetricTransformations"]
    value = filtered(found["FilterPattern"], written) * float(counted["MetricValue"])
    metrics.put(f"{counted['MetricNamespace']}/{counted['MetricName']}", {}, value, at=NOW)


def access_log_line(status: str) -> str:
    """A line of the API's access log, as the template formats it."""
    text = RESOURCES["McpApi"]["Properties"]["AccessLogSettings"]["Format"]
    return re.sub(r"\$context[\w.]+", "-", text.replace("$context.status", status).replace("${Address}", ""))
