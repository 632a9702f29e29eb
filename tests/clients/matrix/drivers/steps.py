"""What the Python drivers share: their arguments, and one line of JSON on stdout for each step.

A driver runs where only its client is installed, so this imports nothing but the standard library.
"""

import asyncio
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

URI = "registry://categories/rust-learning"
QUERY = {"query": "learning rust"}
WRONG = {"query": 5}
TOPIC = {"topic": "rust"}

# Clients print to stdout, too: their lines go to stderr.
_lines = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
_reported: set[str] = set()


class Target(NamedTuple):
    """The arguments of a driver. Over HTTP there is a URL, over stdio a command."""

    options: list[str]
    url: str | None
    command: list[str]


def target() -> Target:
    """The driver's arguments: `[options] http URL` or `[options] stdio COMMAND ARG…`."""
    at = next(index for index, word in enumerate(sys.argv) if word in ("http", "stdio"))
    options, rest = sys.argv[1:at], sys.argv[at + 1 :]
    return Target(options, rest[0], []) if sys.argv[at] == "http" else Target(options, None, rest)


@contextmanager
def step(name: str) -> Iterator[Callable[[Any], None]]:
    """One step: call what it yields with what the client found. An exception is the step's error."""
    try:
        yield partial(_report, name, "found")
    except Exception as error:
        _report(name, "error", _described(error))


@contextmanager
def refused() -> Iterator[Callable[[bool, Any], None]]:
    """The step with a wrong argument: an exception is what the client shows.

    For a client that shows a result, call what this yields: with whether it says that it is an error, and it.
    """
    with step("unknown") as found:
        try:
            yield (
                lambda is_error, shown: (
                    found(shown) if is_error else _report("unknown", "error", f"shown as a success: {shown}")
                )
            )
        except Exception as error:
            found(_described(error))


def absent(*names: str) -> None:
    """Say that the client has no such feature."""
    for name in names:
        _report(name, "absent", True)


def run(main: Callable[[], Any]) -> None:
    """Run `main`, a coroutine function or not. Its end is the step `close`: the client is closed by then."""
    try:
        asyncio.run(main()) if asyncio.iscoroutinefunction(main) else main()
    except BaseException as error:
        _report("close" if "connect" in _reported else "connect", "error", _described(error))
    else:
        _report("close", "found", True)


def _report(name: str, kind: str, value: Any) -> None:
    _reported.add(name)
    print(json.dumps({"step": name, kind: value}, default=str), file=_lines, flush=True)


def _described(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"
