"""Questions in a session: which answers are accepted, who is asked, and what ends the asking."""

from typing import Any

import pytest

from mcpcore import BuiltServer, Context, MemorySessions
from mcpcore.sessions.session import Exchange
from mcpcore.sessions.store import DeleteExchange
from tests.support.messages import (
    ACCEPTED,
    answer,
    cancelled,
    error,
    in_session,
    notification,
    post,
    refusal,
    result,
    resume,
    stream,
)
from tests.support.questions import (
    ADA,
    EVERYTHING,
    GATHER,
    ID,
    NO_STREAM,
    NOT_ASKED,
    SAMPLED,
    E,
    call,
    connected,
    last_part,
    response,
    text_result,
    tool_server,
)
from tests.support.servers import NOW, Wire, asking_server

BOB = {"action": "accept", "content": {"name": "Bob"}}


@pytest.fixture(scope="module")
def built() -> BuiltServer:
    return asking_server().build()


@pytest.fixture
def sessions() -> MemorySessions:
    return MemorySessions()


@pytest.fixture
def wire(built: BuiltServer, sessions: MemorySessions) -> Wire:
    """A server that asks, and a session whose client can be asked everything."""
    return connected(built, sessions=sessions)


def stored(sessions: MemorySessions) -> Exchange:
    """The exchange of the call."""
    found = sessions.load_exchange(ID, E, NOW)
    assert found is not None
    return found


def test_questions_asked_at_once_are_answered_in_any_order_and_the_run_waits_for_all(
    wire: Wire, sessions: MemorySessions
) -> None:
    wire.send(call(GATHER))
    answers = [("where", {"roots": []}), ("who", ADA), ("said", SAMPLED)]
    seen = []
    for key, given in answers:
        seen.append(wire.send(resume(f"{E}.3")).body.count(b"data: \n"))
        seen.append(wire.send(answer(f"{E}.{key}", given)).status)

    assert seen == [1, 202] * 3
    assert [*stored(sessions).answers] == ["where", "who", "said"]
    assert wire.send(resume(f"{E}.3")) == last_part(
        3,
        response(
            "[Elicited(action='accept', content={'name': 'Ada'}), Sampled(role='assistant', "
            "content={'type': 'text', 'text': 'Hi'}, model='m', stop_reason=''), []]"
        ),
    )


@pytest.mark.requirement("ask-answer-twice")
def test_a_second_answer_is_accepted_and_ignored_before_and_after_the_next_run(
    wire: Wire, sessions: MemorySessions
) -> None:
    wire.send(call())
    accepted = [wire.send(answer(f"{E}.name", each)) for each in (ADA, BOB)]
    accepted.append(wire.send(refusal(f"{E}.name", "no")))
    before = stored(sessions)
    wire.send(resume(f"{E}.2"))
    after = stored(sessions)
    accepted.append(wire.send(answer(f"{E}.name", BOB)))

    assert accepted == [ACCEPTED] * 4
    assert (before.answers, before.refused) == ({"name": ADA}, frozenset())
    assert stored(sessions) == after


def test_an_answer_after_the_end_is_accepted_and_changes_nothing(
    wire: Wire, sessions: MemorySessions
) -> None:
    wire.send(call({"name": "forgiving"}))
    wire.send(answer(f"{E}.said", SAMPLED))
    wire.send(resume(f"{E}.1"))
    finished = stored(sessions)

    assert wire.send(answer(f"{E}.said", SAMPLED)) == ACCEPTED
    assert stored(sessions) == finished


@pytest.mark.requirement("response-unasked")
@pytest.mark.parametrize("question_id", [f"{E}.seat", f"{E}.Name", f"{E}.name ", f"{E}x.name", "x.name"])
def test_an_answer_to_a_question_that_was_not_asked_is_refused(wire: Wire, question_id: str) -> None:
    wire.send(call())

    assert wire.send(answer(question_id, ADA)) == NOT_ASKED


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({}, "action must be accept, decline or cancel"),
        ({"action": "accept", "content": {"name": 12345}}, "$.name: 12345 is not of type 'string'"),
    ],
)
def test_an_invalid_answer_ends_the_call_with_a_tool_error(
    wire: Wire, given: dict[str, Any], reason: str
) -> None:
    wire.send(call())
    accepted = wire.send(answer(f"{E}.name", given))
    end = response(f"Invalid answer to name: {reason}", failed=True)

    assert accepted == ACCEPTED
    assert wire.send(resume(f"{E}.2")) == last_part(2, end)
    assert wire.send(resume(f"{E}.0")).body.count(b"asking for a name") == 1


