"""Resumed requests: how often the handler runs, and how a run that fails ends the stream."""

from collections.abc import Callable
from typing import Any

import pytest

from mcpcore import BuiltServer, Context, MemorySessions, ToolError
from mcpcore.protocol.error_map import OutcomeKind
from mcpcore.protocol.errors import DeadlineExceeded
from mcpcore.sessions.store import UpdateExchange
from tests.support.messages import LEGACY, answer, error, refusal, resume, stream
from tests.support.questions import (
    ADA,
    BOOK,
    ID,
    NO_STREAM,
    E,
    call,
    connected,
    last_part,
    notified,
    part,
    response,
    tool_server,
)
from tests.support.servers import NOW, WORK_SECONDS, Wire, asking_server


@pytest.fixture(scope="module")
def built() -> BuiltServer:
    return asking_server().build()


@pytest.fixture
def wire(built: BuiltServer) -> Wire:
    """A server that asks, and a session whose client can be asked everything."""
    return connected(built)


class Payment:
    """A tool that counts its runs, and saves what it has paid for."""

    def __init__(self) -> None:
        self.runs = 0

    def pay(self, *, context: Context) -> str:
        """Pay once, and ask before and after."""
        self.runs += 1
        paid = context.once("paid", lambda: f"receipt {self.runs}")
        context.elicit("Sure?", {"type": "object"}, key="1")
        context.elicit("Really?", {"type": "object"}, key="2")
        return f"{paid} after {self.runs} runs"


YES = {"action": "accept", "content": {}}


def test_a_handler_runs_once_for_each_round_and_computes_what_it_saves_once() -> None:
    payment = Payment()
    wire = connected(tool_server(payment.pay))
    wire.send(call({"name": "pay"}))
    for position in (1, 2):
        wire.send(resume(f"{E}.{position}"))
        wire.send(answer(f"{E}.{position}", YES))
        wire.send(resume(f"{E}.{position}"))
        wire.send(resume(f"{E}.{position}"))

    assert wire.send(resume(f"{E}.2")) == last_part(2, response("receipt 1 after 3 runs"))
    assert payment.runs == 3


@pytest.mark.requirement("resume-race")
def test_of_two_clients_that_resume_at_once_one_runs_the_handler() -> None:
    payment, sessions = Payment(), MemorySessions()
    wire = connected(tool_server(payment.pay), sessions=sessions)
    wire.send(call({"name": "pay"}))
    wire.send(answer(f"{E}.1", YES))
    exchange = sessions.load_exchange(ID, E, NOW)
    assert exchange is not None
    assert sessions.claim(exchange, now=NOW, until=NOW + WORK_SECONDS + 1)

    assert wire.send(resume(f"{E}.1"), now=NOW + 20) == part(1, at=20)
    assert payment.runs == 1

    wire.send(resume(f"{E}.1"), now=NOW + 21)
    assert payment.runs == 2


@pytest.mark.parametrize(
    ("error_", "text", "kind"),
    [
        (ToolError("Not today."), "Not today.", OutcomeKind.TOOL_ERROR),
        (RuntimeError("secret"), "The tool end failed. Try again later.", OutcomeKind.CRASH),
        (
            DeadlineExceeded(20),
            "Not done within 20 seconds; try again, or ask for less",
            OutcomeKind.DEADLINE,
        ),
    ],
)
def test_a_tool_that_fails_after_an_answer_ends_its_stream_with_a_result(
    error_: Exception, text: str, kind: OutcomeKind
) -> None:
    def end(*, context: Context) -> str:
        """Ask, then fail."""
        context.roots(key="where")
        raise error_

    wire = connected(tool_server(end))
    wire.send(call({"name": "end"}))
    wire.send(answer(f"{E}.where", {"roots": []}))
    record = wire.outcome(resume(f"{E}.1")).record

    assert (record.outcome, record.cause) == (kind, error_ if kind is OutcomeKind.CRASH else None)
    assert wire.send(resume(f"{E}.1")) == last_part(1, response(text, failed=True))


class Damaged(dict[str, Any]):
    """A part of a server in which every look-up fails."""

    def get(self, *_: object) -> Any:
        """Fail."""
        raise AttributeError("secret")


