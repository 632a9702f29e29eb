"""The order of the checks: of two faults in one request, the one that is checked first is answered."""

from collections.abc import Mapping
from typing import Any

import pytest

from mcpcore import Server
from mcpcore.http import HttpRequest, HttpResponse, Policy
from tests.support.messages import (
    CAPABILITIES_KEY,
    JSON_HEADERS,
    METADATA,
    MODERN,
    NO_ID,
    SERVER_INFO_KEY,
    VERSION_KEY,
    error,
    header_mismatch,
    message,
    modern,
    post,
    result,
    unsupported_version,
)
from tests.support.questions import text_result
from tests.support.servers import FIXTURE_INFO, Wire, fixture_server

UNSUPPORTED = "v999.0.0"
BARE = Server("bare", version="1")
FULL = fixture_server()


def call(metadata: Mapping[str, Any], arguments: object = 5, **headers: str) -> HttpRequest:
    """A call of a tool that needs sampling."""
    body = message("tools/call", {"name": "sample", "arguments": arguments, "_meta": metadata})
    return post(body, {name.replace("_", "-"): value for name, value in headers.items()})


ALL_WRONG = {"mcp_protocol_version": MODERN, "mcp_method": "TOOLS/CALL", "mcp_name": "other"}
UNSUPPORTED_HEADER = {**ALL_WRONG, "mcp_protocol_version": UNSUPPORTED}
METHOD_RIGHT = {**ALL_WRONG, "mcp_method": "tools/call"}
ALL_RIGHT = {**METHOD_RIGHT, "mcp_name": "sample"}

NEEDS_SAMPLING = "This needs a client that declares the capability sampling"
TAIL = {SERVER_INFO_KEY: FIXTURE_INFO}

CHECKS = {
    "1 metadata": (
        BARE,
        call({VERSION_KEY: UNSUPPORTED}, **ALL_WRONG),
        error(400, 1, -32602, f"Invalid params: _meta must have {CAPABILITIES_KEY}, an object"),
    ),
    "2 version header": (
        BARE,
        call({VERSION_KEY: UNSUPPORTED, CAPABILITIES_KEY: {}}, **ALL_WRONG),
        header_mismatch("MCP-Protocol-Version differs from the version in _meta"),
    ),
    "3 version": (
        BARE,
        call({VERSION_KEY: UNSUPPORTED, CAPABILITIES_KEY: {}}, **UNSUPPORTED_HEADER),
        unsupported_version(UNSUPPORTED),
    ),
    "4 method header": (
        BARE,
        call(METADATA, **ALL_WRONG),
        header_mismatch("Mcp-Method differs from the method of the body"),
    ),
    "5 method": (
        BARE,
        call(METADATA, **METHOD_RIGHT),
        error(404, 1, -32601, "Method not found: tools/call"),
    ),
    "6 name header": (
        FULL,
        call(METADATA, **METHOD_RIGHT),
        header_mismatch("Mcp-Name differs from params.name"),
    ),
    "7 params": (
        FULL,
        call(METADATA, **ALL_RIGHT),
        error(200, 1, -32602, "Invalid params: arguments must be an object, not a number"),
    ),
    "8 capability": (
        FULL,
        call(METADATA, {"unknown": 1}, **ALL_RIGHT),
        error(400, 1, -32021, NEEDS_SAMPLING, data={"requiredCapabilities": {"sampling": {}}}),
    ),
    "all passed": (
        FULL,
        call({**METADATA, CAPABILITIES_KEY: {"sampling": {}}}, {}, **ALL_RIGHT),
        result(1, {**text_result("sampled"), "resultType": "complete", "_meta": TAIL}),
    ),
}


@pytest.mark.requirement("version-unsupported", "version-header", "ladder")
@pytest.mark.parametrize(("server", "request_", "expected"), CHECKS.values(), ids=CHECKS.keys())
def test_the_first_check_that_fails_answers_although_all_later_ones_would_fail_too(
    server: Server, request_: HttpRequest, expected: HttpResponse
) -> None:
    assert Wire(server).send(request_) == expected


