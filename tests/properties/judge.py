"""What holds for every reply to any request: its status, its ids, the official types of its version."""

import json
from typing import Any, Final, NamedTuple

import mcp_types._v2025_11_25 as v2025
import mcp_types._v2026_07_28 as v2026
from mcp_types.methods import SERVER_NOTIFICATIONS, SERVER_REQUESTS, validate_server_result

from tests.properties.subject import SECRET
from tests.support.exchanges import MODERN, Reply, Sent

__all__ = ["Judged", "judge", "messages_in"]

_STATUSES: Final = frozenset({200, 202, 204, 400, 403, 404, 405, 406, 413, 415})
_LATEST_HANDSHAKE: Final = "2025-11-25"
_META: Final = "io.modelcontextprotocol/protocolVersion"
_MODERN_MEMBERS: Final = frozenset({"resultType", "ttlMs", "cacheScope"})
_UNREADABLE: Final = object()


class Judged(NamedTuple):
    """A reply that keeps the rules: its messages, and the response among them, if any."""

    messages: list[dict[str, Any]]
    response: dict[str, Any] | None


def judge(sent: Sent, reply: Reply, *, version: str = _LATEST_HANDSHAKE) -> Judged:
    """The messages of `reply` to `sent`; `version` is that of the session, if there is one.

    Raises:
        AssertionError: the reply breaks a rule.
    """
    assert reply.status in _STATUSES, reply
    assert reply.body.isascii()
    assert SECRET.encode() not in reply.body
    messages = messages_in(reply)
    body = _body_of(sent)
    for message in messages[:-1]:
        assert "method" in message, "a response is not the last message"
    response = messages[-1] if messages and "method" not in messages[-1] else None
    if sent.method == "POST" and _is_modern(sent, body):
        version = MODERN
    for message in messages if response is None else messages[:-1]:
        _judge_message(message, version)
    if response is not None:
        _judge_response(response, sent, body, version)
    if _is_notification(body):
        assert response is None or (reply.status >= 400 and "id" not in response)
        assert reply.status != 200
    return Judged(messages, response)


def messages_in(reply: Reply) -> list[dict[str, Any]]:
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
    """A notification or request of the server is one that the version has."""
    types = SERVER_REQUESTS if "id" in message else SERVER_NOTIFICATIONS
    assert (message["method"], version) in types, message
    types[message["method"], version].model_validate(message, by_name=False)


def _judge_response(response: dict[str, Any], sent: Sent, body: Any, version: str) -> None:
    assert response["jsonrpc"] == "2.0"
    assert set(response) <= {"jsonrpc", "id", "result", "error"}
    assert ("result" in response) != ("error" in response)
    expected = _id_of(body)
    found = response.get("id")
    if "result" in response:
        assert sent.method == "GET" or _same(found, expected), response
        if sent.method == "POST":
            validate_server_result(body["method"], version, response["result"])
        if version != MODERN:
            assert not _MODERN_MEMBERS & response["result"].keys(), "the older types allow any member"
        return
    if version == MODERN:
        v2026.JSONRPCErrorResponse.model_validate(response, by_name=False)
        assert found is not None or "id" not in response, "the modern schema has no null id"
        assert response["error"]["code"] not in (-32002, -32042)
    else:
        # JSON-RPC wants null for an id that could not be read; no version's schema allows it.
        known = response if found is not None else {**response, "id": 0}
        v2025.JSONRPCErrorResponse.model_validate(known, by_name=False)
    if found is not None:
        assert sent.method == "GET" or _same(found, expected), response


def _body_of(sent: Sent) -> Any:
    """The JSON in the body of a POST."""
    try:
        if sent.method != "POST":
            return _UNREADABLE
        return json.loads(sent.body.decode("utf-8"))
    except (ValueError, RecursionError):
        return _UNREADABLE


def _is_modern(sent: Sent, body: Any) -> bool:
    headers = {name.lower(): value for name, value in sent.headers.items()}
    params = body.get("params") if isinstance(body, dict) else None
    meta = params.get("_meta") if isinstance(params, dict) else None
    claims = isinstance(meta, dict) and _META in meta
    initializes = isinstance(body, dict) and body.get("method") == "initialize"
    return claims or (headers.get("mcp-protocol-version", "").strip(" \t") == MODERN and not initializes)


def _is_notification(body: Any) -> bool:
    if not isinstance(body, dict) or "id" in body:
        return False
    return body.get("jsonrpc") == "2.0" and isinstance(body.get("method"), str)


def _id_of(body: Any) -> Any:
    return body.get("id", _UNREADABLE) if isinstance(body, dict) else _UNREADABLE


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
