"""What a handler sees of its request, and what it reports, logs and asks while it runs."""

import json
import math
from collections.abc import Mapping
from typing import Any

import pytest

from mcpcore import (
    Context,
    Elicit,
    ElicitUrl,
    ListRoots,
    RequestEnvironment,
    Sample,
    SessionId,
    ToolError,
)
from mcpcore.protocol.errors import MissingClientCapability
from mcpcore.protocol.versions import Era
from mcpcore.questions.question import Question
from mcpcore.questions.replay import InputRequired, ReplayState
from mcpcore.request.envelope import Envelope
from mcpcore.request.environment import run_directly
from mcpcore.request.run import HandlerRun
from tests.support.messages import LEGACY, LEGACY_VERSIONS, MODERN

EVERYTHING: dict[str, Any] = {"elicitation": {"form": {}, "url": {}}, "sampling": {"tools": {}}, "roots": {}}
ENVIRONMENT = RequestEnvironment(
    100,
    lambda: SessionId("s"),
    3600,
    deadline=120,
    state_secrets=lambda: (b"secret",),
    cancelled=lambda request_id: request_id == "cancelled",
    transport="the edge's own object",
)
NO_KEYS = ENVIRONMENT._replace(state_secrets=None)
FORM = Elicit("Who?", {"type": "object"})


def new_run(
    version: str = MODERN,
    *,
    capabilities: Mapping[str, Any] = EVERYTHING,
    token: str | int | None = "t",
    level: str | None = None,
    replay: ReplayState | None = None,
    resumable: bool = True,
    environment: RequestEnvironment = ENVIRONMENT,
) -> HandlerRun:
    """A run of a request in this version."""
    era = Era.MODERN if version == MODERN else Era.LEGACY
    trace = {"traceparent": "00-1"}
    envelope = Envelope(era, version, "tests", "1.2", capabilities, trace, token, level, resumable)
    return HandlerRun("r", envelope, environment, replay or ReplayState())


def sent(run: HandlerRun) -> list[Any]:
    """The notifications so far: their methods and params."""
    messages = [json.loads(message) for message in run.notifications]
    return [(message["method"].removeprefix("notifications/"), message["params"]) for message in messages]


def test_a_handler_sees_who_asks_and_how_long_it_may_run() -> None:
    context = Context(new_run(LEGACY))

    assert (context.protocol_version, context.client_name, context.client_version) == (LEGACY, "tests", "1.2")
    assert (context.trace, context.deadline) == ({"traceparent": "00-1"}, 120)
    assert (context.transport, context.cancelled) == ("the edge's own object", False)
    assert Context(HandlerRun("cancelled", new_run().envelope, ENVIRONMENT)).cancelled


def test_an_environment_has_no_deadline_and_cancels_nothing_by_default() -> None:
    environment = RequestEnvironment(0, lambda: SessionId("s"), 1)

    assert (environment.deadline, environment.cancelled(1), environment.run) == (
        math.inf,
        False,
        run_directly,
    )


def test_counts_add_up_and_the_last_log_field_of_a_name_stays() -> None:
    run = new_run()
    context = Context(run)
    context.count_metric("matches")
    context.count("matches", by=2)
    context.log_field("no_match", "ruby")
    context.note("no_match", "ruby rails")

    assert (run.counts, run.log_fields) == ({"matches": 3}, {"no_match": "ruby rails"})


@pytest.mark.parametrize("name", ["", "Matches", "no matches", "1st", "x" * 65, "é", "a\n"])
def test_metrics_and_log_fields_have_lower_case_names(name: str) -> None:
    context = Context(new_run())

    with pytest.raises(ValueError, match="use lower-case letters, digits and _"):
        context.count_metric(name)
    with pytest.raises(ValueError, match="use lower-case letters, digits and _"):
        context.log_field(name, "text")


