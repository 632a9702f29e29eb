"""Bad input and what it gets: over HTTP from the served Lambda, and straight from the handler.

Each case says the whole answer. None is a 500, and none tells what the server is made of.
"""

import gzip
import json
from typing import Final, NamedTuple

import pytest

from tests.support.exchanges import (
    Handler,
    Send,
    Sent,
    error,
    initialize,
    legacy,
    metadata,
    modern,
    over_http,
    through_handler,
)
from tests.support.leaks import leaks
from tests.support.serving import Served

JSON: Final = {"content-type": "application/json"}
MODERN: Final = {**JSON, "mcp-protocol-version": "2026-07-28"}

UNINITIALIZED: Final = "Server not initialized. Call initialize first."
NO_SESSION: Final = {
    "reason": "The request is in no session; send the Mcp-Session-Id that initialize answered with"
}
GONE: Final = {"reason": "The session is unknown, expired or ended; initialize again without a session id"}

EMPTY: Final = "Parse error: the body is empty; send one JSON-RPC message"
NOT_AN_OBJECT: Final = "Invalid request: the message must be a JSON object"
NO_BATCH: Final = "Batch requests not supported"
NOT_2_0: Final = 'Invalid request: jsonrpc must be "2.0"'
BAD_ID: Final = "Invalid request: id must be a string or an integer"
BAD_METHOD: Final = "Invalid request: method must be a string"
BAD_PARAMS: Final = "Invalid params: params must be an object, not"
TWICE: Final = "Invalid request: an object has two members of the same name"
TOO_DEEP: Final = "Parse error: nested deeper than 64 levels"
NO_TOOL: Final = "Unknown tool: rm. tools/list names the tools there are"


class Case(NamedTuple):
    sent: Sent
    status: int
    answer: object


def raw(body: str | bytes, **headers: str) -> Sent:
    return Sent(body if isinstance(body, bytes) else body.encode(), JSON | headers)


def raw_modern(body: str | bytes) -> Sent:
    return Sent(body if isinstance(body, bytes) else body.encode(), MODERN)


