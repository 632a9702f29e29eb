"""Asking the client in a session: which answers are taken, who can be asked, and what ends the asking."""

from collections.abc import Mapping
from typing import Any

import pytest

from mcpcore import BuiltServer, MemorySessions, Server, SessionId
from mcpcore.engine.exchanges import exchange_id_of
from mcpcore.http import HttpRequest, HttpResponse
from mcpcore.sessions.session import Exchange
from mcpcore.sessions.store import DeleteExchange
from tests.support.messages import (
    ACCEPTED,
    NO_ID,
    SESSION,
    answer,
    cancelled,
    come_back,
    error,
    handshake,
    in_session,
    message,
    notification,
    post,
    refusal,
    result,
    stream,
)
from tests.support.servers import NOW, Wire, asking_server

ABLE: dict[str, Any] = {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}}
ID = SessionId(SESSION)
S = exchange_id_of(ID, 7, Wire().environment())
ADA = {"action": "accept", "content": {"name": "Ada"}}
BOB = {"action": "accept", "content": {"name": "Bob"}}
SAMPLED = {"role": "assistant", "content": {"type": "text", "text": "Hi"}, "model": "m"}
ROOTS: dict[str, Any] = {"roots": []}
BOOK = {"name": "book", "arguments": {"city": "Oslo"}}
UNASKED = error(400, NO_ID, -32600, "Invalid request: no request of this server waits for this response")
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


@pytest.fixture
def sessions() -> MemorySessions:
    return MemorySessions()


@pytest.fixture
def wire(built: BuiltServer, sessions: MemorySessions) -> Wire:
    """A server that asks, and a session whose client can be asked everything."""
    return begun(built, sessions=sessions)


def begun(
    server: Server | BuiltServer, *, version: str = "2025-11-25", can: object = ABLE, **options: Any
) -> Wire:
    wire = Wire(server, **options)
    wire.send(post(message("initialize", handshake(protocolVersion=version, capabilities=can))))
    return wire


def call(params: Mapping[str, Any] = BOOK, **headers: str) -> HttpRequest:
    body = message("tools/call", params, request_id=7)
    return post(body, {**in_session(), **headers})


def exchange_of(sessions: MemorySessions) -> Exchange:
    """What is stored of the call."""
    found = sessions.load_exchange(ID, S, NOW)
    assert found is not None
    return found


def said(text: str, *, failed: bool = False) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "isError": failed}


def ended(text: str, *, failed: bool = False, at: int = 1) -> HttpResponse:
    """The last part of an answer."""
    response = {"jsonrpc": "2.0", "id": 7, "result": said(text, failed=failed)}
    return stream((f"{S}.{at}", response), retry=None)


GATHER = {"name": "gather"}


def test_questions_asked_at_once_are_answered_in_any_order_and_the_run_waits_for_all(
    wire: Wire, sessions: MemorySessions
) -> None:
    wire.send(call(GATHER))
    answers = [("where", ROOTS), ("who", ADA), ("said", SAMPLED)]
    seen = []
    for key, environment in answers:
        seen.append(wire.send(answer(f"{S}.{key}", environment)))
        seen.append(wire.send(come_back(f"{S}.3"))._replace(headers={}, body=b""))

    assert seen == [ACCEPTED, HttpResponse(200, {}, b"")] * 3
    assert [*exchange_of(sessions).answers] == ["where", "who", "said"]
    assert wire.send(come_back(f"{S}.3")) == ended(
        "[Elicited(action='accept', content={'name': 'Ada'}), "
        "Sampled(role='assistant', content={'type': 'text', 'text': 'Hi'}, model='m', stop_reason=''), []]",
        at=4,
    )


@pytest.mark.requirement("ask-answer-twice")
def test_the_first_answer_stands_and_a_second_is_taken_and_ignored(
    wire: Wire, sessions: MemorySessions
) -> None:
    wire.send(call())
    taken = [wire.send(answer(f"{S}.name", each)) for each in (ADA, BOB, BOB)]
    refused = wire.send(refusal(f"{S}.name", "no"))

    assert [*taken, refused] == [ACCEPTED] * 4
    assert (exchange_of(sessions).answers, exchange_of(sessions).refused) == ({"name": ADA}, frozenset())


def test_a_late_answer_is_taken_and_changes_nothing(wire: Wire, sessions: MemorySessions) -> None:
    wire.send(call())
    wire.send(answer(f"{S}.name", ADA))
    wire.send(come_back(f"{S}.1"))
    before = exchange_of(sessions)

    assert wire.send(answer(f"{S}.name", BOB)) == ACCEPTED
    assert exchange_of(sessions) == before


def test_an_answer_after_the_end_is_taken_and_the_end_stays(wire: Wire, sessions: MemorySessions) -> None:
    wire.send(call({"name": "forgiving"}))
    wire.send(answer(f"{S}.ask-1", SAMPLED))
    wire.send(come_back(f"{S}.1"))
    finished = exchange_of(sessions)

    assert wire.send(answer(f"{S}.ask-1", SAMPLED)) == ACCEPTED
    assert exchange_of(sessions) == finished
    assert wire.send(come_back(f"{S}.1")) == ended("Hi", at=2)


@pytest.mark.requirement("response-unasked")
@pytest.mark.parametrize("question_id", [f"{S}.seat", f"{S}.Name", f"{S}.name ", f"{S}x.name", "x.name"])
def test_an_answer_to_what_was_not_asked_is_refused(wire: Wire, question_id: str) -> None:
    wire.send(call())

    assert wire.send(answer(question_id, ADA)) == UNASKED


