"""Small servers over the public API, and a wire to them: the path of a request without AWS or a network."""

import functools
import itertools
from collections.abc import Callable, Sequence
from typing import Any, Final, assert_never

from typing_extensions import TypedDict

from mcpcore import (
    BuiltServer,
    Context,
    Elicit,
    ListRoots,
    MemorySessions,
    QuestionRefused,
    RequestEnvironment,
    Sample,
    Server,
    Session,
    SessionId,
    SessionStore,
    ToolError,
    ToolResult,
)
from mcpcore.engine.dispatch import answer_legacy, answer_modern, end_session
from mcpcore.engine.resumption import due, rerun, rest, take_answer
from mcpcore.http import (
    AnswerTo,
    EndSession,
    HttpRequest,
    HttpResponse,
    Legacy,
    Modern,
    Policy,
    Resume,
    admit,
    response_to,
)
from mcpcore.request.context import run_directly
from mcpcore.request.outcome import Outcome
from mcpcore.sessions.store import Exchange, ExchangeId

NOW: Final = 1_800_000_000
TTL_SECONDS: Final = 3600
WORK_SECONDS: Final = 20
"""How long a function may take."""

STATE_KEY: Final = b"the key of the tests"
RESUMABLE: Final = frozenset({"2025-11-25"})
"""The versions in which clients come back for the rest of an answer."""


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


@functools.cache
def _built_fixture() -> BuiltServer:
    return fixture_server().build()


def motto() -> str:
    """What we live by."""
    return "Three are enough."


def page(number: str) -> str | None:
    """A page of the book, which has nine."""
    return f"Page {number}" if number in "123456789" else None


def greet(name: str, tone: str = "warm") -> str:
    """Greet somebody."""
    return f"Say a {tone} hello to {name}."


def tones(value: str, arguments: Any) -> list[str]:  # noqa: ARG001  # as a completer is called
    """The tones that begin so."""
    return [tone for tone in ("cold", "cool", "warm") if tone.startswith(value)]


def full_server() -> Server:
    """Something of every feature: a tool, a resource, a template, a prompt, completion, logging."""
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
    """Ask for a name, then for a seat, and say what is happening."""
    context.progress(1, total=3)
    context.log("error", "asking for a name")
    name = context.elicit(f"Who goes to {city}?", NAME, key="name")
    context.log("error", "asking for a seat")
    seat = context.elicit(f"Which seat, {name.content.get('name')}?", SEAT, key="seat")
    context.progress(3, total=3)
    return f"{name.content.get('name')} to {city}, seat {seat.content.get('seat')}"


def gather(*, context: Context) -> str:
    """Ask three things at once."""
    found = context.ask({"who": Elicit("Who?", NAME), "said": Sample("Hello", 9), "where": ListRoots()})
    return repr(list(found.values()))


def forgiving(*, context: Context) -> str:
    """Ask, and go on without the answer."""
    try:
        return context.sample("Hello", max_tokens=9).text
    except QuestionRefused as refusal:
        return f"Without you: {refusal.message}"


def invite(*, context: Context) -> str:
    """Ask whom a prompt is for."""
    return f"Invite {context.elicit('Whom?', NAME, key='whom').content.get('name')}."


def secret_page(*, context: Context) -> str:
    """Ask who reads."""
    return f"For {context.elicit('Who reads?', NAME, key='reader').content.get('name')} only."


def asking_server() -> Server:
    """Tools, a prompt and a resource that ask the client something."""
    server = Server("asking", version="1", logging=True)
    for function in (book, gather, forgiving):
        server.tool()(function)
    server.prompt()(invite)
    server.resource("page://secret")(secret_page)
    return server


class Wire:
    """A server with its sessions: admit, load, answer, apply, reply. Ids of sessions are counted from 1.

    What is told of a door holds for it: the keys it seals with, and how it runs an engineer's function.
    """

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
        self._policy = policy or Policy()
        self._state_keys = state_keys
        self._run = run
        self._counter = itertools.count(1)

    def send(self, request: HttpRequest, *, now: float = NOW) -> HttpResponse:
        """The response to `request`."""
        return response_to(request, self.outcome(request, now=now), self._policy)

    def outcome(self, request: HttpRequest, *, now: float = NOW) -> Outcome:
        """How `request` ends; what it asks of the store is done."""
        admitted = admit(request, self._policy, self.server)
        match admitted:
            case Outcome():
                return admitted
            case Modern(message, envelope):
                return answer_modern(self.server, message, envelope, self.environment(now))
            case Legacy() | AnswerTo() | Resume() | EndSession():
                session_id = admitted.session_id
                session = None if session_id is None else self.sessions.load(session_id, now)
                outcome = self._decide(admitted, session, self.environment(now))
            case never:
                assert_never(never)
        self.sessions.apply(outcome.actions, now)
        return outcome

    def environment(self, now: float = NOW) -> RequestEnvironment:
        """What the door hands in with a request at that time."""
        return RequestEnvironment(
            now,
            self._new_session_id,
            TTL_SECONDS,
            deadline=now + WORK_SECONDS,
            run=self._run,
            state_keys=self._state_keys,
        )

    def _decide(
        self,
        admitted: Legacy | AnswerTo | Resume | EndSession,
        session: Session | None,
        environment: RequestEnvironment,
    ) -> Outcome:
        match admitted:
            case Legacy(message, session_id, takes_events):
                able = environment._replace(resumable=RESUMABLE if takes_events else frozenset())
                return answer_legacy(
                    self.server, message, session_id=session_id, session=session, environment=able
                )
            case AnswerTo(response, _, exchange_id, key):
                exchange = self._exchange(session, exchange_id, environment)
                return take_answer(response, key, session, exchange, environment)
            case Resume(_, exchange_id, position):
                return self._resume(session, exchange_id, position, environment)
            case EndSession(session_id):
                return end_session(session_id, session)
            case never:
                assert_never(never)

    def _exchange(
        self, session: Session | None, exchange_id: ExchangeId, environment: RequestEnvironment
    ) -> Exchange | None:
        return (
            None if session is None else self.sessions.load_exchange(session.id, exchange_id, environment.now)
        )

    def _resume(
        self, session: Session | None, exchange_id: ExchangeId, position: int, environment: RequestEnvironment
    ) -> Outcome:
        exchange = self._exchange(session, exchange_id, environment)
        if (
            session is not None
            and exchange is not None
            and due(exchange)
            and self.sessions.claim(exchange, now=environment.now, until=environment.deadline)
        ):
            return rerun(self.server, session, exchange, position, environment._replace(resumable=RESUMABLE))
        return rest(session, exchange, position, environment)

    def _new_session_id(self) -> SessionId:
        return SessionId(f"session-{next(self._counter)}")
