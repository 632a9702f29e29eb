"""What holds for every reply to any request: its ids, and the official schemas of its version."""

import json
from typing import Any, Final, NamedTuple

from tests.support.exchanges import MODERN, Reply, Sent
from tests.support.official_schemas import check_error, check_message, check_result

__all__ = ["Judged", "judge", "messages_in", "method_of"]

_LATEST_HANDSHAKE: Final = "2025-11-25"
_META: Final = "io.modelcontextprotocol/protocolVersion"
_MODERN_MEMBERS: Final = frozenset({"resultType", "ttlMs", "cacheScope"})
_UNREADABLE: Final = object()


class Judged(NamedTuple):
    """A reply that keeps the rules: its messages, and the response among them, if any."""

    messages: list[dict[str, Any]]
    response: dict[str, Any] | None


def judge(
    sent: Sent, reply: Reply, *, version: str = _LATEST_HANDSHAKE, resumed: str | None = None
) -> Judged:
    """The messages of `reply` to `sent`.

    `version` is the session's, if there is one. `resumed` is the method of the request that a GET resumes.

    Raises:
        AssertionError: the reply breaks a rule.
    """
    assert reply.body.isascii()
    messages = messages_in(reply)
    body = _body_of(sent)
    for message in messages[:-1]:
        assert "method" in message, "a response is not the last message"
    response = messages[-1] if messages and "method" not in messages[-1] else None
    if sent.method == "POST" and _is_modern(sent, body):
        version = MODERN
    for message in messages if response is None else messages[:-1]:
        check_message(version, message)
    if response is not None:
        _judge_response(response, sent, body, version, resumed)
    if _is_notification(body):
        assert response is None or (reply.status >= 400 and "id" not in response)
        assert reply.status != 200
    return Judged(messages, response)


def messages_in(reply: Reply) -> list[dict[str, Any]]:
    """The JSON-RPC messages of a body, in order."""
    if not reply.body:
        return []
    if reply.headers["content-type"] == "application/json":
        return [json.loads(reply.body)]
    assert reply.headers["content-type"] == "text/event-stream"
    assert reply.body.endswith(b"\n\n")
    lines = reply.body.decode().splitlines()
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: {")]


def method_of(sent: Sent) -> str | None:
    """The method that a POST names, if its body can be read."""
    body = _body_of(sent)
    method = body.get("method") if isinstance(body, dict) else None
    return method if isinstance(method, str) else None


def _judge_response(
    response: dict[str, Any], sent: Sent, body: Any, version: str, resumed: str | None
) -> None:
    assert set(response) <= {"jsonrpc", "id", "result", "error"}
    assert ("result" in response) != ("error" in response)
    found, expected = response.get("id"), _id_of(body)
    if "result" in response:
        assert sent.method == "GET" or _same(found, expected), response
        method = body["method"] if sent.method == "POST" else resumed
        assert method is not None, f"nobody knows which request this answers: {response}"
        check_result(version, method, response)
        if version != MODERN:
            assert not _MODERN_MEMBERS & response["result"].keys(), "the older schemas allow any member"
        return
    check_error(version, response)
    if version == MODERN:
        assert response["error"]["code"] not in (-32002, -32042)
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
    """The id as it has to be repeated: 1.0 is the integer 1."""
    found = body.get("id", _UNREADABLE) if isinstance(body, dict) else _UNREADABLE
    return int(found) if isinstance(found, float) and found.is_integer() else found


def _same(found: object, expected: object) -> bool:
    return type(found) is type(expected) and found == expected
