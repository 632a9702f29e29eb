"""Over stdio several requests are at work at once: they can be cancelled, and they can ask."""

import io
import json
import time
from typing import Any, Final

import pytest

from mcpcore import Context, Server
from mcpcore_local.stdio import StdioConnection, decode_line, serve
from tests.support.asking_server import NAME, asking_server
from tests.support.exchanges import error, initialize, legacy, metadata, modern
from tests.support.stdio import Wire, piped

VERSIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
EVERYTHING: Final[dict[str, Any]] = {"elicitation": {}, "sampling": {}, "roots": {}}
ADA: Final = {"action": "accept", "content": {"name": "Ada"}}


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


def cancelling(request_id: str | int, *, modern_era: bool = False) -> dict[str, Any]:
    params = {"requestId": request_id, **({"_meta": metadata()} if modern_era else {})}
    return {"method": "notifications/cancelled", "params": params}


def text_of(message: Any) -> tuple[Any, str]:
    (block,) = message["result"]["content"]
    return message["id"], block["text"]


def wire_opened(wire: Wire, version: str = "2025-11-25") -> Wire:
    wire.send(opening(version), {"method": "notifications/initialized"})
    assert wire.hear()["result"]["protocolVersion"] == version
    return wire


# At work at once


def test_a_short_request_overtakes_a_long_one() -> None:
    with piped() as wire:
        wire_opened(wire).send(calling("work", 1, seconds=1), legacy("ping", 2).body)
        assert wire.hear()["id"] == 2
        assert text_of(wire.hear()) == (1, "done")


def test_a_coroutine_is_awaited() -> None:
    with piped() as wire:
        wire.send(calling_modern("work_aside", arguments={"seconds": 0.01}))
        assert text_of(wire.hear()) == (1, "done aside")


def test_what_is_at_work_when_the_input_ends_is_still_answered() -> None:
    with piped() as wire:
        wire_opened(wire).send(
            calling("work", 1, seconds=0.5), calling_modern("work", 2, arguments={"seconds": 0.3})
        )
        assert sorted(text_of(message) for message in wire.end()) == [(1, "done"), (2, "done")]


def test_what_waits_for_an_answer_when_the_input_ends_does_not_hold_it_up() -> None:
    with piped() as wire:
        wire_opened(wire).send(calling("greet"))
        wire.hear()
        assert wire.end() == []


def test_a_client_of_both_eras_finds_the_newer_one_by_a_probe() -> None:
    with piped() as wire:
        wire.send(modern("server/discover", "probe").body)
        found = wire.hear()
        assert (found["id"], found["result"]["supportedVersions"][0]) == ("probe", "2026-07-28")
        wire_opened(wire)


# Cancelled


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
        assert wire.hear()["id"] == "after"
        assert wire.end() == []


def test_only_the_request_that_was_meant_is_cancelled() -> None:
    with piped() as wire:
        wire_opened(wire).send(
            calling("work", 1, seconds=0.6), calling("work", "1", seconds=0.6), cancelling("1")
        )
        assert [text_of(message) for message in wire.end()] == [(1, "done")]


@pytest.mark.parametrize("request_id", [1, "x", True, None, 1.5, [1], {}])
def test_a_cancelling_of_nothing_changes_nothing(request_id: Any) -> None:
    conversation = StdioConnection(asking_server().build())
    assert (
        list(
            conversation.answers(
                decode_line(json.dumps({"jsonrpc": "2.0", **cancelling(request_id)}).encode())
            )
        )
        == []
    )
    (answer,) = conversation.answers(decode_line(calling_modern("work", 1, arguments={"seconds": 0})))
    assert text_of(json.loads(answer)) == (1, "done")


def test_an_id_that_was_cancelled_once_can_be_used_again() -> None:
    with piped() as wire:
        wire_opened(wire).send(calling("work", 1, seconds=0.6), cancelling(1))
        assert wire.hear_nothing(0.9)
        wire.send(calling("work", 1, seconds=0))
        assert text_of(wire.hear()) == (1, "done")


def test_a_tool_can_see_that_it_was_cancelled() -> None:
    server, seen = Server("patient", version="1.0"), []

    @server.tool()
    def wait(*, context: Context) -> str:
        """Wait until the client has enough of it."""
        until = time.monotonic() + 10
        while not context.cancelled and time.monotonic() < until:
            time.sleep(0.01)
        seen.append(context.cancelled)
        return "too late"

    cancel = json.dumps({"jsonrpc": "2.0", **cancelling(1)}).encode()
    lines, answers = [modern("tools/call", 1, name="wait").body, cancel], io.BytesIO()
    serve(server.build(), io.BytesIO(b"\n".join(lines)), answers)
    assert (answers.getvalue(), seen) == (b"", [True])


def test_a_request_that_waits_for_an_answer_can_be_cancelled() -> None:
    with piped() as wire:
        wire_opened(wire).send(calling("greet"))
        question = wire.hear()
        wire.send(cancelling(1), {"id": question["id"], "result": ADA}, legacy("ping", 2).body)
        assert wire.hear()["id"] == 2
        assert wire.end() == []


# Asking


@pytest.mark.parametrize("version", VERSIONS)
def test_every_version_with_a_handshake_can_be_asked(version: str) -> None:
    with piped() as wire:
        wire_opened(wire, version).send(calling("greet", "seven"))
        question = wire.hear()
        assert (question["method"], question["params"]) == (
            "elicitation/create",
            {"message": "Who are you?", "requestedSchema": NAME},
        )
        wire.send({"id": question["id"], "result": ADA})
        assert text_of(wire.hear()) == ("seven", "Hello, Ada!")
        assert wire.end() == []


