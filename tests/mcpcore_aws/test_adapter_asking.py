"""Tools that ask, take their time, and report progress: through the event sources of a Lambda function."""

import json
import time
from collections.abc import Sequence
from typing import Any, Final

import pytest

from mcpcore import MemorySessions, SessionStore, StoreUnavailable
from mcpcore.sessions.session import Exchange
from mcpcore.sessions.store import ExtendSession, StoreAction
from mcpcore_aws.adapter import LambdaAdapter
from mcpcore_aws.sessions import DynamoDBSessions
from tests.support.asking_server import NAME, asking_server
from tests.support.event_sources import through_event_source
from tests.support.events import EVENT_SOURCES
from tests.support.exchanges import Reply, Send, error, legacy, modern, through_handler
from tests.support.resuming import Caller, connect, events, last_id, messages, text_of

KEY: Final = b"k" * 32
ADA: Final[dict[str, Any]] = {"action": "accept", "content": {"name": "Ada"}}
FORMS: Final[dict[str, Any]] = {"elicitation": {}}
LATE: Final = "Not done within {} seconds; try again, or ask for less"


def lambda_function(
    sessions: SessionStore | None = None,
    *,
    tool_timeout_seconds: float = 20,
    state_keys: Sequence[bytes] = (KEY,),
) -> LambdaAdapter:
    return LambdaAdapter(
        asking_server(),
        sessions=sessions or MemorySessions(),
        tool_timeout_seconds=tool_timeout_seconds,
        state_keys=state_keys,
    )


def through(*, remaining_seconds: float = 29, **parts: Any) -> Send:
    """To a function of its own."""
    return through_event_source(lambda_function(**parts), "http_api", remaining_seconds=remaining_seconds)


