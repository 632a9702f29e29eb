"""A small server over the public API, and a wire to it: the path of a request without AWS or a network."""

import itertools
from typing import Final, assert_never

from typing_extensions import TypedDict

from mcpcore import BuiltServer, Given, MemorySessions, Server, SessionId, SessionStore, ToolError, ToolResult
from mcpcore.dispatch import Outcome, answer_legacy, answer_modern, end_session
from mcpcore.http import EndSession, HttpRequest, HttpResponse, Legacy, Modern, Policy, admit, response_to

NOW: Final = 1_800_000_000
TTL_SECONDS: Final = 3600


class Sum(TypedDict):
    """What `add` answers."""

    sum: int


def echo(text: str) -> str:
    """Give the text back."""
    return text


def add(a: int, b: int = 1) -> ToolResult[Sum]:
    """Add two numbers."""
    return ToolResult({"sum": a + b}, f"The sum is {a + b}.")


def refuse() -> str:
    """Say no."""
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


class Wire:
    """A server with its sessions: admit, load, answer, apply, reply. Ids of sessions are counted from 1."""

    def __init__(
        self,
        server: Server | None = None,
        *,
        policy: Policy | None = None,
        sessions: SessionStore | None = None,
    ) -> None:
        self.server: BuiltServer = (server or fixture_server()).build()
        self.sessions: SessionStore = sessions or MemorySessions()
        self._policy = policy or Policy()
        self._counter = itertools.count(1)

    def send(self, request: HttpRequest, *, now: float = NOW) -> HttpResponse:
        """The response to `request`."""
        return response_to(request, self.outcome(request, now=now), self._policy)

    def outcome(self, request: HttpRequest, *, now: float = NOW) -> Outcome:
        """How `request` ends; what it asks of the store is done."""
        given = Given(now, self._new_session_id, TTL_SECONDS)
        admitted = admit(request, self._policy, self.server)
        match admitted:
            case Outcome():
                return admitted
            case Modern(message, envelope):
                return answer_modern(self.server, message, envelope, given)
            case Legacy(message, session_id):
                session = None if session_id is None else self.sessions.load(session_id, now)
                outcome = answer_legacy(
                    self.server, message, session_id=session_id, session=session, given=given
                )
            case EndSession(session_id):
                outcome = end_session(session_id, self.sessions.load(session_id, now))
            case never:
                assert_never(never)
        self.sessions.apply(outcome.actions, now)
        return outcome

    def _new_session_id(self) -> SessionId:
        return SessionId(f"session-{next(self._counter)}")
