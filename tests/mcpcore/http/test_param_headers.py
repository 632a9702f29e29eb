"""`Mcp-Param-*`: the headers in which a modern client repeats arguments of a call."""

import base64
from typing import Any

import pytest

from mcpcore import BuiltServer, Server
from mcpcore.http import HttpResponse
from tests.support.messages import error, initialize, legacy, modern
from tests.support.servers import Wire


def say(**arguments: Any) -> str:
    """Say what was given."""
    return ", ".join(f"{name}={value}" for name, value in arguments.items())


SCHEMA = {
    "type": "object",
    "properties": {
        "region": {"type": "string", "x-mcp-header": "Region"},
        "count": {"type": "integer", "x-mcp-header": "Count"},
        "dry": {"type": "boolean", "x-mcp-header": "Dry"},
        "where": {"type": "object", "properties": {"zone": {"type": "string", "x-mcp-header": "Zone"}}},
        "plain": {"type": "string"},
    },
}


@pytest.fixture(scope="module")
def built() -> BuiltServer:
    server = Server("s", version="1")
    server.tool(input_schema=SCHEMA)(say)
    return server.build()


@pytest.fixture
def wire(built: BuiltServer) -> Wire:
    """A server whose tool repeats arguments in headers."""
    return Wire(built)


def called(wire: Wire, arguments: object, **headers: str) -> HttpResponse:
    params = {"name": "say", "arguments": arguments}
    named = {f"mcp-param-{name}": value for name, value in headers.items()}
    return wire.send(modern("tools/call", params, headers=named))


def sentinel(text: bytes) -> str:
    return f"=?base64?{base64.b64encode(text).decode()}?="


@pytest.mark.requirement("param-header")
@pytest.mark.parametrize(
    ("arguments", "headers"),
    [
        ({}, {}),
        ({"plain": "x"}, {}),
        ({"region": None, "count": None, "where": None}, {}),
        ({"where": {"zone": None}}, {}),
        ({"region": "eu"}, {"region": "eu"}),
        ({"region": "eu"}, {"region": " \teu "}),
        ({"region": "eu"}, {"region": sentinel(b"eu")}),
        ({"region": "ü €"}, {"region": sentinel("ü €".encode())}),
        ({"region": " eu "}, {"region": sentinel(b" eu ")}),
        ({"region": ""}, {"region": ""}),
        ({"region": "=?BASE64?ZXU=?="}, {"region": "=?BASE64?ZXU=?="}),
        ({"region": "a, b"}, {"region": "a, b"}),
        ({"count": 42}, {"count": "42"}),
        ({"count": 42}, {"count": "42.0"}),
        ({"count": 42.0}, {"count": "42"}),
        ({"count": 0}, {"count": "-0"}),
        ({"count": -7}, {"count": "-7"}),
        ({"count": 9_007_199_254_740_991}, {"count": "9007199254740991"}),
        ({"count": 42}, {"count": sentinel(b"42")}),
        ({"dry": True}, {"dry": "true"}),
        ({"dry": False}, {"dry": "false"}),
        ({"where": {"zone": "a"}}, {"zone": "a"}),
        ({"plain": "x"}, {"plain": "y", "other": "z"}),
    ],
)
def test_headers_that_repeat_the_arguments_pass(
    wire: Wire, arguments: dict[str, Any], headers: dict[str, str]
) -> None:
    assert called(wire, arguments, **headers).status == 200


def mismatch(text: str) -> HttpResponse:
    return error(400, 1, -32020, f"Header mismatch: {text}")


def differs(name: str, path: str) -> HttpResponse:
    return mismatch(f"Mcp-Param-{name} differs from the argument {path}")


def missing(name: str, path: str) -> HttpResponse:
    return mismatch(f"Mcp-Param-{name} is missing; it must repeat the argument {path}")


NOT_BASE64 = mismatch("Mcp-Param-region is not valid Base64 of UTF-8")
NOT_VISIBLE = mismatch("Mcp-Param-region has characters that a header may not have; use the Base64 form")


@pytest.mark.requirement("param-header")
@pytest.mark.parametrize(
    ("arguments", "headers", "expected"),
    [
        ({"region": "eu"}, {}, missing("region", "region")),
        ({"count": 0}, {}, missing("count", "count")),
        ({"dry": False}, {}, missing("dry", "dry")),
        ({"where": {"zone": "a"}}, {}, missing("zone", "where.zone")),
        ({"region": "eu"}, {"region": "us"}, differs("region", "region")),
        ({"region": "eu"}, {"region": "EU"}, differs("region", "region")),
        ({"region": "eu"}, {"region": "eu, eu"}, differs("region", "region")),
        ({"region": "eu"}, {"region": sentinel(b"us")}, differs("region", "region")),
        ({}, {"region": "eu"}, differs("region", "region")),
        ({}, {"region": ""}, differs("region", "region")),
        ({"region": None}, {"region": "null"}, differs("region", "region")),
        ({"where": "a"}, {"zone": "a"}, differs("zone", "where.zone")),
        *(
            ({"count": 42}, {"count": text}, differs("count", "count"))
            for text in ("43", "42.1", "4.2e1", "+42", "0x2a", "forty-two", "")
        ),
        ({"count": 1}, {"count": "true"}, differs("count", "count")),
        ({"count": "42"}, {"count": "42.0"}, differs("count", "count")),
        ({"dry": True}, {"dry": "True"}, differs("dry", "dry")),
        ({"dry": True}, {"dry": "1"}, differs("dry", "dry")),
        ({"region": ["eu"]}, {"region": "eu"}, differs("region", "region")),
        ({"region": "eu"}, {"region": "=?base64?ZXU?="}, NOT_BASE64),
        ({"region": "ü"}, {"region": "ü"}, NOT_VISIBLE),
    ],
)
def test_headers_that_differ_from_the_arguments_are_refused(
    wire: Wire, arguments: dict[str, Any], headers: dict[str, str], expected: HttpResponse
) -> None:
    assert called(wire, arguments, **headers) == expected


@pytest.mark.parametrize("arguments", [None, [], "x", 5])
def test_arguments_that_are_not_an_object_are_refused_before_their_headers(
    wire: Wire, arguments: object
) -> None:
    assert called(wire, arguments) == error(200, 1, -32602, "Invalid params: arguments must be an object")


def test_a_header_is_compared_before_the_arguments_are_checked(wire: Wire) -> None:
    assert called(wire, {"region": 5, "count": "x"}, region="5", count="y") == differs("count", "count")


def test_the_param_headers_of_an_unknown_tool_are_ignored(wire: Wire) -> None:
    answer = wire.send(modern("tools/call", {"name": "nope"}, headers={"mcp-param-region": "\xff"}))

    assert b"Unknown tool: nope" in answer.body


@pytest.mark.requirement("param-header-legacy")
@pytest.mark.parametrize("headers", [{}, {"mcp-param-region": "us"}, {"mcp-param-region": "\xff"}])
def test_a_legacy_call_ignores_param_headers(wire: Wire, headers: dict[str, str]) -> None:
    wire.send(initialize())
    request = legacy("tools/call", {"name": "say", "arguments": {"region": "eu"}})

    answer = wire.send(request._replace(headers={**request.headers, **headers}))

    assert b'"text":"region=eu"' in answer.body