def called(send: Send, tool: str, capabilities: dict[str, Any] = FORMS, **members: Any) -> Reply:
    """A call in 2026-07-28; `members` are params."""
    sent = modern("tools/call", name=tool, **members)
    message = json.loads(sent.body)
    message["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = capabilities
    return send(sent._replace(body=json.dumps(message).encode()))


def answered(caller: Caller, asked: Reply, **answer: Any) -> Reply:
    """The response to a client that answers the last question in `asked` and resumes."""
    taken = caller.answer(messages(asked)[-1]["id"], **answer)
    assert (taken.status, taken.body) == (202, b"")
    return caller.resume(last_id(asked))


# Each event source, both eras


@pytest.mark.parametrize("source", EVENT_SOURCES)
def test_a_client_of_2025_11_25_is_asked_through_each_event_source(source: str) -> None:
    caller = connect(through_event_source(lambda_function(), source))
    asked = caller.call("greet")
    (question,) = messages(asked)
    assert (question["method"], question["params"]) == (
        "elicitation/create",
        {"message": "Who are you?", "requestedSchema": NAME},
    )
    (result,) = messages(answered(caller, asked, **ADA))
    assert (result["id"], text_of(result)) == (7, (False, "Hello, Ada!"))


@pytest.mark.parametrize("source", EVENT_SOURCES)
def test_a_client_of_2026_07_28_is_asked_through_each_event_source(source: str) -> None:
    send = through_event_source(lambda_function(), source)
    required = called(send, "greet").message()["result"]
    assert required["resultType"] == "input_required"
    assert required["inputRequests"] == {
        "name": {
            "method": "elicitation/create",
            "params": {"message": "Who are you?", "requestedSchema": NAME},
        }
    }
    complete = called(
        send, "greet", requestState=required["requestState"], inputResponses={"name": ADA}
    ).message()
    assert text_of(complete) == (False, "Hello, Ada!")


@pytest.mark.requirement("state-keys")
def test_a_state_that_another_container_sealed_is_opened() -> None:
    required = called(through(), "greet").message()["result"]
    answer = {"requestState": required["requestState"], "inputResponses": {"name": ADA}}
    assert text_of(called(through(), "greet", **answer).message()) == (False, "Hello, Ada!")
    refused = called(through(state_keys=(b"o" * 32,)), "greet", **answer).message()
    assert refused["error"]["code"] == -32602


def test_after_the_secret_was_replaced_what_the_previous_one_sealed_is_opened() -> None:
    required = called(through(state_keys=(b"old" * 11,)), "greet").message()["result"]
    answer = {"requestState": required["requestState"], "inputResponses": {"name": ADA}}
    send = through(state_keys=(KEY, b"old" * 11))
    assert text_of(called(send, "greet", **answer).message()) == (False, "Hello, Ada!")
    assert called(send, "greet").message()["result"]["requestState"] != required["requestState"]


def test_a_question_is_continued_in_another_container(table: str) -> None:
    first, second = (
        through_handler(lambda_function(DynamoDBSessions(table))),
        through_handler(lambda_function(DynamoDBSessions(table))),
    )
    caller = connect(first)
    asked = caller.call("introduce")
    elsewhere = Caller(second, caller.session)
    next_question = answered(elsewhere, asked, **ADA)
    assert messages(next_question)[-1]["params"]["message"] == "And the name of your friend, Ada?"
    (result,) = messages(answered(caller, next_question, action="accept", content={"name": "Charles"}))
    assert text_of(result) == (False, "Ada and Charles")


# A tool that takes its time


@pytest.mark.parametrize("tool", ["work", "work_aside"])
def test_a_tool_that_is_done_in_time_is_answered(tool: str) -> None:
    send = through()
    expected = {"work": "done", "work_aside": "done aside"}[tool]
    assert text_of(called(send, tool, arguments={"seconds": 0.01}).message()) == (False, expected)


@pytest.mark.requirement("call-deadline")
@pytest.mark.parametrize("tool", ["work", "work_aside"])
def test_a_tool_that_takes_too_long_is_interrupted(tool: str) -> None:
    started = time.monotonic()
    send = through(tool_timeout_seconds=0.1)
    modern_reply = called(send, tool, arguments={"seconds": 20})
    legacy_reply = connect(send).call(tool, seconds=20)
    assert time.monotonic() - started < 5
    assert (modern_reply.status, modern_reply.message()) == (200, error(1, -32603, LATE.format(0.1)))
    assert (legacy_reply.status, legacy_reply.message()) == (200, error(7, -32603, LATE.format(0.1)))


def test_a_tool_is_interrupted_before_lambda_ends_the_function() -> None:
    started = time.monotonic()
    reply = called(through(remaining_seconds=1.2), "work", arguments={"seconds": 20})
    assert time.monotonic() - started < 1.2
    assert reply.message()["error"]["code"] == -32603


def test_a_function_without_remaining_time_answers_with_a_deadline_error() -> None:
    reply = called(through(remaining_seconds=0.5), "work", arguments={"seconds": 0})
    assert reply.message() == error(1, -32603, LATE.format(0))


def test_a_tool_interrupted_after_a_question_ends_the_stream_with_a_result() -> None:
    caller = connect(through(tool_timeout_seconds=0))
    assert caller.call("greet").message() == error(7, -32603, LATE.format(0))

    sessions = MemorySessions()
    patient = connect(through_handler(lambda_function(sessions)))
    asked = patient.call("greet")
    hasty = through_handler(lambda_function(sessions, tool_timeout_seconds=0))
    (result,) = messages(answered(Caller(hasty, patient.session), asked, **ADA))
    assert (result["id"], text_of(result)) == (7, (True, LATE.format(0)))


class SlowSessions(MemorySessions):
    """A store that takes longer to load a session than there is to answer in."""

    def load(self, *arguments: Any) -> Any:
        time.sleep(1.2)
        return super().load(*arguments)


def test_time_spent_in_the_store_shortens_the_deadline_of_the_tool() -> None:
    sessions = SlowSessions()
    session = connect(through_handler(lambda_function(sessions))).session
    send = through(sessions=sessions, remaining_seconds=3)
    started = time.monotonic()
    reply = send(legacy("tools/call", session=session, name="work", arguments={"seconds": 20}))
    assert time.monotonic() - started < 3
    assert reply.message()["error"]["code"] == -32603


# A tool that tells


def progress(value: int, token: str | int) -> dict[str, Any]:
    params = {"progressToken": token, "progress": value, "total": 2}
    return {"jsonrpc": "2.0", "method": "notifications/progress", "params": params}


@pytest.mark.requirement("events-of-this-request")
@pytest.mark.parametrize("token", ["a token", 5])
def test_progress_comes_before_the_answer_in_one_complete_body(token: str | int) -> None:
    sent = modern("tools/call", name="count", arguments={"to": 2})
    message = json.loads(sent.body)
    message["params"]["_meta"]["progressToken"] = token
    reply = through()(sent._replace(body=json.dumps(message).encode()))
    first, second, result = messages(reply)
    assert [first, second] == [progress(1, token), progress(2, token)]
    assert text_of(result) == (False, "counted to 2")
    assert [event.id for event in events(reply)] == [None] * 3


def test_progress_of_the_handshake_era_comes_in_the_same_way() -> None:
    caller = connect(through())
    reply = caller.request("tools/call", name="count", arguments={"to": 2}, _meta={"progressToken": "t"})
    assert messages(reply)[:2] == [progress(1, "t"), progress(2, "t")]
    assert [event.id for event in events(reply)] == [None] * 3


def test_a_client_that_accepts_only_json_gets_the_result_alone() -> None:
    sent = modern("tools/call", name="count", arguments={"to": 2})
    message = json.loads(sent.body)
    message["params"]["_meta"]["progressToken"] = "t"
    headers = {**sent.headers, "accept": "application/json"}
    reply = through()(sent._replace(body=json.dumps(message).encode(), headers=headers))
    assert reply.headers["content-type"] == "application/json"
    assert text_of(reply.message()) == (False, "counted to 2")


def test_without_a_progress_token_no_progress_is_sent() -> None:
    reply = called(through(), "count", arguments={"to": 2})
    assert reply.headers["content-type"] == "application/json"
    assert text_of(reply.message()) == (False, "counted to 2")


# A store that does not answer for a while


class FlakySessions(MemorySessions):
    """A store that reads, and writes only while it is up."""

    up = True

    def claim(self, exchange: Exchange, *, now: float, until: float) -> bool:
        self._be_up()
        return super().claim(exchange, now=now, until=until)

    def apply(self, action: StoreAction, now: float) -> None:
        self._be_up()
        super().apply(action, now)

    def _be_up(self) -> None:
        if not self.up:
            raise StoreUnavailable


class WatchedSessions(MemorySessions):
    """A store that notes how long exchanges are claimed, and may not refresh."""

    def __init__(self) -> None:
        super().__init__()
        self.claimed_seconds: list[float] = []
        self.refreshes = True

    def claim(self, exchange: Exchange, *, now: float, until: float) -> bool:
        self.claimed_seconds.append(until - now)
        return super().claim(exchange, now=now, until=until)

    def apply(self, action: StoreAction, now: float) -> None:
        if not self.refreshes and isinstance(action, ExtendSession):
            raise StoreUnavailable
        super().apply(action, now)


def test_a_claim_lasts_until_the_function_must_have_ended() -> None:
    sessions = WatchedSessions()
    function = lambda_function(sessions, tool_timeout_seconds=5)
    caller = connect(through_event_source(function, "http_api", remaining_seconds=29))
    answered(caller, caller.call("greet"), **ADA)
    (seconds,) = sessions.claimed_seconds
    assert 29 < seconds <= 30


def test_the_result_is_sent_although_its_session_cannot_be_refreshed() -> None:
    sessions, now = WatchedSessions(), [1_800_000_000.0]
    function = LambdaAdapter(asking_server(), sessions=sessions, state_keys=[KEY], clock=lambda: now[0])
    caller = connect(through_handler(function))
    now[0] += 1900
    sessions.refreshes = False
    asked = caller.call("greet")
    (result,) = messages(answered(caller, asked, **ADA))
    assert text_of(result) == (False, "Hello, Ada!")
    assert messages(caller.resume(last_id(asked))) == [result]


DOWN: Final = "Sessions are unavailable at the moment; try again shortly"


def test_a_question_is_asked_again_once_the_store_is_back() -> None:
    sessions = FlakySessions()
    caller = connect(through_handler(lambda_function(sessions)))
    sessions.up = False
    unasked = caller.call("greet")
    assert (unasked.status, unasked.headers["retry-after"]) == (503, "1")
    assert unasked.message() == error(7, -32603, DOWN)
    sessions.up = True
    (result,) = messages(answered(caller, caller.call("greet"), **ADA))
    assert text_of(result) == (False, "Hello, Ada!")


def test_an_answer_and_its_poll_can_be_sent_again_once_the_store_is_back() -> None:
    sessions = FlakySessions()
    caller = connect(through_handler(lambda_function(sessions)))
    asked = caller.call("greet")
    (question,) = messages(asked)
    sessions.up = False
    assert caller.answer(question["id"], **ADA).status == 503
    sessions.up = True
    assert caller.answer(question["id"], **ADA).status == 202
    sessions.up = False
    assert caller.resume(last_id(asked)).message() == error(..., -32603, DOWN)
    sessions.up = True
    (result,) = messages(caller.resume(last_id(asked)))
    assert text_of(result) == (False, "Hello, Ada!")


# More than the store takes: an item of DynamoDB has 400 KB


@pytest.fixture
def kept(table: str) -> Caller:
    """A client of a function that keeps its sessions in DynamoDB."""
    return connect(through_handler(lambda_function(DynamoDBSessions(table))))


def too_much(message: dict[str, Any]) -> bool:
    return message["error"]["code"] == -32603 and "at most 400000 bytes can be kept" in str(message["error"])


def test_a_question_whose_state_is_too_large_is_answered_with_an_error(kept: Caller) -> None:
    reply = kept.call("keep", size=500_000)
    assert (reply.status, reply.message()["id"], too_much(reply.message())) == (200, 7, True)
    assert "retry-after" not in reply.headers


def test_a_second_question_whose_state_is_too_large_ends_the_stream(kept: Caller) -> None:
    asked = kept.call("keep_then_ask", size=500_000)
    end = answered(kept, asked, **ADA)
    (result,) = messages(end)
    failed, text = text_of(result)
    assert (result["id"], failed, "at most 400000 bytes can be kept" in text) == (7, True, True)
    place = int(last_id(end).rpartition(".")[2])
    assert (
        place == int(last_id(asked).rpartition(".")[2]) + 2
    )  # one more than the question that was not asked
    assert kept.resume(last_id(end)).status == 405


def test_a_result_too_large_to_store_is_sent_once(kept: Caller) -> None:
    asked = kept.call("give", size=500_000)
    (result,) = messages(answered(kept, asked, **ADA))
    assert text_of(result) == (False, "x" * 500_000)
    assert kept.resume(last_id(asked)).status == 405


def test_the_memory_store_has_no_size_limit() -> None:
    caller = connect(through_handler(lambda_function()))
    (result,) = messages(answered(caller, caller.call("keep", size=500_000), **ADA))
    assert text_of(result) == (False, "kept")
