"""Any sequence of valid and invalid messages, in sessions of every version and in none, with questions."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    multiple,
    precondition,
    rule,
)

from tests.properties.strategies import answers, bodies, capabilities, ids, json_values, mirrored, named_calls
from tests.properties.subject import Subject, examples, quiet
from tests.support.exchanges import MODERN, Reply, Sent
from tests.support.judge import Judged, judge

REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
ASKING = (
    "ask_all",
    "ask_and_report",
    "test_sampling",
    "test_elicitation",
    "test_input_required_result_multi_round",
    "test_input_required_result_multiple_inputs",
    "test_reconnection",
)

CAPABLE: dict[str, Any] = {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}}
JSON = {"content-type": "application/json", "accept": "application/json, text/event-stream"}


class Session(NamedTuple):
    id: str
    version: str


class Question(NamedTuple):
    id: str
    method: str
    params: dict[str, Any]


class Stream:
    """An answer that a client of 2025-11-25 has read up to `last_id`, and the questions in it so far."""

    def __init__(self, session: Session, request_id: str | int, last_id: str) -> None:
        self.session = session
        self.request_id = request_id
        self.last_id = last_id
        self.questions: list[Question] = []

    def read(self, messages: list[dict[str, Any]]) -> None:
        for message in messages:
            if "method" in message and "id" in message:
                self.questions.append(Question(message["id"], message["method"], message["params"]))


class Round(NamedTuple):
    """A modern request that was answered by questions."""

    message: dict[str, Any]
    asked: dict[str, Any]
    state: str


@pytest.fixture(autouse=True, scope="module")
def _quiet() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        quiet(patch)
        yield


def fitting(method: str, params: dict[str, Any]) -> Any:
    """The valid answer to a question."""
    if method == "roots/list":
        return {"roots": [{"uri": "file:///a", "name": "a"}]}
    if method == "sampling/createMessage":
        return {"role": "assistant", "content": {"type": "text", "text": "42"}, "model": "m"}
    schema = params.get("requestedSchema", {"properties": {}})
    filled = {"string": "x", "integer": 1, "number": 1.5, "boolean": True}
    content = {name: filled.get(field.get("type"), "x") for name, field in schema["properties"].items()}
    return {"action": "accept", "content": content}


def event_ids(reply: Reply) -> list[str]:
    lines = reply.body.decode().splitlines()
    return [line.removeprefix("id: ") for line in lines if line.startswith("id: ")]


class Conversations(RuleBasedStateMachine):
    """Clients of both eras of one server, and what each of them may expect."""

    sessions = Bundle("sessions")
    streams = Bundle("streams")
    rounds = Bundle("rounds")

    def __init__(self) -> None:
        super().__init__()
        self.subject = Subject()
        self.ended: set[str] = set()
        self.final: dict[str, dict[str, Any]] = {}

    def exchange(self, sent: Sent, version: str) -> tuple[Reply, Judged]:
        reply = self.subject.send(sent)
        return reply, judge(sent, reply, version=version, resumed="tools/call")

    def post(self, session: Session, message: Any) -> tuple[Reply, Judged]:
        headers = {**JSON, "mcp-session-id": session.id, "mcp-protocol-version": session.version}
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        reply, judged = self.exchange(Sent(body, headers), session.version)
        if session.id in self.ended:
            assert reply.status >= 400 or _never_reaches_a_session(body)
        return reply, judged

    @initialize(target=sessions)
    def open_one(self) -> Any:
        return self.open("2025-11-25", CAPABLE)

    @rule(target=sessions, version=st.sampled_from(REVISIONS), able=capabilities | st.just(CAPABLE))
    def open(self, version: str, able: dict[str, Any]) -> Any:
        client = {"name": "tests", "version": "1"}
        params = {"protocolVersion": version, "capabilities": able, "clientInfo": client}
        message = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}
        reply, judged = self.exchange(Sent(json.dumps(message).encode(), JSON), version)
        assert judged.response is not None
        assert judged.response["result"]["protocolVersion"] == version
        return Session(reply.headers["mcp-session-id"], version)

    @precondition(lambda self: self.subject.now % 2)
    @rule(session=consumes(sessions))
    def end(self, session: Session) -> None:
        headers = {"mcp-session-id": session.id}
        first, _ = self.exchange(Sent(b"", headers, "DELETE"), session.version)
        again, _ = self.exchange(Sent(b"", headers, "DELETE"), session.version)
        assert first.status in (200, 404)  # it may have expired
        assert again.status == 404
        self.ended.add(session.id)

    @rule(seconds=st.sampled_from([0.5, 1, 4, 60, 901, 3_601]))
    def wait(self, seconds: float) -> None:
        self.subject.now += seconds

    @rule(session=sessions, body=bodies)
    def send_any_body(self, session: Session, body: bytes) -> None:
        self.post(session, body)

    @rule(session=sessions, call=named_calls, request_id=ids)
    def request(self, session: Session, call: tuple[str, dict[str, Any]], request_id: str | int) -> None:
        method, params = call
        self.post(session, {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params})

    @rule(session=sessions, method=st.sampled_from(["notifications/initialized", "unknown", "tools/list"]))
    def notify(self, session: Session, method: str) -> None:
        reply, _ = self.post(session, {"jsonrpc": "2.0", "method": method})
        assert reply.status in (202, 404)

    @rule(
        target=streams,
        session=sessions,
        tool=st.sampled_from(ASKING),
        request_id=st.sampled_from([1, 2, "1", "é"]),
        token=st.none() | st.sampled_from([0, "t"]),
    )
    def ask(self, session: Session, tool: str, request_id: str | int, token: Any) -> Any:
        params: dict[str, Any] = {"name": tool, "arguments": _arguments(tool)}
        if token is not None:
            params["_meta"] = {"progressToken": token}
        message = {"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": params}
        reply, judged = self.post(session, message)
        read = event_ids(reply)
        if not read:
            assert judged.response is not None
            return multiple()
        assert session.version == "2025-11-25"
        assert judged.response is None
        stream = Stream(session, request_id, read[-1])
        # An id that is used again stands for the new request, and its answer is another one.
        self.final.pop(read[-1].partition(".")[0], None)
        stream.read(judged.messages)
        return stream

    @rule(stream=streams)
    def read_on(self, stream: Stream) -> None:
        reply, judged = self.resume(stream.session, stream.last_id)
        assert reply.status in (200, 404, 405)
        if reply.status == 200:
            stream.last_id = event_ids(reply)[-1]
            stream.read(judged.messages)
            self.expect_same(stream, judged.response)

    @rule(stream=streams, position=st.integers(0, 9))
    def read_again(self, stream: Stream, position: int) -> None:
        exchange_id = stream.last_id.partition(".")[0]
        reply, judged = self.resume(stream.session, f"{exchange_id}.{position}")
        assert reply.status in (200, 404, 405)
        if reply.status == 200:
            self.expect_same(stream, judged.response)

    @rule(stream=streams, session=sessions)
    def read_another_session(self, stream: Stream, session: Session) -> None:
        reply, _ = self.resume(session, stream.last_id)
        assert session == stream.session or reply.status in (404, 405)

    @rule(session=sessions, last_id=json_values.map(str) | st.sampled_from(["a.0", "a.b", ".1", "a.-1"]))
    def invent_an_event(self, session: Session, last_id: str) -> None:
        reply, _ = self.resume(session, last_id)
        assert reply.status in (404, 405)

    def resume(self, session: Session, last_id: str) -> tuple[Reply, Judged]:
        headers = {"accept": "text/event-stream", "mcp-session-id": session.id, "last-event-id": last_id}
        reply, judged = self.exchange(Sent(b"", headers, "GET"), session.version)
        assert session.id not in self.ended or reply.status in (404, 405)
        return reply, judged

    def expect_same(self, stream: Stream, response: dict[str, Any] | None) -> None:
        """A request has one response, however often it is fetched, and under its own id."""
        if response is None:
            return
        assert type(response["id"]) is type(stream.request_id)
        assert response["id"] == stream.request_id
        assert self.final.setdefault(stream.last_id.partition(".")[0], response) == response

    @rule(stream=streams, answer=answers, valid=st.booleans(), which=st.integers(0, 3))
    def answer(self, stream: Stream, answer: Any, valid: bool, which: int) -> None:
        for question in stream.questions[which : which + 1]:
            result = fitting(question.method, question.params) if valid else answer
            self.reply_to(question, {"result": result}, stream.session)

    @rule(stream=streams)
    def answer_all(self, stream: Stream) -> None:
        for question in stream.questions:
            self.reply_to(question, {"result": fitting(question.method, question.params)}, stream.session)

    @rule(stream=streams, error=json_values | st.just({"code": -1, "message": "no"}))
    def decline(self, stream: Stream, error: Any) -> None:
        for question in stream.questions[-1:]:
            self.reply_to(question, {"error": error}, stream.session)

    @rule(stream=streams, session=sessions)
    def answer_for_another(self, stream: Stream, session: Session) -> None:
        for question in stream.questions[:1]:
            reply = self.reply_to(question, {"result": {}}, session)
            assert session == stream.session or reply.status in (400, 404)

    def reply_to(self, question: Question, answer: dict[str, Any], session: Session) -> Reply:
        reply, _ = self.post(session, {"jsonrpc": "2.0", "id": question.id, **answer})
        assert reply.status in (202, 400, 404)
        return reply

    @rule(stream=streams)
    def cancel(self, stream: Stream) -> None:
        params = {"requestId": stream.request_id}
        message = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}
        reply, _ = self.post(stream.session, message)
        assert reply.status in (202, 404)
        after, _ = self.resume(stream.session, stream.last_id)
        assert after.status in (404, 405)

    @rule(target=rounds, tool=st.sampled_from(ASKING), able=capabilities | st.just(CAPABLE), request_id=ids)
    def ask_modern(self, tool: str, able: dict[str, Any], request_id: str | int) -> Any:
        meta = {
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": able,
        }
        params = {"name": tool, "arguments": _arguments(tool), "_meta": meta}
        return self.go_round({"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": params})

    @rule(target=rounds, round_=rounds, request_id=ids, answer=answers, valid=st.booleans())
    def retry(self, round_: Round, request_id: str | int, answer: Any, valid: bool) -> Any:
        environment = {
            key: fitting(asked["method"], asked["params"]) if valid else answer
            for key, asked in round_.asked.items()
        }
        params = {**round_.message["params"], "inputResponses": environment, "requestState": round_.state}
        return self.go_round({**round_.message, "id": request_id, "params": params})

    @rule(round_=rounds, junk=json_values.filter(lambda value: value is not None), place=st.integers(0, 500))
    def retry_with_a_forged_state(self, round_: Round, junk: Any, place: int) -> None:
        state = round_.state
        at = place % len(state)
        forged = state[:at] + ("A" if state[at] != "A" else "B") + state[at + 1 :]
        for wrong in (forged, state + "A", state[:-1], junk):
            params = {**round_.message["params"], "requestState": wrong}
            _, judged = self.exchange(mirrored({**round_.message, "params": params}), MODERN)
            assert judged.response is not None
            assert judged.response["error"]["code"] == -32602

    @rule(round_=rounds, tool=st.sampled_from(ASKING))
    def retry_for_another_tool(self, round_: Round, tool: str) -> None:
        params = {**round_.message["params"], "name": tool, "requestState": round_.state}
        _, judged = self.exchange(mirrored({**round_.message, "params": params}), MODERN)
        assert judged.response is not None
        code = judged.response.get("error", {}).get("code")
        assert tool == round_.message["params"]["name"] or code == -32602

    def go_round(self, message: dict[str, Any]) -> Any:
        _, judged = self.exchange(mirrored(message), MODERN)
        assert judged.response is not None
        assert judged.response["id"] == json.loads(json.dumps(message["id"]))
        result = judged.response.get("result", {})
        if result.get("resultType") != "input_required":
            return multiple()
        return Round(message, result["inputRequests"], result["requestState"])


def _arguments(tool: str) -> dict[str, Any]:
    wanted = {"test_sampling": "prompt", "test_elicitation": "message"}.get(tool)
    return {wanted: "Why?"} if wanted else {}


def _never_reaches_a_session(body: bytes) -> bool:
    """True for a message that is answered without its session: it is modern, or opens another one."""
    return b"initialize" in body or b"io.modelcontextprotocol/" in body


TestConversations = pytest.mark.requirement(
    "id-echoed", "eras-side-by-side", "session-apart", "state-forged", "schema-valid-session"
)(Conversations.TestCase)
TestConversations.settings = settings(max_examples=examples(150), stateful_step_count=25)
