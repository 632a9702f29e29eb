"""The local gateway: which events the handler gets, which responses the client gets, what is rejected."""

import http.client
import re
import socket
import statistics
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final
from urllib.parse import urlsplit

import pytest

from mcpcore_aws.event_sources import event_source_of
from mcpcore_local import Handler, HttpGateway, InvocationContext
from tests.support.exchanges import Reply, Sent, over_http
from tests.support.sam_template import load_template

FUNCTION: Final = load_template()["Resources"]["McpFunction"]["Properties"]
TEN_MB: Final = 10 * 1024 * 1024
OK: Final = {"statusCode": 200, "headers": {"content-type": "application/json"}, "body": "{}"}


class Recorder:
    """A handler that records its arguments and replies the same each time."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []
        self.contexts: list[InvocationContext] = []

    def __call__(self, event: dict[str, Any], context: InvocationContext) -> Mapping[str, Any]:
        self.events.append(event)
        self.contexts.append(context)
        return OK


RECORDER: Final = Recorder()


@pytest.fixture(scope="module")
def gateway() -> Iterator[HttpGateway]:
    with HttpGateway(0) as running, running.serving(RECORDER):
        yield running


@pytest.fixture
def recorder() -> Recorder:
    RECORDER.events.clear()
    RECORDER.contexts.clear()
    return RECORDER


def reply_of(handler: Handler, sent: Sent) -> Reply:
    """The response to one request, from a gateway in front of `handler`."""
    with HttpGateway(0) as gateway, gateway.serving(handler):
        return over_http(gateway.url)(sent)


def connect(gateway: HttpGateway) -> socket.socket:
    address = urlsplit(gateway.url)
    return socket.create_connection((address.hostname, address.port), timeout=10)


def response_to_bytes(gateway: HttpGateway, request: str) -> tuple[int, str]:
    """The status and body in response to exactly these bytes, on a connection of their own."""
    with connect(gateway) as connection:
        connection.sendall(request.replace("\n", "\r\n").encode("latin-1"))
        return received(connection)


def received(connection: socket.socket) -> tuple[int, str]:
    with http.client.HTTPResponse(connection) as response:
        response.begin()
        return response.status, response.read().decode()


def test_a_request_becomes_an_event_of_an_http_api(gateway: HttpGateway, recorder: Recorder) -> None:
    over_http(gateway.url)(Sent(b'{"a":1}', {"Content-Type": "application/json", "User-Agent": "tests"}))
    (event,) = recorder.events
    assert event_source_of(event).name == "http api"
    context = event["requestContext"]
    request_id, time, epoch = context.pop("requestId"), context.pop("time"), context.pop("timeEpoch")
    assert event == {
        "version": "2.0",
        "routeKey": "ANY /mcp",
        "rawPath": "/mcp",
        "rawQueryString": "",
        "headers": {
            "host": urlsplit(gateway.url).netloc,
            "content-type": "application/json",
            "user-agent": "tests",
            "content-length": "7",
        },
        "requestContext": {
            "accountId": "000000000000",
            "apiId": "local",
            "domainName": "127.0.0.1",
            "domainPrefix": "127",
            "http": {
                "method": "POST",
                "path": "/mcp",
                "protocol": "HTTP/1.1",
                "sourceIp": "127.0.0.1",
                "userAgent": "tests",
            },
            "routeKey": "ANY /mcp",
            "stage": "$default",
        },
        "body": '{"a":1}',
        "isBase64Encoded": False,
    }
    assert re.fullmatch(r"\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d \+0000", time)
    assert epoch > 1_700_000_000_000
    assert recorder.contexts[0].aws_request_id == request_id


def test_an_invocation_has_an_id_of_its_own_and_the_time_of_the_deployed_function(
    gateway: HttpGateway, recorder: Recorder
) -> None:
    for _ in range(2):
        over_http(gateway.url)(Sent(b"", {}))
    first, second = recorder.contexts
    assert first.aws_request_id != second.aws_request_id
    assert 20_000 < second.get_remaining_time_in_millis() <= FUNCTION["Timeout"] * 1000


def test_an_invocation_past_its_end_has_no_time_left() -> None:
    assert InvocationContext("a", time.monotonic() - 5).get_remaining_time_in_millis() == 0


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY", "brew"])
def test_every_method_reaches_the_handler(gateway: HttpGateway, recorder: Recorder, method: str) -> None:
    assert over_http(gateway.url)(Sent(b"", {}, method)).status == 200
    assert recorder.events[0]["requestContext"]["http"]["method"] == method
    assert "body" not in recorder.events[0]


def test_the_query_string_and_repeated_headers_are_passed_on(
    gateway: HttpGateway, recorder: Recorder
) -> None:
    head = "HOST: x\nX-A: 1\nx-a: 2\nMcp-Name:  ü \nX-A: 3\nConnection: close\n\n"
    response_to_bytes(gateway, f"GET /mcp?a=1&b=%20 HTTP/1.1\n{head}")
    (event,) = recorder.events
    assert (event["rawPath"], event["rawQueryString"]) == ("/mcp", "a=1&b=%20")
    assert event["headers"] == {"host": "x", "x-a": "1,2,3", "mcp-name": "ü", "connection": "close"}


@pytest.mark.parametrize(
    ("sent", "body", "encoded"),
    [
        (b"\xc3\xbc\xf0\x9f\x98\x80\x00 \n", "ü\U0001f600\x00 \n", False),
        (b"\x80abc", "gGFiYw==", True),
        (b"\xed\xa0\x80", "7aCA", True),  # a surrogate is no UTF-8
    ],
)
def test_a_body_is_text_if_it_is_utf_8_and_base64_otherwise(
    gateway: HttpGateway, recorder: Recorder, sent: bytes, body: str, encoded: bool
) -> None:
    over_http(gateway.url)(Sent(sent, {}))
    assert (recorder.events[0]["body"], recorder.events[0]["isBase64Encoded"]) == (body, encoded)


def test_the_path_may_end_with_a_slash(gateway: HttpGateway, recorder: Recorder) -> None:
    assert over_http(f"{gateway.url}/")(Sent(b"{}", {})).status == 200
    (event,) = recorder.events
    assert (event["rawPath"], event["requestContext"]["http"]["path"]) == ("/mcp/", "/mcp/")


@pytest.mark.parametrize("target", ["/", "/mcp//", "/MCP", "/mcp/x", "http://[bad/mcp", "//[/mcp", "*"])
def test_another_path_is_not_found(gateway: HttpGateway, recorder: Recorder, target: str) -> None:
    answer = response_to_bytes(gateway, f"POST {target} HTTP/1.1\nHost: x\nContent-Length: 0\n\n")
    assert answer == (404, '{"message":"Not Found"}')
    assert recorder.events == []


def test_a_reply_reaches_the_client_unchanged() -> None:
    headers = {"content-type": "text/event-stream", "mcp-session-id": "a"}
    reply = reply_of(lambda *_: {"statusCode": 418, "headers": headers, "body": "ü"}, Sent(b"", {}))
    assert reply == Reply(418, headers, "ü".encode())


@pytest.mark.parametrize("status", [202, 204])
def test_the_connection_stays_usable_after_a_reply_without_a_body(status: int) -> None:
    with HttpGateway(0) as gateway, gateway.serving(lambda *_: {"statusCode": status, "body": ""}):
        connection = http.client.HTTPConnection(urlsplit(gateway.url).netloc, timeout=10)
        answers = []
        for _ in range(2):
            connection.request("POST", "/mcp", b"{}")
            response = connection.getresponse()
            answers.append((response.status, response.read()))
        connection.close()
    assert answers == [(status, b"")] * 2


def test_no_response_waits_for_a_delayed_acknowledgement(gateway: HttpGateway) -> None:
    connection, seconds = http.client.HTTPConnection(urlsplit(gateway.url).netloc, timeout=10), []
    for _ in range(21):
        started = time.perf_counter()
        connection.request("POST", "/mcp", b"{}")
        connection.getresponse().read()
        seconds.append(time.perf_counter() - started)
    connection.close()
    assert statistics.median(seconds) < 0.03  # the delay is 40 ms


def test_head_is_answered_without_a_body(gateway: HttpGateway) -> None:
    reply = over_http(gateway.url)(Sent(b"", {}, "HEAD"))
    assert reply == Reply(200, {"content-type": "application/json"}, b"")


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


@pytest.mark.parametrize(
    ("failing", "message"),
    [
        (lambda *_: 1 / 0, "ZeroDivisionError: division by zero"),
        (lambda *_: sys.exit("enough"), "SystemExit: enough"),
        (lambda *_: {"body": "{}"}, "KeyError: 'statusCode'"),
    ],
)
def test_a_failed_invocation_is_answered_500_with_its_traceback_on_stderr(
    capfd: pytest.CaptureFixture[str], failing: Handler, message: str
) -> None:
    reply = reply_of(failing, Sent(b"{}", {}))
    assert (reply.status, reply.body) == (500, b'{"message":"Internal Server Error"}')
    assert message in capfd.readouterr().err


def test_requests_are_handled_at_the_same_time() -> None:
    barrier = threading.Barrier(8, timeout=10)

    def wait_for_all(_event: dict[str, Any], _context: InvocationContext) -> Mapping[str, Any]:
        barrier.wait()  # passes once eight requests are here
        return OK

    with HttpGateway(0) as gateway, gateway.serving(wait_for_all), ThreadPoolExecutor(8) as clients:
        replies = list(clients.map(over_http(gateway.url), [Sent(b"{}", {})] * 8))
    assert [reply.status for reply in replies] == [200] * 8


def test_a_client_that_leaves_early_is_not_handled(gateway: HttpGateway, recorder: Recorder) -> None:
    with connect(gateway) as leaving:
        leaving.sendall(b"POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{}")
    assert over_http(gateway.url)(Sent(b"{}", {})).status == 200
    assert len(recorder.events) == 1


def test_it_ends_at_once_although_a_client_keeps_its_connection_and_a_handler_runs() -> None:
    called, released = threading.Event(), threading.Event()

    def wait(_event: dict[str, Any], _context: InvocationContext) -> Mapping[str, Any]:
        called.set()
        released.wait(30)
        return OK

    with HttpGateway(0) as gateway, connect(gateway) as idle, connect(gateway) as busy:
        with gateway.serving(wait):
            idle.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            assert received(idle) == (404, '{"message":"Not Found"}')
            busy.sendall(b"GET /mcp HTTP/1.1\r\nHost: x\r\n\r\n")
            assert called.wait(10)
            started = time.monotonic()
        assert time.monotonic() - started < 3
        assert idle.recv(65_536) == b""
        released.set()


def test_it_listens_on_loopback_only(gateway: HttpGateway) -> None:
    port = urlsplit(gateway.url).port
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", port), timeout=10)


def test_another_gateway_cannot_take_its_port(gateway: HttpGateway) -> None:
    with pytest.raises(OSError, match="Address already in use"):
        HttpGateway(urlsplit(gateway.url).port or 0)
