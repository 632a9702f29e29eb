"""What a function can see of its request and say while it runs, without any server around it."""

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from mcpcore import (
    Context,
    Elicit,
    Elicited,
    ElicitUrl,
    ListRoots,
    QuestionRefused,
    RequestEnvironment,
    Sample,
    SessionId,
    ToolError,
)
from mcpcore.protocol.errors import InvalidParams, MissingClientCapability
from mcpcore.protocol.versions import Era
from mcpcore.questions.question import Question
from mcpcore.questions.replay import InputRequired, ReplayState
from mcpcore.request.context import run_directly
from mcpcore.request.envelope import LOG_LEVELS, Envelope
from tests.support.messages import LEGACY, LEGACY_VERSIONS, MODERN

EVERYTHING: dict[str, Any] = {"elicitation": {"form": {}, "url": {}}, "sampling": {"tools": {}}, "roots": {}}
GIVEN = RequestEnvironment(
    100,
    lambda: SessionId("s"),
    3600,
    deadline=120,
    state_keys=(b"key",),
    resumable=frozenset({LEGACY}),
    event={"door": 1},
    lambda_context="lambda",
)
FORM = Elicit("Who?", {"type": "object"})


def context(
    version: str = MODERN,
    *,
    capabilities: Mapping[str, Any] = EVERYTHING,
    token: str | int | None = None,
    level: str | None = None,
    memory: ReplayState | None = None,
    environment: RequestEnvironment = GIVEN,
) -> Context:
    """The context of a request in this version."""
    era = Era.MODERN if version == MODERN else Era.LEGACY
    return Context(Envelope(era, version, "", "", capabilities, {}, token, level), environment, memory)


def record(spoken: Context) -> list[Any]:
    """The notifications so far."""
    return [json.loads(message) for message in spoken.notifications]


def progress(token: object, value: float, **more: object) -> dict[str, Any]:
    params = {"progressToken": token, "progress": value, **more}
    return {"jsonrpc": "2.0", "method": "notifications/progress", "params": params}


def logged(level: str, data: object, **more: object) -> dict[str, Any]:
    params = {"level": level, "data": data, **more}
    return {"jsonrpc": "2.0", "method": "notifications/message", "params": params}


def test_a_function_sees_its_deadline_and_the_door_s_own_objects() -> None:
    seen = context()

    assert (seen.deadline, seen.environment.event, seen.environment.lambda_context) == (
        120,
        {"door": 1},
        "lambda",
    )


@pytest.mark.parametrize("cancelled", [True, False])
def test_a_function_can_look_whether_it_is_still_wanted(cancelled: bool) -> None:
    assert context(environment=GIVEN._replace(cancelled=lambda: cancelled)).cancelled is cancelled


def test_a_door_that_says_nothing_of_it_has_no_deadline_and_sees_no_cancelling() -> None:
    environment = RequestEnvironment(0, lambda: SessionId("s"), 1)

    assert (environment.deadline, environment.cancelled(), environment.run) == (math.inf, False, run_directly)


def test_a_counter_adds_up() -> None:
    counting = context()
    counting.count("matches")
    counting.count("matches", by=2)
    counting.count("no_matches")

    assert counting.counts == {"matches": 3, "no_matches": 1}


@pytest.mark.parametrize("name", ["", "Matches", "no matches", "1st", "x" * 65, "é", "a\n"])
def test_what_cannot_name_a_metric_cannot_name_a_counter(name: str) -> None:
    with pytest.raises(ValueError, match="cannot name a counter"):
        context().count(name)


@pytest.mark.parametrize("by", [1.5, float("nan"), "2", None])
def test_a_counter_counts_whole_numbers(by: Any) -> None:
    with pytest.raises(TypeError, match=f"the counter found counts whole numbers, not {type(by).__name__}"):
        context().count("found", by)


@pytest.mark.parametrize("text", [5, None, b"words"])
def test_a_note_is_a_text(text: Any) -> None:
    with pytest.raises(TypeError, match=f"the note words is a text, not {type(text).__name__}"):
        context().note("words", text)