UNFIT = [
    ({}, "action must be accept, decline or cancel"),
    ({"action": "accept"}, "$: 'name' is a required property"),
    ({"action": "accept", "content": {"name": 12345}}, "$.name: 12345 is not of type 'string'"),
    ({"action": "accept", "content": []}, "content must be an object"),
]


@pytest.mark.parametrize(("environment", "reason"), UNFIT)
def test_an_answer_that_does_not_fit_ends_the_call_with_a_tool_error(
    wire: Wire, environment: dict[str, Any], reason: str
) -> None:
    wire.send(call())
    taken = wire.send(answer(f"{S}.name", environment))

    end = wire.send(come_back(f"{S}.2"))

    assert taken == ACCEPTED
    assert end == ended(f"Invalid answer to name: {reason}", failed=True, at=3)
    assert wire.send(come_back(f"{S}.0")).body.count(b"asking for a name") == 1


def test_an_error_for_an_answer_is_a_tool_error_unless_the_tool_can_do_without(wire: Wire) -> None:
    wire.send(call())
    wire.send(refusal(f"{S}.name", "User rejected sampling request"))

    assert wire.send(come_back(f"{S}.2")) == ended(
        "The client refused to answer: User rejected sampling request", failed=True, at=3
    )


def test_a_tool_may_go_on_without_the_answer(wire: Wire) -> None:
    wire.send(call({"name": "forgiving"}))
    wire.send(refusal(f"{S}.ask-1", "Busy"))

    assert wire.send(come_back(f"{S}.1")) == ended("Without you: The client refused to answer: Busy", at=2)


@pytest.mark.parametrize(("action", "who"), [("decline", "None"), ("cancel", "None")])
def test_a_user_who_declines_is_an_answer_too(wire: Wire, action: str, who: str) -> None:
    wire.send(call())
    wire.send(answer(f"{S}.name", {"action": action}))

    assert f"Which seat, {who}?".encode() in wire.send(come_back(f"{S}.2")).body


@pytest.mark.requirement("cancel")
def test_a_call_that_is_taken_back_is_dropped_and_can_be_neither_answered_nor_resumed(wire: Wire) -> None:
    wire.send(call())
    outcome = wire.outcome(cancelled(7))

    assert outcome.actions == (DeleteExchange(ID, S),)
    assert wire.send(answer(f"{S}.name", ADA)) == UNASKED
    assert wire.send(come_back(f"{S}.2")) == NOTHING


@pytest.mark.requirement("cancel-unknown")
@pytest.mark.parametrize("request_id", ["7", 8, -7, "", "x"])
def test_taking_back_another_request_is_taken_and_changes_nothing(wire: Wire, request_id: object) -> None:
    wire.send(call())

    assert wire.send(cancelled(request_id)) == ACCEPTED
    assert wire.send(answer(f"{S}.name", ADA)) == ACCEPTED


NO_IDS: list[object] = [None, True, 7.5, [7], {}]


@pytest.mark.parametrize("params", [None, {}, *({"requestId": each} for each in NO_IDS)])
def test_taking_back_what_no_request_can_be_called_does_nothing(wire: Wire, params: object) -> None:
    outcome = wire.outcome(post(notification("notifications/cancelled", params), in_session()))

    assert outcome.actions == ()


def test_without_a_key_there_is_nothing_to_take_back(built: BuiltServer) -> None:
    assert begun(built, state_keys=()).outcome(cancelled(7)).actions == ()


NEEDS_NEWER = (
    "This asks the client something, which needs protocol version 2025-11-25 or newer and a client that "
    "accepts text/event-stream"
)


@pytest.mark.requirement("ask-older")
@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18"])
def test_clients_that_would_not_come_back_are_not_asked(built: BuiltServer, version: str) -> None:
    wire = begun(built, version=version)
    outcome = wire.outcome(call(GATHER))

    assert wire.send(call(GATHER)) == result(7, said(NEEDS_NEWER, failed=True))
    assert outcome.actions == ()


def test_clients_that_do_not_accept_events_are_not_asked(wire: Wire) -> None:
    answered = wire.send(call(GATHER, accept="application/json"))

    assert answered == result(7, said(NEEDS_NEWER, failed=True))


@pytest.mark.requirement("ask-legacy-capability")
@pytest.mark.parametrize(
    ("can", "lacking"),
    [
        ({}, "elicitation, roots, sampling"),
        ({"elicitation": {}}, "roots, sampling"),
        ({"elicitation": {"url": {}}, "sampling": {}, "roots": {}}, "elicitation"),
    ],
)
def test_clients_that_lack_a_capability_are_not_asked_and_the_model_is_told_which(
    built: BuiltServer, can: dict[str, Any], missing_capabilities: str
) -> None:
    text = f"This needs a client that declares the capability {missing_capabilities}"

    assert begun(built, can=can).send(call(GATHER)) == result(7, said(text, failed=True))


@pytest.mark.requirement("capabilities-of-the-handshake")
def test_capabilities_are_those_of_the_handshake_whatever_a_request_says(built: BuiltServer) -> None:
    claims = {"_meta": {"io.modelcontextprotocol/clientCapabilities": ABLE}}

    assert b"declares the capability" in begun(built, can={}).send(call({**GATHER, **claims})).body


def test_without_a_key_nothing_can_be_asked_and_the_log_knows_why(built: BuiltServer) -> None:
    wire = begun(built, state_keys=())
    record = wire.outcome(call(GATHER)).record

    assert wire.send(call(GATHER)) == error(200, 7, -32603, "Internal error")
    assert repr(record.cause) == "LookupError('a question needs a state key, and none was given')"
