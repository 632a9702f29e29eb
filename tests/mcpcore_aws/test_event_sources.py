"""Events to requests and responses to replies, for each event source."""

import base64
from typing import Any, Final
from urllib.parse import parse_qsl

import pytest

from mcpcore.http import HttpRequest, HttpResponse
from mcpcore_aws.event_sources import UnknownEvent, event_source_of
from tests.support.events import EVENT_SOURCES, captured, with_body, with_headers

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


@pytest.fixture(params=EVENT_SOURCES)
def source(request: pytest.FixtureRequest) -> str:
    """Each event source by the name of its captured event."""
    name: str = request.param
    return name


def request_of(event: dict[str, Any]) -> HttpRequest:
    return event_source_of(event).to_request(event)


def test_an_event_is_recognized_and_becomes_the_request_that_was_sent(source: str) -> None:
    event = captured(source)
    assert event_source_of(event).name == NAMES[source]
    assert request_of(event) == HttpRequest("POST", HEADERS[source], BODY, "/mcp")


QUERIES: Final[dict[str, dict[str, Any]]] = {
    "http_api": {"rawQueryString": "a=b%20c&a=d&e"},
    "function_url": {"rawQueryString": "a=b%20c&a=d&e"},
    "rest_api": {"multiValueQueryStringParameters": {"a": ["b c", "d"], "e": [""]}},
    "alb_single_value": {"queryStringParameters": {"a": "b%20c", "e": ""}},
    "alb_multi_value": {"multiValueQueryStringParameters": {"a": ["b%20c", "d"], "e": [""]}},
}


def test_the_query_is_encoded_as_the_client_sent_it_as_far_as_the_source_tells(source: str) -> None:
    query = request_of({**captured(source), **QUERIES[source]}).query

    repeated = [] if source == "alb_single_value" else [("a", "d")]
    assert parse_qsl(query, keep_blank_values=True) == [("a", "b c"), *repeated, ("e", "")]


def test_a_response_of_bytes_is_sent_as_base64(source: str) -> None:
    event = captured(source)
    response = HttpResponse(200, {"content-type": "application/octet-stream"}, b"\xff\0")

    reply = event_source_of(event).to_reply(response, event)

    assert (reply["isBase64Encoded"], base64.b64decode(reply["body"])) == (True, b"\xff\0")


def test_a_response_becomes_the_reply_that_the_source_expects(source: str) -> None:
    event = captured(source)
    assert event_source_of(event).to_reply(RESPONSE, event) == REPLIES[source]


@pytest.mark.parametrize("status", [200, 202, 204, 400, 403, 404, 405, 406, 411, 413, 415, 500, 503])
def test_every_status_has_a_reply(source: str, status: int) -> None:
    event = captured(source)
    reply = event_source_of(event).to_reply(HttpResponse(status, {}, b""), event)
    assert (reply["statusCode"], reply["body"]) == (status, "")


@pytest.mark.parametrize(
    ("body", "encoded", "expected"),
    [
        (base64.b64encode(BODY).decode(), True, BODY),
        ("//4A", True, b"\xff\xfe\x00"),
        *((text, True, None) for text in ["a", "aGk", "aGk=!", "aGk=aGk=x", "aG k=", "üü==", "-_-_", "===="]),
        *((nothing, encoded, b"") for nothing in (None, "") for encoded in (False, True)),
        ('"ü\U0001f600"', False, '"ü\U0001f600"'.encode()),
        ("\ud800", False, b"\xed\xa0\x80"),
    ],
)
def test_a_body_is_text_in_utf_8_or_bytes_in_base64(
    source: str, body: str | None, encoded: bool, expected: bytes | None
) -> None:
    assert request_of(with_body(captured(source), body, base64=encoded)).body == expected


def test_an_event_without_body_and_headers_is_an_empty_request(source: str) -> None:
    optional = {"body", "isBase64Encoded", "headers", "multiValueHeaders", "path", "rawPath"}
    event = {name: value for name, value in captured(source).items() if name not in optional}
    nulls = event | {"headers": None, "multiValueHeaders": None, "path": None, "rawPath": None}
    assert request_of(event) == request_of(nulls) == HttpRequest("POST", {}, b"")


def test_header_names_come_in_any_case(source: str) -> None:
    event = with_headers(captured(source), {"CONTENT-TYPE": "A", "Mcp-Session-Id": "B", "x": "C"})
    assert request_of(event).headers == {"content-type": "A", "mcp-session-id": "B", "x": "C"}


@pytest.mark.parametrize("source", ["rest_api", "alb_multi_value"])
def test_a_repeated_header_is_joined_by_commas(source: str) -> None:
    event = {**captured(source), "multiValueHeaders": {"Mcp-Name": ["a", "b"], "Origin": ["c"]}}
    assert request_of(event).headers == {"mcp-name": "a,b", "origin": "c"}


def test_the_http_method_is_read_from_the_event(source: str) -> None:
    event = captured(source)
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
def test_an_event_of_another_source_is_refused_with_a_message(event: object) -> None:
    with pytest.raises(UnknownEvent) as caught:
        event_source_of(event)
    assert str(caught.value) == (
        "The event is of none of these sources: API Gateway HTTP API or Function URL, API Gateway REST API, "
        "Application Load Balancer; call the function through one"
    )
