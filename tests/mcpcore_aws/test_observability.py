"""What is logged and counted of a request: enough to run the service, nothing said in confidence."""

import hashlib
import json
from collections.abc import Callable
from datetime import UTC, datetime
from errno import ENOSPC
from io import StringIO
from typing import Any, Final

import pytest

from mcpcore import Context, MemorySessions, Server
from mcpcore.dispatch import METHODS, NOTIFICATIONS
from mcpcore_aws.adapter import LambdaAdapter
from mcpcore_aws.observability import Observer
from tests.support.adapters import SessionsAreDown, Written, adapter, written
from tests.support.exchanges import (
    LambdaContext,
    Reply,
    Sent,
    initialize,
    legacy,
    metadata,
    modern,
    through_handler,
)

CONFIDENTIAL: Final = "my divorce lawyer"

Observe = Callable[..., Written]


@pytest.fixture
def observe(capsys: pytest.CaptureFixture[str]) -> Observe:
    """Sends requests through one adapter that is warm already, and gives what it wrote about them."""

    def send_all(*requests: Sent) -> Written:
        send = through_handler(adapter())
        send(modern("tools/list"))
        written(capsys)
        for request in requests:
            send(request)
        return written(capsys)

    return send_all


def told(line: dict[str, Any]) -> dict[str, Any]:
    """A log line without its metrics and what differs from run to run."""
    varying = {"timestamp", "service", "latency_ms", "_aws"}
    return {
        name: value for name, value in line.items() if name not in varying and not name.startswith("mcp_")
    }


def notification(method: str) -> Sent:
    """A notification of the newest revision."""
    message = {"jsonrpc": "2.0", "method": method, "params": {"_meta": metadata()}}
    return modern("")._replace(body=json.dumps(message).encode())


def fingerprint(session: str) -> str:
    """How a session is named in the log."""
    return hashlib.sha256(session.encode()).hexdigest()[:16]


# The log


def test_a_request_is_one_line(observe: Observe) -> None:
    (line,) = observe(modern("tools/call", name="get_sources", arguments={"query": "rust"})).logs
    assert told(line) == {
        "level": "INFO",
        "message": "request",
        "request_id": LambdaContext().aws_request_id,
        "session": "",
        "door": "http api",
        "status": 200,
        "outcome": "ok",
        "era": "modern",
        "version": "2026-07-28",
        "method": "tools/call",
        "tool": "get_sources",
        "client": "",
        "error": "",
        "traceparent": "",
    }
    assert 0 <= line["latency_ms"] < 1000


def test_the_line_of_a_request_is_its_metrics_too(observe: Observe) -> None:
    seen = observe(modern("tools/list"), modern("tools/call", name="rm"), modern("made/up"))
    assert seen.logs == seen.metrics
    assert len(seen.logs) == 3


def test_a_line_tells_when_it_was_written(observe: Observe) -> None:
    began = datetime.now(UTC).replace(microsecond=0)
    (line,) = observe(modern("tools/list")).logs
    written_at = datetime.fromisoformat(line["timestamp"])
    assert began <= written_at <= datetime.now(UTC)
    assert line["_aws"]["Timestamp"] == pytest.approx(written_at.timestamp() * 1000)


