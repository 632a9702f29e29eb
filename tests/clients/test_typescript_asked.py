"""The official TypeScript clients, asked by the served Lambda: in streams that they resume, or by results."""

from typing import Any, Final

import pytest

from tests.clients.programs import run_client
from tests.clients.typescript import (
    HANDSHAKE,
    STATELESS,
    error,
    every_client,
    every_handshake_client,
    exchanges,
)
from tests.support.node import Node

STRING: Final = {"type": "string"}


def form(message: str, **properties: object) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return {"method": "elicitation/create", "params": {"message": message, "requestedSchema": schema}}


def sample(text: str, limit: int) -> dict[str, Any]:
    message = {"role": "user", "content": {"type": "text", "text": text}}
    return {"method": "sampling/createMessage", "params": {"messages": [message], "maxTokens": limit}}


ROOTS: Final = {"method": "roots/list", "params": {}}

TOLD: Final = [
    'User response: action=accept, content={"username": "ada", "email": "ada@example.com"}',
    "LLM response: You asked: Which city?",
    "User response: action=accept, content={}",
    "All answered: user_name, greeting, client_roots",
    "Ada likes blue",
]

ASKED: Final = ["tools/call → 200", "answer → 202", "resume → 200"]
ASKED_IN_STREAMS: Final = [
    *ASKED * 3,
    *["tools/call → 200", *["answer → 202"] * 3, "resume → 200"],
    *[*ASKED, "answer → 202", "resume → 200"],
    *["prompts/get → 200", "answer → 202", "resume → 200"],
]
# Four calls of two rounds and one of three, and a prompt of two.
ASKED_IN_RESULTS: Final = [*["tools/call → 200"] * 11, *["prompts/get → 200"] * 2]


@every_client
def test_a_client_is_asked_in_every_way(node: Node, asking_url: str, client: str) -> None:
    handshake = client in HANDSHAKE
    found = run_client(node, client, "ask", asking_url)
    identifiers = [question["params"].pop("elicitationId", None) for question in found["questions"]]
    assert [place for place, identifier in enumerate(identifiers) if identifier] == [2] * handshake
    assert found == {
        "texts": TOLD,
        "prompt": [{"role": "user", "content": {"type": "text", "text": "Work in this context: a library"}}],
        "questions": [
            form("Who are you?", username=STRING, email=STRING),
            sample("Which city?", 100),
            {
                "method": "elicitation/create",
                "params": {"mode": "url", "message": "Please sign in", "url": "https://example.com/sign-in"},
            },
            form("What is your name?", name=STRING),
            sample("Generate a greeting", 50),
            ROOTS,
            form("Step 1: What is your name?", name=STRING),
            form("Step 2: What is your favorite color?", color=STRING),
            form("What is the context?", context=STRING),
        ],
        "exchanges": exchanges(client, *(ASKED_IN_STREAMS if handshake else ASKED_IN_RESULTS)),
    }


@every_client
def test_calls_that_ask_at_the_same_time_get_their_own_answers(
    node: Node, asking_url: str, client: str
) -> None:
    found = run_client(node, client, "together", asking_url)
    assert found["texts"] == [
        "LLM response: You asked: Which city?",
        "LLM response: You asked: Which river?",
        "LLM response: You asked: Which mountain?",
    ]


ROUND: Final = dict.fromkeys(HANDSHAKE, tuple(ASKED)) | {STATELESS: ("tools/call → 200",) * 2}
OUTCOMES: Final = {
    "declining": "User response: action=decline, content={}",
    "cancelling": "User response: action=cancel, content={}",
}


@every_client
@pytest.mark.parametrize("temper", OUTCOMES)
def test_a_person_may_say_no(node: Node, asking_url: str, client: str, temper: str) -> None:
    assert run_client(node, client, "once", asking_url, temper) == {
        "result": [False, OUTCOMES[temper]],
        "questions": 1,
        "exchanges": exchanges(client, *ROUND[client]),
    }


@every_handshake_client
def test_a_handshake_client_that_fails_to_answer_says_so_and_the_tool_ends(
    node: Node, asking_url: str, client: str
) -> None:
    assert run_client(node, client, "once", asking_url, "failing") == {
        "result": [True, "The client refused to answer: Nobody is here"],
        "questions": 1,
        "exchanges": exchanges(client, *ASKED),
    }


def test_a_stateless_client_that_fails_to_answer_drops_the_call(node: Node, asking_url: str) -> None:
    assert run_client(node, STATELESS, "once", asking_url, "failing") == {
        "result": {"error": {"message": "Nobody is here"}},
        "questions": 1,
        "exchanges": exchanges(STATELESS, "tools/call → 200"),
    }


NEEDED: Final = "This needs a client that declares the capability elicitation"


@every_handshake_client
def test_a_handshake_client_that_cannot_be_asked_gets_a_tool_error(
    node: Node, asking_url: str, client: str
) -> None:
    assert run_client(node, client, "once", asking_url, "willing", "roots") == {
        "result": [True, NEEDED],
        "questions": 0,
        "exchanges": exchanges(client, "tools/call → 200"),
    }


def test_a_stateless_client_that_cannot_be_asked_gets_an_error_that_names_the_capability(
    node: Node, asking_url: str
) -> None:
    required: dict[str, Any] = {"elicitation": {"form": {}}}
    assert run_client(node, STATELESS, "once", asking_url, "willing", "roots") == {
        "result": error(STATELESS, -32021, NEEDED, requiredCapabilities=required),
        "questions": 0,
        "exchanges": exchanges(STATELESS, "tools/call → 400"),
    }


@every_handshake_client
def test_a_handshake_client_polls_while_the_person_thinks(node: Node, asking_url: str, client: str) -> None:
    polled = ["tools/call → 200", "resume → 200", "answer → 202", "resume → 200"]
    assert run_client(node, client, "once", asking_url, "thoughtful") == {
        "result": [False, TOLD[0]],
        "questions": 1,
        "exchanges": exchanges(client, *polled),
    }


TIMED_OUT: Final = {
    "sdk-v1": error("sdk-v1", -32001, "Request timed out", timeout=1500),
    "client-v2-legacy": error("client-v2-legacy", "REQUEST_TIMEOUT", "Request timed out", timeout=1500),
}
SIMPLE: Final = "This is a simple text response for testing."


@every_handshake_client
def test_a_handshake_client_counts_the_persons_time_and_cancels(
    node: Node, asking_url: str, client: str
) -> None:
    given_up = ["tools/call → 200", "resume → 200", "notifications/cancelled → 202", "tools/call → 200"]
    assert run_client(node, client, "hurry", asking_url, "slow") == {
        "result": TIMED_OUT[client],
        "after": SIMPLE,
        "exchanges": exchanges(client, *given_up, "resume → 405", "answer → 400"),
    }


def test_a_stateless_client_does_not_count_the_persons_time(node: Node, asking_url: str) -> None:
    assert run_client(node, STATELESS, "hurry", asking_url, "slow") == {
        "result": TOLD[0],
        "after": SIMPLE,
        "exchanges": exchanges(STATELESS, *["tools/call → 200"] * 3),
    }
