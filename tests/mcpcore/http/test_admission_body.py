"""Bodies that are not a valid message, in both eras: status, code, text, and the id that is echoed."""

import pytest

from tests.support.messages import (
    ACCEPTED,
    LEGACY,
    METADATA,
    MODERN,
    NO_ID,
    error,
    in_session,
    initialize,
    message,
    mirrored,
    modern,
    one_line,
    post,
    result,
)
from tests.support.servers import Wire


@pytest.fixture
def wire() -> Wire:
    """A server with one session."""
    made = Wire()
    made.send(initialize())
    return made


TOO_DEEP = "nested deeper than 64 levels"
NOT_A_NUMBER = "a number is not JSON, or too large"
NO_VALUE = "not JSON: Expecting value (line 1, column 1)"
NO_NAME = "not JSON: Expecting property name enclosed in double quotes (line 1, column 2)"
EMPTY = "the body is empty; send one JSON-RPC message"

UNPARSABLE = {
    "empty": (b"", EMPTY),
    "blank": (b" \r\n\t", EMPTY),
    "single quotes": (b"{'id':1}", NO_NAME),
    "cut": (
        b'{"jsonrpc":"2.0","id":1,"method":"ping"',
        "not JSON: Expecting ',' delimiter (line 1, column 40)",
    ),
    "two messages": (b'{}\n{"id":1}', "not JSON: Extra data (line 2, column 1)"),
    "a byte order mark": (b"\xef\xbb\xbf" + one_line(message("ping")), NO_VALUE),
    "not UTF-8": (b'{"id":"\xff"}', "the body is not UTF-8 (at byte 7)"),
    "UTF-8 of a surrogate": (b'{"id":"\xed\xa0\x80"}', "the body is not UTF-8 (at byte 7)"),
    "UTF-16": ('{"id":1}'.encode("utf-16-le"), NO_NAME),
    "NaN": (b'{"id":NaN}', NOT_A_NUMBER),
    "Infinity": (b'{"id":1,"params":{"x":Infinity}}', NOT_A_NUMBER),
    "beyond a float": (b'{"id":1,"params":{"x":1e999}}', NOT_A_NUMBER),
    "5000 digits": (b'{"id":' + b"9" * 5000 + b"}", NOT_A_NUMBER),
    "65 lists": (b"[" * 65 + b"]" * 65, TOO_DEEP),
    "65 objects": (b'{"a":' * 64 + b"{}" + b"}" * 64, TOO_DEEP),
    "900000 lists without an end": (b"[" * 900_000, TOO_DEEP),
    "65 lists after strings": (b'["[","\\"[",' + b"[" * 64 + b"]" * 65, TOO_DEEP),
    "a string without an end after 64 lists": (
        b"[" * 64 + b'"' + rb"\"" * 400_000 + b"[" * 9,
        "not JSON: Unterminated string starting at (line 1, column 65)",
    ),
    "100000 lists": (b"[" * 100_000 + b"]" * 100_000, TOO_DEEP),
    "100000 objects": (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, TOO_DEEP),
}


@pytest.mark.requirement("jsonrpc-parse-error", "jsonrpc-unreadable-id", "schema-bounded-depth")
@pytest.mark.parametrize(("body", "text"), UNPARSABLE.values(), ids=UNPARSABLE.keys())
@pytest.mark.parametrize(
    ("headers", "request_id"),
    [({}, None), (in_session(), None), (in_session("1999-01-01"), None), (mirrored("ping"), NO_ID)],
    ids=["no era", "legacy", "unknown version", "modern"],
)
def test_a_body_that_is_not_json_is_a_parse_error_with_a_null_id_or_none_in_the_modern_era(
    wire: Wire, headers: dict[str, str], request_id: object, body: bytes, text: str
) -> None:
    assert wire.send(post(body, headers)) == error(400, request_id, -32700, f"Parse error: {text}")


@pytest.mark.requirement("schema-bounded-depth")
@pytest.mark.parametrize("innermost", [b"{}", b"[]", b"1"])
def test_nesting_at_the_limit_is_read(wire: Wire, innermost: bytes) -> None:
    # The message and its params are two levels, a container in the middle is one.
    lists = 62 - (innermost != b"1")
    params = b'{"x":' + b"[" * lists + innermost + b"]" * lists + b"}"
    body = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":' + params + b"}"

    assert wire.send(post(body, in_session())) == result(1, {})


def test_width_is_not_depth(wire: Wire) -> None:
    params = {"x": [[] for _ in range(1000)], "y": [{} for _ in range(1000)], "z": '[\\"{\\' * 1000}

    assert wire.send(post(message("ping", params), in_session())) == result(1, {})