def test_a_line_has_the_trace_that_lambda_tells(observe: Observe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_X_AMZN_TRACE_ID", "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53;Sampled=1")
    (line,) = observe(modern("tools/list")).logs
    assert line["xray_trace_id"] == "1-5759e988-bd862e3fe1be46a994272793"


def test_a_fault_is_one_line_with_its_stack_and_its_metrics(observe: Observe) -> None:
    seen = observe(modern("tools/call", name="broken"))
    (line,) = seen.logs
    assert (
        told(line).items()
        >= {
            "level": "ERROR",
            "message": "request failed inside",
            "request_id": LambdaContext().aws_request_id,
            "method": "tools/call",
            "tool": "broken",
            "outcome": "tool_error",
            "error": "ToolError",
            "exception_name": "RuntimeError",
        }.items()
    )
    assert "adapters.py" in line["exception"]
    assert seen.metrics == [line]
    assert datetime.fromisoformat(line["timestamp"]).tzinfo is not None


def test_the_line_of_a_session_tells_the_client_and_hides_the_id(capsys: pytest.CaptureFixture[str]) -> None:
    send = through_handler(adapter())
    session = send(initialize("2025-06-18")).headers["mcp-session-id"]
    send(legacy("tools/list", session=session))
    output = capsys.readouterr().out
    opening, listing = map(json.loads, output.splitlines())
    assert session not in output
    assert told(listing) == {
        "level": "INFO",
        "message": "request",
        "request_id": LambdaContext().aws_request_id,
        "session": fingerprint(session),
        "door": "http api",
        "status": 200,
        "outcome": "ok",
        "era": "legacy",
        "version": "2025-06-18",
        "method": "tools/list",
        "tool": "none",
        "client": "tests 1",
        "error": "",
        "traceparent": "",
    }
    assert opening["session"] == fingerprint(session)


@pytest.mark.parametrize(
    "sent",
    [
        modern("tools/call", name="get_sources", arguments={"query": CONFIDENTIAL}),
        modern("tools/call", name="get_sources", arguments={"query": 5, CONFIDENTIAL: 1}),
        modern("tools/call", name=CONFIDENTIAL, arguments={CONFIDENTIAL: CONFIDENTIAL}),
        modern("tools/call", name="broken", arguments={CONFIDENTIAL: CONFIDENTIAL}),
        modern("tools/list", cursor=CONFIDENTIAL),
        legacy("tools/call", session=CONFIDENTIAL, name="get_sources", arguments={"query": CONFIDENTIAL}),
        legacy("ping")._replace(body=f'"{CONFIDENTIAL}'.encode()),
    ],
)
def test_arguments_are_never_logged(sent: Sent, capsys: pytest.CaptureFixture[str]) -> None:
    through_handler(adapter())(sent)
    assert CONFIDENTIAL not in capsys.readouterr().out


def test_arguments_are_not_even_in_the_story_of_a_fault(capsys: pytest.CaptureFixture[str]) -> None:
    sent = legacy("tools/call", session="a", name="get_sources", arguments={"query": CONFIDENTIAL})
    through_handler(adapter(SessionsAreDown()))(sent)
    assert CONFIDENTIAL not in capsys.readouterr().out


def test_what_a_tool_notes_is_in_the_line_but_no_more_than_a_line_holds(observe: Observe) -> None:
    asked = modern("tools/call", name="get_sources", arguments={"query": "nothing"})
    (line,) = observe(asked).logs
    assert line["notes"] == {"no_match": "n" * 500}


def test_a_refusal_is_logged_with_its_code(observe: Observe) -> None:
    (line,) = observe(legacy("ping")._replace(body=b"{")).logs
    assert (line["message"], line["status"], line["outcome"], line["era"]) == (
        "refusal",
        400,
        "-32700",
        "unknown",
    )


def test_a_notification_is_logged_at_debug(observe: Observe) -> None:
    (line,) = observe(notification("notifications/cancelled")).logs
    assert (line["level"], line["message"], line["method"], line["status"]) == (
        "DEBUG",
        "notification",
        "notifications/cancelled",
        202,
    )


def test_the_end_of_a_session_is_logged(capsys: pytest.CaptureFixture[str]) -> None:
    send = through_handler(adapter())
    session = send(initialize()).headers["mcp-session-id"]
    written(capsys)
    send(Sent(b"", {"mcp-session-id": session}, "DELETE"))
    (line,) = written(capsys).logs
    assert (line["message"], line["status"], line["session"]) == ("session end", 204, fingerprint(session))


def test_a_method_that_a_client_made_up_is_cut(observe: Observe) -> None:
    (line,) = observe(modern("x" * 10_000)).logs
    assert (line["method"], line["method_sent"]) == ("other", "x" * 100)


@pytest.mark.parametrize("method", ['a\n{"level":"ERROR"}', "a\u2028b", "a\x00b", "\ud800", "ü"])
def test_a_client_cannot_break_the_line(observe: Observe, method: str) -> None:
    (line,) = observe(notification(method)).logs
    assert line["method_sent"] == method


def traced(**trace: object) -> Sent:
    """A request with this trace context."""
    sent = modern("tools/list")
    message = json.loads(sent.body)
    message["params"]["_meta"] |= trace
    return sent._replace(body=json.dumps(message).encode())


def test_the_trace_of_a_request_is_in_its_line_and_nothing_else_that_travels_with_it(
    observe: Observe,
) -> None:
    parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    (line,) = observe(traced(traceparent=parent, tracestate="a=b", baggage="token=secret")).logs
    assert line["traceparent"] == parent
    assert not {"tracestate", "baggage"} & line.keys()


@pytest.mark.parametrize("parent", ["", "token=secret", "00-0-0-01", 5, None])
def test_what_is_no_trace_is_not_written_down(observe: Observe, parent: object) -> None:
    (line,) = observe(traced(traceparent=parent)).logs
    assert line["traceparent"] == ""


def test_a_request_is_counted_by_the_tool_that_it_calls(observe: Observe) -> None:
    sent = [modern("tools/call", name=name, arguments={"query": "rust"}) for name in ("get_sources", "rm")]
    tools = [blob["tool"] for blob in observe(*sent).metrics if "mcp_requests_total" in blob]
    assert tools == ["get_sources", "none"]


@pytest.mark.parametrize(
    ("sent", "error"),
    [
        (modern("tools/call", name="rm"), "InvalidParams"),
        (modern("tools/call", name="broken"), "ToolError"),
        (legacy("ping"), "SessionMissing"),
        (Sent(b"", {}, "GET"), "MethodNotAllowed"),
        (legacy("")._replace(body=b"[]"), "InvalidRequest"),
    ],
)
def test_an_error_is_counted_by_its_kind(observe: Observe, sent: Sent, error: str) -> None:
    seen = observe(sent)
    assert [blob["error"] for blob in seen.metrics if "mcp_errors_total" in blob] == [error]
    assert [line["error"] for line in seen.logs] == [error]


def test_names_of_a_client_cannot_overwrite_the_line(observe: Observe) -> None:
    sent = modern("tools/list")
    message = json.loads(sent.body)
    message["params"]["_meta"] |= {"status": "1", "message": "2", "session": "3"}
    (line,) = observe(sent._replace(body=json.dumps(message).encode())).logs
    assert (line["status"], line["message"], line["session"]) == (200, "request", "")


# The metrics


def test_a_request_is_counted_and_timed(observe: Observe) -> None:
    (blob,) = observe(modern("tools/list")).metrics
    (directive,) = blob["_aws"]["CloudWatchMetrics"]
    assert directive["Namespace"] == "mcp"
    assert directive["Dimensions"] == [["era", "method", "tool", "service"]]
    assert directive["Metrics"] == [
        {"Name": "mcp_requests_total", "Unit": "Count"},
        {"Name": "mcp_latency", "Unit": "Milliseconds"},
    ]
    assert (blob["era"], blob["method"]) == ("modern", "tools/list")
    assert 0 <= blob["mcp_latency"] < 1000


@pytest.mark.parametrize("sent", [modern("tools/list"), modern("tools/call", name="rm"), legacy("")])
def test_every_name_in_a_directive_is_a_member_of_the_line(observe: Observe, sent: Sent) -> None:
    (blob,) = observe(sent).metrics
    assert isinstance(blob["_aws"]["Timestamp"], int)
    for directive in blob["_aws"]["CloudWatchMetrics"]:
        assert all(
            blob[name] and isinstance(blob[name], str) for names in directive["Dimensions"] for name in names
        )
        assert all(isinstance(blob[metric["Name"]], int | float) for metric in directive["Metrics"])


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


def test_the_namespace_is_the_operators(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", "registry")
    through_handler(adapter())(modern("tools/list"))
    (blob,) = written(capsys).metrics
    assert blob["_aws"]["CloudWatchMetrics"][0]["Namespace"] == "registry"


@pytest.mark.parametrize("method", sorted(NOTIFICATIONS))
def test_a_notification_is_counted_by_its_method(observe: Observe, method: str) -> None:
    assert observe(notification(method)).counts() == {("mcp_notifications_total", "modern", method): 1}


@pytest.mark.parametrize("method", ["notifications/unheard_of", "", "x" * 1000, "tools/call\n"])
def test_an_unknown_notification_is_counted_among_others(observe: Observe, method: str) -> None:
    assert observe(notification(method)).counts() == {("mcp_notifications_total", "modern", "other"): 1}


def test_a_notification_of_the_handshake_era_is_counted_in_its_era(observe: Observe) -> None:
    sent = legacy("")._replace(body=b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
    assert observe(sent).counts() == {("mcp_notifications_total", "legacy", "notifications/initialized"): 1}


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


def test_matches_are_counted(observe: Observe) -> None:
    sent = modern("tools/call", name="get_sources", arguments={"query": "rust"})
    assert observe(sent, sent).counts() == {
        ("mcp_requests_total", "modern", "tools/call"): 1,
        ("mcp_matches_total", "modern", "tools/call"): 1,
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


def test_a_request_without_a_session_is_counted_as_refused(observe: Observe) -> None:
    assert observe(legacy("tools/list")).counts() == {
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


# What is turned off


def whole_story(capsys: pytest.CaptureFixture[str]) -> Written:
    """What an adapter that is made now writes about a request, a refusal and a fault."""
    send = through_handler(adapter())
    for sent in (modern("tools/list"), legacy("tools/list"), modern("tools/call", name="broken")):
        send(sent)
    return written(capsys)


def test_above_error_nothing_is_logged_and_everything_is_counted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("POWERTOOLS_LOG_LEVEL", "CRITICAL")
    seen = whole_story(capsys)
    assert seen.logs == []
    assert seen.counts()["mcp_requests_total", "modern", "tools/call"] == 1
    dimensions = {"era", "method", "tool", "service", "outcome", "error"}
    for blob in seen.metrics:
        assert {name for name in blob if not name.startswith("mcp_")} == dimensions | {"_aws"}


def test_at_error_only_faults_are_logged(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("POWERTOOLS_LOG_LEVEL", "ERROR")
    assert [line["message"] for line in whole_story(capsys).logs] == ["request failed inside"]


@pytest.mark.parametrize("told", ["true", "1", "True"])
def test_metrics_that_are_disabled_are_not_made(
    told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", told)
    seen = whole_story(capsys)
    assert (len(seen.logs), seen.metrics) == (3, [])


@pytest.mark.parametrize(
    ("powertools", "of_lambda", "written_down"),
    [
        ("", "", ["request"]),
        ("WARNING", "INFO", []),
        ("INFO", "WARN", []),
        ("debug", "", ["request", "notification"]),
        ("DEBUG", "TRACE", ["request", "notification"]),
    ],
)
def test_the_stricter_of_two_levels_holds(
    powertools: str,
    of_lambda: str,
    written_down: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("POWERTOOLS_LOG_LEVEL", powertools)
    monkeypatch.setenv("AWS_LAMBDA_LOG_LEVEL", of_lambda)
    send = through_handler(adapter())
    for sent in (modern("tools/list"), notification("notifications/cancelled")):
        send(sent)
    assert [line["message"] for line in written(capsys).logs] == written_down


@pytest.mark.parametrize(
    ("powertools", "of_lambda"),
    [("DEBUG", "TRACE"), ("", "WARN"), ("error", ""), ("ERROR", "INFO"), ("INFO", "ERROR"), ("", "")],
)
def test_a_fault_is_logged_once_at_every_level_up_to_error(
    powertools: str, of_lambda: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("POWERTOOLS_LOG_LEVEL", powertools)
    monkeypatch.setenv("AWS_LAMBDA_LOG_LEVEL", of_lambda)
    through_handler(adapter())(modern("tools/call", name="broken"))
    assert [line["message"] for line in written(capsys).logs] == ["request failed inside"]


@pytest.mark.parametrize(
    ("name", "level"),
    [("POWERTOOLS_LOG_LEVEL", "loud"), ("POWERTOOLS_LOG_LEVEL", "TRACE"), ("AWS_LAMBDA_LOG_LEVEL", "NOTSET")],
)
def test_a_level_that_is_none_is_refused_by_name(name: str, level: str) -> None:
    told = f"{name} must be DEBUG, INFO, WARNING, ERROR or CRITICAL, and is '{level}'"
    with pytest.raises(ValueError, match=f"^{told}$"):
        Observer({name: level})


class Full(StringIO):
    """A standard output on a disk that is full."""

    def write(self, text: str, /) -> int:
        raise OSError(ENOSPC, "No space left on device", text[:0])


@pytest.mark.parametrize("stream", [Full(), None], ids=["full", "none"])
def test_a_line_that_cannot_be_written_costs_nobody_the_answer(
    stream: StringIO | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    send = through_handler(adapter())
    monkeypatch.setattr("sys.stdout", stream)
    assert send(modern("tools/list")).status == 200
    assert "Traceback" in capsys.readouterr().err


def test_not_even_the_story_of_the_line_that_was_lost_costs_the_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    send = through_handler(adapter())
    monkeypatch.setattr("sys.stdout", Full())
    monkeypatch.setattr("sys.stderr", Full())
    assert send(modern("tools/list")).status == 200


@pytest.mark.parametrize("told", ["false", "0", "no", ""])
def test_metrics_that_are_not_disabled_are_written(
    told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", told)
    assert whole_story(capsys).counts()["mcp_requests_total", "modern", "tools/call"] == 1
