"""What is refused before a message is read: HTTP methods, media types, origins, hosts, sizes."""

import pytest

from mcpcore import MemorySessions
from mcpcore.http import HttpRequest, HttpResponse, Policy
from tests.support.messages import (
    EVENT_HEADERS,
    JSON_HEADERS,
    LEGACY,
    MODERN,
    NO_ID,
    SESSION,
    error,
    in_session,
    initialize,
    legacy,
    lost_session,
    message,
    modern,
    no_session,
    one_line,
    post,
    result,
    without,
)
from tests.support.servers import Wire

NOWHERE = "Use POST with one JSON-RPC message"
NOTHING_TO_RESUME = "There is no stream to resume from here; POST a message"
NO_STREAM = "There is no stream to listen to; POST a message"
ORIGIN = "https://app.example"


def not_allowed(text: str) -> HttpResponse:
    return error(405, NO_ID, -32600, text, headers={"allow": "POST, DELETE"})


@pytest.fixture
def wire() -> Wire:
    """A server with one session, that a page of ours may call under two names."""
    policy = Policy(frozenset({ORIGIN}), frozenset({"mcp.example", "127.0.0.1:3000"}))
    made = Wire(policy=policy)
    made.send(initialize())
    return made


METHODS = {
    "GET": (HttpRequest("GET", {}, b""), not_allowed(NO_STREAM)),
    "GET in a session": (HttpRequest("GET", in_session(), b""), not_allowed(NO_STREAM)),
    "GET to resume": (
        HttpRequest("GET", {**in_session(), "last-event-id": "1", "accept": "text/event-stream"}, b""),
        not_allowed(NO_STREAM),
    ),
    "GET, modern": (HttpRequest("GET", {"mcp-protocol-version": MODERN}, b""), not_allowed(NO_STREAM)),
    "GET in a session of what is no event of ours": (
        HttpRequest("GET", {**in_session(), "last-event-id": "abc", "accept": "text/html"}, b""),
        not_allowed(NO_STREAM),
    ),
    "GET of an event in no session": (
        HttpRequest("GET", {"last-event-id": "abc.1", "accept": "text/event-stream"}, b""),
        not_allowed(NO_STREAM),
    ),
    "GET of an event as JSON": (
        HttpRequest("GET", {**in_session(), "last-event-id": "abc.1", "accept": "application/json"}, b""),
        error(406, NO_ID, -32600, "Accept must allow application/json or text/event-stream"),
    ),
    "GET of an event in an unknown version": (
        HttpRequest("GET", {**in_session("1999-01-01"), "last-event-id": "abc.1"}, b""),
        error(400, NO_ID, -32600, "Invalid request: MCP-Protocol-Version names an unknown version"),
    ),
    "GET of an event of an unknown stream": (
        HttpRequest("GET", {**in_session(), "last-event-id": "abc.1", "accept": "text/event-stream"}, b""),
        not_allowed(NOTHING_TO_RESUME),
    ),
    "GET of an event in an unknown session": (
        HttpRequest("GET", {"mcp-session-id": "session-2", "last-event-id": "abc.1"}, b""),
        lost_session(NO_ID),
    ),
    "PUT": (HttpRequest("PUT", JSON_HEADERS, b"{}"), not_allowed(NOWHERE)),
    "HEAD": (HttpRequest("HEAD", {}, b""), not_allowed(NOWHERE)),
    "PATCH": (HttpRequest("PATCH", JSON_HEADERS, b"{}"), not_allowed(NOWHERE)),
    "lower case": (HttpRequest("post", JSON_HEADERS, b"{}"), not_allowed(NOWHERE)),
    "OPTIONS of no page": (HttpRequest("OPTIONS", {}, b""), not_allowed(NOWHERE)),
    "DELETE of no session": (HttpRequest("DELETE", {}, b""), no_session(NO_ID)),
    "DELETE of no session, legacy": (
        HttpRequest("DELETE", {"mcp-protocol-version": LEGACY}, b""),
        no_session(NO_ID),
    ),
    "DELETE of no session, modern": (
        HttpRequest("DELETE", {"mcp-protocol-version": MODERN}, b""),
        not_allowed("This version has no sessions to end"),
    ),
    "DELETE of an unknown session": (
        HttpRequest("DELETE", {"mcp-session-id": "session-2"}, b""),
        lost_session(NO_ID),
    ),
    "DELETE in an unknown version": (
        HttpRequest("DELETE", in_session("1999-01-01"), b""),
        error(400, NO_ID, -32600, "Invalid request: MCP-Protocol-Version names an unknown version"),
    ),
    "DELETE": (HttpRequest("DELETE", in_session(), b""), HttpResponse(204, {}, b"")),
    "DELETE without a version": (
        HttpRequest("DELETE", {"mcp-session-id": SESSION}, b""),
        HttpResponse(204, {}, b""),
    ),
    "DELETE in another version": (
        HttpRequest("DELETE", in_session(MODERN), b""),
        HttpResponse(204, {}, b""),
    ),
}


