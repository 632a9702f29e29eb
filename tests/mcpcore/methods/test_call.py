"""Handlers that raise what would end the process, or several exceptions at once, fail alone."""

import asyncio
import sys
from collections.abc import Callable
from typing import Any

import pytest

from mcpcore import Context, Server
from mcpcore.testing import Client
from mcpcore_aws.timeouts import run_within
from tests.support.messages import CAPABILITIES_KEY, METADATA, error, modern
from tests.support.servers import Wire

NAME = {"type": "object", "properties": {"name": {"type": "string"}}}


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
    """Raise several exceptions at once."""
    raise BaseExceptionGroup("several", [SystemExit(1), ValueError("x")])


async def ask_together(*, context: Context) -> str:
    """Ask two questions in two tasks."""

    async def ask(key: str) -> str:
        return str(context.elicit(f"{key}?", NAME, key=key).content["name"])

    async with asyncio.TaskGroup() as tasks, asyncio.TaskGroup() as inner:
        found = [tasks.create_task(ask("one")), inner.create_task(ask("two"))]
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


def wire_of(function: Callable[..., Any]) -> Wire:
    """A server with this function as tool and as resource, and handlers run as on Lambda."""
    server = Server("s", version="1", logging=True)
    server.tool("tool")(function)
    server.resource("a:b")(function)
    return Wire(server, run=run_within)


@pytest.mark.parametrize("function", [leave, leave_later, cancel, close, group, ask_and_fail])
def test_an_exception_that_would_end_the_process_is_a_failure_of_its_handler(
    function: Callable[..., Any],
) -> None:
    wire = wire_of(function)
    metadata = {**METADATA, CAPABILITIES_KEY: {"elicitation": {}}}

    called = wire.send(modern("tools/call", {"name": "tool"}, metadata=metadata))
    read = wire.send(modern("resources/read", {"uri": "a:b"}, metadata=metadata))

    assert b'"text":"The tool tool failed. Try again later."' in called.body
    assert b'"isError":true' in called.body
    assert read == error(200, 1, -32603, "Internal error")


@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])
def test_questions_of_concurrent_tasks_are_asked_together(version: str) -> None:
    asked: list[str] = []

    def answer(message: str, _form: object) -> dict[str, str]:
        asked.append(message)
        return {"name": message}

    server = Server("s", version="1")
    server.tool(ask_together)
    client = Client(server, protocol_version=version, on_elicit=answer)

    assert client.call_tool("ask_together").text == "one? and two?"
    assert sorted(asked) == ["one?", "two?"]


def test_an_interrupt_of_the_operator_passes() -> None:
    def interrupted() -> str:
        """Be interrupted."""
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        wire_of(interrupted).send(modern("tools/call", {"name": "tool"}))
