"""Asking the client in a session: the parts of an answer, from the first run to the end and after it."""

from collections.abc import Callable
from typing import Any

import pytest

from mcpcore import BuiltServer, Context, MemorySessions, Server, SessionId, ToolError
from mcpcore.engine.exchanges import exchange_id_of
from mcpcore.http import HttpRequest, HttpResponse
from mcpcore.protocol.errors import DeadlineExceeded
from mcpcore.protocol.versions import Era
from mcpcore.request.outcome import RequestRecord
from mcpcore.sessions.store import (
    CreateExchange,
    ExtendSession,
    RecordAnswer,
    UpdateExchange,
)
from tests.support.messages import (
    LEGACY,
    NO_ID,
    SESSION,
    answer,
    come_back,
    error,
    handshake,
    in_session,
    legacy,
    lost_session,
    message,
    post,
    refusal,
    stream,
)
from tests.support.servers import NAME, NOW, SEAT, TTL_SECONDS, Wire, asking_server

ABLE: dict[str, Any] = {"elicitation": {"form": {}}, "sampling": {}, "roots": {}}
ID = SessionId(SESSION)
S = exchange_id_of(ID, 7, Wire().environment())
ADA = {"action": "accept", "content": {"name": "Ada"}}
THREE = {"action": "accept", "content": {"seat": 3}}
BOOK = {"name": "book", "arguments": {"city": "Oslo"}, "_meta": {"progressToken": 5}}
ACCEPTED = HttpResponse(202, {}, b"")
NOTHING = error(
    405,
    NO_ID,
    -32600,
    "There is no stream to resume from here; POST a message",
    headers={"allow": "POST, DELETE"},
)


@pytest.fixture(scope="module")
def built() -> BuiltServer:
    return asking_server().build()


def begun(server: Server | BuiltServer, **options: Any) -> Wire:
    """A server that asks, with a session whose client can be asked everything."""
    wire = Wire(server, **options)
    wire.send(post(message("initialize", handshake(capabilities=ABLE))))
    return wire


@pytest.fixture
def wire(built: BuiltServer) -> Wire:
    return begun(built)


def call(params: dict[str, Any] = BOOK, method: str = "tools/call") -> HttpRequest:
    return legacy(method, params, request_id=7)