@pytest.mark.requirement("get-refused", "modern-post-only")
@pytest.mark.parametrize(("request_", "expected"), METHODS.values(), ids=METHODS.keys())
def test_only_post_and_the_end_of_a_session_are_served(
    wire: Wire, request_: HttpRequest, expected: HttpResponse
) -> None:
    assert wire.send(request_) == expected


UNACCEPTABLE = error(406, NO_ID, -32600, "Accept must allow application/json or text/event-stream")
AS_JSON = result(1, {})
AS_EVENTS = HttpResponse(
    200,
    EVENT_HEADERS,
    b'event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n',
)


@pytest.mark.requirement("answer-form", "accept")
@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        ("application/json, text/event-stream", AS_JSON),
        ("text/event-stream, application/json", AS_JSON),
        ("application/json", AS_JSON),
        ("Application/JSON", AS_JSON),
        ("application/json; charset=utf-8", AS_JSON),
        ("application/*", AS_JSON),
        ("*/*", AS_JSON),
        ("", AS_JSON),
        (" ", AS_JSON),
        ("text/html, */*;q=0.1", AS_JSON),
        ("text/event-stream", AS_EVENTS),
        ("text/*", AS_EVENTS),
        ("text/event-stream, application/json;q=0", AS_EVENTS),
        ("*/*, application/json;q=0", AS_EVENTS),
        ("text/html", UNACCEPTABLE),
        ("application/xml, image/*", UNACCEPTABLE),
        ("application/json;q=0", UNACCEPTABLE),
        ("application/json;q=0, text/event-stream;q=0.0", UNACCEPTABLE),
        ("*/*;q=0", UNACCEPTABLE),
        ("json", UNACCEPTABLE),
        ("application/json;q=high", AS_JSON),
    ],
)
def test_the_answer_is_json_where_json_is_accepted_and_events_where_only_events_are(
    wire: Wire, accept: str, expected: HttpResponse
) -> None:
    assert wire.send(post(message("ping"), {**in_session(), "accept": accept})) == expected


def test_without_an_accept_header_anything_is_accepted(wire: Wire) -> None:
    assert wire.send(without(legacy("ping"), "accept")) == AS_JSON


def test_an_error_is_sent_as_an_event_too_where_its_status_is_200(wire: Wire) -> None:
    assert wire.send(post(message("nope"), {**in_session(), "accept": "text/event-stream"})) == HttpResponse(
        200,
        EVENT_HEADERS,
        b'event: message\ndata: {"jsonrpc":"2.0","id":1,'
        b'"error":{"code":-32601,"message":"Method not found: nope"}}\n\n',
    )


def test_a_refusal_is_json_even_where_only_events_are_accepted(wire: Wire) -> None:
    assert wire.send(post(message("ping"), {"accept": "text/event-stream"})) == no_session(1)


NO_JSON = error(415, NO_ID, -32600, "Content-Type must be application/json")


@pytest.mark.requirement("content-type")
@pytest.mark.parametrize(
    ("content_type", "expected"),
    [
        ("application/json", AS_JSON),
        ("APPLICATION/JSON", AS_JSON),
        ("application/json; charset=utf-8", AS_JSON),
        (" application/json ;charset=utf-8", AS_JSON),
        ("text/json", NO_JSON),
        ("text/plain", NO_JSON),
        ("application/json-rpc", NO_JSON),
        ("application/x-www-form-urlencoded", NO_JSON),
        ("application/json, application/json", NO_JSON),
        ("", NO_JSON),
    ],
)
def test_the_body_must_be_declared_as_json(wire: Wire, content_type: str, expected: HttpResponse) -> None:
    assert wire.send(post(message("ping"), {**in_session(), "content-type": content_type})) == expected


def test_a_body_of_no_declared_type_is_refused(wire: Wire) -> None:
    assert wire.send(without(legacy("ping"), "content-type")) == NO_JSON


def test_a_post_without_any_header_is_refused_for_its_content_type(wire: Wire) -> None:
    assert wire.send(HttpRequest("POST", {}, one_line(message("ping")))) == NO_JSON


CORS = {
    "access-control-allow-origin": ORIGIN,
    "access-control-expose-headers": "Mcp-Session-Id, WWW-Authenticate",
    "vary": "Origin",
}
WRONG_ORIGIN = error(403, NO_ID, -32600, "This Origin is not allowed to call the server")
WRONG_HOST = error(403, NO_ID, -32600, "This Host is not served here")


@pytest.mark.requirement("origin")
@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "http://app.example",
        "https://app.example.evil",
        "https://APP.example",
        "null",
        "",
    ],
)
@pytest.mark.parametrize("method", ["POST", "GET", "DELETE", "OPTIONS", "PUT"])
def test_an_origin_that_is_not_allowed_is_refused_whatever_it_asks(
    wire: Wire, method: str, origin: str
) -> None:
    request = HttpRequest(method, {**JSON_HEADERS, **in_session(), "origin": origin}, b"{}")

    assert wire.send(request) == WRONG_ORIGIN


