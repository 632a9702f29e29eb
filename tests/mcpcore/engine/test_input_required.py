"""Questions in the modern era: rounds of one request, whose state the client carries in `requestState`."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from mcpcore import BuiltServer, Context, Elicit, ElicitUrl, ListRoots, Sample
from mcpcore.http import HttpRequest, HttpResponse
from mcpcore.questions.question import Question
from mcpcore.questions.request_state import Binding, open_state
from tests.support.messages import CAPABILITIES_KEY, METADATA, SERVER_INFO_KEY, error, modern, result
from tests.support.questions import ADA, BOOK, EVERYTHING, GATHER, SAMPLED, THREE, text_result, tool_server
from tests.support.servers import NAME, NOW, SEAT, STATE_KEY, Wire, asking_server

TAIL = {SERVER_INFO_KEY: {"name": "asking", "version": "1"}}
HOUR = 3600
ROOTS = {"roots": [{"uri": "file:///a"}]}


@pytest.fixture(scope="module")
def built() -> BuiltServer:
    return asking_server().build()


@pytest.fixture
def wire(built: BuiltServer) -> Wire:
    """A server that asks."""
    return Wire(built)


def round_of(
    params: Mapping[str, Any] = BOOK,
    method: str = "tools/call",
    *,
    capabilities: object = EVERYTHING,
    **retry: object,
) -> HttpRequest:
    """One round of a request; `retry` are the members that only a retry has."""
    metadata = {**METADATA, CAPABILITIES_KEY: capabilities}
    return modern(method, {**params, **retry}, metadata=metadata, request_id="r")


def found(response: HttpResponse) -> Any:
    """The result in a response."""
    return json.loads(response.body)["result"]


def form(message: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"method": "elicitation/create", "params": {"message": message, "requestedSchema": schema}}


def said(text: str) -> HttpResponse:
    return result("r", {**text_result(text), "resultType": "complete", "_meta": TAIL})


def invalid(text: str) -> HttpResponse:
    return error(200, "r", -32602, text)


FORGED = invalid("requestState is not one that this server gave out; send it back as it was")
MOVED = invalid("requestState belongs to another request; retry with the same method and params")
UNKNOWN_KEY = invalid("requestState is sealed with a key that is gone; begin again without it")
OTHER_SERVER = invalid("requestState is of another server; begin again without it")
EXPIRED = invalid("requestState has expired; begin again without it")


def opened(state: object, params: Mapping[str, Any] = BOOK) -> Any:
    """The content of a state."""
    return open_state(state, binding=Binding("asking", "tools/call", params), now=NOW, secrets=[STATE_KEY])


def state_of(wire: Wire, answers: Mapping[str, object] = {}) -> str:
    """The state after a first round with these answers."""
    state: str = found(wire.send(round_of(inputResponses=answers)))["requestState"]
    return state


@pytest.mark.requirement("mrtr-asked", "mrtr-rounds")
def test_each_round_asks_for_what_is_missing_until_the_request_is_answered(wire: Wire) -> None:
    first = found(wire.send(round_of()))
    state = first["requestState"]
    second = found(wire.send(round_of(requestState=state, inputResponses={"name": ADA})))
    last = wire.send(round_of(requestState=second["requestState"], inputResponses={"seat": THREE}))

    assert first == {
        "resultType": "input_required",
        "_meta": TAIL,
        "inputRequests": {"name": form("Who goes to Oslo?", NAME)},
        "requestState": state,
    }
    assert second["inputRequests"] == {"seat": form("Which seat, Ada?", SEAT)}
    assert opened(state) == {"answers": {}, "saved": {}}
    assert opened(second["requestState"]) == {"answers": {"name": ADA}, "saved": {}}
    assert last == said("Ada to Oslo, seat 3")


def test_an_answer_in_the_state_is_not_replaced_by_a_later_one(wire: Wire) -> None:
    state = state_of(wire, {"name": ADA})
    changed = {"name": {"action": "accept", "content": {"name": "Bob"}}, "seat": THREE}

    assert wire.send(round_of(requestState=state, inputResponses=changed)) == said("Ada to Oslo, seat 3")


@pytest.mark.requirement("mrtr-answers-missing")
@pytest.mark.parametrize(
    "retry",
    [
        {},
        {"inputResponses": {}},
        {"inputResponses": {"wrong": ADA}},
        {"inputResponses": {"Name": ADA, "": 5}},
    ],
)
def test_a_missing_answer_is_asked_for_again(wire: Wire, retry: dict[str, Any]) -> None:
    again = found(wire.send(round_of(requestState=state_of(wire), **retry)))

    assert again["inputRequests"] == {"name": form("Who goes to Oslo?", NAME)}
    assert opened(again["requestState"]) == {"answers": {}, "saved": {}}


@pytest.mark.requirement("mrtr-answers-unknown")
def test_answers_to_questions_that_were_not_asked_are_ignored(wire: Wire) -> None:
    extra = {"name": ADA, "extra": 5, "other": {"action": "nonsense"}}

    assert opened(state_of(wire, extra)) == {"answers": {"name": ADA}, "saved": {}}


@pytest.mark.requirement("mrtr-answers-object")
@pytest.mark.parametrize("responses", [None, [], ["x"], "x", 5, False])
def test_answers_that_are_not_an_object_are_invalid_params(wire: Wire, responses: object) -> None:
    expected = invalid("Invalid params: inputResponses must be an object")

    assert wire.send(round_of(inputResponses=responses)) == expected


@pytest.mark.requirement("mrtr-answers-unfit")
@pytest.mark.parametrize("params", [BOOK, GATHER], ids=["one question", "one of three"])
@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (12345, "it is not an object"),
        ({"result": ADA}, "action must be accept, decline or cancel"),
        ({"error": {"code": -1, "message": "no"}}, "action must be accept, decline or cancel"),
        ({"action": "accept", "content": {"name": 5}}, "$.name: 5 is not of type 'string'"),
    ],
)
def test_an_invalid_answer_is_invalid_params_even_if_others_are_missing(
    wire: Wire, params: dict[str, Any], answer: object, reason: str
) -> None:
    key = {"book": "name", "gather": "who"}[params["name"]]

    sent = wire.send(round_of(params, inputResponses={key: answer}))

    assert sent == invalid(f"Invalid answer to {key}: {reason}")


@pytest.mark.requirement("elicit-actions")
@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_a_user_who_declines_has_answered(wire: Wire, action: str) -> None:
    answers = {"name": {"action": action}, "seat": THREE}

    assert wire.send(round_of(inputResponses=answers)) == said("None to Oslo, seat 3")


@pytest.mark.requirement("mrtr-several")
def test_several_questions_are_asked_at_once_and_those_without_an_answer_again(wire: Wire) -> None:
    first = found(wire.send(round_of(GATHER)))
    state = first["requestState"]
    second = found(wire.send(round_of(GATHER, requestState=state, inputResponses={"said": SAMPLED})))
    state = second["requestState"]
    answers = {"who": ADA, "where": ROOTS}
    last = wire.send(round_of(GATHER, requestState=state, inputResponses=answers))

    who, where = form("Who?", NAME), {"method": "roots/list", "params": {}}
    hello = [{"role": "user", "content": {"type": "text", "text": "Hello"}}]
    sample = {"method": "sampling/createMessage", "params": {"messages": hello, "maxTokens": 9}}
    assert first["inputRequests"] == {"who": who, "said": sample, "where": where}
    assert second["inputRequests"] == {"who": who, "where": where}
    assert opened(state, GATHER) == {"answers": {"said": SAMPLED}, "saved": {}}
    assert last == said(
        "[Elicited(action='accept', content={'name': 'Ada'}), "
        "Sampled(role='assistant', content={'type': 'text', 'text': 'Hi'}, model='m', stop_reason=''), "
        "[Root(uri='file:///a', name='')]]"
    )


PROMPT = {
    "description": "Ask whom a prompt is for.",
    "messages": [{"role": "user", "content": {"type": "text", "text": "Invite Ada."}}],
}
PAGE = {
    "contents": [{"uri": "page://secret", "text": "For Ada only."}],
    "ttlMs": 0,
    "cacheScope": "private",
}


@pytest.mark.requirement("mrtr-methods")
@pytest.mark.parametrize(
    ("method", "params", "key", "members"),
    [
        ("prompts/get", {"name": "invite"}, "whom", PROMPT),
        ("resources/read", {"uri": "page://secret"}, "reader", PAGE),
    ],
)
def test_prompts_and_resources_ask_as_tools_do(
    wire: Wire, method: str, params: dict[str, Any], key: str, members: dict[str, Any]
) -> None:
    asked = found(wire.send(round_of(params, method)))
    retry = {"requestState": asked["requestState"], "inputResponses": {key: ADA}}

    assert (asked["resultType"], [*asked["inputRequests"]]) == ("input_required", [key])
    assert "ttlMs" not in asked
    assert wire.send(round_of(params, method, **retry)) == result(
        "r", {**members, "resultType": "complete", "_meta": TAIL}
    )


@pytest.mark.requirement("mrtr-methods")
@pytest.mark.parametrize("method", ["tools/list", "prompts/list", "resources/list", "server/discover"])
def test_other_methods_read_no_state_and_never_ask(wire: Wire, method: str) -> None:
    sent = wire.send(round_of({}, method, requestState="forged", inputResponses=5))

    assert found(sent)["resultType"] == "complete"


@pytest.mark.requirement("state-forged", "state-trailing")
@pytest.mark.parametrize("state", ["", "x", 5, {}, [], "{}-TAMPERED", "{}=", "{}A", "{} "])
def test_a_state_that_the_server_did_not_seal_is_refused(wire: Wire, state: object) -> None:
    sealed = state_of(wire)
    sent = state.replace("{}", sealed) if isinstance(state, str) else state

    assert wire.send(round_of(requestState=sent, inputResponses={"name": ADA})) == FORGED


@pytest.mark.requirement("state-expires")
@pytest.mark.parametrize(("elapsed", "expected"), [(HOUR - 1, said("Ada to Oslo, seat 3")), (HOUR, EXPIRED)])
def test_a_state_is_valid_for_an_hour(wire: Wire, elapsed: int, expected: HttpResponse) -> None:
    retry = round_of(requestState=state_of(wire), inputResponses={"name": ADA, "seat": THREE})

    assert wire.send(retry, now=NOW + elapsed) == expected


@pytest.mark.requirement("state-bound")
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tools/call", {"name": "book", "arguments": {"city": "Rome"}}),
        ("prompts/get", {"name": "invite"}),
    ],
)
def test_a_state_is_valid_for_its_own_request_only(wire: Wire, method: str, params: dict[str, Any]) -> None:
    assert wire.send(round_of(params, method, requestState=state_of(wire))) == MOVED


@pytest.mark.requirement("state-keys")
def test_every_key_opens_a_state_and_the_first_seals(built: BuiltServer, wire: Wire) -> None:
    both, other = Wire(built, state_keys=(b"new", STATE_KEY)), Wire(built, state_keys=(b"new",))
    retry = round_of(requestState=state_of(wire), inputResponses={"name": ADA, "seat": THREE})

    assert both.send(retry) == said("Ada to Oslo, seat 3")
    assert other.send(retry) == UNKNOWN_KEY
    assert wire.send(round_of(requestState=state_of(both))) == UNKNOWN_KEY


@pytest.mark.requirement("state-bound")
def test_two_servers_that_share_a_secret_do_not_open_each_others_states(
    built: BuiltServer, wire: Wire
) -> None:
    elsewhere = Wire(built._replace(info=built.info._replace(name="another")))

    assert elsewhere.send(round_of(requestState=state_of(wire))) == OTHER_SERVER


def test_without_a_state_key_asking_is_an_internal_error_whose_reason_is_logged(built: BuiltServer) -> None:
    wire = Wire(built, state_keys=())

    assert wire.send(round_of()) == error(200, "r", -32603, "Internal error")
    assert wire.outcome(round_of()).record.reason == (
        "a handler asked the client, and no state secret is configured to seal its state"
    )


@pytest.mark.requirement("mrtr-missing-capability")
@pytest.mark.parametrize(
    ("params", "capabilities", "required"),
    [
        (BOOK, {}, {"elicitation": {"form": {}}}),
        (BOOK, {"elicitation": {"url": {}}}, {"elicitation": {"form": {}}}),
        (GATHER, {"elicitation": {}}, {"sampling": {}, "roots": {}}),
    ],
)
def test_a_client_that_cannot_be_asked_learns_which_capabilities_it_lacks(
    wire: Wire, params: dict[str, Any], capabilities: dict[str, Any], required: dict[str, Any]
) -> None:
    text = f"This needs a client that declares the capability {', '.join(sorted(required))}"
    expected = error(400, "r", -32021, text, data={"requiredCapabilities": required})

    assert wire.send(round_of(params, capabilities=capabilities)) == expected


def alternatives(*, context: Context) -> str:
    """Ask in every way that the client supports."""
    ways: dict[str, Question] = {
        "form": Elicit("Who?", NAME),
        "url": ElicitUrl("In.", "https://a.example"),
        "model": Sample("Who?", 9),
        "roots": ListRoots(),
    }
    return ", ".join(context.ask({key: way for key, way in ways.items() if context.can_ask(way)}))


@pytest.mark.requirement("mrtr-declared-only")
@pytest.mark.parametrize(
    ("capabilities", "asked"),
    [
        ({"sampling": {}}, ["model"]),
        ({"elicitation": {}}, ["form"]),
        ({"elicitation": {"url": {}}}, ["url"]),
        (EVERYTHING, ["form", "url", "model", "roots"]),
    ],
)
def test_a_handler_can_find_out_what_the_client_of_this_request_can_be_asked(
    capabilities: dict[str, Any], asked: list[str]
) -> None:
    wire = Wire(tool_server(alternatives))

    sent = wire.send(round_of({"name": "alternatives"}, capabilities=capabilities))

    assert [*found(sent)["inputRequests"]] == asked