def test_the_newest_version_brings_the_answers_itself() -> None:
    with piped() as wire:
        wire.send(calling_modern("greet", 1))
        required = wire.hear()["result"]
        assert list(required["inputRequests"]) == ["name"]
        answers = {"inputResponses": {"name": ADA}, "requestState": required["requestState"]}
        wire.send(calling_modern("greet", 2, **answers))
        assert text_of(wire.hear()) == (2, "Hello, Ada!")


def test_one_question_leads_to_the_next() -> None:
    with piped() as wire:
        wire_opened(wire).send(calling("introduce"))
        first = wire.hear()
        wire.send({"id": first["id"], "result": ADA})
        second = wire.hear()
        assert (first["params"]["message"], second["params"]["message"]) == (
            "What is your name?",
            "And the name of your friend, Ada?",
        )
        wire.send({"id": second["id"], "result": {"action": "accept", "content": {"name": "Eve"}}})
        assert text_of(wire.hear()) == (1, "Ada and Eve")


def test_two_requests_ask_beside_each_other() -> None:
    with piped() as wire:
        wire_opened(wire).send(calling("greet", 1), calling("think", 2, question="Why?"))
        asked = {message["method"]: message["id"] for message in (wire.hear(), wire.hear())}
        said = {"role": "assistant", "content": {"type": "text", "text": "Because."}, "model": "m"}
        wire.send({"id": asked["sampling/createMessage"], "result": said})
        assert text_of(wire.hear()) == (2, "Because.")
        wire.send({"id": asked["elicitation/create"], "result": ADA})
        assert text_of(wire.hear()) == (1, "Hello, Ada!")


def test_a_second_answer_and_one_to_nothing_change_nothing() -> None:
    with piped() as wire:
        wire_opened(wire).send(calling("greet"))
        question = wire.hear()
        answer = {"id": question["id"], "result": ADA}
        wire.send({"id": "nobody.asked", "result": ADA}, {"id": 99, "result": ADA}, answer, answer)
        assert text_of(wire.hear()) == (1, "Hello, Ada!")
        wire.send(answer)
        assert wire.end() == []


def test_a_client_that_answers_with_an_error_is_told_to_the_model() -> None:
    with piped() as wire:
        wire_opened(wire).send(calling("greet"))
        wire.send({"id": wire.hear()["id"], "error": {"code": -1, "message": "not now"}})
        result = wire.hear()
        assert (result["result"]["isError"], text_of(result)) == (
            True,
            (1, "The client refused to answer: not now"),
        )


def test_a_client_without_the_capability_is_not_asked() -> None:
    with piped() as wire:
        wire.send(initialize().body, calling("greet"))
        wire.hear()
        result = wire.hear()
        assert result["result"]["isError"]
        assert text_of(result)[1] == "This needs a client that declares the capability elicitation"


@pytest.mark.parametrize("version", VERSIONS)
def test_a_client_need_not_come_back_for_what_was_put_off(version: str) -> None:
    """Over HTTP it would: there the connection ends before the work does."""
    with piped() as wire:
        wire_opened(wire, version).send(calling("work_later"))
        assert text_of(wire.hear()) == (1, "done later")
        assert wire.end() == []


def test_progress_is_told_as_it_is_kept_and_once() -> None:
    with piped() as wire:
        call: dict[str, Any] = {"name": "work_later", "arguments": {}, "_meta": {"progressToken": "t"}}
        wire_opened(wire).send(legacy("tools/call", 1, **call).body)
        record = [wire.hear(), wire.hear(), wire.hear()]
        assert [message["params"]["progress"] for message in record[:2]] == [1, 2]
        assert text_of(record[2]) == (1, "done later")
        assert wire.end() == []


# Faults of ours


def test_a_fault_that_nobody_has_foreseen_is_answered_and_told_on_stderr(
    capsys: pytest.CaptureFixture[str],
) -> None:
    damaged = asking_server().build()._replace(constants={})
    (answer,) = StdioConnection(damaged).answers(decode_line(modern("server/discover", 5).body))
    assert json.loads(answer) == error(5, -32603, "Internal error")
    assert "KeyError" in capsys.readouterr().err


class Damaged(dict[str, Any]):
    """Tools that are found until somebody has been asked."""

    asked = False

    def get(self, *found: Any) -> Any:
        """The tool, or a fault."""
        if self.asked:
            raise AttributeError("secret")
        return super().get(*found)


def test_a_fault_after_an_answer_is_told_under_the_id_of_the_request(
    capsys: pytest.CaptureFixture[str],
) -> None:
    server = asking_server().build()
    tools = Damaged(server.tools)
    conversation = StdioConnection(server._replace(tools=tools))
    list(conversation.answers(decode_line(opening("2025-11-25"))))
    (question,) = conversation.answers(decode_line(calling("greet", "mine")))
    tools.asked = True
    reply = {"jsonrpc": "2.0", "id": json.loads(question)["id"], "result": ADA}
    (answer,) = conversation.answers(decode_line(json.dumps(reply).encode()))
    assert text_of(json.loads(answer)) == ("mine", "Internal error")
    assert "AttributeError('secret')" in capsys.readouterr().err
