"""How a request ended: each way has an outcome of its own in log and metrics, though most answer 200."""

import time
from collections.abc import Callable
from typing import Any, Final

import pytest

from mcpcore import MemorySessions, NoMatch, Server, ToolError
from mcpcore_aws.adapter import LambdaAdapter
from tests.support.adapters import SessionsAreDown, written
from tests.support.exchanges import Sent, legacy, modern, through_handler


def raising(error: Exception) -> Callable[[], str]:
    """A tool that raises `error`."""

    def fail() -> str:
        raise error

    return fail


def slow() -> str:
    """End long after its time."""
    time.sleep(5)
    return "late"


def not_content() -> Any:
    """Return what no reply can carry."""
    return object()


# Modules of a layer for another architecture fail like this when a tool first imports them.
TOOLS: Final[dict[str, Callable[[], Any]]] = {
    "crash": raising(ZeroDivisionError("secret")),
    "wrong_architecture": raising(ImportError("_x.so: wrong ELF class")),
    "missing_file": raising(OSError("/opt/registry/manifest.json")),
    "slow": slow,
    "not_content": not_content,
    "refuse": raising(ToolError("Not today.")),
    "find_nothing": raising(NoMatch("No category matches.")),
    "fine": lambda: "Fine.",
}


def ends(sent: Sent) -> LambdaAdapter:
    """The adapter that gets `sent`, with all these tools; its sessions are down for the legacy era."""
    server = Server("ends", version="1")
    for name, function in TOOLS.items():
        server.tool(name, description=name)(function)
    sessions = SessionsAreDown() if "mcp-session-id" in sent.headers else MemorySessions()
    return LambdaAdapter(server, sessions=sessions, tool_timeout_seconds=0.05)


def call(tool: str) -> Sent:
    """A call of one of the tools."""
    return modern("tools/call", name=tool)


@pytest.mark.parametrize(
    ("sent", "status", "outcome", "error"),
    [
        (call("fine"), 200, "ok", ""),
        (call("find_nothing"), 200, "no_match", "NoMatch"),
        (call("refuse"), 200, "tool_error", "ToolError"),
        (modern("tools/call", name="fine", arguments={"a": 1}), 200, "tool_error", "ToolError"),
        (call("crash"), 200, "crash", "HandlerCrashed"),
        (call("wrong_architecture"), 200, "crash", "HandlerCrashed"),
        (call("missing_file"), 200, "crash", "HandlerCrashed"),
        (call("slow"), 200, "deadline", "DeadlineExceeded"),
        (call("not_content"), 200, "internal_error", "InternalError"),
        (call("unknown"), 200, "refused", "InvalidParams"),
        (modern("tools/list")._replace(body=b"{"), 400, "refused", "ParseError"),
        (legacy("tools/list", session="a"), 503, "store_unavailable", "StoreUnavailable"),
    ],
)
def test_each_way_to_end_is_told_apart_in_log_and_metrics(
    sent: Sent, status: int, outcome: str, error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert through_handler(ends(sent))(sent).status == status

    (line,) = written(capsys).logs
    assert (line["status"], line["outcome"], line.get("error", "")) == (status, outcome, error)
    counted = {"mcp_errors_total"} & line.keys()
    assert counted == (set() if outcome in ("ok", "no_match") else {"mcp_errors_total"})


def test_alarms_find_requests_by_service_and_errors_by_outcome(capsys: pytest.CaptureFixture[str]) -> None:
    sent = call("crash")
    through_handler(ends(sent))(sent)

    (line,) = written(capsys).metrics
    few = {
        metric["Name"]: directive["Dimensions"][1]
        for directive in line["_aws"]["CloudWatchMetrics"]
        for metric in directive["Metrics"]
    }
    assert few == {
        "mcp_requests_total": ["service"],
        "mcp_latency": ["service"],
        "mcp_cold_starts_total": ["service"],
        "mcp_errors_total": ["outcome", "service"],
    }
    assert (line["outcome"], line["mcp_errors_total"]) == ("crash", 1)
