"""How a Lambda asks a client of the handshake era, HTTP response by HTTP response.

Every body is complete. The first ends before the answer is there, and the client comes back for the rest.
"""

from typing import Any, Final

import pytest

from tests.support.exchanges import Send, error, initialize, legacy, over_http
from tests.support.questions import ADA
from tests.support.resuming import (
    Caller,
    Event,
    connect,
    events,
    last_id,
    messages,
    question_id,
    text_of,
    waits,
)
from tests.support.servers import NAME
from tests.support.serving import Served

GREETER: Final = "test_input_required_result_elicitation"
TWO_STEPS: Final = "test_input_required_result_multi_round"
THREE_AT_ONCE: Final = "test_input_required_result_multiple_inputs"

NOTHING_THERE: Final = error(..., -32600, "There is no stream to resume from here; POST a message")
NOT_ASKED: Final = error(..., -32600, "Invalid request: no request of this server waits for this response")


@pytest.fixture
def send(fixture_served: Served) -> Send:
    return over_http(fixture_served.url)


@pytest.fixture
def caller(send: Send) -> Caller:
    return connect(send)


@pytest.mark.requirement("stream-primed")
def test_a_question_leaves_in_a_body_that_can_be_resumed(caller: Caller) -> None:
    reply = caller.call(GREETER)
    opening, asking = events(reply)
    (question,) = messages(reply)
    stream = str(opening.id).partition(".")[0]
    assert opening._replace(retry=None) == Event(f"{stream}.0", None, "")
    assert opening.retry is not None
    assert 500 <= opening.retry < 1000
    assert (asking.id, asking.retry) == (f"{stream}.1", None)
    assert question == {
        "jsonrpc": "2.0",
        "id": f"{stream}.user_name",
        "method": "elicitation/create",
        "params": {"message": "What is your name?", "requestedSchema": NAME},
    }


@pytest.mark.requirement("resume-poll")
def test_a_client_that_resumes_before_the_answer_gets_a_retry_instruction(caller: Caller) -> None:
    asked = caller.call(GREETER)
    first = caller.resume(last_id(asked))
    second = caller.resume(last_id(first))
    assert waits(first)
    assert waits(second)
    assert len({last_id(asked), last_id(first), last_id(second)}) == 3


@pytest.mark.requirement("response-accepted", "resume")
def test_a_client_that_resumes_after_the_answer_gets_the_result(caller: Caller) -> None:
    asked = caller.call(GREETER, request_id="seven")
    answered = caller.answer(question_id(asked), **ADA)
    (result,) = messages(caller.resume(last_id(asked)))
    assert (answered.status, answered.body) == (202, b"")
    assert (result["id"], text_of(result)) == ("seven", (False, "Hello, Ada!"))


def test_a_client_that_has_polled_gets_the_result_too(caller: Caller) -> None:
    asked = caller.call(GREETER)
    waited = caller.resume(last_id(asked))
    caller.answer(question_id(asked), **ADA)
    (result,) = messages(caller.resume(last_id(waited)))
    assert text_of(result) == (False, "Hello, Ada!")


@pytest.mark.requirement("resume-replay")
def test_an_older_event_id_replays_the_events_after_it(caller: Caller) -> None:
    asked = caller.call(GREETER)
    opening, asking = events(asked)
    caller.answer(question_id(asked), **ADA)
    finished = caller.resume(asking.id)
    assert caller.resume(asking.id) == finished
    assert messages(caller.resume(opening.id)) == [*messages(asked), *messages(finished)]


@pytest.mark.requirement("resume-finished")
def test_a_stream_that_was_read_to_its_end_is_over(caller: Caller) -> None:
    asked = caller.call(GREETER)
    caller.answer(question_id(asked), **ADA)
    reply = caller.resume(last_id(caller.resume(last_id(asked))))
    assert (reply.status, reply.message(), reply.headers["allow"]) == (
        405,
        NOTHING_THERE,
        "GET, POST, DELETE",
    )


@pytest.mark.requirement("get-refused")
def test_a_get_without_an_event_id_is_refused(caller: Caller) -> None:
    assert caller.resume(None).status == 405


