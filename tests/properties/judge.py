"""What holds for every reply, whatever was sent: its status, its ids, the official types of its revision."""

import json
from typing import Any, Final, NamedTuple

import mcp_types._v2025_11_25 as v2025
import mcp_types._v2026_07_28 as v2026
from mcp_types.methods import SERVER_NOTIFICATIONS, SERVER_REQUESTS, validate_server_result

from tests.properties.subject import SECRET
from tests.support.exchanges import MODERN, Reply, Sent

__all__ = ["Judged", "judge", "said_in"]

_STATUSES: Final = frozenset({200, 202, 204, 400, 403, 404, 405, 406, 413, 415})
_LATEST_HANDSHAKE: Final = "2025-11-25"
_META: Final = "io.modelcontextprotocol/protocolVersion"
_MODERN_MEMBERS: Final = frozenset({"resultType", "ttlMs", "cacheScope"})
_UNREADABLE: Final = object()


class Judged(NamedTuple):
    """A reply that keeps the rules: the messages in it, and the response among them, if it has one."""

    messages: list[dict[str, Any]]
    response: dict[str, Any] | None


def judge(sent: Sent, reply: Reply, *, version: str = _LATEST_HANDSHAKE) -> Judged:
    """The messages of `reply` to `sent`; `version` is what the session has agreed on, if there is one.

    Raises:
        AssertionError: the reply breaks a rule.
    """
    assert reply.status in _STATUSES, reply
    assert reply.body.isascii()
    assert SECRET.encode() not in reply.body
    messages = said_in(reply)
    asked = _asked(sent)
    for message in messages[:-1]:
        assert "method" in message, "a response is not the last message"
    response = messages[-1] if messages and "method" not in messages[-1] else None
    if sent.method == "POST" and _is_modern(sent, asked):
        version = MODERN
    for message in messages if response is None else messages[:-1]:
        _judge_message(message, version)
    if response is not None:
        _judge_response(response, sent, asked, version)
    if _is_notification(asked):
        assert response is None or (reply.status >= 400 and "id" not in response)
        assert reply.status != 200
    return Judged(messages, response)


def said_in(reply: Reply) -> list[dict[str, Any]]:
    """The JSON-RPC messages of a body, in order."""
    if not reply.body:
        return []
    if reply.headers["content-type"] == "application/json":
        return [_plain(reply.body.decode())]
    assert reply.headers["content-type"] == "text/event-stream"
    assert reply.body.endswith(b"\n\n")
    lines = reply.body.decode().splitlines()
    return [_plain(line.removeprefix("data: ")) for line in lines if line.startswith("data: {")]


def _judge_message(message: dict[str, Any], version: str) -> None:
    """A notification, or a request of ours, is one that the revision has."""
    types = SERVER_REQUESTS if "id" in message else SERVER_NOTIFICATIONS
    assert (message["method"], version) in types, message
    types[message["method"], version].model_validate(message, by_name=False)


def _judge_response(response: dict[str, Any], sent: Sent, asked: Any, version: str) -> None:
    assert response["jsonrpc"] == "2.0"
    assert set(response) <= {"jsonrpc", "id", "result", "error"}
    assert ("result" in response) != ("error" in response)
    expected = _id_of(asked)
    found = response.get("id")
    if "result" in response:
        assert sent.method == "GET" or _same(found, expected), response
        if sent.method == "POST":
            validate_server_result(asked["method"], version, response["result"])
        if version != MODERN:
            assert not _MODERN_MEMBERS & response["result"].keys(), "older types let anything pass"
        return
    if version == MODERN:
        v2026.JSONRPCErrorResponse.model_validate(response, by_name=False)
        assert found is not None or "id" not in response, "the modern schema has no null id"
        assert response["error"]["code"] not in (-32002, -32042)
    else:
        # JSON-RPC wants null for an id that could not be read; the schema of no revision has it.
        known = response if found is not None else {**response, "id": 0}
        v2025.JSONRPCErrorResponse.model_validate(known, by_name=False)
    if found is not None:
        assert sent.method == "GET" or _same(found, expected), response


def _asked(sent: Sent) -> Any:
    """What the body of a POST says, to a parser that knows nothing of the protocol."""
    try:
        if sent.method != "POST":
            return _UNREADABLE
        return json.loads(sent.body.decode("utf-8"))
    except (ValueError, RecursionError):
        return _UNREADABLE


def _is_modern(sent: Sent, asked: Any) -> bool:
    headers = {name.lower(): value for name, value in sent.headers.items()}
    params = asked.get("params") if isinstance(asked, dict) else None
    meta = params.get("_meta") if isinstance(params, dict) else None
    claims = isinstance(meta, dict) and _META in meta
    initializes = isinstance(asked, dict) and asked.get("method") == "initialize"
    return claims or (headers.get("mcp-protocol-version", "").strip(" \t") == MODERN and not initializes)


def _is_notification(asked: Any) -> bool:
    if not isinstance(asked, dict) or "id" in asked:
        return False
    return asked.get("jsonrpc") == "2.0" and isinstance(asked.get("method"), str)


def _id_of(asked: Any) -> Any:
    return asked.get("id", _UNREADABLE) if isinstance(asked, dict) else _UNREADABLE


def _same(found: object, expected: object) -> bool:
    return type(found) is type(expected) and found == expected


def _plain(text: str) -> dict[str, Any]:
    """The message in `text`. Half a surrogate pair is legal JSON, and more than the official types take."""
    message = json.loads(text)
    assert isinstance(message, dict)
    whole = json.dumps(message, ensure_ascii=False).encode("utf-8", "replace")
    return (
        message
        if whole == json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass")
        else {**json.loads(whole), **{name: message[name] for name in ("id",) if name in message}}
    )
