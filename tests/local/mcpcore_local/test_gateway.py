"""The stand-in for API Gateway: what the handler is given, what the client gets, what never gets through."""

import base64
import http.client
import re
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import urlsplit

import pytest

from mcpcore_aws.event_sources import event_source_of
from mcpcore_local.gateway import Gateway, Handler, Invocation
from tests.support.exchanges import Reply, Sent, over_http
from tests.support.sam_template import load_template

FUNCTION: Final = load_template()["Resources"]["McpFunction"]["Properties"]

OK: Final = {"statusCode": 200, "headers": {"content-type": "application/json"}, "body": "{}"}


class Recorder:
    """A handler that keeps what it is called with and replies the same each time."""

    def __init__(self, reply: Mapping[str, Any] = OK) -> None:
        self.events: list[dict[str, Any]] = []
        self.contexts: list[Invocation] = []
        self._reply = reply

    def __call__(self, event: dict[str, Any], context: Invocation) -> Mapping[str, Any]:
        self.events.append(event)
        self.contexts.append(context)
        return self._reply


@contextmanager
def serving(handler: Handler) -> Iterator[Gateway]:
    """A gateway on a free port before `handler`."""
    with Gateway(0) as gateway:
        gateway.handler = handler
        thread = threading.Thread(target=gateway.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield gateway
        finally:
            gateway.shutdown()
            thread.join()


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def gateway(recorder: Recorder) -> Iterator[Gateway]:
    with serving(recorder) as running:
        yield running


def bytes_exchanged(gateway: Gateway, request: str) -> tuple[str, str]:
    """The status line and body that answer these very bytes, sent over a connection that is closed after."""
    with socket.create_connection(("127.0.0.1", gateway.server_address[1]), timeout=10) as connection:
        connection.sendall(request.replace("\n", "\r\n").encode("latin-1"))
        answer = b"".join(iter(lambda: connection.recv(65_536), b"")).decode()
    head, _, body = answer.partition("\r\n\r\n")
    return head.partition("\r\n")[0], body


def test_a_request_becomes_an_event_of_an_http_api(gateway: Gateway, recorder: Recorder) -> None:
    over_http(gateway.url)(Sent(b'{"a":1}', {"Content-Type": "application/json", "User-Agent": "tests"}))
    (event,) = recorder.events
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
    (invocation,) = recorder.contexts
    assert (type(invocation), invocation.aws_request_id) == (Invocation, request_id)


def test_an_invocation_has_the_time_that_the_function_has(gateway: Gateway, recorder: Recorder) -> None:
    over_http(gateway.url)(Sent(b"", {}))
    left = recorder.contexts[0].get_remaining_time_in_millis()
    assert 20_000 < left <= FUNCTION["Timeout"] * 1000


def test_an_invocation_whose_time_is_over_has_none_left() -> None:
    assert Invocation("a", time.monotonic() - 5).get_remaining_time_in_millis() == 0


def test_the_event_is_one_that_the_edge_knows(gateway: Gateway, recorder: Recorder) -> None:
    over_http(gateway.url)(Sent(b"", {}, "GET"))
    assert event_source_of(recorder.events[0]).name == "http api"


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_every_method_reaches_the_handler(gateway: Gateway, recorder: Recorder, method: str) -> None:
    assert over_http(gateway.url)(Sent(b"", {}, method)).status == 200
    assert recorder.events[0]["requestContext"]["http"]["method"] == method


def test_a_request_without_a_body_has_none_in_its_event(gateway: Gateway, recorder: Recorder) -> None:
    over_http(gateway.url)(Sent(b"", {}, "DELETE"))
    assert ("body" in recorder.events[0], recorder.events[0]["isBase64Encoded"]) == (False, False)


def test_a_query_string_is_passed_on_beside_the_path(gateway: Gateway, recorder: Recorder) -> None:
    bytes_exchanged(gateway, "GET /mcp?a=1&b=%20 HTTP/1.1\nHost: x\nConnection: close\n\n")
    (event,) = recorder.events
    assert (event["rawPath"], event["rawQueryString"]) == ("/mcp", "a=1&b=%20")


def test_header_names_are_lower_case_and_repeated_ones_are_joined(
    gateway: Gateway, recorder: Recorder
) -> None:
    bytes_exchanged(
        gateway, "GET /mcp HTTP/1.1\nHOST: x\nX-A: 1\nx-a: 2\nMcp-Name:  ü \nX-A: 3\nConnection: close\n\n"
    )
    assert recorder.events[0]["headers"] == {
        "host": "x",
        "x-a": "1,2,3",
        "mcp-name": "ü",
        "connection": "close",
    }


@pytest.mark.parametrize("body", ["{}", "ü\U0001f600", " \n", "\x00"])
def test_a_body_of_text_is_passed_on_as_text(gateway: Gateway, recorder: Recorder, body: str) -> None:
    over_http(gateway.url)(Sent(body.encode(), {}))
    assert (recorder.events[0]["body"], recorder.events[0]["isBase64Encoded"]) == (body, False)


@pytest.mark.parametrize("body", [b"\xff", b"\x80abc", b"\xed\xa0\x80"])
def test_a_body_of_other_bytes_is_passed_on_in_base64(
    gateway: Gateway, recorder: Recorder, body: bytes
) -> None:
    over_http(gateway.url)(Sent(body, {}))
    (event,) = recorder.events
    assert (base64.b64decode(event["body"]), event["isBase64Encoded"]) == (body, True)


@pytest.mark.parametrize("path", ["/", "/mcp/", "/MCP", "/mcp/x", "/other"])
def test_another_path_is_not_found(gateway: Gateway, recorder: Recorder, path: str) -> None:
    reply = over_http(f"http://{urlsplit(gateway.url).netloc}{path}")(Sent(b"{}", {}))
    assert reply == Reply(404, {}, b'{"message":"Not Found"}')
    assert recorder.events == []


def test_a_reply_reaches_the_client_as_it_is() -> None:
    headers = {"content-type": "text/event-stream", "mcp-session-id": "a"}
    recorder = Recorder({"statusCode": 418, "headers": headers, "body": "ü"})
    with serving(recorder) as gateway:
        assert over_http(gateway.url)(Sent(b"", {})) == Reply(418, headers, "ü".encode())


@pytest.mark.parametrize("status", [202, 204])
def test_a_reply_without_a_body_leaves_the_connection_usable(status: int) -> None:
    recorder = Recorder({"statusCode": status, "headers": {}, "body": ""})
    with serving(recorder) as gateway:
        connection = http.client.HTTPConnection(urlsplit(gateway.url).netloc, timeout=10)
        answers = []
        for _ in range(3):
            connection.request("POST", "/mcp", b"{}")
            answers.append((connection.getresponse().read(), recorder.events[-1]["body"]))
        connection.close()
    assert answers == [(b"", "{}")] * 3


def test_head_is_answered_without_a_body(gateway: Gateway) -> None:
    assert over_http(gateway.url)(Sent(b"", {}, "HEAD")) == Reply(
        200, {"content-type": "application/json"}, b""
    )


def test_a_chunked_body_is_refused_for_its_length(gateway: Gateway, recorder: Recorder) -> None:
    request = "POST /mcp HTTP/1.1\nHost: x\nTransfer-Encoding: chunked\n\n2\n{}\n0\n\n"
    assert bytes_exchanged(gateway, request) == (
        "HTTP/1.1 411 Length Required",
        '{"message": "Length Required"}',
    )
    assert recorder.events == []


@pytest.mark.parametrize("length", ["-1", "2.0", "two", "+2", "0x2", ""])
def test_a_length_that_is_no_number_is_refused(gateway: Gateway, recorder: Recorder, length: str) -> None:
    status, _ = bytes_exchanged(gateway, f"POST /mcp HTTP/1.1\nHost: x\nContent-Length: {length}\n\n{{}}")
    assert status == "HTTP/1.1 411 Length Required"
    assert recorder.events == []


def test_a_body_over_10_mb_is_refused_before_it_is_read(gateway: Gateway, recorder: Recorder) -> None:
    request = f"POST /mcp HTTP/1.1\nHost: x\nContent-Length: {10 * 1024 * 1024 + 1}\n\n"
    status, body = bytes_exchanged(gateway, request)
    assert status.startswith("HTTP/1.1 413 ")  # Python's versions have different words for it
    assert body == '{"message": "Request Entity Too Large"}'
    assert recorder.events == []


def test_a_client_that_sends_too_much_still_reads_why(gateway: Gateway, recorder: Recorder) -> None:
    assert over_http(gateway.url)(Sent(b"a" * (12 * 1024 * 1024), {})).status == 413
    assert recorder.events == []


def test_an_invocation_that_fails_is_answered_as_the_gateway_answers_it() -> None:
    def fail(_event: dict[str, Any], _context: Invocation) -> Mapping[str, Any]:
        raise RuntimeError("out of memory")

    with serving(fail) as gateway:
        reply = over_http(gateway.url)(Sent(b"{}", {}))
    assert (reply.status, reply.body) == (500, b'{"message":"Internal Server Error"}')


@pytest.mark.parametrize("target", ["http://[bad/mcp", "//[/mcp", "*"])
def test_a_target_that_is_no_path_of_ours_is_not_found(gateway: Gateway, target: str) -> None:
    status, _ = bytes_exchanged(
        gateway, f"POST {target} HTTP/1.1\nHost: x\nConnection: close\nContent-Length: 0\n\n"
    )
    assert status == "HTTP/1.1 404 Not Found"


def test_a_body_of_10_mb_gets_through(gateway: Gateway, recorder: Recorder) -> None:
    assert over_http(gateway.url)(Sent(b"a" * (10 * 1024 * 1024), {})).status == 200
    assert len(recorder.events[0]["body"]) == 10 * 1024 * 1024


def test_requests_are_handled_at_the_same_time() -> None:
    all_there = threading.Barrier(8, timeout=10)

    def meet(_event: dict[str, Any], _context: Invocation) -> Mapping[str, Any]:
        all_there.wait()  # nobody gets past it before the eighth has come
        return OK

    with serving(meet) as gateway, ThreadPoolExecutor(8) as clients:
        replies = list(clients.map(over_http(gateway.url), [Sent(b"{}", {})] * 8))
    assert [reply.status for reply in replies] == [200] * 8


def test_each_request_has_an_id_of_its_own(gateway: Gateway, recorder: Recorder) -> None:
    send = over_http(gateway.url)
    send(Sent(b"", {}))
    send(Sent(b"", {}))
    assert len({context.aws_request_id for context in recorder.contexts}) == 2


def test_nobody_else_on_the_network_is_served(gateway: Gateway) -> None:
    assert gateway.server_address[0] == "127.0.0.1"


def test_a_port_that_is_taken_is_an_error(gateway: Gateway) -> None:
    with pytest.raises(OSError, match="Address already in use"):
        Gateway(int(gateway.server_address[1]))