@pytest.mark.requirement("ask-refused")
def test_an_error_instead_of_an_answer_is_a_tool_error_unless_the_tool_handles_it(wire: Wire) -> None:
    text = "The client refused to answer: Busy"
    wire.send(call())
    wire.send(refusal(f"{E}.name", "Busy"))
    unhandled = wire.send(resume(f"{E}.2"))
    wire.send(call({"name": "forgiving"}), now=NOW + 0.001)
    wire.send(refusal(f"{E}.said", "Busy"))

    assert unhandled == last_part(2, response(text, failed=True))
    assert wire.send(resume(f"{E}.1")) == last_part(1, response(f"Without you: {text}"))


def visiting(*, context: Context) -> str:
    """Send the user to a page."""
    return context.elicit_url("Sign in.", "https://a.example", key="visit").action


@pytest.mark.requirement("elicit-url")
def test_the_id_of_a_page_to_visit_is_the_id_of_its_question() -> None:
    params = {"mode": "url", "message": "Sign in.", "url": "https://a.example"}
    question = {
        "jsonrpc": "2.0",
        "id": f"{E}.visit",
        "method": "elicitation/create",
        "params": {**params, "elicitationId": f"{E}.visit"},
    }

    sent = connected(tool_server(visiting)).send(call({"name": "visiting"}))

    assert sent == stream((f"{E}.0", None), (f"{E}.1", question), retry=500)


@pytest.mark.requirement("cancel")
def test_a_cancelled_call_can_be_neither_answered_nor_resumed(wire: Wire) -> None:
    wire.send(call())

    assert wire.outcome(cancelled(7)).required == DeleteExchange(ID, E)
    assert wire.send(answer(f"{E}.name", ADA)) == NOT_ASKED
    assert wire.send(resume(f"{E}.2")) == NO_STREAM


@pytest.mark.requirement("cancel-unknown")
@pytest.mark.parametrize("request_id", ["7", 8, -7, "", "x"])
def test_cancelling_another_request_is_accepted_and_changes_nothing(wire: Wire, request_id: object) -> None:
    wire.send(call())

    assert wire.send(cancelled(request_id)) == ACCEPTED
    assert wire.send(answer(f"{E}.name", ADA)) == ACCEPTED


NO_IDS: list[object] = [None, True, 7.5, [7], {}]


@pytest.mark.parametrize("params", [None, {}, *({"requestId": each} for each in NO_IDS)])
def test_cancelling_without_a_valid_request_id_stores_nothing(wire: Wire, params: object) -> None:
    outcome = wire.outcome(post(notification("notifications/cancelled", params), in_session()))

    assert outcome.required is None


def test_without_a_state_key_there_is_nothing_to_cancel(built: BuiltServer) -> None:
    assert connected(built, state_keys=()).outcome(cancelled(7)).required is None


NEEDS_NEWER = (
    "This asks the client something, which needs protocol version 2025-11-25 or newer and a client that "
    "accepts text/event-stream"
)


@pytest.mark.requirement("ask-older")
@pytest.mark.parametrize(
    ("version", "headers"),
    [
        ("2024-11-05", {}),
        ("2025-03-26", {}),
        ("2025-06-18", {}),
        ("2025-11-25", {"accept": "application/json"}),
    ],
)
def test_a_client_that_would_not_resume_is_not_asked(
    built: BuiltServer, version: str, headers: dict[str, str]
) -> None:
    wire = connected(built, version=version)

    assert wire.outcome(call(GATHER, **headers)).required is None
    assert wire.send(call(GATHER, **headers)) == result(7, text_result(NEEDS_NEWER, failed=True))


@pytest.mark.requirement("ask-legacy-capability", "capabilities-of-the-handshake")
@pytest.mark.parametrize(
    ("capabilities", "missing"),
    [
        ({}, "elicitation, roots, sampling"),
        ({"elicitation": {}}, "roots, sampling"),
        ({"elicitation": {"url": {}}, "sampling": {}, "roots": {}}, "elicitation"),
    ],
)
def test_a_client_without_the_capability_in_its_handshake_is_not_asked(
    built: BuiltServer, capabilities: dict[str, Any], missing: str
) -> None:
    text = f"This needs a client that declares the capability {missing}"
    in_meta = {"_meta": {"io.modelcontextprotocol/clientCapabilities": EVERYTHING}}

    sent = connected(built, capabilities=capabilities).send(call({**GATHER, **in_meta}))

    assert sent == result(7, text_result(text, failed=True))


def test_without_a_state_key_asking_is_an_internal_error_whose_reason_is_logged(built: BuiltServer) -> None:
    wire = connected(built, state_keys=())

    assert wire.send(call(GATHER)) == error(200, 7, -32603, "Internal error")
    assert wire.outcome(call(GATHER)).record.reason == (
        "a handler asked the client, and no state key is configured to seal its state"
    )
