"""The headers of a modern request that repeat its body: `Mcp-Method`, `Mcp-Name` and `Mcp-Param-*`."""

import base64
import sys
from typing import Any

import pytest

from mcpcore import BuiltServer, Server
from mcpcore.http import HttpResponse
from mcpcore.http.headers import accepts
from tests.support.messages import (
    SERVER_INFO_KEY,
    error,
    header_mismatch,
    initialize,
    legacy,
    modern,
    result,
    without,
)
from tests.support.questions import text_result
from tests.support.servers import FIXTURE_INFO, Wire, full_server


def sentinel(text: bytes) -> str:
    return f"=?base64?{base64.b64encode(text).decode()}?="


OTHER_METHOD = header_mismatch("Mcp-Method differs from the method of the body")
ECHO = {"name": "echo", "arguments": {"text": "x"}}
ECHOED = result(1, {**text_result("x"), "resultType": "complete", "_meta": {SERVER_INFO_KEY: FIXTURE_INFO}})


@pytest.mark.requirement("method-header")
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("tools/call", ECHOED),
        ("  tools/call\t", ECHOED),
        ("TOOLS/CALL", OTHER_METHOD),
        ("Tools/Call", OTHER_METHOD),
        ("tools/list", OTHER_METHOD),
        ("", OTHER_METHOD),
        ("tools/call, tools/call", OTHER_METHOD),
        ("tools/call\xa0", OTHER_METHOD),
        ("tools/call\x0b", OTHER_METHOD),
        (sentinel(b"tools/call"), OTHER_METHOD),
    ],
)
def test_the_method_header_is_the_method_of_the_body(value: str, expected: HttpResponse) -> None:
    assert Wire().send(modern("tools/call", ECHO, headers={"mcp-method": value})) == expected


@pytest.mark.requirement("method-header")
def test_the_method_header_is_required() -> None:
    missing = header_mismatch("Mcp-Method is missing; it must repeat the method of the body")

    assert Wire().send(without(modern("tools/call", ECHO), "mcp-method")) == missing


OTHER_NAME = header_mismatch("Mcp-Name differs from params.name")
NOT_VISIBLE = header_mismatch("Mcp-Name has characters that a header may not have; use the Base64 form")
NOT_BASE64 = header_mismatch("Mcp-Name is not valid Base64 of UTF-8")

NAMES = [
    *((name, ECHOED) for name in ("echo", "\t echo  ", sentinel(b"echo"), f" {sentinel(b'echo')} ")),
    *((name, OTHER_NAME) for name in ("add", "Echo", "", "echo, echo", sentinel(b"add"), "=?base64??=")),
    (sentinel(b" echo"), OTHER_NAME),
    # Without a whole sentinel it is the text itself.
    *(
        (name, OTHER_NAME)
        for name in ("=?base64?ZWNobw==", "ZWNobw==?=", "=?base64?=", "=?BASE64?ZWNobw==?=")
    ),
    # Padding that is missing, half, too long; what is not of the alphabet.
    *((f"=?base64?ZWNobw{end}?=", NOT_BASE64) for end in ("", "=", "===", "==xx")),
    *((f"=?base64?{text}?=", NOT_BASE64) for text in ("ZW!Nobw==", "ZWNo bw==", "Pz8_")),
    *((sentinel(text), NOT_BASE64) for text in (b"\xff\xfe", b"\xed\xa0\x80")),
    *((name, NOT_VISIBLE) for name in ("\xe9cho", "echo\xa0", "ec\x00ho", "echo\x7f", "echo\n", "\u20ac")),
    ("=?base64?\u20ac?=", NOT_VISIBLE),
]


@pytest.mark.requirement("name-header", "header-base64")
@pytest.mark.parametrize(("value", "expected"), NAMES)
def test_the_name_header_is_the_name_in_the_body_plain_or_in_base64(
    value: str, expected: HttpResponse
) -> None:
    assert Wire().send(modern("tools/call", ECHO, headers={"mcp-name": value})) == expected


NAMED = {
    "tools/call": ({"name": "echo", "arguments": {"text": "x"}}, "name", "echo"),
    "prompts/get": ({"name": "greet", "arguments": {"name": "Ada"}}, "name", "greet"),
    "resources/read": ({"uri": "book://motto", "name": "other"}, "uri", "book://motto"),
}


