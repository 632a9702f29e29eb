"""The time that is left for a request: the store keeps to it, and saving has its share."""

import time
from collections.abc import Iterator
from typing import Any, Final

import pytest

from mcpcore import Context, Server
from mcpcore_aws.adapter import LambdaAdapter
from mcpcore_aws.dynamodb import DynamoDB
from mcpcore_aws.errors import Unreachable
from mcpcore_aws.sessions import DynamoDBSessions
from tests.support.adapters import adapter
from tests.support.dynamodb import account_at, empty_table, silent_server
from tests.support.dynamodb_client import ACCOUNT, FOUND, KEY
from tests.support.event_sources import through_event_source
from tests.support.exchanges import Send, initialize, legacy
from tests.support.faults import Proxy, dripping, faulty, passed, slow
from tests.support.questions import ADA
from tests.support.resuming import Caller, connect, last_id, messages, question_id, text_of, waits
from tests.support.scripted import SILENCE, answer, scripted
from tests.support.servers import NAME


def client_at(endpoint: str) -> DynamoDB:
    """A client with the limits of the product."""
    return DynamoDB({**ACCOUNT, "AWS_ENDPOINT_URL_DYNAMODB": endpoint})


@pytest.mark.parametrize("sent", [initialize(), legacy("ping", session="a" * 32)])
def test_with_two_seconds_left_and_a_hanging_store_the_answer_comes_in_time(sent: Any) -> None:
    with silent_server() as endpoint:
        store = DynamoDBSessions("sessions", client_at(endpoint))
        started = time.monotonic()
        reply = through_event_source(adapter(store), "http_api", remaining_seconds=2)(sent)
        assert (reply.status, time.monotonic() - started < 1.5) == (503, True)
        store.close()


def test_a_call_with_no_time_sends_nothing() -> None:
    with scripted(answer(FOUND)) as server, pytest.raises(Unreachable, match="no time is left"):
        client_at(server.endpoint).call("GetItem", KEY, within_seconds=0)
    assert server.asked == []


def test_a_backoff_that_would_pass_the_deadline_is_not_begun(dynamodb: str) -> None:
    waits: list[float] = []
    with faulty(dynamodb) as proxy:
        proxy.always = dripping(0.05)
        client = DynamoDB(account_at(proxy.endpoint), sleep=waits.append, jitter=lambda: 1.0)
        started = time.monotonic()
        with pytest.raises(Unreachable):
            client.call("ListTables", {}, within_seconds=0.3)
        assert (waits, time.monotonic() - started < 0.6) == ([], True)
        client.close()


def test_a_body_that_drips_is_given_up_like_silence(dynamodb: str) -> None:
    with faulty(dynamodb) as proxy:
        proxy.always = dripping(0.2)
        client = client_at(proxy.endpoint)
        started = time.monotonic()
        with pytest.raises(Unreachable, match="TimeoutError"):
            client.call("ListTables", {})
        assert time.monotonic() - started < 7
        client.close()


def test_a_kept_connection_that_has_become_silent_costs_half_a_second() -> None:
    with scripted(answer(FOUND), SILENCE, answer(FOUND)) as server:
        client = client_at(server.endpoint)
        client.call("GetItem", KEY)
        started = time.monotonic()
        assert client.call("GetItem", KEY) == FOUND
        assert time.monotonic() - started < 1
        client.close()
    assert server.connections() == [1, 1, 2]


# A tool that needs all its time, and a store that is slow

SLOW_SECONDS: Final = 1.2


class Charged:
    """A tool that asks, charges, and then works longer than it may."""

    def __init__(self) -> None:
        self.runs = 0

    def server(self) -> Server:
        server = Server("charging", version="1")

        @server.tool()
        def charge(*, context: Context) -> str:
            """Ask for a name, charge, and go on."""
            context.elicit("Who?", NAME, key="who")
            self.runs += 1
            time.sleep(20)
            return "done"

        return server


@pytest.fixture
def proxy(dynamodb: str, shared_table: str) -> Iterator[Proxy]:
    empty_table(dynamodb, shared_table)
    with faulty(dynamodb) as running:
        yield running


def sending(charged: Charged, proxy: Proxy, table: str, *, remaining_seconds: float) -> Send:
    store = DynamoDBSessions(table, DynamoDB(account_at(proxy.endpoint)))
    function = LambdaAdapter(charged.server(), sessions=store, state_keys=[b"k" * 32])
    return through_event_source(function, "http_api", remaining_seconds=remaining_seconds)


def test_the_result_of_a_tool_that_used_up_its_time_is_saved_by_a_slow_store(
    proxy: Proxy, shared_table: str
) -> None:
    charged = Charged()
    send = sending(charged, proxy, shared_table, remaining_seconds=4)
    caller = connect(send)
    asked = caller.call("charge")
    caller.answer(question_id(asked), **ADA)
    # Loading session and exchange, the claim; then saving, over the kept connection and over a new one.
    proxy.faults.extend([passed, passed, passed, slow(SLOW_SECONDS), slow(SLOW_SECONDS)])
    started = time.monotonic()
    (result,) = messages(caller.resume(last_id(asked)))
    assert time.monotonic() - started < 4
    assert text_of(result)[0]
    assert messages(caller.resume(last_id(asked))) == [result]
    assert charged.runs == 1


def test_a_tool_is_not_run_again_when_too_little_time_is_left_to_save_its_result(
    proxy: Proxy, shared_table: str
) -> None:
    charged = Charged()
    caller = connect(sending(charged, proxy, shared_table, remaining_seconds=29))
    asked = caller.call("charge")
    caller.answer(question_id(asked), **ADA)
    hurried = Caller(sending(charged, proxy, shared_table, remaining_seconds=2.5), caller.session)
    assert waits(hurried.resume(last_id(asked)))
    assert charged.runs == 0
