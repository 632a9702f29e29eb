"""Servers of their own for tests of resuming: races, messages sent once, a missing key."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest

from mcpcore import Context, Server
from mcpcore_aws.adapter import LambdaAdapter
from mcpcore_aws.sessions import DynamoDBSessions
from mcpcore_local import HttpGateway
from tests.support.exchanges import Send, error, over_http
from tests.support.questions import ADA
from tests.support.resuming import connect, last_id, messages, question_id, text_of, waits
from tests.support.servers import NAME


@contextmanager
def served(server: Server, table: str) -> Iterator[Send]:
    """A server of the test's own, as a Lambda function behind the gateway."""
    adapter = LambdaAdapter(server, sessions=DynamoDBSessions(table), state_keys=[b"k" * 32])
    with HttpGateway(0) as gateway, gateway.serving(adapter):
        yield over_http(gateway.url)


@pytest.mark.requirement("resume-race")
def test_of_two_simultaneous_resumptions_one_runs_the_tool(table: str) -> None:
    runs, racing, done = [], threading.Event(), threading.Event()
    server = Server("racing", version="1")

    @server.tool()
    def greet(*, context: Context) -> str:
        """Ask for a name."""
        answer = context.elicit("Who?", NAME, key="who")
        runs.append(answer.content["name"])
        racing.set()
        assert done.wait(10)
        return f"Hello, {answer.content['name']}!"

    with served(server, table) as send, ThreadPoolExecutor() as beside:
        caller = connect(send)
        asked = caller.call("greet")
        caller.answer(question_id(asked), **ADA)
        first = beside.submit(caller.resume, last_id(asked))
        assert racing.wait(10)
        second = caller.resume(last_id(asked))
        done.set()
        result = messages(first.result())
        assert waits(second)
        assert messages(caller.resume(last_id(second))) == result
    assert (text_of(result[0]), runs) == ((False, "Hello, Ada!"), ["Ada"])


def test_a_request_cancelled_while_its_tool_runs_leaves_no_exchange(table: str) -> None:
    running, done = threading.Event(), threading.Event()
    server = Server("racing", version="1")

    @server.tool()
    def greet(*, context: Context) -> str:
        """Ask for a name."""
        context.elicit("Who?", NAME, key="who")
        running.set()
        assert done.wait(10)
        return "Hello"

    with served(server, table) as send, ThreadPoolExecutor() as beside:
        caller = connect(send)
        asked = caller.call("greet")
        caller.answer(question_id(asked), **ADA)
        first = beside.submit(caller.resume, last_id(asked))
        assert running.wait(10)
        caller.cancel(7)
        done.set()
        first.result()
        assert caller.resume(last_id(asked)).status == 405


@pytest.mark.requirement("progress-once")
def test_messages_before_a_question_are_sent_once(table: str) -> None:
    drawn = iter(range(1, 10))
    server = Server("careful", version="1", logging=True)

    @server.tool()
    async def greet(*, context: Context) -> str:
        """Ask for a name and for another one, in the midst of other work."""
        lot = context.once("lot", lambda: next(drawn))
        context.log("error", "before")
        context.progress(1)
        first = context.elicit("Who?", NAME, key="who")
        context.progress(2)
        second = context.elicit("Who else?", NAME, key="else")
        context.log("error", "after")
        return f"Hello, {first.content['name']} and {second.content['name']}, you have drawn {lot}"

    with served(server, table) as send:
        caller = connect(send)
        asked = caller.request("tools/call", name="greet", _meta={"progressToken": "p"})
        caller.answer(messages(asked)[-1]["id"], **ADA)
        again = caller.resume(last_id(asked))
        caller.answer(messages(again)[-1]["id"], **ADA)
        rest = caller.resume(last_id(again))
    assert [[content_of(message) for message in messages(reply)] for reply in (asked, again, rest)] == [
        ["before", 1, "Who?"],
        [2, "Who else?"],
        ["after", "Hello, Ada and Ada, you have drawn 1"],
    ]


def test_without_a_key_to_sign_with_a_question_is_a_fault_of_the_servers(table: str) -> None:
    server = Server("keyless", version="1")

    @server.tool()
    def greet(*, context: Context) -> str:
        """Ask for a name."""
        return str(context.elicit("Who?", NAME))

    adapter = LambdaAdapter(server, sessions=DynamoDBSessions(table))
    with HttpGateway(0) as gateway, gateway.serving(adapter):
        reply = connect(over_http(gateway.url)).call("greet")
    assert (reply.status, reply.message()) == (200, error(7, -32603, "Internal error"))


def content_of(message: Any) -> Any:
    """The content of a message of any kind."""
    if "result" in message:
        return text_of(message)[1]
    params = message["params"]
    return params.get("data", params.get("progress", params.get("message")))