@pytest.mark.parametrize("value", [1.5, None, b"2"])
def test_a_metric_counts_integers_and_a_log_field_is_a_string(value: Any) -> None:
    context = Context(new_run())

    with pytest.raises(TypeError, match=f"the metric found counts integers, not {type(value).__name__}"):
        context.count_metric("found", value)
    with pytest.raises(TypeError, match=f"the log field words is a string, not {type(value).__name__}"):
        context.log_field("words", value)


@pytest.mark.requirement("progress-token")
@pytest.mark.parametrize("token", ["t", "", "7", 7, 0, -1])
def test_progress_has_the_token_in_the_type_that_it_was_sent_in(token: str | int) -> None:
    run = new_run(token=token)
    context = Context(run)
    context.report_progress(0, 100)
    context.progress(0.5, total=100, message="Half a percent")

    assert sent(run) == [
        ("progress", {"progressToken": token, "progress": 0, "total": 100}),
        (
            "progress",
            {"progressToken": token, "progress": 0.5, "total": 100, "message": "Half a percent"},
        ),
    ]


@pytest.mark.requirement("progress-unasked", "progress-rises")
@pytest.mark.parametrize(
    ("token", "values", "reported"),
    [
        (None, [1, 2], []),
        ("t", [0, 50, 100], [0, 50, 100]),
        ("t", [1, 1, 2], [1, 2]),
        ("t", [5, 3, 4, 6], [5, 6]),
        ("t", [0, 0.0, 0.25], [0, 0.25]),
        ("t", [-1, 0], [-1, 0]),
    ],
)
def test_progress_is_sent_if_the_client_wants_it_and_only_if_it_rises(
    token: str | None, values: list[float], reported: list[float]
) -> None:
    run = new_run(token=token)
    context = Context(run)
    for value in values:
        context.report_progress(value)

    assert sent(run) == [("progress", {"progressToken": "t", "progress": value}) for value in reported]


@pytest.mark.requirement("progress-message")
@pytest.mark.parametrize(
    ("version", "members"),
    [("2024-11-05", {}), *((version, {"message": "x"}) for version in (*LEGACY_VERSIONS[1:], MODERN))],
)
def test_progress_has_a_message_since_2025_03_26(version: str, members: dict[str, str]) -> None:
    run = new_run(version)
    Context(run).report_progress(1, message="x")

    assert sent(run) == [("progress", {"progressToken": "t", "progress": 1, **members})]


@pytest.mark.parametrize("data", [None, 0, [1, {"a": None}], "line\nbreak"])
def test_a_log_message_is_any_json_on_one_line_with_the_name_of_its_logger(data: object) -> None:
    run = new_run(level="debug")
    Context(run).log("info", data, "tests")

    assert sent(run) == [("message", {"level": "info", "data": data, "logger": "tests"})]
    assert b"\n" not in run.notifications[0]


@pytest.mark.parametrize("level", ["", "Info", "warn", "fatal"])
@pytest.mark.parametrize("wanted", [None, "debug"])
def test_an_unknown_level_is_an_error_whatever_the_client_wants(wanted: str | None, level: str) -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        Context(new_run(level=wanted)).log(level, "x")


def test_a_saved_value_is_computed_in_the_first_run_only() -> None:
    first = new_run()
    prices = iter([(1, 2), (3, 4), (5, 6)])
    second = new_run(replay=ReplayState(saved={"price": [1, 2]}))
    values: list[Any] = [Context(run).once("price", prices.__next__) for run in (first, first, second)]

    assert values == [[1, 2]] * 3
    assert first.saved == second.saved == {"price": [1, 2]}


@pytest.mark.parametrize("value", [{1}, object(), math.nan, b"x"])
def test_a_value_that_is_not_json_is_not_saved(value: object) -> None:
    run = new_run()

    with pytest.raises((TypeError, ValueError)):
        Context(run).once("k", lambda: value)
    assert run.saved == {}


ADA = {"action": "accept", "content": {"name": "Ada"}}


CONFIRM = {"type": "object"}


def asked_key(context: Context, message: str) -> str:
    """The key of a question that has no answer yet."""
    with pytest.raises(InputRequired) as required:
        context.elicit(message, CONFIRM)
    assert not isinstance(required.value, Exception)
    (key,) = required.value.questions
    return key