def note(method: str, **params: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": f"notifications/{method}", "params": params}


def question(key: str, text: str, schema: dict[str, Any]) -> dict[str, Any]:
    params = {"message": text, "requestedSchema": schema}
    return {"jsonrpc": "2.0", "id": f"{S}.{key}", "method": "elicitation/create", "params": params}


def said(text: str, *, failed: bool = False) -> dict[str, Any]:
    result = {"content": [{"type": "text", "text": text}], "isError": failed}
    return {"jsonrpc": "2.0", "id": 7, "result": result}


PROGRESS_1 = note("progress", progressToken=5, progress=1, total=3)
LOG_1 = note("message", level="error", data="asking for a name")
WHO = question("name", "Who goes to Oslo?", NAME)
LOG_2 = note("message", level="error", data="asking for a seat")
SEAT_OF = question("seat", "Which seat, Ada?", SEAT)
PROGRESS_3 = note("progress", progressToken=5, progress=3, total=3)
END = said("Ada to Oslo, seat 3")

FIRST_PART = stream((f"{S}.0", None), (f"{S}.1", PROGRESS_1), (f"{S}.2", LOG_1), (f"{S}.3", WHO), retry=500)


def poll(position: int, *sent: object, at: int) -> HttpResponse:
    """A part that is not the last, as it is at so many seconds after the beginning."""
    events = [(f"{S}.{place}", each) for place, each in enumerate(sent, start=position + 1)]
    first = (f"{S}.{position}.{(NOW + at) * 1000}", None)
    return stream(first, *events, retry=int(500 + at / 30 * 3500))


def last(position: int, *sent: object) -> HttpResponse:
    return stream(*((f"{S}.{at}", each) for at, each in enumerate(sent, start=position + 1)), retry=None)


LIFE: list[tuple[HttpRequest, HttpResponse]] = [
    (call(), FIRST_PART),
    (come_back(f"{S}.3"), poll(3, at=1)),
    (answer(f"{S}.name", ADA), ACCEPTED),
    (come_back(f"{S}.3.1800000001000"), poll(3, LOG_2, SEAT_OF, at=3)),
    (come_back(f"{S}.5"), poll(5, at=4)),
    (answer(f"{S}.seat", THREE), ACCEPTED),
    (come_back(f"{S}.5.1800000004000"), last(5, PROGRESS_3, END)),
    (come_back(f"{S}.7"), NOTHING),
    (come_back(f"{S}.5"), last(5, PROGRESS_3, END)),
    (come_back(f"{S}.6"), last(6, END)),
    (come_back(f"{S}.3"), last(3, LOG_2, SEAT_OF, PROGRESS_3, END)),
    (come_back(f"{S}.0"), last(0, PROGRESS_1, LOG_1, WHO, LOG_2, SEAT_OF, PROGRESS_3, END)),
    (come_back(f"{S}.8"), NOTHING),
    (come_back(f"{S}.999999999"), NOTHING),
]


@pytest.mark.requirement("resume")
def test_the_life_of_an_answer_in_parts(wire: Wire) -> None:
    sent = [wire.send(request, now=NOW + second) for second, (request, _) in enumerate(LIFE)]

    assert sent == [expected for _, expected in LIFE]


def test_what_the_store_is_asked_to_do_at_each_step(wire: Wire) -> None:
    outcomes = [wire.outcome(request, now=NOW + second) for second, (request, _) in enumerate(LIFE[:7])]

    assert [[type(action) for action in outcome.actions] for outcome in outcomes] == [
        [CreateExchange],
        [],
        [RecordAnswer],
        [UpdateExchange],
        [],
        [RecordAnswer],
        [UpdateExchange],
    ]
    assert outcomes[2].actions == (RecordAnswer(ID, S, "name", ADA, refused=False),)


def test_what_is_told_of_each_step(wire: Wire) -> None:
    record = [wire.outcome(request, now=NOW + second).record for second, (request, _) in enumerate(LIFE[:8])]
    called = RequestRecord(
        "request", Era.LEGACY, LEGACY, "tools/call", "book", client_name="tests", client_version="1.2"
    )

    assert record == [
        called,
        RequestRecord("resume", Era.LEGACY, LEGACY),
        RequestRecord("answer", Era.LEGACY),
        called._replace(kind="resume"),
        RequestRecord("resume", Era.LEGACY, LEGACY),
        RequestRecord("answer", Era.LEGACY),
        called,
        RequestRecord("resume", Era.LEGACY, LEGACY),
    ]


def test_a_client_that_lost_the_first_part_reads_it_again(wire: Wire) -> None:
    wire.send(call())

    again = wire.send(come_back(f"{S}.0"), now=NOW)

    assert again == FIRST_PART


@pytest.mark.requirement("resume-replay")
def test_a_part_is_sent_once_more_to_a_client_that_lost_it_without_another_run(wire: Wire) -> None:
    wire.send(call())
    wire.send(answer(f"{S}.name", ADA))
    parts = [wire.outcome(come_back(f"{S}.3")) for _ in range(2)]

    assert parts[0].reply == parts[1].reply
    assert [len(part.actions) for part in parts] == [1, 0]


@pytest.mark.requirement("resume-unknown")
@pytest.mark.parametrize("event_id", [f"{S}x.1", f"x{S}.1", f"{S.swapcase()}.1", "name.1"])
def test_a_stream_that_does_not_exist_cannot_be_resumed(wire: Wire, event_id: str) -> None:
    wire.send(call())

    assert wire.send(come_back(event_id)) == NOTHING


@pytest.mark.requirement("session-apart")
def test_a_stream_of_another_session_cannot_be_resumed_or_answered(wire: Wire) -> None:
    wire.send(call())
    wire.send(post(message("initialize", handshake(capabilities=ABLE))))
    other = {"mcp-session-id": "session-2"}
    stolen = answer(f"{S}.name", ADA)._replace(headers={**answer("x.y", {}).headers, **other})

    assert wire.send(come_back(f"{S}.3", headers=other)) == NOTHING
    assert wire.send(stolen).status == 400
    assert wire.send(come_back(f"{S}.3")) == poll(3, at=0)


@pytest.mark.parametrize(
    "ending",
    [
        lambda wire: wire.send(HttpRequest("DELETE", in_session(), b"")),
        lambda wire: wire.send(come_back(f"{S}.3"), now=NOW + TTL_SECONDS),
    ],
    ids=["ended", "expired"],
)
def test_a_stream_ends_with_its_session(wire: Wire, ending: Callable[[Wire], HttpResponse]) -> None:
    wire.send(call())
    ending(wire)
    later = NOW + TTL_SECONDS

    assert wire.send(come_back(f"{S}.3"), now=later) == lost_session(NO_ID)
    assert wire.send(answer(f"{S}.name", ADA), now=later) == lost_session(NO_ID)


@pytest.mark.parametrize(
    ("elapsed", "status", "answered"), [(899, 200, 202), (900, 405, 400), (1000, 405, 400)]
)
def test_a_stream_can_be_resumed_for_a_quarter_of_an_hour(
    wire: Wire, elapsed: int, status: int, answered: int
) -> None:
    wire.send(call())

    found = [
        wire.send(request, now=NOW + elapsed).status
        for request in (come_back(f"{S}.3"), answer(f"{S}.name", ADA))
    ]

    assert found == [status, answered]


def test_a_request_with_the_same_id_begins_anew(wire: Wire) -> None:
    wire.send(call())
    wire.send(answer(f"{S}.name", ADA))
    wire.send(come_back(f"{S}.3"))

    assert wire.send(call()) == FIRST_PART
    assert wire.send(come_back(f"{S}.3")) == poll(3, at=0)


def counting(runs: list[str]) -> Server:
    """A tool that counts its runs, and keeps what it has paid for."""

    def pay(*, context: Context) -> str:
        """Pay once, and ask before and after."""
        runs.append("run")
        paid = context.once("paid", lambda: f"receipt {len(runs)}")
        context.elicit("Sure?", {"type": "object"})
        context.elicit("Really?", {"type": "object"})
        return f"{paid} after {len(runs)} runs"

    server = Server("counting", version="1")
    server.tool()(pay)
    return server


YES = {"action": "accept", "content": {}}


def test_a_function_runs_once_for_each_round_and_what_it_keeps_is_computed_once() -> None:
    runs: list[str] = []
    wire = begun(counting(runs))
    wire.send(call({"name": "pay"}))
    for key, position in (("ask-1", 1), ("ask-2", 2)):
        wire.send(come_back(f"{S}.{position}"))
        wire.send(answer(f"{S}.{key}", YES))
        wire.send(come_back(f"{S}.{position}"))
        wire.send(come_back(f"{S}.{position}"))

    assert wire.send(come_back(f"{S}.2")) == last(2, said("receipt 1 after 3 runs"))
    assert len(runs) == 3


@pytest.mark.requirement("resume-race")
def test_of_two_clients_that_come_at_once_one_runs_the_function_and_the_other_comes_again() -> None:
    runs: list[str] = []
    sessions = MemorySessions()
    wire = begun(counting(runs), sessions=sessions)
    wire.send(call({"name": "pay"}))
    wire.send(answer(f"{S}.ask-1", YES))
    exchange = sessions.load_exchange(ID, S, NOW)
    assert exchange is not None
    assert sessions.claim(exchange, now=NOW, until=NOW + 21)

    assert wire.send(come_back(f"{S}.1"), now=NOW + 20) == poll(1, at=20)
    assert len(runs) == 1

    wire.send(come_back(f"{S}.1"), now=NOW + 21)
    assert len(runs) == 2


def failing(kind: str) -> Server:
    """A tool that ends in this way once it has been answered."""

    def end(*, context: Context) -> str:
        """Ask, then end badly."""
        context.roots()
        errors = {"refusing": ToolError("Not today."), "crashing": RuntimeError("secret")}
        raise errors.get(kind, DeadlineExceeded(20))

    server = Server("failing", version="1")
    server.tool()(end)
    return server


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("refusing", "Not today."),
        ("crashing", "The tool end failed. Try again later."),
        ("late", "Not done within 20 seconds; try again, or ask for less"),
    ],
)
def test_a_tool_that_fails_after_an_answer_ends_its_stream_with_a_result(kind: str, text: str) -> None:
    wire = begun(failing(kind))
    wire.send(call({"name": "end"}))
    wire.send(answer(f"{S}.ask-1", {"roots": []}))

    assert wire.send(come_back(f"{S}.1")) == last(1, said(text, failed=True))