@pytest.mark.requirement("resume-unknown")
@pytest.mark.parametrize(
    "place", ["", ".", "x", "x.1", "{stream}", "{stream}.", "{stream}.-1", "{stream}.2", "{stream}.1e1"]
)
def test_an_unknown_event_id_is_refused(caller: Caller, place: str) -> None:
    stream = last_id(caller.call(GREETER)).partition(".")[0]
    assert caller.resume(place.format(stream=stream)).status == 405


@pytest.mark.requirement("version-header-unknown")
def test_resuming_in_an_unknown_version_is_refused(caller: Caller) -> None:
    reply = caller.resume(last_id(caller.call(GREETER)), mcp_protocol_version="1999-01-01")
    refused = error(..., -32600, "Invalid request: MCP-Protocol-Version names an unknown version")
    assert (reply.status, reply.message()) == (400, refused)


def test_resuming_requires_accepting_events(caller: Caller) -> None:
    assert caller.resume(last_id(caller.call(GREETER)), accept="application/json").status == 406


@pytest.mark.requirement("ask-answer-twice")
def test_a_second_and_a_late_answer_change_nothing(caller: Caller) -> None:
    asked = caller.call(GREETER)
    caller.answer(question_id(asked), **ADA)
    second = caller.answer(question_id(asked), action="accept", content={"name": "Eve"})
    finished = caller.resume(last_id(asked))
    late = caller.refuse(question_id(asked), "too late")
    assert (second.status, second.body, late.status, late.body) == (202, b"", 202, b"")
    assert text_of(messages(finished)[0]) == (False, "Hello, Ada!")
    assert caller.resume(last_id(asked)) == finished


@pytest.mark.parametrize("unknown", ["x", "x.user_name", "{stream}.color", "{stream}", "{stream}.", "", 5])
def test_an_answer_to_an_unknown_question_is_refused(caller: Caller, unknown: str | int) -> None:
    stream = last_id(caller.call(GREETER)).partition(".")[0]
    request_id = unknown.format(stream=stream) if isinstance(unknown, str) else unknown
    assert caller.answer(request_id, **ADA).status == 400


def test_an_answer_in_another_session_is_refused_and_not_taken(caller: Caller, send: Send) -> None:
    asked = caller.call(GREETER)
    reply = connect(send).answer(question_id(asked), **ADA)
    assert (reply.status, reply.message()) == (400, NOT_ASKED)
    assert waits(caller.resume(last_id(asked)))


@pytest.mark.requirement("session-apart")
def test_a_stream_cannot_be_read_from_another_session(caller: Caller, send: Send) -> None:
    asked = caller.call(GREETER)
    reply = connect(send).resume(last_id(asked))
    assert (reply.status, reply.message()) == (405, NOTHING_THERE)


@pytest.mark.requirement("cancel")
def test_a_cancelled_request_cannot_be_resumed(caller: Caller) -> None:
    asked = caller.call(GREETER)
    cancelled = caller.cancel(7)
    assert (cancelled.status, cancelled.body) == (202, b"")
    assert caller.resume(last_id(asked)).status == 405
    assert caller.answer(question_id(asked), **ADA).status == 400


def test_cancelling_another_request_changes_nothing(caller: Caller) -> None:
    asked = caller.call(GREETER)
    assert [caller.cancel(unknown).status for unknown in (8, "7")] == [202, 202]
    assert waits(caller.resume(last_id(asked)))


def test_the_streams_of_an_ended_session_cannot_be_resumed(caller: Caller) -> None:
    asked = caller.call(GREETER)
    caller.end()
    assert caller.resume(last_id(asked)).status == 404
    assert caller.answer(question_id(asked), **ADA).status == 404


def test_two_requests_can_wait_for_answers_at_once(caller: Caller) -> None:
    one, other = caller.call(GREETER, 1), caller.call(GREETER, "1")
    caller.answer(question_id(other), action="accept", content={"name": "Eve"})
    caller.answer(question_id(one), **ADA)
    ended = [messages(caller.resume(last_id(asked)))[0] for asked in (one, other)]
    assert [(result["id"], text_of(result)[1]) for result in ended] == [
        (1, "Hello, Ada!"),
        ("1", "Hello, Eve!"),
    ]


