"""Bytes to messages and back, without HTTP: what is read of a body, and what is written."""

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
    error_bytes,
    result_bytes,
)

MESSAGES = {
    "a request": (b'{"jsonrpc":"2.0","id":1,"method":"ping"}', Request(1, "ping", {})),
    "a request of empty words": (
        b'{"jsonrpc":"2.0","id":"","method":"","params":{}}',
        Request("", "", {}),
    ),
    "a request in another order": (
        b' \r\n{"params":{"a":[1.5,null]},"method":"m","id":0,"jsonrpc":"2.0"}\t',
        Request(0, "m", {"a": [1.5, None]}),
    ),
    "a request in UTF-8": (
        '{"jsonrpc":"2.0","id":"ü","method":"€"}'.encode(),
        Request("ü", "€", {}),
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
    "a result, and no error in so many words": (
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
def test_what_could_be_read_of_a_broken_message_is_kept(
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
def test_a_number_that_json_has_not_is_not_written(number: float) -> None:
    with pytest.raises(ValueError, match="Out of range float values"):
        encode({"x": number})


@pytest.mark.parametrize(
    ("request_id", "expected"),
    [
        (0, b'{"jsonrpc":"2.0","id":0,"result":{"a":1}}'),
        ("", b'{"jsonrpc":"2.0","id":"","result":{"a":1}}'),
        ("%b", b'{"jsonrpc":"2.0","id":"%b","result":{"a":1}}'),
        ('"', rb'{"jsonrpc":"2.0","id":"\"","result":{"a":1}}'),
        (-(10**40), b'{"jsonrpc":"2.0","id":-1' + b"0" * 40 + b',"result":{"a":1}}'),
    ],
)
def test_a_result_is_put_under_its_id_as_it_is(request_id: RequestId, expected: bytes) -> None:
    assert result_bytes(request_id, b'{"a":1}') == expected


@pytest.mark.parametrize(
    ("request_id", "data", "expected"),
    [
        (1, None, b'{"jsonrpc":"2.0","id":1,"error":{"code":-5,"message":"no"}}'),
        ("a", {}, b'{"jsonrpc":"2.0","id":"a","error":{"code":-5,"message":"no","data":{}}}'),
        (NoId.UNREADABLE, None, b'{"jsonrpc":"2.0","id":null,"error":{"code":-5,"message":"no"}}'),
        (
            NoId.ABSENT,
            {"b": 1},
            b'{"jsonrpc":"2.0","error":{"code":-5,"message":"no","data":{"b":1}}}',
        ),
    ],
)
def test_an_error_is_put_under_its_id_or_null_or_none(
    request_id: RequestId | NoId, data: dict[str, Any] | None, expected: bytes
) -> None:
    assert error_bytes(request_id, code=-5, message="no", data=data) == expected
