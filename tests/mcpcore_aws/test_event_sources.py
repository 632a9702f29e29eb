"""Events to requests and responses to replies, door by door."""

import base64
from typing import Any, Final

import pytest

from mcpcore.http import HttpRequest, HttpResponse
from mcpcore_aws.event_sources import UnknownEvent, event_source_of
from tests.support.events import DOORS, captured, with_body, with_headers

BODY: Final = (
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_sources",'
    b'"arguments":{"query":"learn rust"},"_meta":{'
    b'"io.modelcontextprotocol/protocolVersion":"2026-07-28",'
    b'"io.modelcontextprotocol/clientInfo":{"name":"tests","version":"1.2"},'
    b'"io.modelcontextprotocol/clientCapabilities":{}}}}'
)

COMMON: Final = {
    "accept": "application/json, text/event-stream",
    "accept-encoding": "gzip, deflate, br",
    "content-type": "application/json",
    "mcp-method": "tools/call",
    "mcp-name": "get_sources",
    "mcp-protocol-version": "2026-07-28",
    "user-agent": "python-httpx2/2.16.2",
    "x-amzn-trace-id": "Root=1-6920d8a1-3f2b1c4d5e6f708192a3b4c5",
    "x-forwarded-for": "203.0.113.7",
    "x-forwarded-port": "443",
    "x-forwarded-proto": "https",
}
LENGTH: Final = {"content-length": str(len(BODY))}
GATEWAY: Final = {"host": "a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com"}
BALANCER: Final = {"host": "mcp-1234567890.eu-central-1.elb.amazonaws.com"}
OWN_URL: Final = {
    "host": "abcdefghijklmnopqrstuvwxyz012345.lambda-url.eu-central-1.on.aws",
    "x-amzn-tls-cipher-suite": "TLS_AES_128_GCM_SHA256",
    "x-amzn-tls-version": "TLSv1.3",
}
JOINED: Final = {"accept": "application/json,text/event-stream"}

HEADERS: Final = {
    "http_api": COMMON | LENGTH | GATEWAY,
    "rest_api": COMMON | GATEWAY | JOINED,
    "function_url": COMMON | LENGTH | OWN_URL,
    "alb_single_value": COMMON | LENGTH | BALANCER,
    "alb_multi_value": COMMON | LENGTH | BALANCER | JOINED,
}

RESPONSE: Final = HttpResponse(
    404, {"content-type": "application/json", "mcp-session-id": "a"}, '{"ü":1}'.encode()
)
GATEWAY_REPLY: Final = {
    "statusCode": 404,
    "headers": {"content-type": "application/json", "mcp-session-id": "a"},
    "body": '{"ü":1}',
    "isBase64Encoded": False,
}
REPLIES: Final = {
    "http_api": GATEWAY_REPLY,
    "rest_api": GATEWAY_REPLY,
    "function_url": GATEWAY_REPLY,
    "alb_single_value": GATEWAY_REPLY | {"statusDescription": "404 Not Found"},
    "alb_multi_value": {
        "statusCode": 404,
        "statusDescription": "404 Not Found",
        "multiValueHeaders": {"content-type": ["application/json"], "mcp-session-id": ["a"]},
        "body": '{"ü":1}',
        "isBase64Encoded": False,
    },
}

NAMES: Final = {
    "http_api": "http api",
    "rest_api": "rest api",
    "function_url": "http api",
    "alb_single_value": "alb",
    "alb_multi_value": "alb",
}


def request_of(event: dict[str, Any]) -> HttpRequest:
    return event_source_of(event).to_request(event)


@pytest.mark.parametrize("door", DOORS)
def test_an_event_is_known_by_its_door(door: str) -> None:
    assert event_source_of(captured(door)).name == NAMES[door]


@pytest.mark.parametrize("door", DOORS)
def test_an_event_becomes_the_request_that_was_sent(door: str) -> None:
    assert request_of(captured(door)) == HttpRequest("POST", HEADERS[door], BODY)


@pytest.mark.parametrize("door", DOORS)
def test_a_response_becomes_what_the_door_expects(door: str) -> None:
    event = captured(door)
    assert event_source_of(event).to_reply(RESPONSE, event) == REPLIES[door]


@pytest.mark.parametrize("status", [200, 202, 204, 400, 403, 404, 405, 406, 411, 413, 415, 500, 503])
@pytest.mark.parametrize("door", DOORS)
def test_every_status_has_a_reply(door: str, status: int) -> None:
    event = captured(door)
    reply = event_source_of(event).to_reply(HttpResponse(status, {}, b""), event)
    assert (reply["statusCode"], reply["body"]) == (status, "")