def test_a_note_is_kept_and_the_last_of_a_name_stays() -> None:
    noting = context()
    noting.note("no_match", "ruby")
    noting.note("no_match", "ruby rails")

    assert noting.notes == {"no_match": "ruby rails"}


@pytest.mark.parametrize("name", ["", "No", "no match", "x" * 65])
def test_what_cannot_name_a_field_cannot_name_a_note(name: str) -> None:
    with pytest.raises(ValueError, match="cannot name a note"):
        context().note(name, "text")


@pytest.mark.requirement("progress-token")
@pytest.mark.parametrize("token", ["t", "", "7", 7, 0, -1])
def test_progress_is_told_under_the_token_of_the_type_it_was_sent_in(token: str | int) -> None:
    speaking = context(token=token)
    speaking.progress(0, 100)
    speaking.progress(0.5, total=100, message="Half a percent")

    assert record(speaking) == [
        progress(token, 0, total=100),
        progress(token, 0.5, total=100, message="Half a percent"),
    ]


@pytest.mark.requirement("progress-unasked")
def test_a_client_that_did_not_ask_for_progress_hears_of_none() -> None:
    silent = context(token=None)
    silent.progress(1)

    assert record(silent) == []


@pytest.mark.requirement("progress-rises")
@pytest.mark.parametrize(
    ("values", "sent"),
    [
        ([0, 50, 100], [0, 50, 100]),
        ([1, 1, 2], [1, 2]),
        ([5, 3, 4, 6], [5, 6]),
        ([0, 0.0, 0.25], [0, 0.25]),
        ([-1, 0], [-1, 0]),
    ],
)
def test_progress_rises_with_every_notification(values: list[float], sent: list[float]) -> None:
    speaking = context(token="t")
    for value in values:
        speaking.progress(value)

    assert record(speaking) == [progress("t", value) for value in sent]


@pytest.mark.requirement("progress-message")
@pytest.mark.parametrize(
    ("version", "more"),
    [("2024-11-05", {}), *((version, {"message": "x"}) for version in (*LEGACY_VERSIONS[1:], MODERN))],
)
def test_progress_has_a_message_since_2025_03_26(version: str, more: dict[str, str]) -> None:
    speaking = context(version, token="t")
    speaking.progress(1, message="x")

    assert record(speaking) == [progress("t", 1, **more)]


@pytest.mark.parametrize("wanted", LOG_LEVELS)
def test_a_client_hears_of_the_level_it_wants_and_of_all_above_it(wanted: str) -> None:
    speaking = context(level=wanted)
    for level in LOG_LEVELS:
        speaking.log(level, {"at": level})

    assert record(speaking) == [
        logged(level, {"at": level}) for level in LOG_LEVELS[LOG_LEVELS.index(wanted) :]
    ]


def test_a_client_that_wants_no_messages_hears_of_none() -> None:
    silent = context(level=None)
    silent.log("emergency", "x")

    assert record(silent) == []


@pytest.mark.parametrize("data", [None, "x", 0, [1, {"a": None}], "line\nbreak"])
def test_any_json_can_be_logged_with_the_logger_s_name(data: object) -> None:
    speaking = context(level="debug")
    speaking.log("info", data, "tests")

    assert record(speaking) == [logged("info", data, logger="tests")]
    assert b"\n" not in speaking.notifications[0]


@pytest.mark.parametrize("level", ["", "Info", "warn", "fatal"])
@pytest.mark.parametrize("wanted", [None, "debug"])
def test_a_level_that_is_none_is_the_engineer_s_mistake_whoever_listens(
    wanted: str | None, level: str
) -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        context(level=wanted).log(level, "x")


def test_what_is_computed_once_is_computed_in_the_first_run_only() -> None:
    first = context()
    values: list[Any] = [first.once("price", lambda: (1, 2)), first.once("price", lambda: (3, 4))]
    second = context(memory=ReplayState(saved=first.saved))
    again: Any = second.once("price", lambda: (5, 6))

    assert [*values, again] == [[1, 2]] * 3
    assert first.saved == second.saved == {"price": [1, 2]}


