"""What an engineer's code raises to end more than itself ends its own request only."""

import asyncio
import sys
from collections.abc import Callable
from typing import Any

import pytest

from mcpcore import Context, Server, Text
from mcpcore.http import HttpResponse
from mcpcore_aws.timeouts import run_within
from tests.support.messages import CAPABILITIES_KEY, METADATA, error, modern
from tests.support.servers import Wire

NAME = {"type": "object", "properties": {"name": {"type": "string"}}}
ABLE = {**METADATA, CAPABILITIES_KEY: {"elicitation": {}}}


def leave() -> str:
    """Leave."""
    sys.exit(3)


async def leave_later() -> str:
    """Leave a loop."""
    await asyncio.sleep(0)
    sys.exit(3)


async def cancel() -> str:
    """Let a cancellation escape."""
    raise asyncio.CancelledError


def close() -> str:
    """Be closed."""
    raise GeneratorExit


def group() -> str:
    """Raise several things at once."""
    raise BaseExceptionGroup("several", [SystemExit(1), ValueError("x")])


async def ask_together(*, context: Context) -> str:
    """Ask two things in two tasks."""

    async def ask(key: str) -> str:
        return str(context.elicit(f"{key}?", NAME, key=key).content["name"])

    async with asyncio.TaskGroup() as tasks:
        found = [tasks.create_task(ask("one")), tasks.create_task(ask("two"))]
    return " and ".join(task.result() for task in found)


async def ask_and_fail(*, context: Context) -> str:
    """Ask in one task and fail in another."""

    async def ask() -> None:
        context.elicit("Who?", NAME)

    async def fail() -> None:
        raise ValueError("secret")

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(ask())
        tasks.create_task(fail())
    return "never"


ESCAPES = [leave, leave_later, cancel, close, group, ask_and_fail]


def call(function: Callable[..., Any], **params: object) -> HttpResponse:
    server = Server("s", version="1")
    server.tool()(function)
    asked = modern("tools/call", {"name": function.__name__, **params}, metadata=ABLE)
    return Wire(server, run=run_within).send(asked)


@pytest.mark.parametrize("function", ESCAPES)
def test_what_would_end_the_process_is_a_failure_of_the_tool(function: Callable[..., Any]) -> None:
    answer = call(function)

    assert (answer.status, b'"isError":true' in answer.body) == (200, True)
    assert f"The tool {function.__name__} failed. Try again later.".encode() in answer.body


@pytest.mark.parametrize("function", [leave, cancel, close, group])
def test_what_would_end_the_process_is_an_internal_error_of_a_resource(function: Callable[..., Any]) -> None:
    server = Server("s", version="1")
    server.resource("a:b")(function)

    answer = Wire(server, run=run_within).send(modern("resources/read", {"uri": "a:b"}))

    assert answer == error(200, 1, -32603, "Internal error")


def test_questions_of_tasks_in_a_group_are_asked_together() -> None:
    body = call(ask_together).body

    assert (b'"input_required"' in body, b'"one":{' in body, b'"two":{' in body) == (True, True, True)


def test_their_answers_are_found_in_the_next_run() -> None:
    answers = {key: {"action": "accept", "content": {"name": key}} for key in ("one", "two")}

    assert b'"text":"one and two"' in call(ask_together, inputResponses=answers).body


def test_an_interrupt_of_the_operator_passes() -> None:
    def interrupted() -> str:
        """Be interrupted."""
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        call(interrupted)


@pytest.mark.parametrize(
    "returned",
    [
        Text(5),  # type: ignore[arg-type]  # the fault under test
        Text("x", {"priority": object()}),
        [Text("x", 5)],  # type: ignore[arg-type]  # the fault under test
    ],
)
def test_content_that_the_wire_has_not_is_an_internal_error(returned: Any) -> None:
    def giving() -> Any:
        """Give it."""
        return returned

    assert call(giving) == error(200, 1, -32603, "Internal error")
