"""What is stored of a request that is not done: ids, events, and the time after which a client resumes."""

import itertools
import string
from typing import Any

import pytest

from mcpcore import Context, Elicit, ListRoots, Session, SessionId
from mcpcore.engine.exchanges import (
    advanced,
    exchange_id_of,
    finished,
    new_exchange,
    stream_after,
)
from mcpcore.protocol.errors import InternalError
from mcpcore.protocol.jsonrpc import Request
from mcpcore.request.envelope import envelope_from_session
from mcpcore.request.run import HandlerRun
from mcpcore.sessions.ids import ExchangeId, parse_event_id, parse_question_id
from tests.support.messages import LEGACY, one_line
from tests.support.servers import NAME, NOW, Wire

ENVIRONMENT = Wire().environment()
SESSION = Session(SessionId("s-1"), LEGACY, "tests", "1", {}, NOW, NOW + 3600)
CALL = Request(7, "tools/call", {"name": "book", "_meta": {"progressToken": "t"}})
OPENED = new_exchange(CALL, SESSION, ENVIRONMENT)
E = OPENED.id


def test_the_id_of_an_exchange_has_144_bits_that_need_no_escaping() -> None:
    assert len(E) == 24
    assert set(E) <= {*string.ascii_letters, *string.digits, "-", "_"}


def test_only_the_same_request_of_a_session_and_key_has_the_same_exchange() -> None:
    others = [
        exchange_id_of(SESSION.id, "7", ENVIRONMENT),
        exchange_id_of(SESSION.id, 8, ENVIRONMENT),
        exchange_id_of(SessionId("s-2"), 7, ENVIRONMENT),
        exchange_id_of(SESSION.id, 7, ENVIRONMENT._replace(state_secrets=lambda: (b"another",))),
    ]

    assert exchange_id_of(SESSION.id, 7, ENVIRONMENT) == E
    assert len({E, *others}) == 5


def test_without_a_key_there_is_no_id_that_others_cannot_guess() -> None:
    with pytest.raises(InternalError) as refused:
        exchange_id_of(SESSION.id, 7, ENVIRONMENT._replace(state_secrets=None))

    assert "no state secret is configured" in refused.value.reason


@pytest.mark.requirement("resume-event-ids")
@pytest.mark.parametrize(
    ("event_id", "expected"),
    [
        ("S.0", ("S", 0)),
        ("S.1.1800000000000", ("S", 1)),
        ("S.1.x", ("S", 1)),
        ("S.007", ("S", 7)),
        ("S.999999999", ("S", 999_999_999)),
        *((malformed, None) for malformed in ("S.1000000000", "S." + "9" * 5000, "S", "S.", ".1", "", "1")),
        *((malformed, None) for malformed in ("S.-1", "S.+1", "S.1e3", "S. 1", "S.²", "S.\u0661")),
    ],
)
def test_an_event_id_has_an_exchange_and_a_position(event_id: str, expected: tuple[str, int] | None) -> None:
    assert parse_event_id(event_id) == expected


@pytest.mark.parametrize(
    ("request_id", "expected"),
    [
        ("S.name", ("S", "name")),
        ("S.a.b.", ("S", "a.b.")),
        ("S. ", ("S", " ")),
        *((malformed, None) for malformed in ("S.", "S", ".name", "", 7)),
    ],
)
def test_the_id_of_a_question_has_its_exchange_and_its_key(
    request_id: str | int, expected: tuple[str, str] | None
) -> None:
    assert parse_question_id(request_id) == expected


def run(*progress_values: float) -> HandlerRun:
    """A run that has reported its progress, and saved a value."""
    made = HandlerRun(CALL.id, envelope_from_session(SESSION, CALL.params), ENVIRONMENT)
    context = Context(made)
    context.once("price", lambda: 5)
    for value in progress_values:
        context.report_progress(value)
    return made


def progress(value: float) -> str:
    params = {"progressToken": "t", "progress": value}
    return one_line({"jsonrpc": "2.0", "method": "notifications/progress", "params": params}).decode()


def question(key: str, method: str, params: dict[str, Any]) -> str:
    return one_line({"jsonrpc": "2.0", "id": f"{E}.{key}", "method": method, "params": params}).decode()


WHO = question("who", "elicitation/create", {"message": "Who?", "requestedSchema": NAME})
ROOTS = question("where", "roots/list", {})
FIRST = advanced(OPENED, {"who": Elicit("Who?", NAME), "where": ListRoots()}, run(1, 2))
ANSWERED = FIRST._replace(answers={"who": {}, "where": {"message": "no"}}, refused=frozenset({"where"}))


@pytest.mark.requirement("progress-once")
def test_a_notification_of_an_earlier_run_is_not_sent_again() -> None:
    second = advanced(ANSWERED, {"more": ListRoots()}, run(1, 2, 3))
    silent = advanced(second, {}, run(1, 2))
    last = finished(ANSWERED, run(1, 2, 3), b"{}")

    assert second.events[4:] == (progress(3), question("more", "roots/list", {}))
    assert (second.notified, second.asked, second.round) == (3, ("more",), 2)
    assert (silent.events, silent.notified, silent.asked) == (second.events, 3, ())
    assert last == ANSWERED._replace(
        asked=(), events=(*FIRST.events, progress(3), "{}"), round=2, finished=True
    )


@pytest.mark.requirement("progress-rises")
def test_progress_rises_although_a_later_run_reports_other_values() -> None:
    second = advanced(ANSWERED, {}, run(0, 1, 2, 3))
    last = finished(second, run(0, 1, 2, 3, 3.5), b"{}")

    assert second.events[4:] == (progress(3),)
    assert last.events[4:] == (progress(3), progress(3.5), "{}")


@pytest.mark.parametrize(
    ("asked", "answers", "done", "expected"),
    [
        ((), {}, False, True),
        (("a",), {}, False, False),
        (("a",), {"a": None}, False, True),
        (("a", "b"), {"b": {}}, False, False),
        (("a", "b"), {"b": {}, "a": {}, "c": {}}, False, True),
        ((), {}, True, False),
    ],
)
def test_an_exchange_is_ready_when_every_question_is_answered_until_it_has_finished(
    asked: tuple[str, ...], answers: dict[str, Any], done: bool, expected: bool
) -> None:
    assert OPENED._replace(asked=asked, answers=answers, finished=done).ready() is expected


@pytest.mark.requirement("resume-poll")
def test_polls_without_events_have_different_ids_for_the_same_position() -> None:
    polls = [stream_after(FIRST, 4, NOW + second) for second in (1, 2, 3)]

    assert [[event.data for event in poll.events] for poll in polls] == [[""], [""], [""]]
    assert len({poll.events[0].id for poll in polls}) == 3
    assert {parse_event_id(poll.events[0].id) for poll in polls} == {(ExchangeId(E), 4)}


@pytest.mark.parametrize(
    ("age", "retry_ms"), [(-5, 500), (0, 500), (3, 850), (15, 2250), (29.9, 3988), (30, 4000), (10**6, 4000)]
)
def test_the_older_an_exchange_the_longer_a_client_waits(age: float, retry_ms: int) -> None:
    assert stream_after(FIRST, 4, NOW + age).retry_ms == retry_ms


def test_a_client_whose_question_is_never_answered_polls_fewer_than_900_times() -> None:
    times = itertools.accumulate(
        itertools.repeat(None),
        lambda now, _: now + (stream_after(FIRST, 4, now).retry_ms or 0) / 1000,
        initial=float(NOW),
    )

    assert 200 < sum(1 for _ in itertools.takewhile(lambda now: now < FIRST.expires_at, times)) < 900
