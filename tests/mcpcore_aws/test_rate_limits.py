"""Limits for each client: who counts as one, what is stored of them, and what happens if nobody counts."""

import time
from collections.abc import Iterator
from typing import Any, Final

import pytest

from mcpcore import MemorySessions
from mcpcore.http import HttpResponse
from mcpcore_aws.adapter import LambdaAdapter
from mcpcore_aws.settings import RateLimits
from tests.support.adapters import small_server, written
from tests.support.dynamodb import closed_port, empty_table, items_of, silent_server, use_dynamodb
from tests.support.events import captured, headers_of, with_body, with_headers
from tests.support.exchanges import (
    LambdaContext,
    Reply,
    Sent,
    body_of,
    error,
    initialize,
    modern,
    through_handler,
)
from tests.support.scripted import answer, failure, scripted

NOW: Final = 1_800_000_000
ADDRESS: Final = "203.0.113.7"
LIST: Final = modern("tools/list", 7)
PAGE: Final = HttpResponse(200, {}, b"page")


class Calling:
    """Calls one adapter, whose limits are counted in `table`, with events of any client."""

    def __init__(self, table: str = "any", **limits: int) -> None:
        self.now = float(NOW)
        self._limits = RateLimits(table=table, digest_key=b"key", **limits)
        self.new_environment()

    def new_environment(self) -> None:
        """Go on with an adapter that remembers nothing."""
        self._adapter = LambdaAdapter(
            small_server(),
            sessions=MemorySessions(),
            pages=lambda _: PAGE,
            rate_limits=self._limits,
            clock=lambda: self.now,
        )

    def __call__(
        self,
        sent: Sent = LIST,
        address: str = ADDRESS,
        *,
        source: str = "http_api",
        forwarded: str = "",
        path: str = "/mcp",
        remaining_seconds: float = 29,
    ) -> Reply:
        """The reply to `sent`, which came from `address`."""
        added = {"x-forwarded-for": forwarded} if forwarded else {}
        event = with_headers(with_body(captured(source), sent.body.decode()), {**sent.headers, **added})
        context: dict[str, Any] = event["requestContext"]
        for holder in (context.get("http", {}), context.get("identity", {})):
            holder["sourceIp"] = address
        reply = self._adapter(event | {"rawPath": path}, LambdaContext(remaining_seconds))
        return Reply(reply["statusCode"], headers_of(reply), body_of(reply))

    def statuses(self, *addresses: str) -> list[int]:
        """The status of a request of each."""
        return [self(address=address).status for address in addresses]