@pytest.mark.parametrize(
    ("method", "params", "key", "sent", "end"),
    [
        ("tools/call", BOOK, "name", 2, {"result": response("Internal error", failed=True)["result"]}),
        (
            "prompts/get",
            {"name": "invite"},
            "whom",
            1,
            {"error": {"code": -32603, "message": "Internal error"}},
        ),
    ],
)
def test_a_fault_after_an_answer_ends_the_stream_and_nothing_runs_again(
    built: BuiltServer, method: str, params: dict[str, Any], key: str, sent: int, end: dict[str, Any]
) -> None:
    wire = connected(built)
    wire.send(call(params, method))
    wire.send(answer(f"{E}.{key}", ADA))
    damaged = built._replace(tools=Damaged(built.tools), prompts=Damaged(built.prompts))
    outcome = Wire(damaged, sessions=wire.sessions).outcome(resume(f"{E}.{sent}"))

    assert isinstance(outcome.required, UpdateExchange)
    assert (outcome.record.outcome, repr(outcome.record.cause)) == (
        OutcomeKind.INTERNAL_ERROR,
        "AttributeError('secret')",
    )
    assert wire.send(resume(f"{E}.{sent}")) == last_part(sent, {"jsonrpc": "2.0", "id": 7, **end})


@pytest.mark.parametrize(
    ("method", "params", "key"),
    [("prompts/get", {"name": "invite"}, "whom"), ("resources/read", {"uri": "page://secret"}, "reader")],
)
def test_a_prompt_or_resource_that_fails_ends_its_stream_with_an_error(
    wire: Wire, method: str, params: dict[str, Any], key: str
) -> None:
    wire.send(call(params, method))
    wire.send(refusal(f"{E}.{key}", "Busy"))
    fault = {"code": -32602, "message": "The client refused to answer: Busy"}

    assert wire.send(resume(f"{E}.1")) == last_part(1, {"jsonrpc": "2.0", "id": 7, "error": fault})


def defer_twice(*, context: Context) -> str:
    """Work in three parts."""
    context.report_progress(1)
    context.defer()
    context.report_progress(2)
    context.defer()
    context.report_progress(3)
    return "done"


def test_a_tool_that_defers_continues_when_the_client_resumes() -> None:
    wire = connected(tool_server(defer_twice))
    first = call({"name": "defer_twice", "_meta": {"progressToken": "t"}})
    progress = [notified("progress", progressToken="t", progress=value) for value in (1, 2, 3)]
    requests = (first, resume(f"{E}.1"), resume(f"{E}.2"), resume(f"{E}.4"))

    assert [wire.send(request) for request in requests] == [
        stream((f"{E}.0", None), (f"{E}.1", progress[0]), retry=500),
        part(1, progress[1], at=0),
        last_part(2, progress[2], response("done")),
        NO_STREAM,
    ]


@pytest.mark.parametrize(
    ("version", "headers", "options"),
    [
        ("2025-06-18", {}, {}),
        (LEGACY, {"accept": "application/json"}, {}),
        (LEGACY, {}, {"state_keys": ()}),
    ],
)
def test_deferring_does_nothing_where_the_client_cannot_resume(
    version: str, headers: dict[str, str], options: dict[str, Any]
) -> None:
    wire = connected(tool_server(defer_twice), version=version, **options)

    assert b'"text":"done"' in wire.send(call({"name": "defer_twice"}, **headers)).body


def test_each_run_has_the_whole_time_for_its_work(built: BuiltServer) -> None:
    allowed: list[float] = []

    def measured(work: Callable[[], Any], seconds: float) -> Any:
        allowed.append(seconds)
        return work()

    wire = connected(built, run=measured)
    wire.send(call(), now=NOW)
    wire.send(answer(f"{E}.name", ADA), now=NOW + 100)
    wire.send(resume(f"{E}.2"), now=NOW + 101)

    assert allowed == [WORK_SECONDS, WORK_SECONDS]


def test_a_first_run_that_exceeds_its_time_is_an_error_and_nothing_is_stored(built: BuiltServer) -> None:
    def too_late(_work: Callable[[], Any], seconds: float) -> Any:
        raise DeadlineExceeded(seconds)

    wire = connected(built, run=too_late)

    assert wire.outcome(call()).required is None
    assert wire.send(call()) == error(
        200, 7, -32603, "Not done within 20 seconds; try again, or ask for less"
    )
