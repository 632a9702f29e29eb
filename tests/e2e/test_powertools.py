"""Powertools' own Logger and Metrics in a tool, as docs/deploy.md shows them, under Lambda's emulator."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from tests.support.artifact import PYTHON, Artifact
from tests.support.emulator import running
from tests.support.exchanges import Send, modern, through_handler
from tests.support.processes import ROOT
from tests.support.recording import record

pytestmark = pytest.mark.artifact

SECTION: Final = "## Your own logs and metrics"
VARIABLES: Final = {"POWERTOOLS_SERVICE_NAME": "orders", "POWERTOOLS_METRICS_NAMESPACE": "Shop"}

# The emulator writes these around each invocation, as Lambda does.
PLATFORM_LINE: Final = re.compile(r"(START|END|REPORT) RequestId: ")

FAULTY_TOOL: Final = '''@server.tool()
def cancel_order(*, context: Context) -> str:
    """Fail."""
    metrics.add_metric("OrdersCancelled", MetricUnit.Count, 1)
    logger.info("to be cancelled", extra={"seen_by_tool": context.transport.context.aws_request_id})
    raise RuntimeError("no such order")


'''


class Shop(NamedTuple):
    """The documented function, and what it has written."""

    send: Send
    log: Path

    def call(self, tool: str, **arguments: Any) -> list[dict[str, Any]]:
        """The lines that a call of `tool` writes."""
        before = len(self._lines())
        assert self.send(modern("tools/call", name=tool, arguments=arguments)).status == 200
        return [json.loads(line) for line in self._lines()[before:]]

    def _lines(self) -> list[str]:
        return [line for line in self.log.read_text().splitlines() if not PLATFORM_LINE.match(line)]


@pytest.fixture
def shop(artifact: Artifact, tmp_path: Path) -> Iterator[Shop]:
    """The documented handler, with one more tool, over the layers as they are deployed."""
    section = (ROOT / "docs" / "deploy.md").read_text().partition(SECTION)[2]
    documented = section.partition("```python\n")[2].partition("```\n")[0]
    extended = documented.replace("adapter =", f"{FAULTY_TOOL}adapter =", 1)
    extended = extended.replace("import MemorySessions", "import Context, MemorySessions")
    task, log = tmp_path / "task", tmp_path / "function.log"
    task.mkdir()
    (task / "handler.py").write_text(extended)
    with running(
        PYTHON,
        task=task,
        opt=artifact.opt,
        handler="handler.lambda_handler",
        variables=VARIABLES,
        log=log,
        observe=record,
    ) as emulator:
        yield Shop(through_handler(lambda event, _: emulator.invoke(event)), log)


def test_a_tools_line_has_the_id_of_its_request_and_its_metrics_are_written_beside_ours(shop: Shop) -> None:
    calls = [shop.call("place_order", article="tea") for _ in range(2)]
    own, requests, metrics = zip(*calls, strict=True)
    assert [(line["message"], line["article"], line["service"]) for line in own] == [
        ("order placed", "tea", "orders")
    ] * 2
    assert [(line["message"], line["tool"]) for line in requests] == [("request", "place_order")] * 2
    assert [line["function_request_id"] for line in own] == [line["request_id"] for line in requests]
    assert [line["OrdersPlaced"] for line in metrics] == [[1.0]] * 2
    directive = {
        "Namespace": "Shop",
        "Dimensions": [["service"]],
        "Metrics": [{"Name": "OrdersPlaced", "Unit": "Count"}],
    }
    assert [line["_aws"]["CloudWatchMetrics"] for line in metrics] == [[directive]] * 2
    assert [line["_aws"]["CloudWatchMetrics"][0]["Namespace"] for line in requests] == ["Shop"] * 2


def test_a_tool_that_fails_keeps_its_line_its_metrics_and_the_line_of_its_fault(shop: Shop) -> None:
    own, fault, metrics = shop.call("cancel_order")
    assert (fault["level"], fault["exception_name"], fault["mcp_errors_total"]) == (
        "ERROR",
        "RuntimeError",
        1,
    )
    assert own["seen_by_tool"] == own["function_request_id"] == fault["request_id"]
    assert metrics["OrdersCancelled"] == [1.0]