def test_the_next_question_comes_when_the_first_is_answered(caller: Caller) -> None:
    asked = caller.call(TWO_STEPS)
    caller.answer(question_id(asked), **ADA)
    again = caller.resume(last_id(asked))
    assert messages(again)[0]["params"]["message"] == "Step 2: What is your favorite color?"
    assert waits(caller.resume(last_id(again)))
    caller.answer(question_id(again), action="accept", content={"color": "green"})
    (result,) = messages(caller.resume(last_id(again)))
    assert text_of(result) == (False, "Ada likes green")


def test_of_several_questions_all_must_be_answered(caller: Caller) -> None:
    asked = caller.call(THREE_AT_ONCE)
    name, greeting, roots = (question["id"] for question in messages(asked))
    caller.answer(roots, roots=[])
    caller.answer(name, **ADA)
    assert waits(caller.resume(last_id(asked)))
    caller.answer(greeting, role="assistant", content={"type": "text", "text": "Hi"}, model="tests")
    (result,) = messages(caller.resume(last_id(asked)))
    assert text_of(result) == (False, "All answered: user_name, greeting, client_roots")


@pytest.mark.requirement("ask-refused")
def test_an_error_as_the_clients_answer_is_a_tool_error(caller: Caller) -> None:
    asked = caller.call(GREETER)
    assert caller.refuse(question_id(asked), "nobody is here").status == 202
    (result,) = messages(caller.resume(last_id(asked)))
    assert text_of(result) == (True, "The client refused to answer: nobody is here")


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ({"action": "agree"}, "action must be accept, decline or cancel"),
        ({"action": "accept", "content": {"name": 5}}, "$.name: 5 is not of type 'string'"),
        ({"action": "accept", "content": []}, "content must be an object"),
        ({}, "action must be accept, decline or cancel"),
    ],
)
def test_an_answer_that_does_not_fit_ends_in_a_tool_error(
    caller: Caller, answer: dict[str, Any], fault: str
) -> None:
    asked = caller.call(GREETER)
    caller.answer(question_id(asked), **answer)
    (result,) = messages(caller.resume(last_id(asked)))
    assert text_of(result) == (True, f"Invalid answer to user_name: {fault}")


@pytest.mark.requirement("ask-older")
@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18"])
def test_clients_that_cannot_resume_are_not_asked(send: Send, version: str) -> None:
    reply = connect(send, version=version).call(GREETER)
    assert (reply.headers["content-type"], text_of(reply.message())) == ("application/json", (True, TOO_OLD))


def test_a_client_that_accepts_only_json_is_not_asked(send: Send, caller: Caller) -> None:
    sent = legacy("tools/call", session=caller.session, name=GREETER)
    reply = send(sent._replace(headers={**sent.headers, "accept": "application/json"}))
    assert (reply.headers["content-type"], text_of(reply.message())) == ("application/json", (True, TOO_OLD))


TOO_OLD: Final = (
    "This asks the client something, which needs protocol version 2025-11-25 or newer and a client that "
    "accepts text/event-stream"
)


def test_a_client_without_the_capability_is_not_asked(send: Send) -> None:
    reply = send(initialize())
    reply = Caller(send, reply.headers["mcp-session-id"]).call(GREETER)
    assert text_of(reply.message()) == (True, "This needs a client that declares the capability elicitation")


def test_deferred_work_continues_when_the_client_resumes(caller: Caller) -> None:
    deferred = caller.call("test_reconnection")
    assert waits(deferred)
    (result,) = messages(caller.resume(last_id(deferred)))
    assert (result["id"], text_of(result)[1]) == (7, "Reconnection test completed successfully")


def test_a_prompt_asks_in_the_same_way(caller: Caller) -> None:
    asked = caller.request("prompts/get", name="test_input_required_result_prompt")
    caller.answer(question_id(asked), action="accept", content={"context": "a garden"})
    (result,) = messages(caller.resume(last_id(asked)))
    assert result["result"]["messages"] == [
        {"role": "user", "content": {"type": "text", "text": "Work in this context: a garden"}}
    ]