NOT_OBJECTS: list[object] = [None, [], "2026-07-28", 1]
NOT_OBJECT = f"Invalid params: _meta must be an object with {VERSION_KEY}"
NO_VERSION = f"Invalid params: _meta must have {VERSION_KEY}, a string"
NO_CAPABILITIES = f"Invalid params: _meta must have {CAPABILITIES_KEY}, an object"


@pytest.mark.requirement("meta-required")
@pytest.mark.parametrize(
    ("metadata", "text"),
    [
        *((metadata, NOT_OBJECT) for metadata in NOT_OBJECTS),
        ({}, NO_VERSION),
        ({CAPABILITIES_KEY: {}}, NO_VERSION),
        *(({**METADATA, VERSION_KEY: version}, NO_VERSION) for version in (None, 20260728, [MODERN])),
        ({VERSION_KEY: MODERN}, NO_CAPABILITIES),
        *(({**METADATA, CAPABILITIES_KEY: each}, NO_CAPABILITIES) for each in NOT_OBJECTS),
    ],
)
def test_metadata_without_a_version_or_capabilities_is_refused(metadata: object, text: str) -> None:
    body = message("server/discover", {"_meta": metadata})
    headers = {"mcp-protocol-version": MODERN, "mcp-method": "server/discover"}

    assert Wire().send(post(body, headers)) == error(400, 1, -32602, text)


@pytest.mark.requirement("meta-client-info-optional")
@pytest.mark.parametrize("client_info", [None, "x", [], {}, {"name": 1}, {"name": "a", "version": "1"}])
def test_client_info_is_never_required_of_a_modern_request(client_info: object) -> None:
    metadata = {**METADATA, "io.modelcontextprotocol/clientInfo": client_info}

    assert Wire().send(modern("server/discover", metadata=metadata)).status == 200


EVIL = {"origin": "https://evil.example", "host": "evil.example"}
STRICT = Policy(allowed_hosts=frozenset({"mcp.example"}), max_body_bytes=5)

ALLOW = {"allow": "GET, POST, DELETE"}

FIRST_FAULTS = {
    "origin before host": (
        HttpRequest("BREW", EVIL, b"too large"),
        error(403, NO_ID, -32600, "This Origin is not allowed to call the server"),
    ),
    "host before method": (
        HttpRequest("BREW", {"host": "evil.example"}, b"too large"),
        error(403, NO_ID, -32600, "This Host is not served here"),
    ),
    "method before size": (
        HttpRequest("BREW", {}, b"too large"),
        error(405, NO_ID, -32600, "Use POST with one JSON-RPC message", headers=ALLOW),
    ),
    "size before content coding": (
        HttpRequest("POST", {"content-type": "text/plain", "content-encoding": "gzip"}, b"too large"),
        error(413, NO_ID, -32600, "The body is larger than the limit of 5 bytes"),
    ),
    "content coding before content type": (
        HttpRequest("POST", {"content-type": "text/plain", "content-encoding": "gzip"}, b"["),
        error(
            415,
            NO_ID,
            -32600,
            "Content-Encoding must be identity: send the body uncompressed",
            headers={"accept-encoding": "identity"},
        ),
    ),
    "content type before accept": (
        HttpRequest("POST", {"content-type": "text/plain", "accept": "text/html"}, b"["),
        error(415, NO_ID, -32600, "Content-Type must be application/json"),
    ),
    "accept before the body": (
        HttpRequest("POST", {**JSON_HEADERS, "accept": "text/html"}, b"["),
        error(406, NO_ID, -32600, "Accept must allow application/json or text/event-stream"),
    ),
    "the body before the era": (
        HttpRequest("POST", {**JSON_HEADERS, "mcp-protocol-version": "1999-01-01"}, None),
        error(400, None, -32700, "Parse error: the body is not valid Base64"),
    ),
}


@pytest.mark.requirement("ladder")
@pytest.mark.parametrize(("request_", "expected"), FIRST_FAULTS.values(), ids=FIRST_FAULTS.keys())
def test_the_request_is_refused_by_its_first_fault(request_: HttpRequest, expected: HttpResponse) -> None:
    assert Wire(policy=STRICT).send(request_) == expected
