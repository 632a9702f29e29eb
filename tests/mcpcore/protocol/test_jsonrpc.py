"""Bytes to messages, and values to JSON."""

from typing import Any

import pytest

from mcpcore.protocol.errors import InvalidEnvelope, InvalidRequest, ParseError, ProtocolError
from mcpcore.protocol.jsonrpc import (
    DecodeError,
    Message,
    NoId,
    Notification,
    Request,
    RequestId,
    Response,
    decode,
    encode,
)

MESSAGES = {
    "a request": (b'{"jsonrpc":"2.0","id":1,"method":"ping"}', Request(1, "ping", {})),
    "a request in another order": (
        b' \r\n{"params":{"a":[1.5,null]},"method":"m","id":0,"jsonrpc":"2.0"}\t',
        Request(0, "m", {"a": [1.5, None]}),
    ),
    "a request that has a result too": (
        b'{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}',
        Request(1, "ping", {}),
    ),
    "a notification": (b'{"jsonrpc":"2.0","method":"n"}', Notification("n", {})),
    "a notification with params": (
        b'{"jsonrpc":"2.0","method":"n","params":{"a":1}}',
        Notification("n", {"a": 1}),
    ),
    "a notification with other params": (
        b'{"jsonrpc":"2.0","method":"n","params":[1]}',
        Notification("n", {}),
    ),
    "a result": (b'{"jsonrpc":"2.0","id":"a","result":{"b":1}}', Response("a", {"b": 1}, None)),
    "an error": (b'{"jsonrpc":"2.0","id":-1,"error":{"code":1}}', Response(-1, None, {"code": 1})),
    "a result with another member": (
        b'{"jsonrpc":"2.0","id":1,"result":{},"x":null}',
        Response(1, {}, None),
    ),
}


@pytest.mark.parametrize(("body", "expected"), MESSAGES.values(), ids=MESSAGES.keys())
def test_a_body_is_read_as_the_one_message_it_holds(body: bytes, expected: Message) -> None:
    message = decode(body)

    assert (type(message), message) == (type(expected), expected)


@pytest.mark.parametrize(
    ("body", "kind", "request_id", "params"),
    [
        (b"", ParseError, NoId.UNREADABLE, {}),
        (b"{", ParseError, NoId.UNREADABLE, {}),
        (b"[]", InvalidRequest, NoId.UNREADABLE, {}),
        (b"{}", InvalidRequest, NoId.UNREADABLE, {}),
        (b'{"id":true,"params":{"a":1}}', InvalidRequest, NoId.UNREADABLE, {"a": 1}),
        (b'{"id":7,"params":{"a":1}}', InvalidRequest, 7, {"a": 1}),
        (b'{"jsonrpc":"2.0","id":7,"method":"m","params":[1]}', InvalidEnvelope, 7, {}),
        (b'{"jsonrpc":"2.0","id":7,"result":1}', InvalidRequest, NoId.ABSENT, {}),
    ],
)
def test_a_decode_error_has_what_could_be_read_of_the_message(
    body: bytes, kind: type[ProtocolError], request_id: RequestId | NoId, params: dict[str, Any]
) -> None:
    with pytest.raises(DecodeError) as refused:
        decode(body)

    found = refused.value
    assert (type(found.error), found.request_id, found.params) == (kind, request_id, params)
    assert str(found) == found.error.message


@pytest.mark.requirement("one-line")
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({}, b"{}"),
        ({"a": [1, None, True, "x"]}, b'{"a":[1,null,true,"x"]}'),
        ("ü€\U0001f600", rb'"\u00fc\u20ac\ud83d\ude00"'),
        ("\ud800", rb'"\ud800"'),
        ("line\nbreak\u2028", rb'"line\nbreak\u2028"'),
        (1.0, b"1.0"),
        (10**30, b"1" + b"0" * 30),
    ],
)
def test_json_is_written_as_one_line_of_ascii(value: object, expected: bytes) -> None:
    assert encode(value) == expected


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_number_that_is_not_json_is_not_written(number: float) -> None:
    with pytest.raises(ValueError, match="Out of range float values"):
        encode({"x": number})
