"""What the engine stores and when: what is too large, stores that fail, resumes that are refused."""

import json
from typing import Any, Final

import pytest

from mcpcore import Context, MemorySessions, StoreUnavailable
from mcpcore.engine.engine import server_fault
from mcpcore.http import HttpRequest
from mcpcore.protocol.error_map import ErrorKind, OutcomeKind
from mcpcore.protocol.errors import TooLargeToStore, UnexpectedError
from mcpcore.protocol.jsonrpc import NoId
from mcpcore.protocol.versions import Era
from mcpcore.request.outcome import Failed, Outcome, RequestKind, RequestRecord, Stream
from mcpcore.sessions.ids import SessionId
from mcpcore.sessions.session import Exchange, Session
from mcpcore.sessions.store import (
    CloseSession,
    CreateExchange,
    DeleteExchange,
    ExtendSession,
    OpenSession,
    RecordAnswer,
    SetLogLevel,
    StoreAction,
    UpdateExchange,
)
from tests.support.messages import (
    ACCEPTED,
    NO_ID,
    answer,
    cancelled,
    error,
    in_session,
    initialize,
    legacy,
    modern,
    resume,
)
from tests.support.questions import (
    ADA,
    BOOK,
    ID,
    NO_STREAM,
    SAMPLED,
    E,
    call,
    connected,
    last_part,
    response,
    tool_server,
)
from tests.support.servers import NOW, TTL_SECONDS, Wire, asking_server

HALF_LIFE: Final = NOW + TTL_SECONDS // 2
BEFORE: Final = HALF_LIFE - 60
EXTENSION: Final = ExtendSession(ID, HALF_LIFE + TTL_SECONDS)
TOO_LARGE: Final = TooLargeToStore(400_000, 393_216)
TOO_LARGE_TEXT: Final = (
    "Between two requests at most 393216 bytes can be kept, and this needs 400000; ask for less"
)


class RefusingSessions(MemorySessions):
    """Sessions in memory that fail as `errors` says, by type of action or name of method."""

    def __init__(self) -> None:
        super().__init__()
        self.errors: dict[type[Any] | str, Exception] = {}
        self.applied: list[StoreAction] = []
        self.too_large: Any = None

    def load(self, session_id: SessionId, now: float) -> Session | None:
        self._fail("load")
        return super().load(session_id, now)

    def claim(self, exchange: Exchange, *, now: float, until: float) -> bool:
        self._fail("claim")
        return super().claim(exchange, now=now, until=until)

    def apply(self, action: StoreAction, now: float) -> None:
        self._fail(type(action))
        if isinstance(action, RecordAnswer) and action.answer == self.too_large:
            raise TOO_LARGE
        self.applied.append(action)
        super().apply(action, now)

    def _fail(self, what: type[Any] | str) -> None:
        if what in self.errors:
            raise self.errors[what]


@pytest.fixture
def sessions() -> RefusingSessions:
    return RefusingSessions()


@pytest.fixture
def wire(sessions: RefusingSessions) -> Wire:
    """A server that asks, and a session whose client can be asked everything."""
    return connected(asking_server(), sessions=sessions)


def last_events(outcome: Outcome) -> list[tuple[str, Any]]:
    """The ids and messages of the last part of a stream."""
    assert isinstance(outcome.reply, Stream)
    assert outcome.reply.retry_ms is None
    return [(event.id, json.loads(event.data)) for event in outcome.reply.events]


@pytest.mark.requirement("resume-unknown")
@pytest.mark.parametrize("position", [2, 3, 999_999_999])
def test_a_resume_at_a_position_that_was_never_sent_is_refused_and_runs_nothing(position: int) -> None:
    runs: list[str] = []

    def sign(*, context: Context) -> str:
        """Count the runs, and ask."""
        runs.append("run")
        return context.elicit("Sure?", {"type": "object"}, key="sure").action

    wire = connected(tool_server(sign))
    wire.send(call({"name": "sign"}))
    wire.send(answer(f"{E}.sure", ADA))

    assert wire.send(resume(f"{E}.{position}")) == NO_STREAM
    assert len(runs) == 1
    assert wire.send(resume(f"{E}.1")) == last_part(1, response("accept"))
    assert len(runs) == 2


