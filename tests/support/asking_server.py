"""A small server whose tools ask, wait, tell and keep. As a command it is served over stdio."""

import asyncio
import sys
import time
from typing import Any, Final

from mcpcore import Context, Server
from mcpcore_local.stdio import serve

__all__ = ["asking_server"]

NAME: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"name": {"type": "string"}},
    "required": ["name"],
}


def asking_server() -> Server:
    """The server, before it is built."""
    server = Server("asking", version="1.0", logging=True)
    for tool in (greet, think, introduce, work, work_aside, work_later, count, give, keep, keep_then_ask):
        server.tool()(tool)
    return server


def greet(*, context: Context) -> str:
    """Ask who is there."""
    answer = context.elicit("Who are you?", NAME, key="name")
    return f"Hello, {answer.content['name']}!" if answer.action == "accept" else f"Well: {answer.action}."


def think(question: str, *, context: Context) -> str:
    """Ask the client's model."""
    return context.sample(question, max_tokens=50).text


def introduce(*, context: Context) -> str:
    """Ask twice, one after the other."""
    first = context.elicit("What is your name?", NAME).content["name"]
    second = context.elicit(f"And the name of your friend, {first}?", NAME).content["name"]
    return f"{first} and {second}"


def work(seconds: float) -> str:
    """Take some time."""
    time.sleep(seconds)
    return "done"


async def work_aside(seconds: float) -> str:
    """Take some time, as a coroutine."""
    await asyncio.sleep(seconds)
    return "done aside"


def work_later(*, context: Context) -> str:
    """Let the client come back for the rest."""
    context.progress(1)
    context.defer()
    context.progress(2)
    return "done later"


def count(to: int, *, context: Context) -> str:
    """Tell how far it is."""
    for step in range(1, to + 1):
        context.progress(step, to)
    return f"counted to {to}"


def give(size: int, *, context: Context) -> str:
    """Ask, and give much."""
    context.elicit("Who are you?", NAME, key="name")
    return "x" * size


def keep(size: int, *, context: Context) -> str:
    """Keep much between two runs."""
    context.once("much", lambda: "x" * size)
    context.elicit("Who are you?", NAME, key="name")
    return "kept"


def keep_then_ask(size: int, *, context: Context) -> str:
    """Keep much between the second run and the third."""
    context.elicit("Who are you?", NAME, key="first")
    context.once("much", lambda: "x" * size)
    context.elicit("Who are you?", NAME, key="second")
    return "kept"


if __name__ == "__main__":
    serve(asking_server().build(), sys.stdin.buffer, sys.stdout.buffer)
