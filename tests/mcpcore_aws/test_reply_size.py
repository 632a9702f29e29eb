"""No reply is larger than its event source can carry, whatever a client sends or a handler returns."""

import json
import re
from typing import Any, Final

import pytest

from mcpcore import Context, MemorySessions, PromptArgument, Server
from mcpcore_aws.adapter import LambdaAdapter
from tests.support.adapters import written
from tests.support.events import EVENT_SOURCES, captured, with_body, with_headers
from tests.support.exchanges import LambdaContext, Sent, modern, through_handler

LAMBDA_LIMIT_BYTES: Final = 6_291_556
LIMITS: Final = dict.fromkeys(EVENT_SOURCES, LAMBDA_LIMIT_BYTES) | {
    "alb_single_value": 1_000_000,
    "alb_multi_value": 1_000_000,
}
BODY_BYTES: Final = 900_000
# Escaped to six bytes in JSON, whose backslash is escaped once more when Lambda serializes the reply.
DELETE: Final = "\x7f"


def large_text(size: int, character: str = "x") -> str:
    """Return a text of any size."""
    return character * size


def talk(count: int, *, context: Context) -> str:
    """Report progress with long messages."""
    for step in range(count):
        context.report_progress(step, message="x" * 100_000)
    return "Done."


def repeat(text: str) -> str:
    """Return the argument."""
    return text


def server() -> Server:
    """Handlers whose results are as large as the client wants."""
    made = Server("large", version="1")
    made.tool()(large_text)
    made.tool()(talk)
    made.prompt(arguments=[PromptArgument("text", "What to repeat", required=True)])(repeat)
    made.resource("test://large")(lambda: "x" * 7_000_000)
    return made


ADAPTER: Final = LambdaAdapter(server(), sessions=MemorySessions())


def raw(sent: Sent, **members: object) -> Sent:
    """The request with other members, encoded without escapes, so that one byte of body is one character."""
    message = json.loads(sent.body) | members
    return sent._replace(body=json.dumps(message, ensure_ascii=False).encode())


def call(name: str, **arguments: object) -> Sent:
    """A call of a tool."""
    return modern("tools/call", name=name, arguments=arguments)


def get_prompt(arguments: dict[str, str]) -> Sent:
    """A request for the prompt that repeats its argument."""
    return raw(modern("prompts/get", name="repeat", arguments=arguments))


def talking() -> Sent:
    """A call whose notifications alone are too large."""
    sent = call("talk", count=70)
    message = json.loads(sent.body)
    message["params"]["_meta"]["progressToken"] = 1
    return sent._replace(body=json.dumps(message).encode())


LARGE: Final[dict[str, tuple[Sent, str, str]]] = {
    "id": (raw(modern("tools/list"), id=DELETE * BODY_BYTES), "refused", "InvalidRequest"),
    "method": (modern(DELETE * 100_000), "refused", "MethodNotFound"),
    "prompt argument": (get_prompt({"text": DELETE * BODY_BYTES}), "refused", "InvalidParams"),
    "unknown prompt arguments": (
        get_prompt({f"{DELETE * 50}{n}": "" for n in range(15_000)}),
        "refused",
        "InvalidParams",
    ),
    "text": (call("large_text", size=7_000_000), "tool_error", "ReplyTooLarge"),
    "escaped text": (call("large_text", size=900_000, character=DELETE), "tool_error", "ReplyTooLarge"),
    "notifications": (talking(), "tool_error", "ReplyTooLarge"),
    "resource": (modern("resources/read", uri="test://large"), "internal_error", "ReplyTooLarge"),
}


@pytest.mark.parametrize("source", EVENT_SOURCES)
@pytest.mark.parametrize("name", LARGE)
def test_a_reply_fits_through_its_event_source_and_is_logged_as_what_it_is(
    name: str, source: str, capsys: pytest.CaptureFixture[str]
) -> None:
    sent, outcome, error = LARGE[name]
    event = with_headers(with_body(captured(source), sent.body.decode()), dict(sent.headers))

    reply = ADAPTER(event, LambdaContext())

    assert len(json.dumps(reply)) < LIMITS[source] / 10
    (line,) = written(capsys).logs
    assert (line["outcome"], line["error"], line["status"]) == (outcome, error, reply["statusCode"])


def test_a_result_that_is_too_large_is_a_tool_error_with_its_size_and_the_limit() -> None:
    reply = through_handler(ADAPTER)(call("large_text", size=7_000_000))
    result: dict[str, Any] = reply.message()["result"]
    text = r"The result is too large to send: 7,000,\d\d\d bytes of at most 6,291,556\. Ask for less"
    assert (reply.status, result["isError"]) == (200, True)
    assert re.fullmatch(text, result["content"][0]["text"])


def test_a_reply_of_exactly_the_limit_is_sent_and_one_byte_more_is_not() -> None:
    def sizes(characters: int) -> tuple[int, bool]:
        sent = call("large_text", size=characters)
        event = with_headers(with_body(captured("http_api"), sent.body.decode()), dict(sent.headers))
        reply = ADAPTER(event, LambdaContext())
        return len(json.dumps(reply)), '"isError":true' in reply["body"]

    around, failed = sizes(6_000_000)
    largest = 6_000_000 + LAMBDA_LIMIT_BYTES - around
    assert (failed, sizes(largest)) == (False, (LAMBDA_LIMIT_BYTES, False))
    assert sizes(largest + 1)[1]


def test_a_progress_token_is_as_short_as_an_id() -> None:
    sent = talking()
    long = sent._replace(
        body=sent.body.replace(b'"progressToken": 1', b'"progressToken": "%b"' % (b"x" * 1001))
    )
    assert long.body != sent.body
    assert through_handler(ADAPTER)(long).headers == {"content-type": "application/json"}