def test_a_request_fails_if_its_exchange_is_too_large_and_still_extends_its_session(
    wire: Wire, sessions: RefusingSessions
) -> None:
    sessions.errors[CreateExchange] = TOO_LARGE

    outcome = wire.outcome(call(), now=HALF_LIFE)

    assert (outcome.reply, outcome.required) == (Failed(7, TOO_LARGE), None)
    assert (outcome.record.outcome, outcome.record.error) == (OutcomeKind.TOOL_ERROR, "TooLargeToStore")
    assert sessions.applied[1:] == [EXTENSION]
    assert wire.send(call()) == error(200, 7, -32603, TOO_LARGE_TEXT)
    assert wire.send(resume(f"{E}.0")) == NO_STREAM


def invite_two(*, context: Context) -> str:
    """Ask twice."""
    return str([context.elicit("Whom?", {"type": "object"}, key=key) for key in ("name", "second")])


PROTOCOL_ERROR = {"jsonrpc": "2.0", "id": 7, "error": {"code": -32603, "message": TOO_LARGE_TEXT}}


@pytest.mark.parametrize(
    ("method", "params", "sent", "end"),
    [
        ("tools/call", BOOK, 2, response(TOO_LARGE_TEXT, failed=True)),
        ("prompts/get", {"name": "invite_two"}, 1, PROTOCOL_ERROR),
    ],
)
def test_a_resumed_request_that_asks_again_ends_if_its_exchange_is_too_large(
    sessions: RefusingSessions, method: str, params: dict[str, Any], sent: int, end: dict[str, Any]
) -> None:
    server = asking_server()
    server.prompt()(invite_two)
    wire = connected(server, sessions=sessions)
    wire.send(call(params, method), now=BEFORE)
    wire.send(answer(f"{E}.name", ADA), now=BEFORE)
    sessions.errors[UpdateExchange] = TOO_LARGE

    outcome = wire.outcome(resume(f"{E}.{sent}"), now=HALF_LIFE)

    (last,) = last_events(outcome)
    assert last[1] == end
    assert (outcome.record.outcome, outcome.record.error) == (OutcomeKind.TOOL_ERROR, "TooLargeToStore")
    assert sessions.applied[-2:] == [DeleteExchange(ID, E), EXTENSION]
    assert wire.send(resume(last[0]), now=HALF_LIFE) == NO_STREAM


def test_a_resumed_request_that_has_finished_is_answered_once_if_its_exchange_is_too_large(
    wire: Wire, sessions: RefusingSessions
) -> None:
    wire.send(call({"name": "forgiving"}))
    wire.send(answer(f"{E}.said", SAMPLED))
    sessions.errors[UpdateExchange] = TOO_LARGE

    outcome = wire.outcome(resume(f"{E}.1"))

    assert last_events(outcome) == [(f"{E}.2", response("Hi"))]
    assert (outcome.record.outcome, outcome.required) == (OutcomeKind.OK, DeleteExchange(ID, E))
    assert wire.send(resume(f"{E}.1")) == NO_STREAM


def test_an_answer_that_is_too_large_is_stored_as_an_error(wire: Wire, sessions: RefusingSessions) -> None:
    wire.send(call())
    sessions.too_large = ADA

    assert wire.send(answer(f"{E}.name", ADA)) == ACCEPTED
    assert sessions.applied[-1] == RecordAnswer(ID, E, NOW, "name", {"message": TOO_LARGE_TEXT}, refused=True)


STEPS = {
    "request": (legacy("ping"), None),
    "question": (call({"name": "gather"}), CreateExchange),
    "log level": (legacy("logging/setLevel", {"level": "info"}), SetLogLevel),
    "answer": (answer(f"{E}.name", ADA), RecordAnswer),
    "resume": (resume(f"{E}.2"), None),
    "cancellation": (cancelled(7), DeleteExchange),
    "end": (HttpRequest("DELETE", in_session(), b""), CloseSession),
}
EXTENDING = ["request", "question", "log level", "answer", "resume"]


@pytest.mark.parametrize("step", EXTENDING)
def test_what_is_required_is_stored_before_the_session_is_extended(
    wire: Wire, sessions: RefusingSessions, step: str
) -> None:
    wire.send(call(), now=BEFORE)
    sessions.applied.clear()

    outcome = wire.outcome(STEPS[step][0], now=HALF_LIFE)

    assert sessions.applied == [action for action in (outcome.required, EXTENSION) if action is not None]
    assert outcome.best_effort == EXTENSION