def test_a_question_without_a_key_gets_its_own_answer_in_whatever_order_it_is_asked() -> None:
    who, again = (asked_key(context, "Who?") for context in [Context(new_run())] * 2)
    context = Context(new_run(replay=ReplayState({who: ADA, "mine": ADA})))
    other = asked_key(context, "And now?")
    context.elicit("Who?", CONFIRM)
    context.elicit("Who else?", {}, key="mine")

    assert asked_key(context, "Who?") == again
    assert len({who, again, other}) == 3


@pytest.mark.parametrize(
    "question",
    [Elicit("Who?", {"type": {1}}), Sample([{"x": object()}], 9), Sample("x", 9, {"temperature": math.nan})],
)
@pytest.mark.parametrize("version", [LEGACY, MODERN])
def test_a_question_that_is_not_json_fails_in_the_handler(version: str, question: Question) -> None:
    with pytest.raises((TypeError, ValueError)):
        Context(new_run(version)).ask({"a": question})


def test_no_questions_have_no_answers_and_a_question_needs_a_key() -> None:
    context = Context(new_run(capabilities={}))

    assert context.ask({}) == {}
    with pytest.raises(ValueError, match="needs a key that is not empty"):
        context.ask({"": FORM})


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
def test_a_client_learns_every_capability_that_the_questions_need(
    questions: dict[str, Question], declared: dict[str, Any], required: dict[str, Any]
) -> None:
    with pytest.raises(MissingClientCapability) as modern:
        Context(new_run(capabilities=declared)).ask(questions)
    with pytest.raises(ToolError) as legacy:
        Context(new_run(LEGACY, capabilities=declared)).ask(questions)

    assert modern.value.required == required
    assert legacy.value.message == MissingClientCapability(required).message


@pytest.mark.parametrize(
    ("run", "can_ask", "can_defer"),
    [
        (new_run(MODERN), True, False),
        (new_run(LEGACY), True, True),
        (new_run(MODERN, capabilities={}), False, False),
        (new_run(LEGACY, capabilities={}), False, True),
        (new_run(LEGACY, resumable=False), False, False),
        (new_run(MODERN, environment=NO_KEYS), False, False),
        (new_run(LEGACY, environment=NO_KEYS), False, False),
        (new_run(LEGACY, replay=ReplayState(saved={"": 1})), True, False),
    ],
)
def test_a_handler_can_ask_and_defer_where_the_client_can_continue(
    run: HandlerRun, can_ask: bool, can_defer: bool
) -> None:
    assert Context(run).can_ask(FORM) is can_ask
    assert defers(Context(run)) is can_defer


CHOICES = Elicit(
    "Which?",
    {
        "type": "object",
        "properties": {"x": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}}},
    },
)


@pytest.mark.parametrize(
    ("version", "end"), [("2025-06-18", ToolError), ("2025-11-25", InputRequired), (MODERN, InputRequired)]
)
def test_several_choices_are_asked_for_only_where_the_revision_has_such_a_field(
    version: str, end: type[BaseException]
) -> None:
    context = Context(new_run(version))

    assert context.can_ask(CHOICES) is (end is InputRequired)
    with pytest.raises(end):
        context.ask({"a": CHOICES})


def defers(context: Context) -> bool:
    """True when the run ends there."""
    try:
        context.defer()
    except InputRequired as required:
        return required.questions == {}
    return False


def test_each_call_of_defer_ends_one_run_and_no_saved_value_has_its_key() -> None:
    saved: list[dict[str, Any]] = [{}, {"": 1}, {"": 2}]
    runs = [new_run(LEGACY, replay=ReplayState(saved=each)) for each in saved]
    contexts = [Context(run) for run in runs]

    assert [defers(context) or defers(context) for context in contexts] == [True, True, False]
    assert [run.saved for run in runs] == [{"": 1}, {"": 2}, {"": 2}]
    with pytest.raises(ValueError, match="needs a key that is not empty"):
        contexts[0].once("", lambda: "mine")