@pytest.mark.requirement("cors")
def test_a_page_of_an_allowed_origin_may_read_the_answer(wire: Wire) -> None:
    request = post(message("ping"), {**in_session(), "origin": ORIGIN})

    assert wire.send(request) == result(1, {}, CORS)


def test_a_page_of_an_allowed_origin_may_read_a_refusal(wire: Wire) -> None:
    request = post(message("ping"), {"origin": ORIGIN})

    assert wire.send(request)._replace(body=b"") == HttpResponse(
        400, {"content-type": "application/json", **CORS}, b""
    )


@pytest.mark.requirement("cors")
def test_a_preflight_of_an_allowed_origin_is_told_what_it_may_send(wire: Wire) -> None:
    request = HttpRequest("OPTIONS", {"origin": ORIGIN, "access-control-request-method": "POST"}, b"")

    assert wire.send(request) == HttpResponse(
        204,
        {
            "access-control-allow-methods": "POST, GET, DELETE, OPTIONS",
            "access-control-allow-headers": "Authorization, Content-Type, Accept, MCP-Protocol-Version, "
            "Mcp-Session-Id, Last-Event-ID, Mcp-Method, Mcp-Name",
            "access-control-max-age": "3600",
            **CORS,
        },
        b"",
    )


@pytest.mark.parametrize(
    ("wanted", "added"),
    [
        ("Mcp-Param-Region", ", Mcp-Param-Region"),
        ("content-type, mcp-param-region ,MCP-PARAM-zone", ", mcp-param-region, MCP-PARAM-zone"),
        ("x-other", ""),
        ("Mcp-Param-", ""),
        ("Mcp-Param-a b", ""),
        ("Mcp-Param-a\r\nset-cookie: x", ""),
        ("", ""),
    ],
)
def test_a_preflight_allows_the_arguments_that_a_page_wants_to_repeat_in_headers(
    wire: Wire, wanted: str, added: str
) -> None:
    asked = {"origin": ORIGIN, "access-control-request-headers": wanted}

    headers = wire.send(HttpRequest("OPTIONS", asked, b"")).headers

    assert headers["access-control-allow-headers"] == (
        "Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Session-Id, Last-Event-ID, "
        "Mcp-Method, Mcp-Name" + added
    )


def test_a_star_allows_every_origin_and_names_it() -> None:
    wire = Wire(policy=Policy(frozenset({"*"})))

    answer = wire.send(modern("server/discover", headers={"origin": "https://any.example"}))

    assert answer.headers == {
        "content-type": "application/json",
        **CORS,
        "access-control-allow-origin": "https://any.example",
    }


def test_a_request_of_no_page_is_told_of_no_origin_even_where_every_one_is_allowed() -> None:
    wire = Wire(policy=Policy(frozenset({"*"})))

    assert wire.send(modern("server/discover")).headers == {"content-type": "application/json"}


@pytest.mark.requirement("host")
@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("mcp.example", AS_JSON),
        ("MCP.example", AS_JSON),
        ("127.0.0.1:3000", AS_JSON),
        ("127.0.0.1", WRONG_HOST),
        ("127.0.0.1:3001", WRONG_HOST),
        ("evil.example", WRONG_HOST),
        ("mcp.example.evil.example", WRONG_HOST),
        ("", WRONG_HOST),
    ],
)
def test_only_the_hosts_of_the_policy_are_served(wire: Wire, host: str, expected: HttpResponse) -> None:
    assert wire.send(post(message("ping"), {**in_session(), "host": host})) == expected


def test_without_a_list_of_hosts_every_host_is_served() -> None:
    wire = Wire()
    wire.send(initialize())

    assert wire.send(post(message("ping"), {**in_session(), "host": "any.example"})) == AS_JSON


TOO_LARGE = error(413, NO_ID, -32600, "The body is larger than the limit of 100 bytes")


@pytest.mark.requirement("body-limit")
@pytest.mark.parametrize(("padding", "expected"), [(0, AS_JSON), (1, TOO_LARGE)])
def test_a_body_may_be_as_long_as_the_limit_and_no_longer(padding: int, expected: HttpResponse) -> None:
    sessions = MemorySessions()
    Wire(sessions=sessions).send(initialize())
    wire = Wire(policy=Policy(max_body_bytes=100), sessions=sessions)
    body = one_line(message("ping")).ljust(100 + padding)

    assert wire.send(post(body, in_session())) == expected


@pytest.mark.parametrize("version", [LEGACY, MODERN])
def test_a_body_of_five_megabytes_is_too_large(wire: Wire, version: str) -> None:
    body = one_line(message("ping", {"text": "x" * 5_000_000}))

    assert wire.send(post(body, in_session(version))) == error(
        413, NO_ID, -32600, "The body is larger than the limit of 1000000 bytes"
    )
