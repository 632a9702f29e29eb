"""Asking the client in the modern era: rounds of one request, everything remembered in `requestState`."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from mcpcore import BuiltServer, Context, Elicit, ElicitUrl, ListRoots, Sample, Server
from mcpcore.http import HttpResponse
from mcpcore.questions.question import Question
from mcpcore.questions.request_state import Binding, open_state
from tests.support.messages import (
    CAPABILITIES_KEY,
    METADATA,
    SERVER_INFO_KEY,
    error,
    modern,
    result,
)
from tests.support.servers import NAME, NOW, SEAT, STATE_KEY, Wire, asking_server

EVERYTHING: dict[str, Any] = {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}}
TAIL = {SERVER_INFO_KEY: {"name": "asking", "version": "1"}}
HOUR = 3600
BOOK = {"name": "book", "arguments": {"city": "Oslo"}}
ADA = {"action": "accept", "content": {"name": "Ada"}}
THREE = {"action": "accept", "content": {"seat": 3}}


@pytest.fixture(scope="module")
def built() -> BuiltServer:
    return asking_server().build()


@pytest.fixture
def wire(built: BuiltServer) -> Wire:
    """A server that asks."""
    return Wire(built)


def ask(
    wire: Wire,
    params: Mapping[str, Any] = BOOK,
    *,
    method: str = "tools/call",
    now: float = NOW,
    can: object = EVERYTHING,
    **retry: object,
) -> HttpResponse:
    """The answer to one round of a request; `retry` are the members that only a retry has."""
    metadata = {**METADATA, CAPABILITIES_KEY: can}
    return wire.send(modern(method, {**params, **retry}, metadata=metadata, request_id="r"), now=now)


def found(response: HttpResponse) -> Any:
    """The result in a response."""
    return json.loads(response.body)["result"]


def form(message: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"method": "elicitation/create", "params": {"message": message, "requestedSchema": schema}}


def said(text: str, *, failed: bool = False) -> HttpResponse:
    members = {"content": [{"type": "text", "text": text}], "isError": failed}
    return result("r", {**members, "resultType": "complete", "_meta": TAIL})


def invalid(text: str) -> HttpResponse:
    return error(200, "r", -32602, text)


FORGED = invalid("requestState is not one that this server gave out; send it back as it was")
MOVED = invalid("requestState belongs to another request; retry with the same method and params")
EXPIRED = invalid("requestState has expired; begin again without it")


def remembered(state: object, params: Mapping[str, Any] = BOOK, method: str = "tools/call") -> Any:
    """What a state holds."""
    return open_state(state, binding=Binding(method, params), now=NOW, keys=[STATE_KEY])


@pytest.mark.requirement("mrtr-asked")
def test_the_first_run_answers_what_it_needs_and_a_state_and_nothing_of_caching(wire: Wire) -> None:
    asked = found(ask(wire))

    assert asked == {
        "resultType": "input_required",
        "_meta": TAIL,
        "inputRequests": {"name": form("Who goes to Oslo?", NAME)},
        "requestState": asked["requestState"],
    }
    assert remembered(asked["requestState"]) == {"answers": {}, "kept": {}}


@pytest.mark.requirement("mrtr-rounds")
def test_each_round_asks_for_what_is_missing_until_the_request_is_answered(wire: Wire) -> None:
    first = found(ask(wire))["requestState"]
    second = found(ask(wire, requestState=first, inputResponses={"name": ADA}))
    last = ask(wire, requestState=second["requestState"], inputResponses={"seat": THREE})

    assert second["inputRequests"] == {"seat": form("Which seat, Ada?", SEAT)}
    assert second["requestState"] != first
    assert remembered(second["requestState"]) == {"answers": {"name": ADA}, "kept": {}}
    assert last == said("Ada to Oslo, seat 3")


def test_a_round_can_be_played_again_with_another_answer(wire: Wire) -> None:
    state = found(ask(wire, inputResponses={"name": ADA}))["requestState"]
    answers = [{"action": "accept", "content": {"seat": seat}} for seat in (1, 2)]

    ends = [ask(wire, requestState=state, inputResponses={"seat": answer}) for answer in answers]

    assert ends == [said("Ada to Oslo, seat 1"), said("Ada to Oslo, seat 2")]


def test_answers_may_come_with_the_first_request_already(wire: Wire) -> None:
    assert ask(wire, inputResponses={"name": ADA, "seat": THREE}) == said("Ada to Oslo, seat 3")


def test_an_answer_that_was_given_stands_whatever_comes_later_under_its_key(wire: Wire) -> None:
    state = found(ask(wire, inputResponses={"name": ADA}))["requestState"]
    changed = {"name": {"action": "accept", "content": {"name": "Bob"}}, "seat": THREE}

    assert ask(wire, requestState=state, inputResponses=changed) == said("Ada to Oslo, seat 3")


@pytest.mark.requirement("mrtr-answers-missing")
@pytest.mark.parametrize(
    "retry",
    [
        {},
        {"inputResponses": {}},
        {"inputResponses": {"wrong_key": ADA}},
        {"inputResponses": {"Name": ADA, "": ADA}},
    ],
)
@pytest.mark.parametrize("with_state", [True, False])
def test_a_missing_answer_is_asked_for_again(wire: Wire, retry: dict[str, Any], with_state: bool) -> None:
    state = {True: {"requestState": found(ask(wire))["requestState"]}, False: {}}[with_state]

    again = found(ask(wire, **state, **retry))

    assert again["inputRequests"] == {"name": form("Who goes to Oslo?", NAME)}
    assert remembered(again["requestState"]) == {"answers": {}, "kept": {}}


@pytest.mark.requirement("mrtr-answers-unknown")
def test_answers_to_what_was_never_asked_are_ignored_and_not_remembered(wire: Wire) -> None:
    extra = {"name": ADA, "extra": 5, "other": {"action": "nonsense"}}

    state = found(ask(wire, inputResponses=extra))["requestState"]

    assert remembered(state) == {"answers": {"name": ADA}, "kept": {}}


@pytest.mark.requirement("mrtr-answers-object")
@pytest.mark.parametrize("responses", [None, [], ["x"], "x", 5, False])
def test_answers_that_are_no_object_are_invalid_params(wire: Wire, responses: object) -> None:
    assert ask(wire, inputResponses=responses) == invalid("Invalid params: inputResponses must be an object")


@pytest.mark.requirement("mrtr-answers-unfit")
@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (12345, "it is not an object"),
        (None, "it is not an object"),
        ({}, "action must be accept, decline or cancel"),
        ({"action": "accept"}, "$: 'name' is a required property"),
        ({"action": "accept", "content": {"name": 5}}, "$.name: 5 is not of type 'string'"),
        ({"result": ADA}, "action must be accept, decline or cancel"),
        ({"error": {"code": -1, "message": "no"}}, "action must be accept, decline or cancel"),
    ],
)
def test_an_answer_that_does_not_fit_its_question_is_invalid_params(
    wire: Wire, answer: object, reason: str
) -> None:
    answered = ask(wire, inputResponses={"name": answer})

    assert answered == invalid(f"Invalid answer to name: {reason}")


@pytest.mark.requirement("elicit-actions")
@pytest.mark.parametrize(
    ("action", "text"), [("decline", "None to Oslo, seat 3"), ("cancel", "None to Oslo, seat 3")]
)
def test_a_user_who_declines_is_an_answer_too(wire: Wire, action: str, text: str) -> None:
    assert ask(wire, inputResponses={"name": {"action": action}, "seat": THREE}) == said(text)


GATHER = {"name": "gather"}
SAMPLED = {"role": "assistant", "content": {"type": "text", "text": "Hi"}, "model": "m"}
ROOTS = {"roots": [{"uri": "file:///a"}]}


@pytest.mark.requirement("mrtr-several")
def test_several_questions_are_asked_at_once_and_those_left_open_again(wire: Wire) -> None:
    first = found(ask(wire, GATHER))
    second = found(ask(wire, GATHER, requestState=first["requestState"], inputResponses={"said": SAMPLED}))
    state = second["requestState"]
    last = ask(wire, GATHER, requestState=state, inputResponses={"who": ADA, "where": ROOTS})

    who, where = form("Who?", NAME), {"method": "roots/list", "params": {}}
    hello = [{"role": "user", "content": {"type": "text", "text": "Hello"}}]
    sample = {"method": "sampling/createMessage", "params": {"messages": hello, "maxTokens": 9}}
    assert first["inputRequests"] == {"who": who, "said": sample, "where": where}
    assert second["inputRequests"] == {"who": who, "where": where}
    assert remembered(state, GATHER) == {"answers": {"said": SAMPLED}, "kept": {}}
    assert last == said(
        "[Elicited(action='accept', content={'name': 'Ada'}), "
        "Sampled(role='assistant', content={'type': 'text', 'text': 'Hi'}, model='m', stop_reason=''), "
        "[Root(uri='file:///a', name='')]]"
    )


def test_a_wrong_answer_is_refused_at_once_and_not_sealed_while_others_are_missing(wire: Wire) -> None:
    assert ask(wire, GATHER, inputResponses={"who": 12345}) == invalid(
        "Invalid answer to who: it is not an object"
    )


OTHERS: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "prompts/get": (
        {"name": "invite"},
        {"whom": ADA},
        {
            "description": "Ask whom a prompt is for.",
            "messages": [{"role": "user", "content": {"type": "text", "text": "Invite Ada."}}],
        },
    ),
    "resources/read": (
        {"uri": "page://secret"},
        {"reader": ADA},
        {
            "contents": [{"uri": "page://secret", "text": "For Ada only."}],
            "ttlMs": 0,
            "cacheScope": "private",
        },
    ),
}


@pytest.mark.requirement("mrtr-methods")
@pytest.mark.parametrize(("method", "case"), OTHERS.items())
def test_prompts_and_resources_ask_as_tools_do(
    wire: Wire, method: str, case: tuple[dict[str, Any], dict[str, Any], dict[str, Any]]
) -> None:
    params, answers, members = case
    asked = found(ask(wire, params, method=method))
    answer = ask(wire, params, method=method, requestState=asked["requestState"], inputResponses=answers)

    assert (asked["resultType"], [*asked["inputRequests"]]) == ("input_required", [*answers])
    assert "ttlMs" not in asked
    assert answer == result("r", {**members, "resultType": "complete", "_meta": TAIL})


@pytest.mark.requirement("mrtr-methods")
@pytest.mark.parametrize("method", ["tools/list", "prompts/list", "resources/list", "server/discover"])
def test_other_methods_read_no_state_and_never_ask(wire: Wire, method: str) -> None:
    asked = found(ask(wire, {}, method=method, requestState="forged", inputResponses=5))

    assert asked["resultType"] == "complete"


def state_of(wire: Wire) -> str:
    """The state of a first round."""
    state: str = found(ask(wire))["requestState"]
    return state


@pytest.mark.requirement("state-forged")
@pytest.mark.parametrize("state", ["", "x", None, 5, {}, []])
def test_a_state_that_was_never_given_out_is_refused_and_not_asked_again(wire: Wire, state: object) -> None:
    assert ask(wire, requestState=state, inputResponses={"name": ADA}) == FORGED


@pytest.mark.requirement("state-trailing")
@pytest.mark.parametrize("junk", ["-TAMPERED", "=", "A", " "])
def test_a_state_with_something_after_it_is_refused(wire: Wire, junk: str) -> None:
    assert ask(wire, requestState=state_of(wire) + junk, inputResponses={"name": ADA}) == FORGED


@pytest.mark.requirement("state-expires")
@pytest.mark.parametrize(("elapsed", "expected"), [(HOUR - 1, said("Ada to Oslo, seat 3")), (HOUR, EXPIRED)])
def test_a_state_can_be_brought_back_for_an_hour(wire: Wire, elapsed: int, expected: HttpResponse) -> None:
    answers = {"name": ADA, "seat": THREE}

    assert ask(wire, requestState=state_of(wire), inputResponses=answers, now=NOW + elapsed) == expected


@pytest.mark.requirement("state-bound")
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tools/call", {"name": "gather"}),
        ("tools/call", {"name": "book", "arguments": {"city": "Rome"}}),
        ("tools/call", {"name": "book"}),
        ("prompts/get", {"name": "invite"}),
        ("resources/read", {"uri": "page://secret"}),
    ],
)
def test_a_state_is_of_no_use_to_another_request(wire: Wire, method: str, params: dict[str, Any]) -> None:
    assert ask(wire, params, method=method, requestState=state_of(wire)) == MOVED


def test_a_state_opens_while_its_key_is_kept_and_a_new_one_seals(built: BuiltServer, wire: Wire) -> None:
    state = state_of(wire)
    both, neither = Wire(built, state_keys=(b"new", STATE_KEY)), Wire(built, state_keys=(b"new",))
    answers = {"name": ADA, "seat": THREE}

    assert ask(both, requestState=state, inputResponses=answers) == said("Ada to Oslo, seat 3")
    assert ask(neither, requestState=state, inputResponses=answers) == FORGED
    assert ask(wire, requestState=state_of(both)) == FORGED


def test_without_a_key_nothing_can_be_asked_and_the_log_knows_why(built: BuiltServer) -> None:
    wire = Wire(built, state_keys=())
    metadata = {**METADATA, CAPABILITIES_KEY: EVERYTHING}

    record = wire.outcome(modern("tools/call", BOOK, metadata=metadata)).record

    assert ask(wire) == error(200, "r", -32603, "Internal error")
    assert repr(record.cause) == "LookupError('a question needs a state key, and none was given')"


@pytest.mark.requirement("mrtr-missing-capability")
@pytest.mark.parametrize(
    ("params", "can", "required"),
    [
        (BOOK, {}, {"elicitation": {"form": {}}}),
        (BOOK, {"elicitation": {"url": {}}}, {"elicitation": {"form": {}}}),
        (GATHER, {"elicitation": {}}, {"sampling": {}, "roots": {}}),
    ],
)
def test_a_client_that_cannot_be_asked_is_told_what_it_lacks(
    wire: Wire, params: dict[str, Any], can: dict[str, Any], required: dict[str, Any]
) -> None:
    text = f"This needs a client that declares the capability {', '.join(sorted(required))}"

    assert ask(wire, params, can=can) == error(
        400, "r", -32021, text, data={"requiredCapabilities": required}
    )


def alternatives(*, context: Context) -> str:
    """Ask in whichever way can be."""
    ways: dict[str, Question] = {
        "form": Elicit("Who?", NAME),
        "url": ElicitUrl("In.", "https://a.example"),
        "model": Sample("Who?", 9),
        "roots": ListRoots(),
    }
    return ", ".join(context.ask({key: way for key, way in ways.items() if context.can_ask(way)})) or "none"


@pytest.mark.requirement("mrtr-declared-only")
@pytest.mark.parametrize(
    ("can", "asked"),
    [
        ({"sampling": {}}, ["model"]),
        ({"elicitation": {}}, ["form"]),
        ({"elicitation": {"url": {}}}, ["url"]),
        (EVERYTHING, ["form", "url", "model", "roots"]),
    ],
)
def test_only_what_this_request_s_client_declares_is_asked(can: dict[str, Any], asked: list[str]) -> None:
    server = Server("asking", version="1")
    server.tool()(alternatives)

    assert [*found(ask(Wire(server), {"name": "alternatives"}, can=can))["inputRequests"]] == asked
