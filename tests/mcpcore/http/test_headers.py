"""The headers of a modern request must repeat its body: `Mcp-Method` and `Mcp-Name`, letter by letter."""

import base64
import sys
from typing import Any

import pytest

from mcpcore.http import HttpResponse
from mcpcore.http.headers import accepts
from tests.support.messages import SERVER_INFO_KEY, error, initialize, legacy, modern, result, without
from tests.support.questions import text_result
from tests.support.servers import FIXTURE_INFO, Wire, full_server


def sentinel(text: bytes) -> str:
    return f"=?base64?{base64.b64encode(text).decode()}?="


def mismatch(text: str) -> HttpResponse:
    return error(400, 1, -32020, f"Header mismatch: {text}")


OTHER_METHOD = mismatch("Mcp-Method differs from the method of the body")
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
    missing = mismatch("Mcp-Method is missing; it must repeat the method of the body")

    assert Wire().send(without(modern("tools/call", ECHO), "mcp-method")) == missing


OTHER_NAME = mismatch("Mcp-Name differs from params.name")
NOT_VISIBLE = mismatch("Mcp-Name has characters that a header may not have; use the Base64 form")
NOT_BASE64 = mismatch("Mcp-Name is not valid Base64 of UTF-8")

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
    assert wire.send(modern(method, params, headers=wrong)) == mismatch(
        f"Mcp-Name differs from params.{param}"
    )
    assert wire.send(without(request, "mcp-name")) == mismatch(
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
