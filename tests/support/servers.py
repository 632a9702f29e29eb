"""Small servers over the public API, and a wire to them: the path of a request without AWS or a network."""

import functools
import itertools
from collections.abc import Callable, Sequence
from typing import Any, Final

from typing_extensions import TypedDict

from mcpcore import (
    BuiltServer,
    Context,
    Elicit,
    Engine,
    ListRoots,
    MemorySessions,
    QuestionRefused,
    RequestEnvironment,
    Sample,
    Server,
    SessionId,
    SessionStore,
    ToolError,
    ToolResult,
)
from mcpcore.http import HttpRequest, HttpResponse, Policy, admit, response_to
from mcpcore.request.environment import run_directly
from mcpcore.request.outcome import Outcome

NOW: Final = 1_800_000_000
TTL_SECONDS: Final = 3600
WORK_SECONDS: Final = 20
"""The time limit of a handler."""

STATE_KEY: Final = b"the key of the tests"


class Sum(TypedDict):
    """The result of `add`."""

    sum: int


def echo(text: str) -> str:
    """Give the text back."""
    return text


def add(a: int, b: int = 1) -> ToolResult[Sum]:
    """Add two numbers."""
    return ToolResult({"sum": a + b}, f"The sum is {a + b}.")


def refuse() -> str:
    """Fail with a tool error."""
    raise ToolError("Nothing matched. Try other words.")


def sample() -> str:
    """Need a client that samples."""
    return "sampled"


def fixture_server() -> Server:
    """Four tools: text, structured content, a refusal, and one that needs a capability of the client."""
    server = Server(
        "fixture",
        version="1.0",
        title="Fixture",
        description="A server for tests",
        website_url="https://fixture.example",
        instructions="Call echo.",
    )
    server.tool()(echo)
    server.tool(title="Add", read_only=True, open_world=False)(add)
    server.tool()(refuse)
    server.tool(requires={"sampling": {}})(sample)
    return server


FIXTURE_INFO: Final = {
    "name": "fixture",
    "version": "1.0",
    "title": "Fixture",
    "description": "A server for tests",
    "websiteUrl": "https://fixture.example",
}
"""The server info of `fixture_server`."""


@functools.cache
def _built_fixture() -> BuiltServer:
    return fixture_server().build()


def motto() -> str:
    """The motto of the book."""
    return "Three are enough."


def page(number: str) -> str | None:
    """A page of the book, which has nine."""
    return f"Page {number}" if number in "123456789" else None


def greet(name: str, tone: str = "warm") -> str:
    """Greet somebody."""
    return f"Say a {tone} hello to {name}."


def tones(value: str, arguments: Any) -> list[str]:  # noqa: ARG001  # as a completer is called
    """The tones that begin with what was typed."""
    return [tone for tone in ("cold", "cool", "warm") if tone.startswith(value)]


def full_server() -> Server:
    """A tool, a resource, a template, a prompt, a completion, logging and subscriptions."""
    server = Server("full", version="2", logging=True, subscriptions=True)
    server.tool()(echo)
    server.resource("book://motto", mime_type="text/plain")(motto)
    server.resource("book://pages/{number}", mime_type="text/plain")(page)
    server.prompt()(greet)
    server.completion("tone", prompt="greet")(tones)
    return server


NAME: Final = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
SEAT: Final = {"type": "object", "properties": {"seat": {"type": "integer"}}, "required": ["seat"]}


def book(city: str, *, context: Context) -> str:
    """Ask for a name, then for a seat, with progress and log messages."""
    context.report_progress(1, total=3)
    context.log("error", "asking for a name")
    name = context.elicit(f"Who goes to {city}?", NAME, key="name")
    context.log("error", "asking for a seat")
    seat = context.elicit(f"Which seat, {name.content.get('name')}?", SEAT, key="seat")
    context.report_progress(3, total=3)
    return f"{name.content.get('name')} to {city}, seat {seat.content.get('seat')}"


def gather(*, context: Context) -> str:
    """Ask three things at once."""
    found = context.ask({"who": Elicit("Who?", NAME), "said": Sample("Hello", 9), "where": ListRoots()})
    return repr(list(found.values()))


def forgiving(*, context: Context) -> str:
    """Ask, and continue without the answer."""
    try:
        return context.sample("Hello", max_tokens=9, key="said").text
    except QuestionRefused as refusal:
        return f"Without you: {refusal.message}"


def invite(*, context: Context) -> str:
    """Ask whom a prompt is for."""
    return f"Invite {context.elicit('Whom?', NAME, key='whom').content.get('name')}."


def secret_page(*, context: Context) -> str:
    """Ask who reads."""
    return f"For {context.elicit('Who reads?', NAME, key='reader').content.get('name')} only."


def asking_server() -> Server:
    """Tools, a prompt and a resource that ask the client."""
    server = Server("asking", version="1", logging=True)
    for function in (book, gather, forgiving):
        server.tool()(function)
    server.prompt()(invite)
    server.resource("page://secret")(secret_page)
    return server


class Wire:
    """A server behind Streamable HTTP as values: admit, answer, respond. Ids of sessions count from 1."""

    def __init__(
        self,
        server: Server | BuiltServer | None = None,
        *,
        policy: Policy | None = None,
        sessions: SessionStore | None = None,
        state_keys: Sequence[bytes] = (STATE_KEY,),
        run: Callable[[Callable[[], Any], float], Any] = run_directly,
    ) -> None:
        self.server = server.build() if isinstance(server, Server) else server or _built_fixture()
        self.sessions: SessionStore = sessions or MemorySessions()
        self._engine = Engine(self.server, self.sessions)
        self._policy = policy or Policy()
        self._state_keys = state_keys
        self._run = run
        self._counter = itertools.count(1)

    def send(self, request: HttpRequest, *, now: float = NOW) -> HttpResponse:
        """The response to `request`."""
        return response_to(request, self.outcome(request, now=now), self._policy)

    def outcome(self, request: HttpRequest, *, now: float = NOW) -> Outcome:
        """The outcome of `request`."""
        admitted = admit(request, self._policy, self.server)
        if isinstance(admitted, Outcome):
            return admitted
        return self._engine.answer(admitted, self.environment(now))

    def environment(self, now: float = NOW) -> RequestEnvironment:
        """The environment of a request at that time."""
        return RequestEnvironment(
            now,
            lambda: SessionId(f"session-{next(self._counter)}"),
            TTL_SECONDS,
            deadline=now + WORK_SECONDS,
            ends_at=now + WORK_SECONDS,
            run=self._run,
            state_secrets=(lambda: self._state_keys) if self._state_keys else None,
        )
