"""The form of what is refused before a message is read: the same for every fault, era and Accept header."""

import json

import pytest

from mcpcore import MemorySessions
from mcpcore.http import HttpRequest, Policy
from tests.support.messages import (
    JSON_HEADERS,
    LEGACY,
    MODERN,
    NO_ID,
    error,
    in_session,
    initialize,
    message,
    one_line,
)
from tests.support.servers import Wire

PING = one_line(message("ping"))
STREAM = {**in_session(), "last-event-id": "abc.1"}
ALLOW = {"allow": "GET, POST, DELETE"}
IDENTITY = {"accept-encoding": "identity"}


def post(body: bytes = PING, **headers: str) -> HttpRequest:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return HttpRequest("POST", {**JSON_HEADERS, **in_session(), **named}, body)


REFUSALS = {
    "an origin": (post(origin="https://evil.example"), 403, {}),
    "a host": (post(host="evil.example"), 403, {}),
    "an HTTP method": (HttpRequest("PUT", JSON_HEADERS, PING), 405, ALLOW),
    "a GET without a session": (HttpRequest("GET", {}, b""), 405, ALLOW),
    "a GET of no stream": (HttpRequest("GET", in_session(), b""), 405, ALLOW),
    "a GET of an unknown stream": (HttpRequest("GET", STREAM, b""), 405, ALLOW),
    "a size": (post(PING.ljust(101)), 413, {}),
    "a content coding": (post(content_encoding="gzip"), 415, IDENTITY),
    "a media type": (post(content_type="text/plain"), 415, {}),
}


@pytest.fixture(scope="module")
def wire() -> Wire:
    sessions = MemorySessions()
    Wire(sessions=sessions).send(initialize())
    policy = Policy(allowed_hosts=frozenset({"mcp.example"}), max_body_bytes=100)
    return Wire(policy=policy, sessions=sessions)


def refused(wire: Wire, request: HttpRequest, status: int, headers: dict[str, str]) -> None:
    response = wire.send(request)
    assert (response.status, response.headers) == (status, {"content-type": "application/json", **headers})
    found = json.loads(response.body)
    assert found == {"jsonrpc": "2.0", "error": {"code": -32600, "message": found["error"]["message"]}}


@pytest.mark.requirement("refusal-form")
@pytest.mark.parametrize("version", [None, LEGACY, MODERN])
@pytest.mark.parametrize("accept", [None, "application/json, text/event-stream", "text/event-stream", "*/*"])
@pytest.mark.parametrize("fault", REFUSALS)
def test_a_refusal_is_a_json_rpc_error_without_an_id(
    wire: Wire, fault: str, accept: str | None, version: str | None
) -> None:
    request, status, headers = REFUSALS[fault]
    added = {"accept": accept, "mcp-protocol-version": version}
    kept = {name: value for name, value in added.items() if value is not None}
    refused(wire, request._replace(headers={**request.headers, **kept}), status, headers)


@pytest.mark.requirement("refusal-form")
@pytest.mark.parametrize("version", [LEGACY, MODERN])
@pytest.mark.parametrize(
    "request_", [post(accept="text/html"), HttpRequest("GET", {**STREAM, "accept": "application/json"}, b"")]
)
def test_so_is_the_refusal_of_a_client_that_accepts_nothing_it_could_get(
    wire: Wire, request_: HttpRequest, version: str
) -> None:
    headers = {**request_.headers, "mcp-protocol-version": version}
    refused(wire, request_._replace(headers=headers), 406, {})


@pytest.mark.requirement("refusal-form")
@pytest.mark.parametrize(("headers", "status"), [({}, 405), ({"host": "evil.example"}, 403)])
def test_the_refusal_of_a_head_request_has_no_body(wire: Wire, headers: dict[str, str], status: int) -> None:
    response = wire.send(HttpRequest("HEAD", headers, b""))
    assert (response.status, response.body) == (status, b"")


@pytest.mark.requirement("content-coding")
@pytest.mark.parametrize(
    ("content_encoding", "status"),
    [
        *((coding, 200) for coding in ("identity", "Identity", "", " ", "identity, identity")),
        *((coding, 415) for coding in ("gzip", "GZIP", "br", "zstd", "x", "identity, gzip", "gzip,")),
    ],
)
def test_the_body_must_not_be_compressed(wire: Wire, content_encoding: str, status: int) -> None:
    assert wire.send(post(content_encoding=content_encoding)).status == status


@pytest.mark.requirement("body-limit")
@pytest.mark.parametrize(("padding", "status"), [(0, 200), (1, 413)])
def test_a_body_may_be_as_long_as_the_limit_and_no_longer(wire: Wire, padding: int, status: int) -> None:
    assert wire.send(post(PING.ljust(100 + padding))).status == status


@pytest.mark.parametrize("version", [LEGACY, MODERN])
def test_a_body_of_more_than_a_megabyte_is_too_large_unless_the_policy_says_otherwise(version: str) -> None:
    body = one_line(message("ping", {"text": "x" * 1_000_000}))
    sent = Wire().send(post(body, mcp_protocol_version=version))
    text = "The body is larger than the limit of 1000000 bytes"
    assert sent == error(413, NO_ID, -32600, text)
