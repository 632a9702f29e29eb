"""The parts of an answer in a session: from the first run to the last event, and after it."""

from typing import Any

import pytest

from mcpcore import BuiltServer
from mcpcore.http import HttpRequest, HttpResponse
from mcpcore.protocol.error_map import ErrorKind, OutcomeKind
from mcpcore.protocol.versions import Era
from mcpcore.request.outcome import RequestKind, RequestRecord
from mcpcore.sessions.store import CreateExchange, RecordAnswer, UpdateExchange
from tests.support.messages import (
    ACCEPTED,
    LEGACY,
    NO_ID,
    answer,
    in_session,
    initialize,
    lost_session,
    resume,
    stream,
)
from tests.support.questions import (
    ADA,
    BOOK,
    ID,
    NO_STREAM,
    THREE,
    E,
    call,
    connected,
    last_part,
    notified,
    part,
    response,
)
from tests.support.servers import NAME, NOW, SEAT, TTL_SECONDS, Wire, asking_server

TRACKED = {**BOOK, "_meta": {"progressToken": 5}}


@pytest.fixture(scope="module")
def built() -> BuiltServer:
    return asking_server().build()


@pytest.fixture
def wire(built: BuiltServer) -> Wire:
    """A server that asks, and a session whose client can be asked everything."""
    return connected(built)


def question(key: str, text: str, schema: dict[str, Any]) -> dict[str, Any]:
    params = {"message": text, "requestedSchema": schema}
    return {"jsonrpc": "2.0", "id": f"{E}.{key}", "method": "elicitation/create", "params": params}


PROGRESS_1 = notified("progress", progressToken=5, progress=1, total=3)
LOG_1 = notified("message", level="error", data="asking for a name")
WHO = question("name", "Who goes to Oslo?", NAME)
LOG_2 = notified("message", level="error", data="asking for a seat")
SEAT_OF = question("seat", "Which seat, Ada?", SEAT)
PROGRESS_3 = notified("progress", progressToken=5, progress=3, total=3)
END = response("Ada to Oslo, seat 3")

FIRST_PART = stream((f"{E}.0", None), (f"{E}.1", PROGRESS_1), (f"{E}.2", LOG_1), (f"{E}.3", WHO), retry=500)
LIFE: list[tuple[HttpRequest, HttpResponse]] = [
    (call(TRACKED), FIRST_PART),
    (resume(f"{E}.3"), part(3, at=1)),
    (answer(f"{E}.name", ADA), ACCEPTED),
    (resume(f"{E}.3.1800000001000"), part(3, LOG_2, SEAT_OF, at=3)),
    (resume(f"{E}.5"), part(5, at=4)),
    (answer(f"{E}.seat", THREE), ACCEPTED),
    (resume(f"{E}.5.1800000004000"), last_part(5, PROGRESS_3, END)),
    (resume(f"{E}.7"), NO_STREAM),
    (resume(f"{E}.5"), last_part(5, PROGRESS_3, END)),
    (resume(f"{E}.6"), last_part(6, END)),
    (resume(f"{E}.3"), last_part(3, LOG_2, SEAT_OF, PROGRESS_3, END)),
    (resume(f"{E}.0"), last_part(0, PROGRESS_1, LOG_1, WHO, LOG_2, SEAT_OF, PROGRESS_3, END)),
    (resume(f"{E}.8"), NO_STREAM),
]


@pytest.mark.requirement("resume", "resume-replay", "resume-finished", "response-accepted", "stream-primed")
def test_a_request_that_asks_twice_is_answered_in_parts_that_can_be_fetched_again(wire: Wire) -> None:
    sent = [wire.send(request, now=NOW + second) for second, (request, _) in enumerate(LIFE)]

    assert sent == [expected for _, expected in LIFE]


CALLED = RequestRecord(
    RequestKind.REQUEST,
    Era.LEGACY,
    LEGACY,
    "tools/call",
    "book",
    client_name="tests",
    client_version="1.2",
    session_id=ID,
)
ANSWERED = RequestRecord(RequestKind.ANSWER, Era.LEGACY, session_id=ID)
POLLED = RequestRecord(RequestKind.RESUME, Era.LEGACY, LEGACY, session_id=ID)