@pytest.fixture
def table(dynamodb: str, shared_table: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An empty table, which adapters find."""
    use_dynamodb(monkeypatch, dynamodb)
    empty_table(dynamodb, shared_table)
    yield shared_table
    empty_table(dynamodb, shared_table)


# The limit


def test_a_client_above_its_limit_is_told_when_to_try_again(table: str) -> None:
    calling = Calling(table, requests_per_minute=2)
    assert calling.statuses(ADDRESS, ADDRESS) == [200, 200]

    refused = calling()
    wait_seconds = int(refused.headers["retry-after"])
    assert (refused.status, refused.message(), 1 <= wait_seconds <= 60) == (
        429,
        error(7, -32603, f"Too many requests; try again in {wait_seconds} seconds"),
        True,
    )
    calling.now += wait_seconds - 1
    assert calling.statuses(ADDRESS, "203.0.113.8") == [429, 200]
    calling.now += 1
    assert calling.statuses(ADDRESS) == [200]


def test_environments_count_together(table: str) -> None:
    calling = Calling(table, requests_per_minute=2)
    statuses = []
    for _ in range(3):
        statuses += calling.statuses(ADDRESS)
        calling.new_environment()
    assert statuses == [200, 200, 429]


def test_opened_sessions_are_limited_apart_from_other_requests(table: str) -> None:
    calling = Calling(table, requests_per_minute=3, sessions_per_minute=1)
    sent = [initialize(), initialize(), LIST, LIST, LIST]
    assert [calling(each).status for each in sent] == [200, 429, 200, 200, 429]


def test_with_a_limit_of_sessions_alone_other_requests_are_not_counted(dynamodb: str, table: str) -> None:
    calling = Calling(table, sessions_per_minute=1)
    assert calling.statuses(*[ADDRESS] * 3) == [200] * 3
    assert items_of(dynamodb, table) == []


def test_a_request_costs_one_update_and_a_client_that_was_refused_costs_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with scripted(answer({}), failure("ConditionalCheckFailedException")) as server:
        use_dynamodb(monkeypatch, server.endpoint)
        calling = Calling(requests_per_minute=1, sessions_per_minute=1)
        assert [calling(sent).status for sent in (initialize(), LIST, LIST, initialize())] == [
            200,
            429,
            429,
            429,
        ]
    assert [asked.operation for asked in server.asked] == ["UpdateItem"] * 2


def test_what_admission_refuses_is_not_counted(dynamodb: str, table: str) -> None:
    calling = Calling(table, requests_per_minute=1)
    assert calling(LIST._replace(body=b"{")).status == 400
    assert items_of(dynamodb, table) == []


def test_pages_beside_mcp_are_counted_too(table: str) -> None:
    calling = Calling(table, requests_per_minute=2)
    assert [calling(path=path).status for path in ("/registry", "/mcp", "/registry")] == [200, 200, 429]


# Who is one client


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("203.0.113.7", "203.0.113.8", False),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:203.0.113.7", "203.0.113.7", True),
        ("::ffff:203.0.113.7", "::ffff:203.0.113.8", False),
        ("no address", "\0", True),
        ("", "203.0.113.7", False),
    ],
)
def test_an_ipv6_network_is_one_client(table: str, one: str, other: str, same: bool) -> None:
    calling = Calling(table, requests_per_minute=1)
    assert calling.statuses(one, other) == [200, 429 if same else 200]


@pytest.mark.parametrize("source", ["http_api", "function_url", "rest_api"])
def test_what_a_client_writes_into_a_header_does_not_change_who_it_is(table: str, source: str) -> None:
    calling = Calling(table, requests_per_minute=1)
    replies = [calling(source=source, forwarded=f"198.51.100.{number}, {ADDRESS}") for number in (1, 2)]
    assert [reply.status for reply in replies] == [200, 429]


@pytest.mark.parametrize("source", ["alb_single_value", "alb_multi_value"])
def test_a_load_balancer_appends_the_client_to_a_header(table: str, source: str) -> None:
    calling = Calling(table, requests_per_minute=1)
    same = ["1.1.1.1, 203.0.113.7", "2.2.2.2,203.0.113.7:9"]
    others = ["1.1.1.1, 203.0.113.8", "[2001:db8::1]:9", "2001:db8:0:0::2"]
    statuses = [calling(source=source, forwarded=each).status for each in (*same, *others)]
    assert statuses == [200, 429, 200, 200, 429]


@pytest.mark.parametrize("gateway_appends", [True, False])
def test_behind_a_trusted_proxy_the_client_is_whom_the_proxy_saw(table: str, gateway_appends: bool) -> None:
    calling = Calling(table, requests_per_minute=1, trusted_proxies=1)
    own = ", 192.0.2.1" if gateway_appends else ""
    chains = [f"1.1.1.1, {ADDRESS}{own}", f"2.2.2.2, {ADDRESS}{own}", f"1.1.1.1, 203.0.113.8{own}"]
    statuses = [calling(address="192.0.2.1", forwarded=each).status for each in chains]
    assert statuses == [200, 429, 200]


# What is stored of a client


def test_the_table_has_no_address_and_nothing_that_relates_two_minutes_of_one(
    dynamodb: str, table: str
) -> None:
    calling = Calling(table, requests_per_minute=5, sessions_per_minute=5)
    calling(initialize())
    calling.now += 60
    calling(initialize())
    items = items_of(dynamodb, table)
    assert [set(item) for item in items] == [
        {"session_id", "item", "request_count", "session_count", "expires_at"}
    ] * 2
    assert len({item["session_id"]["S"] for item in items}) == 2
    assert ADDRESS not in str(items)
    assert all(NOW < int(item["expires_at"]["N"]) <= NOW + 180 for item in items)


# Without a count


def test_if_the_table_cannot_count_the_request_is_answered_and_that_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    use_dynamodb(monkeypatch, f"http://127.0.0.1:{closed_port()}")
    calling = Calling(requests_per_minute=1)
    assert [calling(path=path).status for path in ("/mcp", "/mcp", "/registry")] == [200] * 3
    for line in written(capsys).logs:
        assert (line["outcome"], line["mcp_rate_limit_unavailable_total"]) == ("ok", 1)
        assert line["fields"]["rate_limit"].startswith("Unreachable: ")


@pytest.mark.parametrize(("remaining_seconds", "at_most_seconds"), [(29, 1.0), (1.1, 0.4)])
def test_a_silent_table_delays_a_request_by_a_second_and_never_beyond_its_time(
    remaining_seconds: float, at_most_seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    with silent_server() as endpoint:
        use_dynamodb(monkeypatch, endpoint)
        calling, started = Calling(requests_per_minute=1), time.monotonic()
        assert calling(remaining_seconds=remaining_seconds).status == 200
    assert time.monotonic() - started < at_most_seconds


def test_a_dry_run_before_a_snapshot_counts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted(answer({})) as server:
        use_dynamodb(monkeypatch, server.endpoint)
        limits = RateLimits(1, 1, table="any", digest_key=b"key")
        adapter = LambdaAdapter(small_server(), sessions=MemorySessions(), rate_limits=limits)
        assert through_handler(adapter.dry_run_copy(lambda _: None))(initialize()).status == 200
    assert server.asked == []


def test_a_count_without_a_reply_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted(failure("InternalServerError", 500), answer({})) as server:
        use_dynamodb(monkeypatch, server.endpoint)
        assert Calling(requests_per_minute=1).statuses(ADDRESS) == [200]
    assert len(server.asked) == 1


def test_a_refused_request_is_logged_and_counted_as_throttled(
    table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    calling = Calling(table, requests_per_minute=1)
    calling.statuses(ADDRESS, ADDRESS)
    line = written(capsys).logs[1]
    named = ("level", "message", "status", "era", "method", "outcome", "error", "mcp_errors_total")
    assert [line[name] for name in named] == [
        "INFO", "refusal", 429, "modern", "tools/list", "throttled", "TooManyRequests", 1,
    ]  # fmt: skip
