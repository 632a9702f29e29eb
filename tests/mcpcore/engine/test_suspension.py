"""What is kept of a request that is not done: ids that nobody can guess, events, and when to come back."""

import itertools
import string
from typing import Any

import pytest

from mcpcore import Context, Elicit, ListRoots, Session, SessionId
from mcpcore.engine.exchanges import (
    advanced,
    exchange_id_of,
    finished,
    opened_exchange,
    part_after,
    remembered_in_exchange,
)
from mcpcore.protocol.errors import InternalError
from mcpcore.protocol.jsonrpc import Request
from mcpcore.questions.replay import ReplayState
from mcpcore.request.envelope import envelope_from_session
from mcpcore.request.outcome import Event, Stream
from mcpcore.sessions.ids import ExchangeId, parse_event_id, parse_question_id
from mcpcore.sessions.session import Exchange
from tests.support.messages import LEGACY, one_line
from tests.support.servers import NAME, NOW, RESUMABLE, Wire

GIVEN = Wire().environment()
SESSION = Session(SessionId("s-1"), LEGACY, "tests", "1", {}, NOW, NOW + 3600)
CALL = Request(7, "tools/call", {"name": "book", "_meta": {"progressToken": "t"}})
OPENED = opened_exchange(CALL, SESSION, GIVEN)
S = OPENED.id


def test_an_exchange_begins_with_its_request_and_nothing_else() -> None:
    assert (
        Exchange(
            id=S,
            session_id=SESSION.id,
            request_id=7,
            method="tools/call",
            params=CALL.params,
            asked=(),
            answers={},
            refused=frozenset(),
            saved={},
            events=(),
            notified=0,
            round=0,
            finished=False,
            created_at=NOW,
            expires_at=NOW + 900,
        )
        == OPENED
    )


def test_the_id_of_an_exchange_has_144_bits_that_need_no_escaping() -> None:
    assert len(S) == 24
    assert set(S) <= {*string.ascii_letters, *string.digits, "-", "_"}


def test_the_same_request_of_a_session_has_the_same_exchange_on_every_instance() -> None:
    assert exchange_id_of(SESSION.id, 7, GIVEN) == S


def test_exchanges_of_other_sessions_requests_and_keys_have_other_ids() -> None:
    others = [
        exchange_id_of(SESSION.id, "7", GIVEN),
        exchange_id_of(SESSION.id, 8, GIVEN),
        exchange_id_of(SessionId("s-2"), 7, GIVEN),
        exchange_id_of(SESSION.id, 7, GIVEN._replace(state_keys=(b"another",))),
    ]

    assert len({S, *others}) == 5


def test_without_a_key_there_is_no_id_that_nobody_can_guess() -> None:
    with pytest.raises(InternalError) as refused:
        exchange_id_of(SESSION.id, 7, GIVEN._replace(state_keys=()))

    assert isinstance(refused.value.__cause__, LookupError)


@pytest.mark.requirement("resume-event-ids")
@pytest.mark.parametrize(
    ("event_id", "expected"),
    [
        ("S.0", ("S", 0)),
        ("S.12", ("S", 12)),
        ("S.1.1800000000000", ("S", 1)),
        ("S.1.x", ("S", 1)),
        ("S.007", ("S", 7)),
        ("S.999999999", ("S", 999_999_999)),
        ("S.1000000000", None),
        ("S." + "9" * 5000, None),
        ("S", None),
        ("S.", None),
        (".1", None),
        ("", None),
        ("S.-1", None),
        ("S.+1", None),
        ("S.1e3", None),
        ("S. 1", None),
        ("S.²", None),
        ("S.\u0661", None),
        ("1", None),
    ],
)
def test_an_event_id_names_an_exchange_and_how_much_of_it_was_read(
    event_id: str, expected: tuple[str, int] | None
) -> None:
    assert parse_event_id(event_id) == expected


@pytest.mark.parametrize(
    ("request_id", "expected"),
    [
        ("S.name", ("S", "name")),
        ("S.ask-1", ("S", "ask-1")),
        ("S.a.b.", ("S", "a.b.")),
        ("S. ", ("S", " ")),
        ("S.", None),
        ("S", None),
        (".name", None),
        ("", None),
        (7, None),
    ],
)
def test_the_id_of_a_question_names_its_exchange_and_its_key(
    request_id: str | int, expected: tuple[str, str] | None
) -> None:
    assert parse_question_id(request_id) == expected


def run(memory: ReplayState | None = None) -> Context:
    """The context of a run that has told of its progress twice."""
    envelope = envelope_from_session(SESSION, CALL.params)
    context = Context(envelope, GIVEN._replace(resumable=RESUMABLE), memory)
    context.progress(1)
    context.progress(2)
    context.saved["price"] = 5
    return context


def progress(value: int) -> str:
    params = {"progressToken": "t", "progress": value}
    return one_line({"jsonrpc": "2.0", "method": "notifications/progress", "params": params}).decode()


