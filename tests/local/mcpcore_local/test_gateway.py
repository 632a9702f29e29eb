"""The local gateway: which events the handler gets, and which responses the client gets."""

import http.client
import re
import socket
import sys
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final
from urllib.parse import urlsplit

import pytest

from mcpcore_aws.event_sources import event_source_of
from mcpcore_local import Handler, HttpGateway, InvocationContext
from tests.support.exchanges import Reply, Sent, over_http
from tests.support.gateways import OK, Recorder, connect, received, response_to_bytes
from tests.support.sam_template import load_template

FUNCTION: Final = load_template()["Resources"]["McpFunction"]["Properties"]


def reply_of(handler: Handler, sent: Sent) -> Reply:
    """The response to one request, from a gateway in front of `handler`."""
    with HttpGateway(0) as gateway, gateway.serving(handler):
        return over_http(gateway.url)(sent)


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


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("GET /log/checkpoint", 200),
        ("GET /log/tile/0/000.p/5", 200),
        ("GET /log", 404),
        ("GET /logs/x", 404),
        ("POST /log/checkpoint", 404),
    ],
)
def test_a_page_may_be_for_all_paths_below_one(target: str, status: int) -> None:
    with HttpGateway(0, [("GET", "/log/{proxy+}")]) as gateway, gateway.serving(Recorder()):
        answer = response_to_bytes(gateway, f"{target} HTTP/1.1\nHost: x\nContent-Length: 0\n\n")
    assert answer[0] == status


def test_a_reply_reaches_the_client_unchanged() -> None:
    headers = {"content-type": "text/event-stream", "mcp-session-id": "a"}
    reply = reply_of(lambda *_: {"statusCode": 418, "headers": headers, "body": "ü"}, Sent(b"", {}))
    assert reply == Reply(418, headers, "ü".encode())


CHALLENGED: Final = {
    "statusCode": 401,
    "headers": {"www-authenticate": "Bearer", "x-other": "1"},
    "body": "{}",
}


@pytest.mark.parametrize(
    ("renames", "name"), [(False, "www-authenticate"), (True, "x-amzn-remapped-www-authenticate")]
)
def test_a_challenge_is_renamed_if_the_gateway_is_to_do_as_others_do(renames: bool, name: str) -> None:
    with HttpGateway(0, renames_challenge=renames) as gateway, gateway.serving(lambda _event, _: CHALLENGED):
        reply = over_http(gateway.url)(Sent(b"{}", {}))
    assert (reply.status, reply.headers) == (401, {name: "Bearer", "x-other": "1"})


def test_a_body_in_base64_reaches_the_client_as_bytes() -> None:
    headers = {"content-encoding": "gzip"}
    coded = {"statusCode": 200, "headers": headers, "body": "H4sA/w==", "isBase64Encoded": True}
    assert reply_of(lambda *_: coded, Sent(b"", {})) == Reply(200, headers, b"\x1f\x8b\x00\xff")


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


def test_head_is_answered_without_a_body(gateway: HttpGateway) -> None:
    reply = over_http(gateway.url)(Sent(b"", {}, "HEAD"))
    assert reply == Reply(200, {"content-type": "application/json"}, b"")


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