def test_the_cause_of_a_crash_after_an_answer_is_told_to_the_edge() -> None:
    wire = begun(failing("crashing"))
    wire.send(call({"name": "end"}))
    wire.send(answer(f"{S}.ask-1", {"roots": []}))

    record = wire.outcome(come_back(f"{S}.1")).record

    assert (record.tool_failed, repr(record.cause)) == (True, "RuntimeError('secret')")


class Damaged(dict[str, Any]):
    """A part of a server in which nothing can be looked up."""

    def get(self, *_: object) -> Any:
        """Fail."""
        raise AttributeError("secret")


@pytest.mark.parametrize(
    ("method", "params", "key", "end"),
    [
        ("tools/call", BOOK, "name", {"result": said("Internal error", failed=True)["result"]}),
        ("prompts/get", {"name": "invite"}, "whom", {"error": {"code": -32603, "message": "Internal error"}}),
    ],
)
def test_a_fault_after_an_answer_ends_the_stream_and_nothing_runs_again(
    built: BuiltServer, method: str, params: dict[str, Any], key: str, end: dict[str, Any]
) -> None:
    wire = begun(built)
    asked = wire.send(call(params, method)).body.count(b"id: ") - 1
    wire.send(answer(f"{S}.{key}", ADA))
    wire.server = built._replace(tools=Damaged(built.tools), prompts=Damaged(built.prompts))
    outcome = wire.outcome(come_back(f"{S}.{asked}"))
    wire.server = built

    assert [type(action) for action in outcome.actions] == [UpdateExchange]
    assert (outcome.record.tool_failed, repr(outcome.record.cause)) == (
        method == "tools/call",
        "AttributeError('secret')",
    )
    assert wire.send(come_back(f"{S}.{asked}")) == last(asked, {"jsonrpc": "2.0", "id": 7, **end})


