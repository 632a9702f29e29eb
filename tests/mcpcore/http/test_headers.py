"""The headers of a modern request must repeat its body: `Mcp-Method` and `Mcp-Name`, letter by letter."""

import base64
import sys
from typing import Any

import pytest

from mcpcore.http import HttpResponse
from mcpcore.http.headers import accepts
from tests.support.messages import SERVER_INFO_KEY, error, initialize, legacy, modern, result, without
from tests.support.servers import Wire, full_server

SERVER_INFO = {
    "name": "fixture",
    "version": "1.0",
    "title": "Fixture",
    "description": "A server for tests",
    "websiteUrl": "https://fixture.example",
}


def said(text: str) -> dict[str, Any]:
    return {
        "content": [{"type": "text", "text": text}],
        "isError": False,
        "resultType": "complete",
        "_meta": {SERVER_INFO_KEY: SERVER_INFO},
    }


def sentinel(text: bytes) -> str:
    return f"=?base64?{base64.b64encode(text).decode()}?="


def mismatch(text: str) -> HttpResponse:
    return error(400, 1, -32020, f"Header mismatch: {text}")


OTHER_METHOD = mismatch("Mcp-Method differs from the method of the body")
ECHO = {"name": "echo", "arguments": {"text": "x"}}
ECHOED = result(1, said("x"))


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
    assert Wire().send(without(modern("tools/call", ECHO), "mcp-method")) == mismatch(
        "Mcp-Method is missing; it must repeat the method of the body"
    )


OTHER_NAME = mismatch("Mcp-Name differs from params.name")
NOT_VISIBLE = mismatch("Mcp-Name has characters that a header may not have; use the Base64 form")
NOT_BASE64 = mismatch("Mcp-Name is not valid Base64 of UTF-8")

NAMES = {
    "as it is": ("echo", ECHOED),
    "white space around": ("\t echo  ", ECHOED),
    "another": ("add", OTHER_NAME),
    "another case": ("Echo", OTHER_NAME),
    "empty": ("", OTHER_NAME),
    "twice": ("echo, echo", OTHER_NAME),
    "in the sentinel": (sentinel(b"echo"), ECHOED),
    "in the sentinel, white space around": (f" {sentinel(b'echo')} ", ECHOED),
    "another in the sentinel": (sentinel(b"add"), OTHER_NAME),
    "nothing in the sentinel": ("=?base64??=", OTHER_NAME),
    "white space in the sentinel counts": (sentinel(b" echo"), OTHER_NAME),
    "only the opening": ("=?base64?ZWNobw==", OTHER_NAME),
    "only the close": ("ZWNobw==?=", OTHER_NAME),
    "one that overlaps itself": ("=?base64?=", OTHER_NAME),
    "an opening in capitals": ("=?BASE64?ZWNobw==?=", OTHER_NAME),
    "no padding": ("=?base64?ZWNobw?=", NOT_BASE64),
    "half the padding": ("=?base64?ZWNobw=?=", NOT_BASE64),
    "too much padding": ("=?base64?ZWNobw===?=", NOT_BASE64),
    "junk after the padding": ("=?base64?ZWNobw==xx?=", NOT_BASE64),
    "junk inside": ("=?base64?ZW!Nobw==?=", NOT_BASE64),
    "a space inside": ("=?base64?ZWNo bw==?=", NOT_BASE64),
    "the alphabet of URLs": (f"=?base64?{base64.urlsafe_b64encode(b'???').decode()}?=", NOT_BASE64),
    "not UTF-8": (sentinel(b"\xff\xfe"), NOT_BASE64),
    "a surrogate": (sentinel(b"\xed\xa0\x80"), NOT_BASE64),
    "latin 1": ("\xe9cho", NOT_VISIBLE),
    "a space of another kind": ("echo\xa0", NOT_VISIBLE),
    "a control character": ("ec\x00ho", NOT_VISIBLE),
    "a delete": ("echo\x7f", NOT_VISIBLE),
    "a line break": ("echo\n", NOT_VISIBLE),
    "raw UTF-8": ("\u20ac", NOT_VISIBLE),
    "raw UTF-8 in the sentinel": ("=?base64?\u20ac?=", NOT_VISIBLE),
}


@pytest.mark.requirement("name-header", "header-base64")
@pytest.mark.parametrize(("value", "expected"), NAMES.values(), ids=NAMES.keys())
def test_the_name_header_is_the_name_in_the_body_plain_or_in_base64(
    value: str, expected: HttpResponse
) -> None:
    assert Wire().send(modern("tools/call", ECHO, headers={"mcp-name": value})) == expected


@pytest.mark.requirement("name-header")
def test_the_name_header_is_required_where_something_is_called_by_name() -> None:
    assert Wire().send(without(modern("tools/call", ECHO), "mcp-name")) == mismatch(
        "Mcp-Name is missing; it must repeat params.name"
    )


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
@pytest.mark.requirement("header-base64")
@pytest.mark.parametrize("name", ["\u00e9cho", "\u20ac \U0001f600", "line\nbreak", "=?base64?x?=", " echo"])
def test_any_name_can_be_said_in_the_base64_form(name: str) -> None:
    request = modern("tools/call", {"name": name}, headers={"mcp-name": sentinel(name.encode())})

    assert Wire().send(request) == error(
        200, 1, -32602, f"Unknown tool: {name}. tools/list names the tools there are"
    )


@pytest.mark.parametrize("params", [{}, {"name": None}, {"name": 1}, {"name": ["echo"]}, {"name": {}}])
@pytest.mark.parametrize("headers", [{}, {"mcp-name": "echo"}])
def test_a_body_without_a_name_is_a_fault_of_the_params_and_not_of_the_header(
    headers: dict[str, str], params: dict[str, Any]
) -> None:
    assert Wire().send(modern("tools/call", params, headers=headers)) == error(
        200, 1, -32602, "Invalid params: name must be a string"
    )


@pytest.mark.requirement("name-header-elsewhere")
def test_a_method_that_names_nothing_needs_no_name_header_and_reads_none() -> None:
    request = modern("server/discover", {"name": "x"}, headers={"mcp-name": "y"})

    assert Wire().send(request).status == 200


def test_a_legacy_request_needs_no_mirrored_header_and_reads_none() -> None:
    wire = Wire()
    wire.send(initialize())
    request = legacy("ping")
    lying = {**request.headers, "mcp-method": "tools/call", "mcp-name": "\xff"}

    assert wire.send(request._replace(headers=lying)) == result(1, {})


@pytest.mark.parametrize("more", ["", "x/y, " * 2000])
def test_a_long_accept_header_is_understood_and_forgotten(more: str) -> None:
    header = f"{more}text/event-stream;q=0.5, */*;q=0"
    before = sys.getrefcount(header)

    assert accepts(header, "text/event-stream")
    assert not accepts(header, "text/html")
    assert sys.getrefcount(header) - before == (0 if more else 2)
