"""What is counted of a request, in the line that logs it."""

import pytest

from mcpcore import Context, MemorySessions, Server
from mcpcore.engine.dispatch import METHODS, NOTIFICATIONS
from mcpcore_aws.adapter import LambdaAdapter
from tests.support.adapters import Observe, SessionsAreDown, adapter, written
from tests.support.exchanges import (
    Reply,
    Sent,
    initialize,
    legacy,
    modern,
    notification,
    through_handler,
)


def count_much(*, context: Context) -> str:
    """Count what is counted already, and more than one directive may name."""
    context.count("requests", 5)
    for number in range(120):
        context.count(f"of_kind_{number}")
    return "counted"


def test_all_that_a_tool_counts_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    server = Server("counting", version="1")
    server.tool()(count_much)
    through_handler(LambdaAdapter(server, sessions=MemorySessions()))(modern("tools/call", name="count_much"))
    seen = written(capsys)
    (blob,) = seen.metrics
    assert [len(each["Metrics"]) for each in blob["_aws"]["CloudWatchMetrics"]] == [100, 23]
    counts = seen.counts()
    assert counts["mcp_requests_total", "modern", "tools/call"] == 6
    assert counts["mcp_of_kind_119_total", "modern", "tools/call"] == 1


@pytest.mark.parametrize("method", sorted(NOTIFICATIONS))
def test_a_notification_is_counted_by_its_method(observe: Observe, method: str) -> None:
    assert observe(notification(method)).counts() == {("mcp_notifications_total", "modern", method): 1}


@pytest.mark.parametrize("method", ["notifications/unheard_of", "", "x" * 1000, "tools/call\n"])
def test_an_unknown_notification_is_counted_among_others(observe: Observe, method: str) -> None:
    assert observe(notification(method)).counts() == {("mcp_notifications_total", "modern", "other"): 1}


def test_an_unknown_method_is_counted_among_others(observe: Observe) -> None:
    assert observe(modern("made/up")).counts() == {
        ("mcp_requests_total", "modern", "other"): 1,
        ("mcp_errors_total", "-32601"): 1,
    }


def test_every_method_of_the_table_is_counted_by_its_name(observe: Observe) -> None:
    methods = {method for _, method in METHODS}
    requests = [modern(method, name="get_sources") for method in sorted(methods)]
    counted = {key[2] for key in observe(*requests).counts() if key[0] == "mcp_requests_total"}
    assert counted == methods


@pytest.mark.parametrize(
    ("sent", "method", "code"),
    [
        (modern("tools/call", name="rm"), "tools/call", "-32602"),
        (modern("tools/list")._replace(headers=legacy("").headers), "tools/list", "-32020"),
        (modern("tools/call", name="get_sources", arguments={}), "tools/call", "tool_error"),
        (modern("tools/call", name="broken"), "tools/call", "tool_error"),
    ],
)
def test_an_error_is_counted_by_its_code(observe: Observe, sent: Sent, method: str, code: str) -> None:
    assert observe(sent).counts() == {
        ("mcp_requests_total", "modern", method): 1,
        ("mcp_errors_total", code): 1,
    }


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (legacy("")._replace(body=b"{"), "-32700"),
        (legacy("")._replace(body=b"[]"), "-32600"),
        (Sent(b"", {}, "GET"), "-32600"),
    ],
)
def test_what_is_refused_at_the_door_is_counted_too(observe: Observe, sent: Sent, code: str) -> None:
    assert observe(sent).counts() == {
        ("mcp_requests_total", "unknown", "other"): 1,
        ("mcp_errors_total", code): 1,
    }


def test_queries_without_a_match_are_counted(observe: Observe) -> None:
    assert observe(modern("tools/call", name="get_sources", arguments={"query": "nothing"})).counts() == {
        ("mcp_requests_total", "modern", "tools/call"): 1,
        ("mcp_no_matches_total", "modern", "tools/call"): 1,
        ("mcp_errors_total", "tool_error"): 1,
    }


def test_a_cold_start_is_counted_once(capsys: pytest.CaptureFixture[str]) -> None:
    send = through_handler(adapter())
    send(modern("tools/list"))
    cold = written(capsys).counts()
    send(modern("tools/list"))
    warm = written(capsys).counts()
    request = {("mcp_requests_total", "modern", "tools/list"): 1}
    assert (cold, warm) == (request | {("mcp_cold_starts_total", "modern", "tools/list"): 1}, request)


def test_a_session_is_counted_when_it_opens_when_it_ends_and_when_it_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    send = through_handler(adapter(MemorySessions()))
    send(modern("tools/list"))
    written(capsys)

    session = send(initialize()).headers["mcp-session-id"]
    assert written(capsys).counts() == {
        ("mcp_requests_total", "legacy", "initialize"): 1,
        ("mcp_sessions_opened_total", "legacy", "initialize"): 1,
    }
    ended: Reply = send(Sent(b"", {"mcp-session-id": session}, "DELETE"))
    assert ended.status == 204
    assert written(capsys).counts() == {
        ("mcp_requests_total", "legacy", "other"): 1,
        ("mcp_sessions_ended_total", "legacy", "other"): 1,
    }
    send(legacy("tools/list", session=session))
    assert written(capsys).counts() == {
        ("mcp_requests_total", "legacy", "tools/list"): 1,
        ("mcp_sessions_rejected_total", "legacy", "tools/list"): 1,
        ("mcp_errors_total", "-32002"): 1,
    }


def test_a_session_that_could_not_be_stored_is_not_counted_as_opened(
    capsys: pytest.CaptureFixture[str],
) -> None:
    through_handler(adapter(SessionsAreDown()))(initialize())
    assert written(capsys).counts() == {
        ("mcp_requests_total", "legacy", "initialize"): 1,
        ("mcp_cold_starts_total", "legacy", "initialize"): 1,
        ("mcp_errors_total", "-32603"): 1,
    }
