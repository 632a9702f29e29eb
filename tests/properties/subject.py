"""The server under test: all that the public API can offer, as a Lambda function over sessions in memory."""

import os
from collections.abc import Mapping
from typing import Final

import pytest
from typing_extensions import TypedDict

from mcpcore import (
    BuiltServer,
    Context,
    Elicit,
    ListRoots,
    MemorySessions,
    PromptMessage,
    ResourceInfo,
    ResourceLink,
    Sample,
    Text,
)
from mcpcore.http import Policy
from mcpcore_aws.adapter import LambdaAdapter
from tests.conformance.fixture import fixture_server
from tests.support.exchanges import Reply, Send, Sent, through_handler

__all__ = ["NOW", "ORIGIN", "PROMPTS", "SECRET", "SERVER", "TOOLS", "URIS", "Subject", "examples", "quiet"]

NOW: Final = 1_800_000_000
ORIGIN: Final = "https://page.example"
SECRET: Final = "table-42 at 10.1.2.3"
"""The text of a fault, which no client may read."""

_STATUSES: Final = frozenset({200, 202, 204, 400, 403, 404, 405, 406, 413, 415})

FORM: Final = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
    "required": ["name"],
}


class Sum(TypedDict):
    """The result of `add`."""

    sum: int


def add(a: int, b: int = 1) -> Sum:
    """Add two numbers."""
    return {"sum": a + b}


def numbers(count: int) -> list[int]:
    """Return an array, which is wrapped before the newest version."""
    return list(range(min(abs(count), 3)))


def broken() -> str:
    """Break."""
    raise RuntimeError(SECRET)


def false_promise() -> int:
    """Return something else than a number."""
    return SECRET  # type: ignore[return-value]  # the fault under test


def link() -> ResourceLink:
    """Return a block that older versions lack."""
    return ResourceLink("recipe://tea", "tea", title="Tea")


def ask_all(*, context: Context) -> str:
    """Ask three things at once, and then a fourth."""
    number = context.once("number", lambda: 42)
    context.ask({"form": Elicit("Who?", FORM), "model": Sample("Why?", 10), "roots": ListRoots()})
    answer = context.elicit_url("Pay here", "https://pay.example")
    return f"{answer.action} {number}"


def ask_and_report(*, context: Context) -> str:
    """Report progress before and after a question."""
    context.report_progress(1, 2)
    answer = context.elicit("Who?", FORM)
    context.report_progress(2, 2)
    return str(answer.content)


async def later(text: str) -> str:
    """Answer from a coroutine."""
    return text


def recipe(name: str) -> str | None:
    """A recipe, if there is one."""
    return f"How to make {name}" if name == "tea" else None


def recipes() -> list[ResourceInfo]:
    """The recipes that are listed."""
    return [ResourceInfo("recipe://tea", "tea", mime_type="text/plain")]


def broken_resource() -> str:
    """Break."""
    raise RuntimeError(SECRET)


def private_recipe(name: str, *, context: Context) -> str:
    """A recipe for those who say who they are."""
    return f"{name} for {context.elicit('Who?', FORM).content}"


def cook(dish: str, people: str = "2") -> list[PromptMessage]:
    """Cook for some people."""
    return [PromptMessage("user", Text(f"Cook {dish}")), PromptMessage("assistant", Text(f"For {people}?"))]


def broken_prompt() -> str:
    """Break."""
    raise RuntimeError(SECRET)


def names(value: str, arguments: Mapping[str, str]) -> list[str]:
    """Names of recipes."""
    return [value, "tea", *arguments]


def _server() -> BuiltServer:
    server = fixture_server()
    for tool in (add, numbers, broken, false_promise, link, ask_all, ask_and_report, later):
        server.tool()(tool)
    server.resource("recipe://{name}", mime_type="text/plain", instances=recipes)(recipe)
    server.resource("recipe://private/{name}")(private_recipe)
    server.resource("broken://resource")(broken_resource)
    server.prompt()(cook)
    server.prompt()(broken_prompt)
    server.completion("name", resource="recipe://{name}")(names)
    return server.build()


SERVER: Final = _server()

TOOLS: Final = sorted(SERVER.tools)
PROMPTS: Final = sorted(SERVER.prompts)
URIS: Final = [
    *SERVER.resources,
    "recipe://tea",
    "recipe://coffee",
    "recipe://private/tea",
    "test://template/1/data",
]


class Subject:
    """One Lambda function and its clock."""

    def __init__(self) -> None:
        self.now = float(NOW)
        function = LambdaAdapter(
            SERVER,
            sessions=MemorySessions(),
            policy=Policy(allowed_origins=frozenset({ORIGIN}), max_body_bytes=100_000),
            state_keys=[b"k" * 32],
            clock=lambda: self.now,
        )
        self._send: Send = through_handler(function)

    def send(self, sent: Sent) -> Reply:
        """The reply to `sent`: its status is one that a rule gives, and no fault's text is in it."""
        reply = self._send(sent)
        assert reply.status in _STATUSES, reply
        assert SECRET.encode() not in reply.body
        return reply


def examples(number: int) -> int:
    """How many examples a test looks at that is content with `number` of them when nobody explores."""
    return number * int(os.environ.get("PROPERTIES_TIMES", "1"))


def quiet(patch: pytest.MonkeyPatch) -> None:
    """Let the functions that are made from now on log only faults."""
    patch.setenv("POWERTOOLS_SERVICE_NAME", f"properties-{os.getpid()}")
    patch.setenv("POWERTOOLS_LOG_LEVEL", "CRITICAL")
    patch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