@pytest.mark.parametrize("value", [{1}, object(), math.nan, b"x"])
def test_what_json_has_not_cannot_be_kept(value: object) -> None:
    forgetful = context()

    with pytest.raises((TypeError, ValueError)):
        forgetful.once("k", lambda: value)
    assert forgetful.saved == {}


ASKS: dict[str, tuple[Callable[[Context], object], Question]] = {
    "elicit": (lambda asking: asking.elicit("Who?", {"type": "object"}), FORM),
    "elicit_url": (lambda asking: asking.elicit_url("In", "a:b"), ElicitUrl("In", "a:b")),
    "sample": (
        lambda asking: asking.sample("Hi", max_tokens=9, systemPrompt="x"),
        Sample("Hi", 9, {"systemPrompt": "x"}),
    ),
    "roots": (lambda asking: asking.roots(), ListRoots()),
}


@pytest.mark.parametrize(("ask", "question"), ASKS.values(), ids=ASKS.keys())
@pytest.mark.parametrize("version", [LEGACY, MODERN])
def test_a_question_without_an_answer_ends_the_run(
    version: str, ask: Callable[[Context], object], question: Question
) -> None:
    with pytest.raises(InputRequired) as pending:
        ask(context(version))

    assert pending.value.questions == {"ask-1": question}


def test_no_except_exception_stops_the_end_of_a_run() -> None:
    assert not issubclass(InputRequired, Exception)


ADA = {"action": "accept", "content": {"name": "Ada"}}


def test_questions_that_are_given_no_key_are_counted() -> None:
    asking = context(memory=ReplayState({"ask-1": ADA, "mine": ADA}))
    asking.elicit("Who?", {})
    asking.elicit("Who else?", {}, key="mine")

    with pytest.raises(InputRequired) as pending:
        asking.elicit("And now?", {"type": "object"})
    assert [*pending.value.questions] == ["ask-2"]


def test_an_answer_of_an_earlier_round_is_given_back_and_remembered() -> None:
    asking = context(memory=ReplayState({"ask-1": ADA, "never-asked": ADA}))

    assert asking.elicit("Who?", {}) == Elicited("accept", {"name": "Ada"})
    assert asking.heard == {"ask-1": ADA}


def test_of_several_questions_those_without_an_answer_are_asked_again() -> None:
    asking = context(memory=ReplayState({"a": ADA}))

    with pytest.raises(InputRequired) as pending:
        asking.ask({"a": FORM, "b": FORM, "c": ListRoots()})
    assert (pending.value.questions, asking.heard) == ({"b": FORM, "c": ListRoots()}, {"a": ADA})


@pytest.mark.parametrize("answer", [12345, {}, {"action": "accept", "content": 1}])
def test_an_answer_that_does_not_fit_is_refused_while_others_are_still_missing(answer: object) -> None:
    asking = context(memory=ReplayState({"a": answer}))

    with pytest.raises(InvalidParams):
        asking.ask({"a": FORM, "b": FORM})
    assert asking.heard == {}


@pytest.mark.parametrize(
    "question",
    [Elicit("Who?", {"type": {1}}), Sample([{"x": object()}], 9), Sample("x", 9, {"temperature": math.nan})],
)
@pytest.mark.parametrize("version", [LEGACY, MODERN])
def test_a_question_that_json_has_not_fails_where_it_is_asked(version: str, question: Question) -> None:
    with pytest.raises((TypeError, ValueError)):
        context(version).ask({"a": question})


def test_asking_nothing_is_answered_by_nothing() -> None:
    assert context(capabilities={}).ask({}) == {}


def test_a_question_has_a_key_that_can_be_told_from_none() -> None:
    with pytest.raises(ValueError, match="needs a key that is not empty"):
        context().ask({"": FORM})


def test_a_refusal_can_be_caught_where_it_was_asked() -> None:
    asking = context(LEGACY, memory=ReplayState({"ask-1": {"message": "no"}}, {"ask-1"}))

    with pytest.raises(QuestionRefused):
        asking.elicit("Who?", {})


