"""JSON-RPC 2.0: bytes to one message, and messages to bytes. Independent of methods and eras."""

import enum
import json
import math
from collections.abc import Mapping
from itertools import accumulate
from typing import Any, Final, NamedTuple, NoReturn, TypeAlias

from mcpcore.protocol.errors import InvalidEnvelope, InvalidRequest, ParseError, ProtocolError

__all__ = [
    "MAX_ID_CHARACTERS",
    "DecodeError",
    "Message",
    "NoId",
    "Notification",
    "Request",
    "RequestId",
    "Response",
    "decode",
    "encode",
    "error_bytes",
    "json_text",
    "json_type",
    "read_id",
    "result_bytes",
]

RequestId: TypeAlias = str | int
"""A request id: never null, never a fraction (spec basic/index, "Requests")."""

_INEXACT_FROM: Final = 2**53

MAX_ID_CHARACTERS: Final = 1_000
"""The longest request id or progress token: each reply repeats it, with up to seven bytes for a character."""


def read_id(value: object) -> RequestId | None:
    """The request id in a decoded message; None if it is neither a string nor an integer, or too long.

    JSON has one type of numbers, and some clients write 1 as 1.0 (RFC 8259, section 6); below the limit from
    which a double stands for several integers, both are the same. True and false are none.
    """
    if isinstance(value, float) and value.is_integer() and abs(value) < _INEXACT_FROM:
        return int(value)
    if isinstance(value, str):
        return value if len(value) <= MAX_ID_CHARACTERS else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


DEPTH_LIMIT: Final = 64
"""The deepest nesting that is accepted (RFC 8259, section 9, allows a limit).

Python's own limit counts frames, not bytes of the stack: a deep text can crash a thread whose stack is small.
"""


class NoId(enum.Enum):
    """Why an error response has no id."""

    ABSENT = "absent"
    """There was no request: the `id` member is left out."""
    UNREADABLE = "unreadable"
    """The request's id could not be read: `id` is null (JSON-RPC 2.0, section 5)."""


class Request(NamedTuple):
    """A call that must be answered under its `id`."""

    id: RequestId
    method: str
    params: Mapping[str, Any]


class Notification(NamedTuple):
    """A message without an id: never answered."""

    method: str
    params: Mapping[str, Any]


class Response(NamedTuple):
    """The client's response to a request of the server; exactly one of `result` and `error` is set."""

    id: RequestId
    result: Mapping[str, Any] | None
    error: Mapping[str, Any] | None


Message: TypeAlias = Request | Notification | Response


