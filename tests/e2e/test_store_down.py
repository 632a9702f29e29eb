"""The served Lambda while DynamoDB is down: the newest revision works, the older ones are asked to wait."""

import time
from collections.abc import Iterator

import pytest
from mcp.client import Client

from tests.support.dynamodb import closed_port
from tests.support.exchanges import Reply, Sent, error, initialize, legacy, modern, over_http
from tests.support.leaks import leaks
from tests.support.sdk import text_of
from tests.support.serving import Served, serving

SENT = {
    "initialize": (initialize(), 1),
    "list": (legacy("tools/list", 2, session="a" * 32), 2),
    "call": (legacy("tools/call", "x", session="a" * 32, name="get_sources"), "x"),
    "answer": (
        legacy("", session="a" * 32)._replace(body=b'{"jsonrpc":"2.0","id":"x.name","result":{}}'),
        ...,
    ),
    "rest of an answer": (
        Sent(
            b"",
            {"mcp-session-id": "a" * 32, "last-event-id": "x.1", "accept": "text/event-stream"},
            "GET",
        ),
        ...,
    ),
    "end": (Sent(b"", {"mcp-session-id": "a" * 32}, "DELETE"), ...),
}


@pytest.fixture(scope="module")
def storeless(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The product, which looks for DynamoDB at a port where nobody listens."""
    endpoint = f"http://127.0.0.1:{closed_port()}"
    with serving(tmp_path_factory.mktemp("storeless"), AWS_ENDPOINT_URL_DYNAMODB=endpoint) as running:
        yield running


@pytest.mark.parametrize("name", SENT)
def test_an_older_client_gets_503_with_retry_after(storeless: Served, name: str) -> None:
    sent, request_id = SENT[name]
    started = time.monotonic()
    reply = over_http(storeless.url)(sent)
    assert time.monotonic() - started < 10
    assert (reply.status, set(reply.headers)) == (503, {"content-type", "retry-after"})
    assert 1 <= int(reply.headers["retry-after"]) <= 5  # more than 1 once the store is not called any more
    text = "Sessions are unavailable at the moment; try again shortly"
    assert reply.message() == error(request_id, -32603, text)
    assert leaks(reply) == []


def test_an_invalid_session_id_is_refused_without_reading_the_store(storeless: Served) -> None:
    assert over_http(storeless.url)(legacy("ping", session="no id")).status == 404


def test_requests_without_a_session_are_answered(storeless: Served) -> None:
    notified = initialize()._replace(body=b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
    assert over_http(storeless.url)(notified) == Reply(202, {}, b"")
    assert over_http(storeless.url)(modern("tools/list")).status == 200


@pytest.mark.anyio
async def test_a_client_of_the_newest_revision_needs_no_store(storeless: Served) -> None:
    async with Client(storeless.url, mode="auto") as client:
        result = await client.call_tool("get_sources", {"query": "learn rust"})
    assert "The Rust Programming Language" in text_of(result)


def test_the_log_has_the_reason(storeless: Served) -> None:
    over_http(storeless.url)(initialize())
    line = storeless.log_lines()[-1]
    assert (line["level"], line["status"], line["outcome"]) == ("ERROR", 503, "store_unavailable")
    assert "Unreachable: 127.0.0.1" in line["exception"]