@pytest.mark.parametrize(
    ("questions", "declared", "required"),
    [
        ({"a": FORM}, {}, {"elicitation": {"form": {}}}),
        ({"a": FORM, "b": ElicitUrl("In", "a:b")}, {}, {"elicitation": {"form": {}, "url": {}}}),
        ({"a": FORM, "b": Sample("x", 1)}, {"elicitation": {}}, {"sampling": {}}),
        (
            {"a": Sample("x", 1, {"tools": []}), "b": Sample("x", 1), "c": ListRoots()},
            {},
            {"sampling": {"tools": {}}, "roots": {}},
        ),
    ],
)
def test_a_modern_client_is_told_every_capability_that_the_questions_need(
    questions: dict[str, Question], declared: dict[str, Any], required: dict[str, Any]
) -> None:
    with pytest.raises(MissingClientCapability) as refused:
        context(capabilities=declared).ask(questions)

    assert refused.value.required == required


def test_a_legacy_client_without_the_capability_gets_a_tool_error() -> None:
    with pytest.raises(ToolError) as refused:
        context(LEGACY, capabilities={"sampling": {}}).ask({"a": FORM, "b": ListRoots()})

    assert refused.value.message == "This needs a client that declares the capability elicitation, roots"


NOT_RESUMABLE = (
    "This asks the client something, which needs protocol version 2025-11-25 or newer and a client that "
    "accepts text/event-stream"
)


@pytest.mark.parametrize(
    ("version", "resumable"), [*((v, {LEGACY}) for v in LEGACY_VERSIONS[:-1]), (LEGACY, set[str]())]
)
def test_a_client_that_does_not_come_back_gets_a_tool_error(version: str, resumable: set[str]) -> None:
    with pytest.raises(ToolError) as refused:
        context(version, environment=GIVEN._replace(resumable=frozenset(resumable))).roots()

    assert refused.value.message == NOT_RESUMABLE


@pytest.mark.parametrize(
    ("asking", "expected"),
    [
        (context(MODERN), True),
        (context(LEGACY), True),
        (context(MODERN, capabilities={}), False),
        (context(LEGACY, capabilities={}), False),
        (context("2025-06-18"), False),
        (context(LEGACY, environment=GIVEN._replace(resumable=frozenset())), False),
        (context(MODERN, environment=GIVEN._replace(resumable=frozenset())), True),
        (context(MODERN, environment=GIVEN._replace(state_keys=())), False),
        (context(LEGACY, environment=GIVEN._replace(state_keys=())), False),
    ],
)
def test_a_function_can_find_out_whether_the_client_can_be_asked(asking: Context, expected: bool) -> None:
    assert asking.can_ask(FORM) is expected


def defers(deferring: Context) -> bool:
    """True when the run ends there."""
    try:
        deferring.defer()
    except InputRequired as pending:
        return pending.questions == {}
    return False


@pytest.mark.parametrize(
    ("deferring", "expected"),
    [
        (context(LEGACY), True),
        (context(LEGACY, capabilities={}), True),
        (context(MODERN), False),
        (context("2025-06-18"), False),
        (context("2024-11-05"), False),
        (context(LEGACY, environment=GIVEN._replace(resumable=frozenset())), False),
        (context(LEGACY, environment=GIVEN._replace(state_keys=())), False),
        (context(LEGACY, memory=ReplayState(saved={"": 1})), False),
    ],
)
def test_a_run_is_put_off_where_the_client_comes_back_for_the_rest(
    deferring: Context, expected: bool
) -> None:
    assert defers(deferring) is expected


def test_what_a_function_keeps_does_not_meet_how_often_it_was_put_off() -> None:
    run = context(LEGACY)
    run.once("deferred-1", lambda: "mine")

    assert defers(run)
    with pytest.raises(ValueError, match="needs a key that is not empty"):
        run.once("", lambda: "mine")


def put_off_twice(saved: dict[str, Any]) -> tuple[bool, dict[str, Any]]:
    """Whether a function that defers twice has ended its run, and what it keeps."""
    run = context(LEGACY, memory=ReplayState(saved=saved))
    return defers(run) or defers(run), run.saved


def test_each_deferring_ends_one_run() -> None:
    first, second = {"": 1}, {"": 2}

    assert [put_off_twice({}), put_off_twice(first), put_off_twice(second)] == [
        (True, first),
        (True, second),
        (False, second),
    ]