BATCH = "Batch requests not supported"
NOT_AN_OBJECT = "Invalid request: the message must be a JSON object"
TWICE = "Invalid request: an object has two members of the same name"
BAD_ID = "Invalid request: id must be a string or an integer"
BAD_VERSION = 'Invalid request: jsonrpc must be "2.0"'
BAD_METHOD = "Invalid request: method must be a string"

# The id as the legacy era echoes it; where that is null, the modern era has none.
INVALID = {
    "an empty batch": (b"[]", None, BATCH),
    "a batch": (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', None, BATCH),
    "a number": (b"1", None, NOT_AN_OBJECT),
    "a string": (b'"ping"', None, NOT_AN_OBJECT),
    "null": (b"null", None, NOT_AN_OBJECT),
    "an empty object": (b"{}", None, BAD_VERSION),
    "a method twice": (b'{"jsonrpc":"2.0","id":1,"method":"ping","method":"x"}', None, TWICE),
    "a member of params twice": (
        b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":{"b":1,"b":1}}}',
        None,
        TWICE,
    ),
    "the same name, escaped": (b'{"jsonrpc":"2.0","id":1,"method":"ping","meth\\u006fd":"x"}', None, TWICE),
    "id null": (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', None, BAD_ID),
    "id true": (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', None, BAD_ID),
    "id an object": (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', None, BAD_ID),
    "id an array": (b'{"jsonrpc":"2.0","id":[1],"method":"ping"}', None, BAD_ID),
    "id that a double has rounded": (b'{"jsonrpc":"2.0","id":9007199254740993.0,"method":"a"}', None, BAD_ID),
    "id too long": (
        b'{"jsonrpc":"2.0","id":"' + b"x" * 1_001 + b'","method":"a"}',
        None,
        "Invalid request: id is longer than 1,000 characters",
    ),
    "id fractional": (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', None, BAD_ID),
    "no jsonrpc": (b'{"id":1,"method":"ping"}', 1, BAD_VERSION),
    "jsonrpc 1.0": (b'{"jsonrpc":"1.0","id":"a","method":"ping"}', "a", BAD_VERSION),
    "jsonrpc a number": (b'{"jsonrpc":2.0,"id":0,"method":"ping"}', 0, BAD_VERSION),
    "no method": (b'{"jsonrpc":"2.0","id":1}', 1, BAD_METHOD),
    "no method and no id": (b'{"jsonrpc":"2.0"}', None, BAD_METHOD),
    "method null": (b'{"jsonrpc":"2.0","id":"","method":null}', "", BAD_METHOD),
    "method a number": (b'{"jsonrpc":"2.0","id":-1,"method":1}', -1, BAD_METHOD),
}


@pytest.mark.requirement("jsonrpc-invalid-request", "batch-refused")
@pytest.mark.parametrize(("body", "request_id", "text"), INVALID.values(), ids=INVALID.keys())
def test_json_that_is_not_a_message_is_an_invalid_request(
    wire: Wire, body: bytes, request_id: object, text: str
) -> None:
    modern_id = NO_ID if request_id is None else request_id

    assert wire.send(post(body, in_session())) == error(400, request_id, -32600, text)
    assert wire.send(post(body, mirrored("ping"))) == error(400, modern_id, -32600, text)


NO_RESPONSE_ID = "Invalid request: a response must carry the id of the request it answers"


@pytest.mark.requirement("jsonrpc-no-answer-to-answers")
@pytest.mark.parametrize(
    ("body", "text"),
    [
        (
            b'{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}',
            "Invalid request: a response has either result or error, not both",
        ),
        (b'{"jsonrpc":"2.0","result":{}}', NO_RESPONSE_ID),
        (b'{"jsonrpc":"2.0","error":{"code":1,"message":"x"}}', NO_RESPONSE_ID),
        (b'{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}', BAD_ID),
        (b'{"jsonrpc":"1.0","id":1,"result":{}}', BAD_VERSION),
        (b'{"jsonrpc":"2.0","id":1,"result":[]}', "Invalid request: result must be an object"),
        (b'{"jsonrpc":"2.0","id":1,"result":null}', "Invalid request: result must be an object"),
        (b'{"jsonrpc":"2.0","id":1,"error":"x"}', "Invalid request: error must be an object"),
    ],
)
@pytest.mark.parametrize("version", [LEGACY, MODERN])
def test_a_response_that_is_refused_is_never_answered_under_its_id(
    wire: Wire, version: str, body: bytes, text: str
) -> None:
    assert wire.send(post(body, in_session(version))) == error(400, NO_ID, -32600, text)


@pytest.mark.requirement("params-object")
@pytest.mark.parametrize(
    ("params", "shown"),
    [
        *(([], "an array"), ([{}], "an array"), ("x", "a string"), ("", "a string")),
        *((1, "a number"), (0.5, "a number"), (True, "a boolean"), (False, "a boolean")),
    ],
)
@pytest.mark.parametrize("headers", [in_session(), {}, mirrored("ping")], ids=["legacy", "no era", "modern"])
def test_params_that_are_not_an_object_are_refused_under_the_id_of_the_request(
    wire: Wire, headers: dict[str, str], params: object, shown: str
) -> None:
    request = post(message("ping", params, request_id="a"), headers)
    expected = f"Invalid params: params must be an object, not {shown}"

    assert wire.send(request) == error(400, "a", -32602, expected)


@pytest.mark.parametrize("method", ["ping", "tools/list"])
def test_params_that_are_null_are_absent(wire: Wire, method: str) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": method}

    absent = wire.send(post(body, in_session()))

    assert absent.status == 200
    assert wire.send(post({**body, "params": None}, in_session())) == absent


@pytest.mark.parametrize("params", [[], "x", 1, None, {"_meta": 1}])
@pytest.mark.parametrize("headers", [in_session(), {}, mirrored("x")], ids=["legacy", "no era", "modern"])
def test_a_notification_is_accepted_whatever_its_params(
    wire: Wire, headers: dict[str, str], params: object
) -> None:
    body = {"jsonrpc": "2.0", "method": "notifications/progress", "params": params}

    assert wire.send(post(body, headers)) == ACCEPTED


def test_the_metadata_of_an_invalid_message_decides_its_era() -> None:
    body = {"jsonrpc": "1.0", "id": None, "method": "ping", "params": {"_meta": METADATA}}

    assert Wire().send(post(body)) == error(400, NO_ID, -32600, BAD_ID)


@pytest.mark.requirement("jsonrpc-extra-members")
def test_unknown_members_of_a_message_are_ignored(wire: Wire) -> None:
    body = {**message("ping"), "trace": {"x": 1}, "extra": None}

    assert wire.send(post(body, in_session())) == result(1, {})


IDS = {
    "zero": b"0",
    "negative": b"-1",
    "beyond 64 bits": b"123456789012345678901234567890",
    "4000 digits": b"9" * 4000,
    "empty": b'""',
    "a format": b'"%b"',
    "digits": b'"1"',
    "null in words": b'"null"',
    "escaped": rb'"a\"b\\c\n"',
    "unicode": rb'"\u00fc\u20ac\ud83d\ude00"',
    "a lone surrogate": rb'"\ud800"',
    "a nul": rb'"\u0000"',
    "long": b'"' + b"x" * 1_000 + b'"',
}


@pytest.mark.requirement("id-echoed")
@pytest.mark.parametrize("request_id", IDS.values(), ids=IDS.keys())
def test_an_id_comes_back_as_it_was_sent_with_a_result_or_an_error(wire: Wire, request_id: bytes) -> None:
    answered = wire.send(post(b'{"jsonrpc":"2.0","method":"ping","id":%b}' % request_id, in_session()))
    body = one_line({**message("ping", {"_meta": METADATA}), "id": "HERE"}).replace(b'"HERE"', request_id)
    failed = wire.send(modern("ping")._replace(body=body))

    assert answered.body == b'{"jsonrpc":"2.0","id":%b,"result":{}}' % request_id
    assert failed.body == (
        b'{"jsonrpc":"2.0","id":%b,"error":{"code":-32601,"message":"Method not found: ping"}}' % request_id
    )


@pytest.mark.parametrize(
    ("sent", "echoed"),
    [(b"1.0", b"1"), (b"-2.0e1", b"-20"), (b"9007199254740991.0", b"9007199254740991")],
)
def test_an_integer_that_is_written_with_a_fraction_of_zero_is_that_integer(
    wire: Wire, sent: bytes, echoed: bytes
) -> None:
    answered = wire.send(post(b'{"jsonrpc":"2.0","method":"ping","id":%b}' % sent, in_session()))

    assert answered.body == b'{"jsonrpc":"2.0","id":%b,"result":{}}' % echoed


def test_an_id_in_plain_utf_8_comes_back_escaped_which_is_the_same_id(wire: Wire) -> None:
    body = '{"jsonrpc":"2.0","id":"ü€","method":"ping"}'.encode()

    assert wire.send(post(body, in_session())).body == rb'{"jsonrpc":"2.0","id":"\u00fc\u20ac","result":{}}'