def ping(**members: object) -> Sent:
    """A ping, with members changed; one that is `...` is left out."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "ping", **members}
    return raw(json.dumps({name: value for name, value in message.items() if value is not ...}))


def nested(levels: int) -> str:
    """A ping with so many levels of nesting, its own two among them."""
    deep = "[" * (levels - 2) + "]" * (levels - 2)
    return f'{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"a":{deep}}}}}'


CASES: Final = {
    # Not JSON
    "empty": Case(raw(""), 400, error(None, -32700, EMPTY)),
    "white space": Case(raw(" \r\n\t"), 400, error(None, -32700, EMPTY)),
    "empty, modern": Case(raw_modern(""), 400, error(..., -32700, EMPTY)),
    "words": Case(
        raw("hello"), 400, error(None, -32700, "Parse error: not JSON: Expecting value (line 1, column 1)")
    ),
    "cut off": Case(
        raw('{"jsonrpc": "2.0",\n "id": '),
        400,
        error(None, -32700, "Parse error: not JSON: Expecting value (line 2, column 8)"),
    ),
    "two messages": Case(
        raw('{"a":1}{"b":2}'),
        400,
        error(None, -32700, "Parse error: not JSON: Extra data (line 1, column 8)"),
    ),
    "words, modern": Case(
        raw_modern("hello"),
        400,
        error(..., -32700, "Parse error: not JSON: Expecting value (line 1, column 1)"),
    ),
    "NaN": Case(
        raw('{"jsonrpc":"2.0","id":NaN}'),
        400,
        error(None, -32700, "Parse error: a number is not JSON, or too large"),
    ),
    "an endless number": Case(
        raw('{"jsonrpc":"2.0","id":' + "9" * 10_000 + "}"),
        400,
        error(None, -32700, "Parse error: a number is not JSON, or too large"),
    ),
    "not UTF-8": Case(
        raw(b'{"jsonrpc":"2.0","id":"\xff"}'),
        400,
        error(None, -32700, "Parse error: the body is not UTF-8 (at byte 23)"),
    ),
    "UTF-16": Case(
        raw('{"jsonrpc":"2.0"}'.encode("utf-16")),
        400,
        error(None, -32700, "Parse error: the body is not UTF-8 (at byte 0)"),
    ),
    "an encoded surrogate": Case(
        raw(b'{"jsonrpc":"2.0","id":"\xed\xa0\x80"}'),
        400,
        error(None, -32700, "Parse error: the body is not UTF-8 (at byte 23)"),
    ),
    # Not one message
    "a number": Case(raw("5"), 400, error(None, -32600, NOT_AN_OBJECT)),
    "a string": Case(raw('"ping"'), 400, error(None, -32600, NOT_AN_OBJECT)),
    "null": Case(raw("null"), 400, error(None, -32600, NOT_AN_OBJECT)),
    "null, modern": Case(raw_modern("null"), 400, error(..., -32600, NOT_AN_OBJECT)),
    "a batch": Case(raw('[{"jsonrpc":"2.0","id":1,"method":"ping"}]'), 400, error(None, -32600, NO_BATCH)),
    "a batch of nothing": Case(raw("[]"), 400, error(None, -32600, NO_BATCH)),
    "a batch, modern": Case(raw_modern("[]"), 400, error(..., -32600, NO_BATCH)),
    "a batch in 2025-03-26": Case(
        raw("[]", **{"mcp-protocol-version": "2025-03-26"}), 400, error(None, -32600, NO_BATCH)
    ),
    "an empty object": Case(raw("{}"), 400, error(None, -32600, NOT_2_0)),
    "duplicate keys": Case(
        raw('{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}'), 400, error(None, -32600, TWICE)
    ),
    "duplicate keys inside": Case(
        raw('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1,"a":1}}'),
        400,
        error(None, -32600, TWICE),
    ),
    "duplicate keys, modern": Case(raw_modern('{"id":1,"id":1}'), 400, error(..., -32600, TWICE)),
    # A member that is wrong
    "no jsonrpc": Case(ping(jsonrpc=...), 400, error(1, -32600, NOT_2_0)),
    "jsonrpc 1.0": Case(ping(jsonrpc="1.0"), 400, error(1, -32600, NOT_2_0)),
    "jsonrpc as a number": Case(ping(jsonrpc=2.0), 400, error(1, -32600, NOT_2_0)),
    "no jsonrpc, id a string": Case(ping(jsonrpc=..., id="a"), 400, error("a", -32600, NOT_2_0)),
    "id null": Case(ping(id=None), 400, error(None, -32600, BAD_ID)),
    "id true": Case(ping(id=True), 400, error(None, -32600, BAD_ID)),
    "id a fraction": Case(ping(id=1.5), 400, error(None, -32600, BAD_ID)),
    "id an object": Case(ping(id={}), 400, error(None, -32600, BAD_ID)),
    "id an array": Case(ping(id=[1]), 400, error(None, -32600, BAD_ID)),
    "id null, modern by its params": Case(
        ping(id=None, params={"_meta": metadata()}), 400, error(..., -32600, BAD_ID)
    ),
    "no method": Case(ping(method=...), 400, error(1, -32600, BAD_METHOD)),
    "method a number": Case(ping(method=5), 400, error(1, -32600, BAD_METHOD)),
    "method null": Case(ping(method=None), 400, error(1, -32600, BAD_METHOD)),
    "params an array": Case(ping(params=[1]), 400, error(1, -32602, f"{BAD_PARAMS} an array")),
    "params a string": Case(ping(params="a"), 400, error(1, -32602, f"{BAD_PARAMS} a string")),
    # Too much
    "5 MB": Case(
        raw(b'{"jsonrpc":"2.0","id":1,"method":"' + b"a" * 5_000_000 + b'"}'),
        413,
        error(..., -32600, "The body is larger than the limit of 1000000 bytes"),
    ),
    "65 levels": Case(raw(nested(65)), 400, error(None, -32700, TOO_DEEP)),
    "300000 brackets": Case(raw("[" * 300_000), 400, error(None, -32700, TOO_DEEP)),
    "300000 objects": Case(raw('{"a":' * 150_000), 400, error(None, -32700, TOO_DEEP)),
    # Headers
    "no headers": Case(
        Sent(b'{"jsonrpc":"2.0","id":1,"method":"ping"}', {}),
        415,
        error(..., -32600, "Content-Type must be application/json"),
    ),
    "a form": Case(
        Sent(b"a=1", {"content-type": "application/x-www-form-urlencoded"}),
        415,
        error(..., -32600, "Content-Type must be application/json"),
    ),
    "wants HTML": Case(
        raw('{"jsonrpc":"2.0","id":1,"method":"ping"}', accept="text/html"),
        406,
        error(..., -32600, "Accept must allow application/json or text/event-stream"),
    ),
    "from a web page": Case(
        raw('{"jsonrpc":"2.0","id":1,"method":"ping"}', origin="https://evil.example.com"),
        403,
        error(..., -32600, "This Origin is not allowed to call the server"),
    ),
    # No session
    "before initialize": Case(legacy("tools/list"), 400, error(1, -32002, UNINITIALIZED, NO_SESSION)),
    "an unknown method before initialize": Case(
        legacy("tools/frobnicate"), 400, error(1, -32002, UNINITIALIZED, NO_SESSION)
    ),
    "an unknown session": Case(
        legacy("tools/list", session="a" * 32), 404, error(1, -32002, UNINITIALIZED, GONE)
    ),
    "a session id of another shape": Case(
        legacy("tools/list", session="session#1; DROP TABLE"), 404, error(1, -32002, UNINITIALIZED, GONE)
    ),
    "a session id of 3000 characters": Case(
        legacy("tools/list", session="a" * 3000), 404, error(1, -32002, UNINITIALIZED, GONE)
    ),
    "a session id of Latin letters": Case(
        legacy("tools/list", session="\xe9\xff"), 404, error(1, -32002, UNINITIALIZED, GONE)
    ),
    "an empty session id": Case(legacy("tools/list", session=""), 404, error(1, -32002, UNINITIALIZED, GONE)),
    # A method or a tool that is not there, or is used wrongly
    "an unknown method, modern": Case(
        modern("tools/frobnicate"), 404, error(1, -32601, "Method not found: tools/frobnicate")
    ),
    "an unknown tool, modern": Case(
        modern("tools/call", name="rm", arguments={}), 200, error(1, -32602, NO_TOOL)
    ),
    "no tool name, modern": Case(
        modern("tools/call"), 200, error(1, -32602, "Invalid params: name must be a string")
    ),
    "arguments an array, modern": Case(
        modern("tools/call", name="get_sources", arguments=[1]),
        200,
        error(1, -32602, "Invalid params: arguments must be an object, not an array"),
    ),
    "a cursor, modern": Case(
        modern("tools/list", cursor="x"),
        200,
        error(1, -32602, "Invalid cursor: it was not given out for this list; ask again without a cursor"),
    ),
    "initialize without params": Case(
        legacy("initialize"),
        200,
        error(1, -32602, "Invalid params: initialize needs protocolVersion, a string"),
    ),
}


@pytest.fixture(params=["http", "handler"])
def send(request: pytest.FixtureRequest) -> Send:
    if request.param == "http":
        served: Served = request.getfixturevalue("served")
        return over_http(served.url)
    handler: Handler = request.getfixturevalue("handler")
    return through_handler(handler)


@pytest.mark.requirement("error-codes")
@pytest.mark.parametrize("name", CASES)
def test_bad_input_gets_this_status_and_this_body(send: Send, name: str) -> None:
    reply = send(CASES[name].sent)
    assert (reply.status, reply.headers, reply.message()) == (
        CASES[name].status,
        {"content-type": "application/json"},
        CASES[name].answer,
    )


@pytest.mark.requirement("error-internals-hidden")
@pytest.mark.parametrize("name", CASES)
def test_errors_for_bad_input_reveal_no_internals(send: Send, name: str) -> None:
    assert leaks(send(CASES[name].sent)) == []


def test_as_many_levels_as_are_read_are_no_fault(send: Send) -> None:
    reply = send(raw(nested(64)))
    assert (reply.status, reply.message()) == (200, {"jsonrpc": "2.0", "id": 1, "result": {}})


def test_a_compressed_body_is_refused(send: Send) -> None:
    sent = initialize()
    reply = send(Sent(gzip.compress(sent.body), {**sent.headers, "content-encoding": "gzip"}))
    text = "Content-Encoding must be identity: send the body uncompressed"
    assert (reply.status, reply.message()) == (415, error(..., -32600, text))
    assert reply.headers == {**JSON, "accept-encoding": "identity"}


@pytest.mark.parametrize("spelled", [str.upper, str.title, str.lower])
def test_a_header_is_known_in_any_case(send: Send, spelled: type[str]) -> None:
    session = send(initialize()).headers["mcp-session-id"]
    sent = legacy("ping", 3, session=session)
    headers = {spelled(name): value for name, value in sent.headers.items()}
    reply = send(sent._replace(headers=headers))
    assert (reply.status, reply.message()) == (200, {"jsonrpc": "2.0", "id": 3, "result": {}})


@pytest.mark.requirement("header-names-any-case")
@pytest.mark.parametrize("spelled", [str.upper, str.title, str.lower])
def test_the_headers_of_the_newest_revision_are_known_in_any_case(send: Send, spelled: type[str]) -> None:
    sent = modern("tools/call", name="rm", arguments={})
    headers = {spelled(name): value for name, value in sent.headers.items()}
    reply = send(sent._replace(headers=headers))
    assert (reply.status, reply.message()) == (200, error(1, -32602, NO_TOOL))


def test_an_unknown_method_in_a_session_is_refused_with_200(send: Send) -> None:
    session = send(initialize()).headers["mcp-session-id"]
    reply = send(legacy("tools/frobnicate", 2, session=session))
    assert (reply.status, reply.message()) == (200, error(2, -32601, "Method not found: tools/frobnicate"))


def test_an_unknown_tool_in_a_session_is_refused_with_200(send: Send) -> None:
    session = send(initialize()).headers["mcp-session-id"]
    reply = send(legacy("tools/call", 2, session=session, name="rm"))
    assert (reply.status, reply.message()) == (200, error(2, -32602, NO_TOOL))


WRONG_ARGUMENTS: Final = (
    "Invalid arguments for tool get_sources: query: string should have at least 1 character; "
    "threshold: input should be a number from 0 to 1. Correct them and call again."
)


@pytest.mark.requirement("tool-arguments-wrong-before")
@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18"])
def test_wrong_arguments_are_a_protocol_error_until_2025_06_18(send: Send, version: str) -> None:
    session = send(initialize(version)).headers["mcp-session-id"]
    arguments = {"query": "", "threshold": 2}
    reply = send(legacy("tools/call", 2, session=session, name="get_sources", arguments=arguments))
    assert (reply.status, reply.message()) == (200, error(2, -32602, WRONG_ARGUMENTS))


def test_wrong_arguments_are_a_tool_error_in_2025_11_25(send: Send) -> None:
    session = send(initialize()).headers["mcp-session-id"]
    arguments = {"query": "", "threshold": 2}
    reply = send(legacy("tools/call", 2, session=session, name="get_sources", arguments=arguments))
    result = {"content": [{"type": "text", "text": WRONG_ARGUMENTS}], "isError": True}
    assert (reply.status, reply.message()) == (200, {"jsonrpc": "2.0", "id": 2, "result": result})


@pytest.mark.requirement("tool-arguments-wrong")
def test_wrong_arguments_are_a_tool_error_in_2026_07_28(send: Send) -> None:
    arguments = {"query": "", "threshold": 2}
    reply = send(modern("tools/call", name="get_sources", arguments=arguments))
    result = reply.message()["result"]
    assert reply.status == 200
    assert (result["content"], result["isError"]) == ([{"type": "text", "text": WRONG_ARGUMENTS}], True)


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH"])
def test_another_http_method_is_refused_with_the_ones_there_are(send: Send, method: str) -> None:
    reply = send(Sent(b"", {"accept": "text/event-stream"}, method))
    assert (reply.status, reply.headers["allow"]) == (405, "GET, POST, DELETE")


@pytest.mark.requirement("session-ended")
def test_ending_no_session_is_refused(send: Send) -> None:
    reply = send(Sent(b"", {}, "DELETE"))
    assert (reply.status, reply.message()) == (400, error(..., -32002, UNINITIALIZED, NO_SESSION))


@pytest.mark.parametrize("session", ["a" * 32, "../../etc/passwd", "\xe9", " "])
def test_ending_an_unknown_session_is_refused(send: Send, session: str) -> None:
    reply = send(Sent(b"", {"mcp-session-id": session}, "DELETE"))
    assert (reply.status, reply.message()) == (404, error(..., -32002, UNINITIALIZED, GONE))