@pytest.mark.parametrize("door", DOORS)
def test_a_body_in_base64_is_decoded(door: str) -> None:
    encoded = base64.b64encode(BODY).decode("ascii")
    assert request_of(with_body(captured(door), encoded, base64=True)).body == BODY


@pytest.mark.parametrize("door", DOORS)
def test_bytes_that_are_not_text_come_through_in_base64(door: str) -> None:
    assert request_of(with_body(captured(door), "//4A", base64=True)).body == b"\xff\xfe\x00"


@pytest.mark.parametrize("encoded", ["a", "aGk", "aGk=!", "aGk=aGk=x", "aG k=", "üü==", "-_-_", "===="])
@pytest.mark.parametrize("door", DOORS)
def test_invalid_base64_is_no_body_that_could_be_read(door: str, encoded: str) -> None:
    assert request_of(with_body(captured(door), encoded, base64=True)).body is None


@pytest.mark.parametrize("base64", [False, True])
@pytest.mark.parametrize("body", [None, ""])
@pytest.mark.parametrize("door", DOORS)
def test_no_body_is_an_empty_one(door: str, body: str | None, base64: bool) -> None:
    assert request_of(with_body(captured(door), body, base64=base64)).body == b""


@pytest.mark.parametrize("door", DOORS)
def test_an_event_without_a_body_member_has_an_empty_body(door: str) -> None:
    event = captured(door)
    del event["body"], event["isBase64Encoded"]
    assert request_of(event).body == b""


@pytest.mark.parametrize("door", DOORS)
def test_text_is_utf_8(door: str) -> None:
    assert request_of(with_body(captured(door), '"ü\U0001f600"')).body == '"ü\U0001f600"'.encode()


@pytest.mark.parametrize("door", DOORS)
def test_a_lone_surrogate_does_not_stop_the_door(door: str) -> None:
    assert request_of(with_body(captured(door), "\ud800")).body == b"\xed\xa0\x80"


@pytest.mark.parametrize("door", DOORS)
def test_header_names_come_in_any_case(door: str) -> None:
    event = with_headers(captured(door), {"CONTENT-TYPE": "A", "Mcp-Session-Id": "B", "x": "C"})
    assert request_of(event).headers == {"content-type": "A", "mcp-session-id": "B", "x": "C"}


@pytest.mark.parametrize("nothing", [None, {}])
@pytest.mark.parametrize("door", DOORS)
def test_no_headers_are_no_headers(door: str, nothing: object) -> None:
    assert request_of({**captured(door), "headers": nothing, "multiValueHeaders": nothing}).headers == {}


@pytest.mark.parametrize("door", DOORS)
def test_an_event_without_any_headers_member_has_none(door: str) -> None:
    members = captured(door).items()
    event = {name: value for name, value in members if name not in {"headers", "multiValueHeaders"}}
    assert request_of(event).headers == {}


@pytest.mark.parametrize("door", ["rest_api", "alb_multi_value"])
def test_a_repeated_header_is_joined_by_commas(door: str) -> None:
    event = {**captured(door), "multiValueHeaders": {"Mcp-Name": ["a", "b"], "Origin": ["c"]}}
    assert request_of(event).headers == {"mcp-name": "a,b", "origin": "c"}


@pytest.mark.parametrize("door", DOORS)
def test_the_http_method_is_the_one_that_was_used(door: str) -> None:
    event = captured(door)
    event["httpMethod"] = event["requestContext"]["httpMethod"] = "DELETE"
    event["requestContext"]["http"] = {"method": "DELETE"}
    assert request_of(event).method == "DELETE"


@pytest.mark.parametrize(
    "event",
    [
        {},
        [],
        None,
        "event",
        5,
        {"requestContext": None},
        {"requestContext": {}},
        {"requestContext": {"http": {"method": "POST"}}},
        {"version": "2.0", "requestContext": {}},
        {"version": "2.0", "requestContext": "http"},
        {"httpMethod": "POST"},
        {"httpMethod": None, "requestContext": {"elb": {}}},
        {"Records": [{"eventSource": "aws:s3", "s3": {"object": {"key": "a"}}}]},
        {"source": "aws.events", "detail-type": "Scheduled Event", "detail": {}},
        {"version": "2.0", "type": "REQUEST", "routeArn": "arn:aws:execute-api:::a/b"},
        {"requestContext": {"routeKey": "$connect", "connectionId": "a"}, "isBase64Encoded": False},
    ],
)
def test_an_event_of_no_door_is_refused_in_words(event: object) -> None:
    with pytest.raises(UnknownEvent) as caught:
        event_source_of(event)
    assert str(caught.value) == (
        "The event is none of API Gateway HTTP API, Function URL, REST API or ALB; "
        "call the function through one of them"
    )