def question(key: str, method: str, params: dict[str, Any]) -> str:
    return one_line({"jsonrpc": "2.0", "id": f"{S}.{key}", "method": method, "params": params}).decode()


WHO = question("who", "elicitation/create", {"message": "Who?", "requestedSchema": NAME})
ROOTS = question("where", "roots/list", {})
FIRST = advanced(OPENED, {"who": Elicit("Who?", NAME), "where": ListRoots()}, run())


def test_a_run_that_asks_leaves_what_it_said_and_asked_as_events_in_order() -> None:
    assert (
        OPENED._replace(
            asked=("who", "where"),
            saved={"price": 5},
            events=(progress(1), progress(2), WHO, ROOTS),
            notified=2,
            round=1,
        )
        == FIRST
    )


ANSWERED = FIRST._replace(answers={"who": {}, "where": {"message": "no"}}, refused=frozenset({"where"}))


def test_the_next_run_knows_the_answers_and_what_was_kept() -> None:
    assert remembered_in_exchange(ANSWERED)[:3] == (ANSWERED.answers, {"where"}, {"price": 5})


@pytest.mark.requirement("progress-once")
def test_what_the_runs_before_have_said_is_not_said_again() -> None:
    second = run()
    second.progress(3)

    went_on = advanced(ANSWERED, {"more": ListRoots()}, second)
    quiet = advanced(went_on, {}, run())

    asked = question("more", "roots/list", {})
    assert went_on.events[4:] == (progress(3), asked)
    assert (went_on.notified, went_on.asked, went_on.round) == (3, ("more",), 2)
    assert (quiet.events, quiet.notified, quiet.asked) == (went_on.events, 3, ())


def test_the_last_run_ends_with_what_is_new_and_the_response() -> None:
    last = run()
    last.progress(3)

    assert finished(ANSWERED, tuple(last.notifications), b"{}") == ANSWERED._replace(
        asked=(), events=(*FIRST.events, progress(3), "{}"), round=2, finished=True
    )


@pytest.mark.parametrize(
    ("asked", "answers", "expected"),
    [
        ((), {}, True),
        (("a",), {}, False),
        (("a",), {"a": None}, True),
        (("a", "b"), {"b": {}}, False),
        (("a", "b"), {"b": {}, "a": {}, "c": {}}, True),
        (("a",), {"b": {}}, False),
    ],
)
def test_an_exchange_is_answered_when_all_that_it_asked_is(
    asked: tuple[str, ...], answers: dict[str, Any], expected: bool
) -> None:
    assert OPENED._replace(asked=asked, answers=answers).answered() is expected


@pytest.mark.requirement("stream-primed")
def test_the_first_part_begins_with_an_event_that_has_an_id_and_no_data() -> None:
    assert part_after(FIRST, 0, NOW) == Stream(
        (
            Event(f"{S}.0", ""),
            Event(f"{S}.1", progress(1)),
            Event(f"{S}.2", progress(2)),
            Event(f"{S}.3", WHO),
            Event(f"{S}.4", ROOTS),
        ),
        500,
    )


def test_every_later_part_begins_with_an_id_of_its_own_for_the_same_place() -> None:
    assert part_after(FIRST, 3, NOW + 1.5) == Stream(
        (Event(f"{S}.3.1800000001500", ""), Event(f"{S}.4", ROOTS)), 675
    )


@pytest.mark.requirement("resume-poll")
def test_polls_that_bring_nothing_have_ids_of_their_own() -> None:
    polls = [part_after(FIRST, 4, NOW + second) for second in (1, 2, 3)]

    assert [[event.data for event in poll.events] for poll in polls] == [[""], [""], [""]]
    assert len({poll.events[0].id for poll in polls}) == 3
    assert {parse_event_id(poll.events[0].id) for poll in polls} == {(ExchangeId(S), 4)}


def test_the_last_part_has_no_word_to_come_back() -> None:
    ended = finished(ANSWERED, (), b"{}")

    assert part_after(ended, 3, NOW + 1) == Stream((Event(f"{S}.4", ROOTS), Event(f"{S}.5", "{}")), None)


@pytest.mark.parametrize(
    ("age", "retry_ms"),
    [(-5, 500), (0, 500), (3, 850), (15, 2250), (29.9, 3988), (30, 4000), (31, 4000), (10**6, 4000)],
)
def test_the_older_an_exchange_the_longer_a_client_waits(age: float, retry_ms: int) -> None:
    assert part_after(FIRST, 4, NOW + age).retry_ms == retry_ms


def polls_in_a_life() -> int:
    """How often a client comes back before an exchange expires."""
    moments = itertools.accumulate(
        itertools.repeat(None),
        lambda now, _: now + (part_after(FIRST, 4, now).retry_ms or 0) / 1000,
        initial=float(NOW),
    )
    return sum(1 for _ in itertools.takewhile(lambda now: now < FIRST.expires_at, moments))


def test_a_client_that_is_never_answered_comes_back_fewer_times_than_any_client_can() -> None:
    assert 200 < polls_in_a_life() < 900