class DecodeError(Exception):
    """The bytes are not one message. `request_id` and `params` are the parts that could be read."""

    def __init__(
        self,
        error: ProtocolError,
        request_id: RequestId | NoId = NoId.UNREADABLE,
        params: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(error.message)
        self.error = error
        self.request_id = request_id
        self.params = params or {}


def decode(body: bytes) -> Message:
    """The one message that `body` holds.

    Raises:
        DecodeError: not UTF-8 or not JSON (`ParseError`); a batch, or not a JSON-RPC 2.0 message
            (`InvalidRequest`); `params` that is not an object (`InvalidEnvelope`).
    """
    try:
        value = _parse(body)
        if isinstance(value, list):
            raise InvalidRequest("Batch requests not supported")
        if not isinstance(value, dict):
            raise InvalidRequest("Invalid request: the message must be a JSON object")
    except ProtocolError as error:
        raise DecodeError(error) from None
    request_id = read_id(value.get("id"))
    try:
        return _message(value, request_id)
    except ProtocolError as error:
        params = value.get("params")
        raise DecodeError(
            error,
            _echoed(value, request_id),
            params if isinstance(params, dict) else None,
        ) from None


def encode(value: object) -> bytes:
    """`value` as one line of JSON, ASCII only: it can carry lone surrogates that a client sent.

    Raises:
        ValueError: it holds NaN or an infinity.
    """
    return _ENCODER.encode(value).encode("ascii")


def result_bytes(request_id: RequestId, result: bytes) -> bytes:
    """The response to `request_id` with `result`, which is already encoded."""
    return b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (encode(request_id), result)


def error_bytes(
    request_id: RequestId | NoId, *, code: int, message: str, data: Mapping[str, Any] | None
) -> bytes:
    """An error response; `NoId` says whether a missing id is null or left out."""
    answer: dict[str, Any] = {"jsonrpc": "2.0"}
    if request_id is not NoId.ABSENT:
        answer["id"] = None if request_id is NoId.UNREADABLE else request_id
    answer["error"] = {"code": code, "message": message}
    if data is not None:
        answer["error"]["data"] = data
    return encode(answer)


def json_type(value: object) -> str:
    """What a decoded JSON value is, with its article, for an error message."""
    return _JSON_TYPES.get(type(value), "null")


_JSON_TYPES: Final[Mapping[type, str]] = {
    dict: "an object",
    list: "an array",
    str: "a string",
    int: "a number",
    float: "a number",
    bool: "a boolean",
}


def json_text(value: object) -> str:
    """`value` as one line of JSON for a model to read: characters outside ASCII are not escaped.

    Raises:
        ValueError: it holds NaN or an infinity.
    """
    return _TEXT_ENCODER.encode(value)


_ENCODER: Final = json.JSONEncoder(separators=(",", ":"), allow_nan=False)
_TEXT_ENCODER: Final = json.JSONEncoder(separators=(",", ":"), allow_nan=False, ensure_ascii=False)


def _parse(body: bytes) -> object:
    if not body.strip():
        raise ParseError("the body is empty; send one JSON-RPC message")
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ParseError(f"the body is not UTF-8 (at byte {error.start})") from None
    if body.count(b"[") + body.count(b"{") > DEPTH_LIMIT and _too_deep(body):
        raise ParseError(f"nested deeper than {DEPTH_LIMIT} levels")
    try:
        value: object = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise ParseError(f"not JSON: {error.msg} (line {error.lineno}, column {error.colno})") from None
    except ValueError:
        raise ParseError("a number is not JSON, or too large") from None
    return value


def _unique_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise InvalidRequest("Invalid request: an object has two members of the same name")
    return members


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):  # 1e999 is valid JSON, but infinity cannot be encoded again
        raise ValueError(digits)
    return number


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_unique_members, parse_constant=_refuse_constant, parse_float=_finite
)


# A string; one without an end reaches to the end of the body, so that each byte is read once.
_STRING: Final = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?'
_STEPS: Final = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_NOT_BRACKETS: Final = bytes(set(range(256)) - _STEPS.keys())


def _too_deep(body: bytes) -> bool:
    """True if arrays and objects are nested deeper than the limit, found without a parser that recurses."""
    import re

    brackets = re.sub(_STRING, b"", body, flags=re.DOTALL).translate(None, _NOT_BRACKETS)
    return any(map(DEPTH_LIMIT.__lt__, accumulate(map(_STEPS.__getitem__, brackets))))


def _echoed(value: dict[str, Any], request_id: RequestId | None) -> RequestId | NoId:
    # A response has the id of a request of the server; echoed, it could match a request of the client.
    if _is_response(value):
        return NoId.ABSENT
    return NoId.UNREADABLE if request_id is None else request_id


def _is_response(value: dict[str, Any]) -> bool:
    return "method" not in value and ("result" in value or "error" in value)


def _message(value: dict[str, Any], request_id: RequestId | None) -> Message:
    if "id" in value and request_id is None:
        if isinstance(value["id"], str):
            raise InvalidRequest(f"Invalid request: id is longer than {MAX_ID_CHARACTERS:,} characters")
        raise InvalidRequest("Invalid request: id must be a string or an integer")
    if value.get("jsonrpc") != "2.0":
        raise InvalidRequest('Invalid request: jsonrpc must be "2.0"')
    if _is_response(value):
        return _response(value, request_id)
    method = value.get("method")
    if not isinstance(method, str):
        raise InvalidRequest("Invalid request: method must be a string")
    params = value.get("params")
    if params is None:  # absent, or the null that some clients write for it
        params = {}
    if request_id is None:
        return Notification(method, params if isinstance(params, dict) else {})
    if not isinstance(params, dict):
        raise InvalidEnvelope(f"Invalid params: params must be an object, not {json_type(params)}")
    return Request(request_id, method, params)


def _response(value: dict[str, Any], request_id: RequestId | None) -> Response:
    if request_id is None:
        raise InvalidRequest("Invalid request: a response must carry the id of the request it answers")
    if "result" in value and "error" in value:
        raise InvalidRequest("Invalid request: a response has either result or error, not both")
    member = "result" if "result" in value else "error"
    content = value[member]
    if not isinstance(content, dict):
        raise InvalidRequest(f"Invalid request: {member} must be an object")
    return Response(request_id, *((content, None) if member == "result" else (None, content)))
