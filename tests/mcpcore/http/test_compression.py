"""Responses in gzip: one member each, whichever part of them was compressed before."""

import gzip
import json
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcore import Server
from mcpcore.http import HttpResponse
from mcpcore.http.compression import Compressor
from mcpcore.http.headers import wants_gzip
from mcpcore.protocol.versions import Era
from mcpcore.request.outcome import Completed, Outcome, RequestKind, RequestRecord

SERVER = Server("any", version="1", instructions="Say please. " * 100).build()
VERSION, METHOD = "2026-07-28", "server/discover"
CONSTANT = SERVER.constants[VERSION, METHOD]


def decompressed(body: bytes) -> bytes:
    """The content of the first member of `body`, after which there is nothing."""
    stream = zlib.decompressobj(16 + zlib.MAX_WBITS)
    content = stream.decompress(body)
    assert (stream.eof, stream.unused_data) == (True, b"")
    return content


def outcome(result: bytes) -> Outcome:
    """The outcome of a request for the constant, with this result."""
    return Outcome(Completed(1, result), RequestRecord(RequestKind.REQUEST, Era.MODERN, VERSION, METHOD))


@given(before=st.binary(), after=st.binary())
def test_a_constant_result_is_decompressed_with_whatever_is_around_it(before: bytes, after: bytes) -> None:
    compressor = Compressor(SERVER)
    body = before + CONSTANT + after
    for _ in range(2):
        found = compressor.compressed(HttpResponse(200, {}, body), outcome(CONSTANT))
        assert decompressed(found.body) == body
        assert len(found.body) < len(body)


@pytest.mark.parametrize(
    "body", [b"", b"x" * 1_000_000, CONSTANT, b"x" * 70_000 + CONSTANT, CONSTANT + b"x" * 70_000]
)
@pytest.mark.parametrize("result", [CONSTANT, bytes(bytearray(CONSTANT)), b"{}"])
def test_every_body_is_decompressed_to_itself(body: bytes, result: bytes) -> None:
    body = body if result is not CONSTANT else body + CONSTANT
    found = Compressor(SERVER).compressed(HttpResponse(200, {}, body), outcome(result))
    assert decompressed(found.body) == gzip.decompress(found.body) == body


def test_the_headers_say_that_the_response_is_compressed_and_for_whom() -> None:
    sent = HttpResponse(200, {"content-type": "application/json", "vary": "Origin"}, b"{}")
    found = Compressor(SERVER).compressed(sent, outcome(b"{}"))
    assert (found.status, found.headers) == (
        200,
        {"content-type": "application/json", "content-encoding": "gzip", "vary": "Origin, Accept-Encoding"},
    )
    plain = Compressor(SERVER).compressed(sent._replace(headers={}), outcome(b"{}"))
    assert plain.headers["vary"] == "Accept-Encoding"


@pytest.mark.parametrize(
    ("header", "small", "large"),
    [
        ("", False, False),
        ("gzip", False, True),
        ("GZIP ; Q=0.5", False, True),
        ("x-gzip", False, True),
        ("gzip, deflate, br", False, True),
        ("deflate, br", False, False),
        ("*", False, True),
        ("gzip;q=0", False, False),
        ("gzip;q=0, *", False, False),
        ("*;q=0", False, False),
        ("identity", False, False),
        ("gzip;q=0.5, identity", False, False),
        ("gzip, identity;q=0.5", False, True),
        ("gzip, identity;q=0", True, True),
        ("gzip, *;q=0", True, True),
        ("identity;q=0", False, False),
        ("gzip;q=nan", False, False),
        ("gzip;q=x", False, True),
        ("br, " * 100 + "gzip", False, True),
    ],
)
def test_a_body_is_compressed_if_the_client_accepts_it_and_it_becomes_smaller(
    header: str, *, small: bool, large: bool
) -> None:
    assert [wants_gzip(header, body_bytes=size) for size in (499, 500)] == [small, large]


def test_json_of_500_bytes_becomes_smaller() -> None:
    body = json.dumps({"jsonrpc": "2.0", "error": [hash(str(number)) for number in range(24)]}).encode()
    found = Compressor(SERVER).compressed(HttpResponse(200, {}, body), outcome(b"{}"))
    assert len(body) > 500
    assert len(found.body) < len(body)
