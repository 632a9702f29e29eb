"""HTTP as the local gateway reads it: chunks, lengths, invalid requests, and when responses leave."""

import http.client
import statistics
import time
from typing import Final
from urllib.parse import urlsplit

import pytest

from mcpcore_local import HttpGateway
from tests.support.exchanges import Sent, over_http
from tests.support.gateways import Recorder, connect, received, response_to_bytes

TEN_MB: Final = 10 * 1024 * 1024


def test_an_offer_of_http_2_is_ignored(gateway: HttpGateway, recorder: Recorder) -> None:
    """The HTTP client of Java makes it in its first request."""
    head = "POST /mcp HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
    with connect(gateway) as connection:
        for _ in range(2):
            connection.sendall(f"{head}HTTP2-Settings: AAEAAEAA\r\nContent-Length: 2\r\n\r\n{{}}".encode())
            assert received(connection) == (200, "{}")
    assert [event["body"] for event in recorder.events] == ["{}", "{}"]


CHUNKS: Final = {
    "odd sizes": '1\n{\n6\n"a":"b\n0005\nc"}  \n0\n\n',
    "extensions": '5;a=b\n{"a":\n7;x\n"bc"}  \n0;last\n\n',
    "trailers": 'C\n{"a":"bc"}  \n0\nX-Checked: yes\nContent-Length: 3\n\n',
}


@pytest.mark.parametrize("chunks", CHUNKS.values(), ids=CHUNKS)
def test_a_body_in_chunks_is_passed_on_whole(gateway: HttpGateway, recorder: Recorder, chunks: str) -> None:
    head = "POST /mcp HTTP/1.1\nHost: x\nTransfer-Encoding: Chunked\n\n"
    assert response_to_bytes(gateway, head + chunks) == (200, "{}")
    (event,) = recorder.events
    assert event["body"] == '{"a":"bc"}  '
    assert event["headers"] == {"host": "x", "content-length": "12"}


def test_chunks_may_arrive_byte_by_byte(gateway: HttpGateway, recorder: Recorder) -> None:
    sent = b"POST /mcp HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
    with connect(gateway) as connection:
        for byte in sent:
            connection.sendall(bytes([byte]))
        assert received(connection) == (200, "{}")
    assert recorder.events[0]["body"] == "abc"


INVALID: Final = {
    "no host": "POST /mcp HTTP/1.1\nContent-Length: 2\n\n{}",
    "two hosts": "POST /mcp HTTP/1.1\nHost: x\nHost: y\nContent-Length: 2\n\n{}",
    "two lengths": "POST /mcp HTTP/1.1\nHost: x\nContent-Length: 2\nContent-Length: 3\n\n{}",
    "two lengths in one": "POST /mcp HTTP/1.1\nHost: x\nContent-Length: 2, 3\n\n{}",
    "a length and chunks": (
        "POST /mcp HTTP/1.1\nHost: x\nContent-Length: 2\nTransfer-Encoding: chunked\n\n2\n{}\n0\n\n"
    ),
    "another coding": "POST /mcp HTTP/1.1\nHost: x\nTransfer-Encoding: gzip, chunked\n\n2\n{}\n0\n\n",
    "a malformed chunk": "POST /mcp HTTP/1.1\nHost: x\nTransfer-Encoding: chunked\n\ntwo\n{}\n0\n\n",
    "no request": "{}\n\n",
    "a header without a name": "POST /mcp HTTP/1.1\nHost: x\n: 1\n\n",
    **{
        f"length {length[:9]}": f"POST /mcp HTTP/1.1\nHost: x\nContent-Length: {length}\n\n{{}}"
        for length in ("-1", "2.0", "two", "+2", "0x2", "", "9" * 5_000)
    },
}


@pytest.mark.parametrize("request_", INVALID.values(), ids=INVALID)
def test_an_invalid_request_is_refused_and_never_reaches_the_handler(
    gateway: HttpGateway, recorder: Recorder, request_: str
) -> None:
    assert response_to_bytes(gateway, request_) == (400, '{"message":"Bad Request"}')
    assert recorder.events == []


def test_a_body_over_10_mb_is_rejected_before_it_is_read(gateway: HttpGateway, recorder: Recorder) -> None:
    head = f"POST /mcp HTTP/1.1\nHost: x\nContent-Length: {TEN_MB + 1}\n\n"
    assert response_to_bytes(gateway, head) == (413, '{"message":"Request Entity Too Large"}')
    assert recorder.events == []


def test_chunks_of_more_than_10_mb_are_rejected(gateway: HttpGateway, recorder: Recorder) -> None:
    head = "POST /mcp HTTP/1.1\nHost: x\nTransfer-Encoding: chunked\n\n"
    chunks = f"100000\n{'a' * 0x100000}\n" * 11
    answer = response_to_bytes(gateway, f"{head}{chunks}0\n\n")
    assert answer == (413, '{"message":"Request Entity Too Large"}')
    assert recorder.events == []


def test_a_client_that_sends_more_than_10_mb_still_reads_the_reply(gateway: HttpGateway) -> None:
    assert over_http(gateway.url)(Sent(b"a" * (TEN_MB + 2_000_000), {})).status == 413


def test_a_body_of_10_mb_is_passed_on(gateway: HttpGateway, recorder: Recorder) -> None:
    assert over_http(gateway.url)(Sent(b"a" * TEN_MB, {})).status == 200
    assert len(recorder.events[0]["body"]) == TEN_MB


def test_a_client_that_leaves_early_is_not_handled(gateway: HttpGateway, recorder: Recorder) -> None:
    with connect(gateway) as leaving:
        leaving.sendall(b"POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{}")
    assert over_http(gateway.url)(Sent(b"{}", {})).status == 200
    assert len(recorder.events) == 1


def test_no_response_waits_for_a_delayed_acknowledgement(gateway: HttpGateway) -> None:
    connection, seconds = http.client.HTTPConnection(urlsplit(gateway.url).netloc, timeout=10), []
    for _ in range(21):
        started = time.perf_counter()
        connection.request("POST", "/mcp", b"{}")
        connection.getresponse().read()
        seconds.append(time.perf_counter() - started)
    connection.close()
    assert statistics.median(seconds) < 0.03  # the delay is 40 ms
