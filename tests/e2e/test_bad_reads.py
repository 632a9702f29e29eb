"""Lists, resources, prompts and completion asked for in a wrong way, in both eras: the whole answers."""

import base64
import json
from typing import Any, Final

import pytest

from tests.support.exchanges import Handler, Reply, Send, error, initialize, legacy, modern, through_handler
from tests.support.leaks import leaks

CURSOR: Final = "Invalid cursor: it was not given out for this list; ask again without a cursor"
TEMPLATE: Final = "registry://categories/{slug}"


@pytest.fixture
def send(handler: Handler) -> Send:
    return through_handler(handler)


@pytest.fixture(params=["legacy", "modern"])
def era(request: pytest.FixtureRequest) -> str:
    chosen: str = request.param
    return chosen


def asked(send: Send, era: str, method: str, **params: Any) -> Reply:
    if era == "modern":
        return send(modern(method, **params))
    session = send(initialize()).headers["mcp-session-id"]
    return send(legacy(method, session=session, **params))


def assert_refused(reply: Reply, code: int, message: str, data: object = None) -> None:
    """The answer is this error and nothing else, and gives nothing away."""
    assert (reply.status, reply.message()) == (200, error(1, code, message, data))
    assert leaks(reply) == []


@pytest.mark.parametrize("cursor", ["", "50", 50, [], "ü", "\ud800"])
def test_a_cursor_that_was_never_given_out_is_refused(send: Send, era: str, cursor: object) -> None:
    assert_refused(asked(send, era, "resources/list", cursor=cursor), -32602, CURSOR)


# Resources


NOWHERE: Final = (
    "",
    "registry",
    "registry://",
    "registry://registry/",
    "REGISTRY://registry",
    "registry://categories/",
    "registry://categories/unheard-of",
    "registry://categories/rust-learning/",
    "registry://categories/rust-learning?x=1",
    "registry://categories/RUST-LEARNING",
    "registry://categories/../registry",
    "registry://categories/%2e%2e",
    "registry://categories/{slug}",
    "file:///etc/passwd",
    "\x00",
)


@pytest.mark.requirement("resource-missing")
@pytest.mark.parametrize("uri", NOWHERE)
def test_an_unknown_uri_is_not_found(send: Send, uri: str) -> None:
    session = send(initialize()).headers["mcp-session-id"]
    record = f"Resource not found: {uri}"
    reply = send(legacy("resources/read", session=session, uri=uri))
    assert_refused(reply, -32002, record, {"uri": uri})
    encoded = f"=?base64?{base64.b64encode(uri.encode()).decode()}?="
    sent = modern("resources/read", uri=uri)
    reply = send(sent._replace(headers={**sent.headers, "mcp-name": encoded}))
    assert_refused(reply, -32602, record, {"uri": uri})


def test_a_slug_may_be_percent_encoded(send: Send, era: str) -> None:
    reply = asked(send, era, "resources/read", uri="registry://categories/rust%2Dlearning")
    (contents,) = reply.message()["result"]["contents"]
    assert json.loads(contents["text"])["category"]["slug"] == "rust-learning"


@pytest.mark.parametrize("params", [{}, {"uri": 5}, {"uri": None}, {"uri": ["registry://registry"]}])
def test_a_uri_must_be_text(send: Send, era: str, params: dict[str, Any]) -> None:
    assert_refused(
        asked(send, era, "resources/read", **params), -32602, "Invalid params: uri must be a string"
    )


# Prompts


@pytest.mark.parametrize(
    ("params", "complaint"),
    [
        ({}, "Invalid params: name must be a string"),
        ({"name": 5}, "Invalid params: name must be a string"),
        ({"name": "rm"}, "Unknown prompt: rm. prompts/list names the prompts there are"),
        (
            {"name": "research_topic"},
            "Invalid arguments for prompt research_topic: topic is missing",
        ),
        (
            {"name": "research_topic", "arguments": [1]},
            "Invalid params: arguments must be an object, not an array",
        ),
        (
            {"name": "research_topic", "arguments": {"topic": 5}},
            "Invalid arguments for prompt research_topic: topic must be a string",
        ),
        (
            {"name": "research_topic", "arguments": {"topic": "rust", "depth": "3"}},
            "Invalid arguments for prompt research_topic: there is no depth",
        ),
    ],
)
def test_a_prompt_must_exist_and_have_what_it_needs(
    send: Send, era: str, params: dict[str, Any], complaint: str
) -> None:
    assert_refused(asked(send, era, "prompts/get", **params), -32602, complaint)


# Completion


TOPIC: Final = {"type": "ref/prompt", "name": "research_topic"}
SLUG: Final = {"type": "ref/resource", "uri": TEMPLATE}
REFERENCE: Final = "Invalid params: ref must be of type ref/prompt or ref/resource"
ARGUMENT: Final = "Invalid params: argument must have a name and a value, both strings"


@pytest.mark.parametrize(
    ("ref", "argument", "complaint"),
    [
        (None, {"name": "topic", "value": ""}, REFERENCE),
        ({}, {"name": "topic", "value": ""}, REFERENCE),
        ({"type": "ref/tool", "name": "x"}, {"name": "topic", "value": ""}, REFERENCE),
        ({"type": ["ref/prompt"]}, {"name": "topic", "value": ""}, REFERENCE),
        ({"type": "ref/prompt"}, {"name": "topic", "value": ""}, "Invalid params: ref.name must be a string"),
        (
            {"type": "ref/prompt", "name": "rm"},
            {"name": "topic", "value": ""},
            "Invalid params: ref names no prompt",
        ),
        (
            {"type": "ref/resource", "uri": "registry://categories/rust-learning"},
            {"name": "slug", "value": ""},
            "Invalid params: ref names no resource template",
        ),
        (TOPIC, None, ARGUMENT),
        (TOPIC, {"name": "topic"}, ARGUMENT),
        (TOPIC, {"name": "topic", "value": 5}, ARGUMENT),
        (
            TOPIC,
            {"name": "slug", "value": ""},
            "Invalid params: research_topic has no argument slug",
        ),
        (SLUG, {"name": "topic", "value": ""}, f"Invalid params: {TEMPLATE} has no argument topic"),
    ],
)
def test_an_invalid_completion_request_is_refused(
    send: Send, era: str, ref: Any, argument: Any, complaint: str
) -> None:
    assert_refused(asked(send, era, "completion/complete", ref=ref, argument=argument), -32602, complaint)


@pytest.mark.parametrize("context", [None, 5, {}, {"arguments": None}, {"arguments": {"x": 5}}])
def test_invalid_context_arguments_are_ignored(send: Send, era: str, context: Any) -> None:
    reply = asked(
        send,
        era,
        "completion/complete",
        ref=SLUG,
        argument={"name": "slug", "value": "rust-l"},
        context=context,
    )
    assert reply.message()["result"]["completion"]["values"] == ["rust-learning"]


# What this server does not offer


@pytest.mark.parametrize("method", ["resources/subscribe", "resources/unsubscribe", "logging/setLevel"])
def test_an_unsupported_feature_is_an_unknown_method(send: Send, method: str) -> None:
    session = send(initialize()).headers["mcp-session-id"]
    params = {"uri": "registry://registry", "level": "debug"}
    reply = send(legacy(method, session=session, **params))
    assert_refused(reply, -32601, f"Method not found: {method}")
    assert send(modern(method, **params)).status == 404