def test_a_client_that_answers_and_comes_back_keeps_its_session(wire: Wire) -> None:
    half = NOW + TTL_SECONDS // 2
    wire.send(call(), now=half - 1)
    steps = (come_back(f"{S}.3"), answer(f"{S}.nobody", ADA), answer(f"{S}.name", ADA), come_back(f"{S}.3"))
    found = []
    for step in steps:
        wire.sessions.apply(ExtendSession(ID, NOW + TTL_SECONDS), half)
        found.append(wire.outcome(step, now=half).actions)

    refresh = ExtendSession(ID, half + TTL_SECONDS)
    assert [actions[0] for actions in found] == [refresh] * 4
    assert [[type(action) for action in actions[1:]] for actions in found] == [
        [],
        [],
        [RecordAnswer],
        [UpdateExchange],
    ]


OTHERS: dict[str, tuple[dict[str, Any], str, dict[str, Any]]] = {
    "prompts/get": (
        {"name": "invite"},
        "whom",
        {
            "description": "Ask whom a prompt is for.",
            "messages": [{"role": "user", "content": {"type": "text", "text": "Invite Ada."}}],
        },
    ),
    "resources/read": (
        {"uri": "page://secret"},
        "reader",
        {"contents": [{"uri": "page://secret", "text": "For Ada only."}]},
    ),
}


@pytest.mark.parametrize(("method", "case"), OTHERS.items())
def test_prompts_and_resources_ask_as_tools_do(
    wire: Wire, method: str, case: tuple[dict[str, Any], str, dict[str, Any]]
) -> None:
    params, key, result = case
    wire.send(call(params, method))
    wire.send(answer(f"{S}.{key}", ADA))

    assert wire.send(come_back(f"{S}.1")) == last(1, {"jsonrpc": "2.0", "id": 7, "result": result})


@pytest.mark.parametrize(("method", "case"), OTHERS.items())
def test_a_prompt_or_a_resource_that_fails_ends_its_stream_with_an_error(
    wire: Wire, method: str, case: tuple[dict[str, Any], str, dict[str, Any]]
) -> None:
    params, key, _ = case
    wire.send(call(params, method))
    wire.send(refusal(f"{S}.{key}", "Busy"))
    fault = {"code": -32602, "message": "The client refused to answer: Busy"}

    assert wire.send(come_back(f"{S}.1")) == last(1, {"jsonrpc": "2.0", "id": 7, "error": fault})
