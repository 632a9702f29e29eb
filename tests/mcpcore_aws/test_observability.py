"""What is logged of a request: enough to run the service, nothing said in confidence."""

import hashlib
import json
from datetime import UTC, datetime
from typing import Any, Final

import pytest

from mcpcore import Server
from mcpcore_aws import LambdaAdapter
from tests.support.adapters import Observe, SessionsAreDown, adapter, written
from tests.support.exchanges import (
    LambdaContext,
    Sent,
    initialize,
    legacy,
    modern,
    notification,
    through_handler,
)

CONFIDENTIAL: Final = "my divorce lawyer"


def record(line: dict[str, Any]) -> dict[str, Any]:
    """A log line without its metrics and what differs from run to run."""
    varying = {"timestamp", "service", "latency_ms", "_aws"}
    return {
        name: value for name, value in line.items() if name not in varying and not name.startswith("mcp_")
    }


def fingerprint(session: str) -> str:
    """How a session is named in the log."""
    return hashlib.sha256(session.encode()).hexdigest()[:16]


def test_a_request_is_one_line(observe: Observe) -> None:
    (line,) = observe(modern("tools/call", name="get_sources", arguments={"query": "rust"})).logs
    assert record(line) == {
        "level": "INFO",
        "message": "request",
        "request_id": LambdaContext().aws_request_id,
        "event_source": "http api",
        "status": 200,
        "outcome": "ok",
        "era": "modern",
        "version": "2026-07-28",
        "method": "tools/call",
        "tool": "get_sources",
    }
    assert 0 <= line["latency_ms"] < 1000


def test_a_line_has_the_time_at_which_it_was_written(observe: Observe) -> None:
    began = datetime.now(UTC).replace(microsecond=0)
    (line,) = observe(modern("tools/list")).logs
    written_at = datetime.fromisoformat(line["timestamp"])
    assert began <= written_at <= datetime.now(UTC)
    assert line["_aws"]["Timestamp"] == pytest.approx(written_at.timestamp() * 1000)


def test_a_line_has_the_trace_id_of_lambda(observe: Observe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_X_AMZN_TRACE_ID", "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53;Sampled=1")
    (line,) = observe(modern("tools/list")).logs
    assert line["xray_trace_id"] == "1-5759e988-bd862e3fe1be46a994272793"


def test_a_trace_that_is_not_sampled_is_not_in_the_line(
    observe: Observe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("_X_AMZN_TRACE_ID", "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53;Sampled=0")
    (line,) = observe(modern("tools/list")).logs
    assert "xray_trace_id" not in line


def test_a_fault_is_one_line_with_its_stack_and_its_metrics(observe: Observe) -> None:
    seen = observe(modern("tools/call", name="broken"))
    (line,) = seen.logs
    assert (
        record(line).items()
        >= {
            "level": "ERROR",
            "message": "request failed inside",
            "request_id": LambdaContext().aws_request_id,
            "method": "tools/call",
            "tool": "broken",
            "outcome": "crash",
            "error": "HandlerCrashed",
            "exception_name": "RuntimeError",
        }.items()
    )
    assert "adapters.py" in line["exception"]
    assert seen.metrics == [line]
    assert datetime.fromisoformat(line["timestamp"]).tzinfo is not None


def test_an_exception_that_repeats_a_long_argument_does_not_cost_the_line_its_metrics(
    capsys: pytest.CaptureFixture[str],
) -> None:
    server = Server("keys", version="1")

    @server.tool()
    def look_up(key: str) -> str:
        """Look up."""
        try:
            return {"a": "b"}[key]
        except KeyError as missing:
            raise ValueError(key) from missing

    through_handler(LambdaAdapter(server))(
        modern("tools/call", name="look_up", arguments={"key": "\U0001f600" * 70_000})
    )
    (text,) = capsys.readouterr().out.splitlines()
    assert len(text) < 256_000
    line = json.loads(text)
    assert (line["outcome"], line["mcp_errors_total"]) == ("crash", 1)
    assert "look_up" in line["exception"]


def test_the_line_of_a_session_has_the_client_and_no_session_id(capsys: pytest.CaptureFixture[str]) -> None:
    send = through_handler(adapter())
    session = send(initialize("2025-06-18")).headers["mcp-session-id"]
    send(legacy("tools/list", session=session))
    output = capsys.readouterr().out
    opening, listing = map(json.loads, output.splitlines())
    assert session not in output
    assert record(listing) == {
        "level": "INFO",
        "message": "request",
        "request_id": LambdaContext().aws_request_id,
        "session": fingerprint(session),
        "event_source": "http api",
        "status": 200,
        "outcome": "ok",
        "era": "legacy",
        "version": "2025-06-18",
        "method": "tools/list",
        "tool": "none",
        "client": "tests 1",
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


def test_arguments_are_not_in_the_logged_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    sent = legacy("tools/call", session="a", name="get_sources", arguments={"query": CONFIDENTIAL})
    through_handler(adapter(SessionsAreDown()))(sent)
    assert CONFIDENTIAL not in capsys.readouterr().out


def test_a_field_that_a_tool_adds_is_in_the_line_truncated(observe: Observe) -> None:
    asked = modern("tools/call", name="get_sources", arguments={"query": "nothing"})
    (line,) = observe(asked).logs
    assert line["fields"] == {"no_match": "n" * 500}


def test_a_refusal_is_logged_with_its_kind_and_the_name_of_its_error(observe: Observe) -> None:
    (line,) = observe(legacy("ping")._replace(body=b"{")).logs
    assert (line["message"], line["status"], line["outcome"], line["era"]) == (
        "refusal",
        400,
        "refused",
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
    assert (line["message"], line["status"], line["session"]) == ("session end", 200, fingerprint(session))


def test_an_unknown_method_name_is_truncated(observe: Observe) -> None:
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
def test_an_invalid_trace_parent_is_not_logged(observe: Observe, parent: object) -> None:
    (line,) = observe(traced(traceparent=parent)).logs
    assert "traceparent" not in line


def test_a_request_is_counted_by_the_tool_that_it_calls(observe: Observe) -> None:
    sent = [modern("tools/call", name=name, arguments={"query": "rust"}) for name in ("get_sources", "rm")]
    tools = [blob["tool"] for blob in observe(*sent).metrics if "mcp_requests_total" in blob]
    assert tools == ["get_sources", "none"]


@pytest.mark.parametrize(
    ("sent", "error"),
    [
        (modern("tools/call", name="rm"), "InvalidParams"),
        (modern("tools/call", name="broken"), "HandlerCrashed"),
        (legacy("tools/list"), "SessionMissing"),
        (Sent(b"", {}, "GET"), "StreamNotFound"),
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
    assert (line["status"], line["message"], "session" in line) == (200, "request", False)