@pytest.mark.parametrize("step", EXTENDING)
def test_an_extension_that_fails_does_not_lose_the_answer_and_is_recorded(
    wire: Wire, sessions: RefusingSessions, step: str
) -> None:
    unavailable = StoreUnavailable("the table is throttled")
    unavailable.__cause__ = TimeoutError("busy")
    sessions.errors[ExtendSession] = unavailable
    request = STEPS[step][0]
    wire.send(call(), now=BEFORE)
    expected = wire.outcome(request, now=BEFORE)
    wire.send(call(), now=BEFORE)

    outcome = wire.outcome(request, now=HALF_LIFE)

    assert type(outcome.reply) is type(expected.reply) is not Failed
    assert outcome.record == expected.record._replace(
        reason="the table is throttled", cause=unavailable.__cause__
    )


def test_a_record_keeps_the_exception_of_a_handler_when_the_extension_fails_too(
    sessions: RefusingSessions,
) -> None:
    def crash() -> str:
        """Fail."""
        raise ValueError("secret")

    wire = connected(tool_server(crash), sessions=sessions)
    sessions.errors[ExtendSession] = ValueError("an error of the store")

    record = wire.outcome(call({"name": "crash"}), now=HALF_LIFE).record

    assert (record.error, repr(record.cause)) == ("HandlerCrashed", "ValueError('secret')")


UNAVAILABLE = "Sessions are unavailable at the moment; try again shortly"
IDS = {"request": 1, "question": 7, "log level": 1}
FAILING = [
    (initialize(), 0, None, OpenSession),
    *((request, IDS.get(name, NO_ID), ID, "load") for name, (request, _) in STEPS.items()),
    *((request, IDS.get(name, NO_ID), ID, action) for name, (request, action) in STEPS.items() if action),
]


@pytest.mark.parametrize(("request_", "request_id", "session_id", "failing"), FAILING)
def test_a_request_fails_if_its_session_is_not_loaded_or_what_it_requires_is_not_stored(
    wire: Wire,
    sessions: RefusingSessions,
    request_: HttpRequest,
    request_id: object,
    session_id: SessionId | None,
    failing: type[Any] | str,
) -> None:
    wire.send(call())
    sessions.errors[failing] = StoreUnavailable("no route", retry_after_seconds=30)
    record = wire.outcome(request_).record
    unavailable = wire.send(request_)
    sessions.errors[failing] = ValueError("secret")
    broken = wire.send(request_)

    assert unavailable == error(503, request_id, -32603, UNAVAILABLE, headers={"retry-after": "30"})
    assert broken == error(500, request_id, -32603, "Internal error")
    assert (record.kind, record.session_id, record.reason) == (RequestKind.FAULT, session_id, "no route")
    assert (record.outcome, record.error) == (OutcomeKind.STORE_UNAVAILABLE, "StoreUnavailable")


def test_a_claim_that_fails_runs_nothing(wire: Wire, sessions: RefusingSessions) -> None:
    wire.send(call())
    wire.send(answer(f"{E}.name", ADA))
    sessions.errors["claim"] = StoreUnavailable("no route")

    outcome = wire.outcome(resume(f"{E}.2"))

    assert (type(outcome.reply), outcome.record.reason) == (Failed, "no route")
    assert [type(action) for action in sessions.applied] == [OpenSession, CreateExchange, RecordAnswer]


def test_a_fault_before_the_request_is_admitted_has_no_id_and_no_era() -> None:
    cause, unexpected = ValueError("x"), UnexpectedError()

    outcome = server_fault(None, unexpected, cause)

    assert outcome == Outcome(
        Failed(NoId.ABSENT, unexpected),
        RequestRecord(
            RequestKind.FAULT,
            outcome=OutcomeKind.INTERNAL_ERROR,
            error=ErrorKind.UNEXPECTED_ERROR,
            cause=cause,
        ),
    )


def test_an_unexpected_exception_in_a_modern_request_is_a_fault_under_its_id() -> None:
    wire = Wire(Wire().server._replace(constants={}))
    record = wire.outcome(modern("server/discover")).record

    assert (record.kind, record.era, type(record.cause)) == (RequestKind.FAULT, Era.MODERN, KeyError)
    assert wire.send(modern("server/discover")) == error(500, 1, -32603, "Internal error")