@pytest.mark.requirement("name-header")
@pytest.mark.parametrize(("method", "case"), NAMED.items())
def test_every_method_that_names_something_repeats_it(
    method: str, case: tuple[dict[str, Any], str, str]
) -> None:
    params, param, name = case
    wire = Wire(full_server())
    right, wrong = ({"mcp-name": value} for value in (sentinel(name.encode()), "other"))
    request = modern(method, params, headers=right)

    assert wire.send(request).status == 200
    assert wire.send(modern(method, params, headers=wrong)) == header_mismatch(
        f"Mcp-Name differs from params.{param}"
    )
    assert wire.send(without(request, "mcp-name")) == header_mismatch(
        f"Mcp-Name is missing; it must repeat params.{param}"
    )


@pytest.mark.requirement("header-base64")
@pytest.mark.parametrize("name", ["\u00e9cho", "\u20ac \U0001f600", "line\nbreak", "=?base64?x?=", " echo"])
def test_any_name_can_be_sent_in_the_base64_form(name: str) -> None:
    request = modern("tools/call", {"name": name}, headers={"mcp-name": sentinel(name.encode())})

    assert Wire().send(request) == error(
        200, 1, -32602, f"Unknown tool: {name}. tools/list names the tools there are"
    )


@pytest.mark.parametrize("params", [{}, {"name": None}, {"name": 1}, {"name": ["echo"]}, {"name": {}}])
@pytest.mark.parametrize("headers", [{}, {"mcp-name": "echo"}])
def test_a_body_without_a_name_has_invalid_params_whatever_the_header(
    headers: dict[str, str], params: dict[str, Any]
) -> None:
    assert Wire().send(modern("tools/call", params, headers=headers)) == error(
        200, 1, -32602, "Invalid params: name must be a string"
    )


@pytest.mark.requirement("name-header-elsewhere")
def test_a_method_that_names_nothing_ignores_the_name_header() -> None:
    request = modern("server/discover", {"name": "x"}, headers={"mcp-name": "y"})

    assert Wire().send(request).status == 200


def test_a_legacy_request_ignores_headers_that_repeat_the_body() -> None:
    wire = Wire()
    wire.send(initialize())
    request = legacy("ping")
    lying = {**request.headers, "mcp-method": "tools/call", "mcp-name": "\xff"}

    assert wire.send(request._replace(headers=lying)) == result(1, {})


@pytest.mark.parametrize("more", ["", "x/y, " * 2000])
def test_a_long_accept_header_is_read_and_not_cached(more: str) -> None:
    header = f"{more}text/event-stream;q=0.5, */*;q=0"
    before = sys.getrefcount(header)

    assert accepts(header, "text/event-stream")
    assert not accepts(header, "text/html")
    assert sys.getrefcount(header) - before == (0 if more else 2)


def say(**arguments: Any) -> str:
    """Show the arguments."""
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
    """A server with a tool whose arguments are repeated in headers."""
    return Wire(built)


def called(wire: Wire, arguments: object, **headers: str) -> HttpResponse:
    params = {"name": "say", "arguments": arguments}
    named = {f"mcp-param-{name}": value for name, value in headers.items()}
    return wire.send(modern("tools/call", params, headers=named))


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


def differs(name: str, path: str) -> HttpResponse:
    return header_mismatch(f"Mcp-Param-{name} differs from the argument {path}")


def missing(name: str, path: str) -> HttpResponse:
    return header_mismatch(f"Mcp-Param-{name} is missing; it must repeat the argument {path}")


PARAM_NOT_BASE64 = header_mismatch("Mcp-Param-region is not valid Base64 of UTF-8")
PARAM_NOT_VISIBLE = header_mismatch(
    "Mcp-Param-region has characters that a header may not have; use the Base64 form"
)


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
        ({"region": "eu"}, {"region": "=?base64?ZXU?="}, PARAM_NOT_BASE64),
        ({"region": "ü"}, {"region": "ü"}, PARAM_NOT_VISIBLE),
    ],
)
def test_headers_that_differ_from_the_arguments_are_refused(
    wire: Wire, arguments: dict[str, Any], headers: dict[str, str], expected: HttpResponse
) -> None:
    assert called(wire, arguments, **headers) == expected


@pytest.mark.parametrize(("arguments", "shown"), [([1], "an array"), ("x", "a string"), (5, "a number")])
def test_arguments_that_are_not_an_object_are_refused_before_their_headers(
    wire: Wire, arguments: object, shown: str
) -> None:
    expected = f"Invalid params: arguments must be an object, not {shown}"

    assert called(wire, arguments) == error(200, 1, -32602, expected)


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
