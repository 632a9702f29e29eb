"""Several requests at once over stdio: they can be cancelled, and they can ask."""

import io
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from mcpcore import Context, Server
from mcpcore.request.messages import decode_message
from mcpcore_local.stdio import StdioConnection, serve
from tests.support.asking_server import NAME, asking_server
from tests.support.exchanges import error, legacy, metadata, modern
from tests.support.messages import LEGACY_VERSIONS
from tests.support.questions import ADA, EVERYTHING
from tests.support.stdio import Wire, piped


def opening(version: str) -> bytes:
    """The handshake of a client that can be asked anything."""
    client = {"name": "tests", "version": "1"}
    return legacy("initialize", 0, protocolVersion=version, capabilities=EVERYTHING, clientInfo=client).body


def calling(tool: str, request_id: str | int = 1, **arguments: Any) -> bytes:
    return legacy("tools/call", request_id, name=tool, arguments=arguments).body


def calling_modern(tool: str, request_id: str | int = 1, **params: Any) -> bytes:
    sent = json.loads(modern("tools/call", request_id, name=tool, **params).body)
    sent["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = EVERYTHING
    return json.dumps(sent).encode()


def cancelling(request_id: str | float, *, modern_era: bool = False) -> dict[str, Any]:
    params = {"requestId": request_id, **({"_meta": metadata()} if modern_era else {})}
    return {"method": "notifications/cancelled", "params": params}


def text_of(message: Any) -> tuple[Any, str]:
    (block,) = message["result"]["content"]
    return message["id"], block["text"]


def wire_opened(wire: Wire, version: str = "2025-11-25") -> Wire:
    wire.send(opening(version), {"method": "notifications/initialized"})
    assert wire.receive()["result"]["protocolVersion"] == version
    return wire


def test_a_short_request_overtakes_a_long_one() -> None:
    with piped() as wire:
        wire_opened(wire).send(calling("work", 1, seconds=1), legacy("ping", 2).body)
        assert wire.receive()["id"] == 2
        assert text_of(wire.receive()) == (1, "done")


@pytest.mark.requirement("ping")
@pytest.mark.parametrize(
    ("method", "params"),
    [
        (
            "completion/complete",
            {"ref": {"type": "ref/resource", "uri": "a://{b}"}, "argument": {"name": "b", "value": ""}},
        ),
        ("resources/list", {}),
    ],
)
def test_a_ping_does_not_wait_for_a_function_that_takes_long(method: str, params: dict[str, Any]) -> None:
    server, answers = Server("slow", version="1"), io.BytesIO()

    def listed(*_: object) -> list[Any]:
        time.sleep(0.3)
        return []

    @server.resource("a://{b}", instances=listed)
    def read(b: str) -> str:
        return b

    server.completion("b", resource="a://{b}")(listed)
    lines = [modern(method, 1, **params).body, legacy("ping", 2).body]
    serve(server.build(), io.BytesIO(b"\n".join(lines)), answers)
    assert [json.loads(answer)["id"] for answer in answers.getvalue().splitlines()] == [2, 1]


def test_a_coroutine_is_awaited() -> None:
    with piped() as wire:
        wire.send(calling_modern("work_aside", arguments={"seconds": 0.01}))
        assert text_of(wire.receive()) == (1, "done aside")


def test_requests_that_run_when_the_input_ends_are_answered() -> None:
    with piped() as wire:
        wire_opened(wire).send(
            calling("work", 1, seconds=0.5), calling_modern("work", 2, arguments={"seconds": 0.3})
        )
        assert sorted(text_of(message) for message in wire.end()) == [(1, "done"), (2, "done")]


def test_a_question_without_an_answer_does_not_keep_the_process_from_ending() -> None:
    with piped() as wire:
        wire_opened(wire).send(calling("greet"))
        wire.receive()
        assert wire.end() == []


@pytest.mark.parametrize("modern_era", [False, True])
def test_a_cancelled_request_is_not_answered(modern_era: bool) -> None:
    with piped() as wire:
        wire_opened(wire)
        arguments = {"seconds": 0.8}
        wire.send(
            calling_modern("work", "slow", arguments=arguments)
            if modern_era
            else calling("work", "slow", **arguments),
            cancelling("slow", modern_era=modern_era),
            legacy("ping", "after").body,
        )
        assert wire.receive()["id"] == "after"
        assert wire.end() == []


def test_only_the_request_with_that_id_and_type_is_cancelled() -> None:
    with piped() as wire:
        wire_opened(wire).send(
            calling("work", 1, seconds=0.6), calling("work", "1", seconds=0.6), cancelling("1")
        )
        assert [text_of(message) for message in wire.end()] == [(1, "done")]


def test_a_request_is_cancelled_by_its_number_however_it_is_written() -> None:
    with piped() as wire:
        wire_opened(wire).send(calling("work", 1, seconds=0.6), cancelling(1.0))
        assert wire.end() == []


@pytest.mark.parametrize("request_id", [1, "x", True, None, 1.5, [1], {}])
def test_cancelling_an_unknown_or_invalid_id_changes_nothing(request_id: Any) -> None:
    connection = StdioConnection(asking_server().build())
    cancel = json.dumps({"jsonrpc": "2.0", **cancelling(request_id)}).encode()
    assert list(connection.answers(decode_message(cancel))) == []
    (answer,) = connection.answers(decode_message(calling_modern("work", 1, arguments={"seconds": 0})))
    assert text_of(json.loads(answer)) == (1, "done")


def test_an_id_that_was_cancelled_once_can_be_used_again() -> None:
    with piped() as wire:
        wire_opened(wire).send(calling("work", 1, seconds=0.6), cancelling(1))
        assert wire.receives_nothing(0.9)
        wire.send(calling("work", 1, seconds=0))
        assert text_of(wire.receive()) == (1, "done")


def test_a_tool_can_see_that_it_was_cancelled() -> None:
    server, seen = Server("patient", version="1.0"), []

    @server.tool()
    def wait(*, context: Context) -> str:
        """Wait until the client cancels."""
        until = time.monotonic() + 10
        while not context.cancelled and time.monotonic() < until:
            time.sleep(0.01)
        seen.append(context.cancelled)
        return "too late"

    cancel = json.dumps({"jsonrpc": "2.0", **cancelling(1)}).encode()
    lines, answers = [modern("tools/call", 1, name="wait").body, cancel], io.BytesIO()
    serve(server.build(), io.BytesIO(b"\n".join(lines)), answers)
    assert (answers.getvalue(), seen) == (b"", [True])


def test_a_request_that_has_asked_can_be_cancelled() -> None:
    with piped() as wire:
        wire_opened(wire).send(calling("greet"))
        question = wire.receive()
        wire.send(cancelling(1), {"id": question["id"], "result": ADA}, legacy("ping", 2).body)
        assert wire.receive()["id"] == 2
        assert wire.end() == []


@pytest.mark.parametrize("version", LEGACY_VERSIONS)
def test_every_version_with_a_handshake_can_be_asked(version: str) -> None:
    with piped() as wire:
        wire_opened(wire, version).send(calling("greet", "seven"))
        question = wire.receive()
        assert (question["method"], question["params"]) == (
            "elicitation/create",
            {"message": "Who are you?", "requestedSchema": NAME},
        )
        wire.send({"id": question["id"], "result": ADA})
        assert text_of(wire.receive()) == ("seven", "Hello, Ada!")
        assert wire.end() == []


def test_a_modern_client_sends_the_answers_with_its_next_request() -> None:
    with piped() as wire:
        wire.send(calling_modern("greet", 1))
        required = wire.receive()["result"]
        assert list(required["inputRequests"]) == ["name"]
        answers = {"inputResponses": {"name": ADA}, "requestState": required["requestState"]}
        wire.send(calling_modern("greet", 2, **answers))
        assert text_of(wire.receive()) == (2, "Hello, Ada!")


def test_a_second_question_may_follow_from_the_first() -> None:
    with piped() as wire:
        wire_opened(wire).send(calling("introduce"))
        first = wire.receive()
        wire.send({"id": first["id"], "result": ADA})
        second = wire.receive()
        assert (first["params"]["message"], second["params"]["message"]) == (
            "What is your name?",
            "And the name of your friend, Ada?",
        )
        wire.send({"id": second["id"], "result": {"action": "accept", "content": {"name": "Eve"}}})
        assert text_of(wire.receive()) == (1, "Ada and Eve")


def test_two_requests_ask_at_once() -> None:
    with piped() as wire:
        wire_opened(wire).send(calling("greet", 1), calling("think", 2, question="Why?"))
        asked = {message["method"]: message["id"] for message in (wire.receive(), wire.receive())}
        said = {"role": "assistant", "content": {"type": "text", "text": "Because."}, "model": "m"}
        wire.send({"id": asked["sampling/createMessage"], "result": said})
        assert text_of(wire.receive()) == (2, "Because.")
        wire.send({"id": asked["elicitation/create"], "result": ADA})
        assert text_of(wire.receive()) == (1, "Hello, Ada!")


def test_a_second_answer_and_one_to_nothing_change_nothing() -> None:
    with piped() as wire:
        wire_opened(wire).send(calling("greet"))
        question = wire.receive()
        answer = {"id": question["id"], "result": ADA}
        wire.send({"id": "nobody.asked", "result": ADA}, {"id": 99, "result": ADA}, answer, answer)
        assert text_of(wire.receive()) == (1, "Hello, Ada!")
        wire.send(answer)
        assert wire.end() == []


@pytest.mark.parametrize("version", LEGACY_VERSIONS)
def test_a_deferred_request_continues_at_once_and_sends_its_progress_once(version: str) -> None:
    call: dict[str, Any] = {"name": "work_later", "arguments": {}, "_meta": {"progressToken": "t"}}
    with piped() as wire:
        wire_opened(wire, version).send(legacy("tools/call", 1, **call).body)
        *progress, response = wire.end()
        assert [message["params"]["progress"] for message in progress] == [1, 2]
        assert text_of(response) == (1, "done later")


def test_an_unexpected_exception_is_answered_and_written_to_stderr(
    capsys: pytest.CaptureFixture[str],
) -> None:
    damaged = asking_server().build()._replace(constants={})
    (answer,) = StdioConnection(damaged).answers(decode_message(modern("server/discover", 5).body))
    assert json.loads(answer) == error(5, -32603, "Internal error")
    assert "KeyError" in capsys.readouterr().err


def test_a_second_answer_while_the_request_continues_runs_nothing() -> None:
    server, runs, continued = Server("patient", version="1.0"), [], threading.Event()

    @server.tool()
    def wait(*, context: Context) -> str:
        """Ask, then wait until the second answer has been taken."""
        context.elicit("Who are you?", NAME)
        runs.append("run")
        continued.set()
        return str(answered.wait(10))

    answered = threading.Event()
    connection = StdioConnection(server.build())
    list(connection.answers(decode_message(opening("2025-11-25"))))
    (question,) = connection.answers(decode_message(calling("wait")))
    reply = {"jsonrpc": "2.0", "id": json.loads(question)["id"], "result": ADA}
    line = json.dumps(reply).encode()
    with ThreadPoolExecutor() as pool:
        first = pool.submit(lambda: list(connection.answers(decode_message(line))))
        assert continued.wait(10)
        second = list(connection.answers(decode_message(line)))
        answered.set()
        (answer,) = first.result(10)
    assert (second, runs, text_of(json.loads(answer))) == ([], ["run"], (1, "True"))


class Damaged(dict[str, Any]):
    """Tools that are found until `asked` is true."""

    asked = False

    def get(self, *found: Any) -> Any:
        """The tool, or a fault."""
        if self.asked:
            raise AttributeError("secret")
        return super().get(*found)


def test_a_fault_after_an_answer_is_answered_under_the_id_of_the_request(
    capsys: pytest.CaptureFixture[str],
) -> None:
    server = asking_server().build()
    tools = Damaged(server.tools)
    connection = StdioConnection(server._replace(tools=tools))
    list(connection.answers(decode_message(opening("2025-11-25"))))
    (question,) = connection.answers(decode_message(calling("greet", "mine")))
    tools.asked = True
    reply = {"jsonrpc": "2.0", "id": json.loads(question)["id"], "result": ADA}
    (answer,) = connection.answers(decode_message(json.dumps(reply).encode()))
    assert text_of(json.loads(answer)) == ("mine", "Internal error")
    assert "AttributeError: secret" in capsys.readouterr().err