def test_each_step_stores_at_most_one_change_and_has_its_record(wire: Wire) -> None:
    outcomes = [wire.outcome(request, now=NOW + second) for second, (request, _) in enumerate(LIFE[:8])]

    assert [(outcome.record, type(outcome.required)) for outcome in outcomes] == [
        (CALLED, CreateExchange),
        (POLLED, type(None)),
        (ANSWERED, RecordAnswer),
        (CALLED._replace(kind=RequestKind.RESUME), UpdateExchange),
        (POLLED, type(None)),
        (ANSWERED, RecordAnswer),
        (CALLED, UpdateExchange),
        (POLLED._replace(outcome=OutcomeKind.REFUSED, error=ErrorKind.STREAM_NOT_FOUND), type(None)),
    ]
    assert outcomes[2].required == RecordAnswer(ID, E, NOW, "name", ADA, refused=False)


@pytest.mark.requirement("resume-replay")
def test_a_part_that_a_client_lost_is_sent_again_without_another_run(wire: Wire) -> None:
    wire.send(call(TRACKED))
    first = wire.send(resume(f"{E}.0"))
    wire.send(answer(f"{E}.name", ADA))
    parts = [wire.outcome(resume(f"{E}.3")) for _ in range(2)]

    assert first == FIRST_PART
    assert parts[0].reply == parts[1].reply
    assert [type(each.required) for each in parts] == [UpdateExchange, type(None)]


@pytest.mark.requirement("resume-unknown")
@pytest.mark.parametrize("event_id", [f"{E}x.1", f"x{E}.1", f"{E.swapcase()}.1", "name.1"])
def test_an_unknown_stream_cannot_be_resumed(wire: Wire, event_id: str) -> None:
    wire.send(call())

    assert wire.send(resume(event_id)) == NO_STREAM


@pytest.mark.requirement("session-apart")
def test_another_session_can_neither_resume_a_stream_nor_answer_it(wire: Wire) -> None:
    wire.send(call())
    wire.send(initialize())
    other = {"mcp-session-id": "session-2"}
    stolen = answer(f"{E}.name", ADA)._replace(headers={**answer("x.y", {}).headers, **other})

    assert wire.send(resume(f"{E}.2", headers=other)) == NO_STREAM
    assert wire.send(stolen).status == 400
    assert wire.send(resume(f"{E}.2")) == part(2, at=0)


@pytest.mark.parametrize(
    ("requests", "now"),
    [([HttpRequest("DELETE", in_session(), b"")], NOW), ([], NOW + TTL_SECONDS)],
    ids=["closed", "expired"],
)
def test_a_stream_ends_with_its_session(wire: Wire, requests: list[HttpRequest], now: int) -> None:
    for request in (call(), *requests):
        wire.send(request)

    assert wire.send(resume(f"{E}.3"), now=now) == lost_session(NO_ID)
    assert wire.send(answer(f"{E}.name", ADA), now=now) == lost_session(NO_ID)


@pytest.mark.parametrize(("elapsed", "statuses"), [(899, [200, 202]), (900, [405, 400]), (1000, [405, 400])])
def test_a_stream_can_be_resumed_and_answered_for_a_quarter_of_an_hour(
    wire: Wire, elapsed: int, statuses: list[int]
) -> None:
    wire.send(call())
    requests = (resume(f"{E}.2"), answer(f"{E}.name", ADA))

    assert [wire.send(request, now=NOW + elapsed).status for request in requests] == statuses


def test_a_request_with_the_same_id_starts_again(wire: Wire) -> None:
    wire.send(call(TRACKED))
    wire.send(answer(f"{E}.name", ADA))
    wire.send(resume(f"{E}.3"))

    assert wire.send(call(TRACKED), now=NOW + 0.001) == FIRST_PART
    assert wire.send(resume(f"{E}.3")) == part(3, at=0)
