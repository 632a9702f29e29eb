"""The metrics of a request and their dimensions; test_powertools_parity.py has the format."""

from typing import Final

import pytest

from mcpcore import Context, MemorySessions, Server
from mcpcore.engine.dispatch import METHODS, NOTIFICATIONS
from mcpcore_aws.adapter import LambdaAdapter
from tests.support.adapters import Observe, SessionsAreDown, adapter, written
from tests.support.exchanges import Sent, initialize, legacy, modern, notification, through_handler

INITIALIZED: Final = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'


def error_of(method: str, kind: str, era: str = "modern", *more: str) -> dict[tuple[str, ...], float]:
    """The counters of one request that ended with an error, and `more` of the same dimensions."""
    names = ("mcp_requests_total", *more)
    return {**{(name, era, method): 1 for name in names}, ("mcp_errors_total", kind): 1}


@pytest.mark.parametrize(
    ("sent", "counts"),
    [
        (modern("made/up"), error_of("other", "refused")),
        (modern("tools/call", name="rm"), error_of("tools/call", "refused")),
        (
            modern("tools/list")._replace(headers=legacy("").headers),
            error_of("tools/list", "refused"),
        ),
        (modern("tools/call", name="get_sources", arguments={}), error_of("tools/call", "tool_error")),
        (modern("tools/call", name="broken"), error_of("tools/call", "crash")),
        (
            modern("tools/call", name="get_sources", arguments={"query": "nothing"}),
            {(name, "modern", "tools/call"): 1 for name in ("mcp_requests_total", "mcp_no_matches_total")},
        ),
        (legacy("")._replace(body=b"{"), error_of("other", "refused", "unknown")),
        (legacy("")._replace(body=b"[]"), error_of("other", "refused", "unknown")),
        (Sent(b"", {}, "GET"), error_of("other", "refused", "unknown")),
        (legacy("tools/list"), error_of("tools/list", "refused", "legacy", "mcp_sessions_rejected_total")),
        (
            legacy("")._replace(body=INITIALIZED),
            {("mcp_notifications_total", "legacy", "notifications/initialized"): 1},
        ),
        *(
            (notification(method), {("mcp_notifications_total", "modern", method): 1})
            for method in sorted(NOTIFICATIONS)
        ),
        *(
            (notification(method), {("mcp_notifications_total", "modern", "other"): 1})
            for method in ("notifications/unheard_of", "", "x" * 1000, "tools/call\n")
        ),
    ],
)
def test_a_request_is_counted_by_its_method_and_its_error_by_its_kind(
    observe: Observe, sent: Sent, counts: dict[tuple[str, ...], float]
) -> None:
    assert observe(sent).counts() == counts


def test_every_method_of_the_table_is_counted_by_its_name(observe: Observe) -> None:
    methods = {method for _, method in METHODS}
    requests = [modern(method, name="get_sources") for method in sorted(methods)]
    counted = {key[2] for key in observe(*requests).counts() if key[0] == "mcp_requests_total"}
    assert counted == methods


def test_everything_that_a_tool_counts_is_in_the_line(capsys: pytest.CaptureFixture[str]) -> None:
    server = Server("counting", version="1")

    @server.tool()
    def count_much(*, context: Context) -> str:
        """Count what is counted already, and more than one directive may name."""
        context.count("requests", 5)
        for number in range(120):
            context.count(f"of_kind_{number}")
        return "counted"

    through_handler(LambdaAdapter(server, sessions=MemorySessions()))(modern("tools/call", name="count_much"))
    seen = written(capsys)
    (blob,) = seen.metrics
    assert [len(each["Metrics"]) for each in blob["_aws"]["CloudWatchMetrics"]] == [100, 23]
    counts = seen.counts()
    assert counts["mcp_requests_total", "modern", "tools/call"] == 6
    assert counts["mcp_of_kind_119_total", "modern", "tools/call"] == 1


def test_a_cold_start_is_counted_once(capsys: pytest.CaptureFixture[str]) -> None:
    send = through_handler(adapter())
    send(modern("tools/list"))
    cold = written(capsys).counts()
    send(modern("tools/list"))
    warm = written(capsys).counts()
    request = {("mcp_requests_total", "modern", "tools/list"): 1}
    assert (cold, warm) == (request | {("mcp_cold_starts_total", "modern", "tools/list"): 1}, request)


def test_a_session_is_counted_when_it_opens_and_when_it_ends(capsys: pytest.CaptureFixture[str]) -> None:
    send = through_handler(adapter(MemorySessions()))
    send(modern("tools/list"))
    written(capsys)

    session = send(initialize()).headers["mcp-session-id"]
    opened = written(capsys).counts()
    send(Sent(b"", {"mcp-session-id": session}, "DELETE"))
    ended = written(capsys).counts()

    names = ("mcp_requests_total", "mcp_sessions_opened_total")
    assert opened == {(name, "legacy", "initialize"): 1 for name in names}
    assert ended == {
        ("mcp_requests_total", "legacy", "other"): 1,
        ("mcp_sessions_ended_total", "legacy", "other"): 1,
    }


def test_a_session_that_could_not_be_stored_is_not_counted_as_opened(
    capsys: pytest.CaptureFixture[str],
) -> None:
    through_handler(adapter(SessionsAreDown()))(initialize())
    assert written(capsys).counts() == error_of(
        "initialize", "store_unavailable", "legacy", "mcp_cold_starts_total"
    )
