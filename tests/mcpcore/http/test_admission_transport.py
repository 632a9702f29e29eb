"""What is refused before a message is read: HTTP methods, media types, origins, hosts, sizes."""

import pytest

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
from tests.support.questions import NO_STREAM
from tests.support.servers import Wire

ORIGIN = "https://app.example"
UNKNOWN = "1999-01-01"
EVENTS = "text/event-stream"


@pytest.fixture
def wire() -> Wire:
    """A server with one session, that pages of one origin may call under two host names."""
    policy = Policy(frozenset({ORIGIN}), frozenset({"mcp.example", "127.0.0.1:3000"}))
    made = Wire(policy=policy)
    made.send(initialize())
    return made


def get(headers: dict[str, str], **more: str) -> HttpRequest:
    """A GET; an underscore in a header's name stands for its hyphen."""
    added = {name.replace("_", "-"): value for name, value in more.items()}
    return HttpRequest("GET", {**headers, **added}, b"")


def delete(headers: dict[str, str]) -> HttpRequest:
    return HttpRequest("DELETE", headers, b"")


def refused(status: int, text: str) -> HttpResponse:
    allow = {"allow": "GET, POST, DELETE"} if status == 405 else None
    return error(status, NO_ID, -32600, text, headers=allow)


UNACCEPTABLE = refused(406, "Accept must allow application/json or text/event-stream")
EVENTS_ONLY = refused(406, "Accept must allow text/event-stream")
UNKNOWN_VERSION = refused(400, "Invalid request: MCP-Protocol-Version names an unknown version")
USE_POST = refused(405, "Use POST with one JSON-RPC message")
OTHER = {"mcp-session-id": "session-2"}

METHODS = {
    "GET": (get({}), NO_STREAM),
    "GET in a session": (get(in_session()), NO_STREAM),
    "GET, modern": (get({"mcp-protocol-version": MODERN}), NO_STREAM),
    "GET of a malformed event id": (get(in_session(), last_event_id="abc"), NO_STREAM),
    "GET without a session": (get({}, last_event_id="abc.1", accept=EVENTS), NO_STREAM),
    "GET of an unknown stream": (get(in_session(), last_event_id="abc.1", accept=EVENTS), NO_STREAM),
    "GET as JSON": (get(in_session(), last_event_id="abc.1", accept="application/json"), EVENTS_ONLY),
    "GET of no stream as JSON": (get(in_session(), accept="application/json"), EVENTS_ONLY),
    "GET without a session, as JSON": (get({}, accept="application/json"), NO_STREAM),
    "GET in an unknown version": (get(in_session(UNKNOWN), last_event_id="abc.1"), UNKNOWN_VERSION),
    "GET in an unknown version, as JSON": (get(in_session(UNKNOWN), accept="text/html"), UNKNOWN_VERSION),
    "GET in an unknown session": (get(OTHER, last_event_id="abc.1"), lost_session(NO_ID)),
    "GET of no stream in an unknown session": (get(OTHER), lost_session(NO_ID)),
    "GET of a malformed event id in an unknown session": (
        get(OTHER, last_event_id="abc"),
        lost_session(NO_ID),
    ),
    "GET as JSON in an unknown session": (get(OTHER, accept="application/json"), lost_session(NO_ID)),
    "GET in an unknown version and session": (
        get({**OTHER, "mcp-protocol-version": UNKNOWN}),
        lost_session(NO_ID),
    ),
    "PUT": (HttpRequest("PUT", JSON_HEADERS, b"{}"), USE_POST),
    "HEAD": (HttpRequest("HEAD", {}, b""), USE_POST._replace(body=b"")),
    "lower case": (HttpRequest("post", JSON_HEADERS, b"{}"), USE_POST),
    "OPTIONS without an origin": (HttpRequest("OPTIONS", {}, b""), USE_POST),
    "DELETE without a session": (delete({}), no_session(NO_ID)),
    "DELETE without a session, legacy": (delete({"mcp-protocol-version": LEGACY}), no_session(NO_ID)),
    "DELETE without a session, modern": (
        delete({"mcp-protocol-version": MODERN}),
        refused(405, "This version has no sessions to end"),
    ),
    "DELETE of an unknown session": (delete(OTHER), lost_session(NO_ID)),
    "DELETE in an unknown version": (delete(in_session(UNKNOWN)), UNKNOWN_VERSION),
    "DELETE": (delete(in_session()), HttpResponse(200, {}, b"")),
    "DELETE without a version": (delete({"mcp-session-id": SESSION}), HttpResponse(200, {}, b"")),
    "DELETE in another version": (delete(in_session(MODERN)), HttpResponse(200, {}, b"")),
}


@pytest.mark.requirement("get-refused", "modern-post-only")
@pytest.mark.parametrize(("request_", "expected"), METHODS.values(), ids=METHODS.keys())
def test_other_methods_than_post_resume_a_stream_or_end_a_session(
    wire: Wire, request_: HttpRequest, expected: HttpResponse
) -> None:
    assert wire.send(request_) == expected


AS_JSON = result(1, {})
AS_EVENTS = HttpResponse(
    200, EVENT_HEADERS, b'event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n'
)


@pytest.mark.requirement("answer-form", "accept", "stream-whole-without-ids")
@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        *(
            (accept, AS_JSON)
            for accept in (
                "application/json, text/event-stream",
                "text/event-stream, application/json",
                "application/json",
                "Application/JSON",
                "application/json; charset=utf-8",
                "application/*",
                "*/*",
                "",
                " ",
                "text/html, */*;q=0.1",
                "application/json;q=high",
            )
        ),
        ("text/event-stream", AS_EVENTS),
        ("text/*", AS_EVENTS),
        ("text/event-stream, application/json;q=0", AS_EVENTS),
        ("*/*, application/json;q=0", AS_EVENTS),
        ("text/html", UNACCEPTABLE),
        ("application/xml, image/*", UNACCEPTABLE),
        ("application/json;q=0, text/event-stream;q=0.0", UNACCEPTABLE),
        ("*/*;q=0", UNACCEPTABLE),
        ("json", UNACCEPTABLE),
    ],
)
def test_the_answer_is_json_where_json_is_accepted_and_events_where_only_events_are(
    wire: Wire, accept: str, expected: HttpResponse
) -> None:
    assert wire.send(post(message("ping"), {**in_session(), "accept": accept})) == expected


def test_without_an_accept_header_anything_is_accepted(wire: Wire) -> None:
    assert wire.send(without(legacy("ping"), "accept")) == AS_JSON


def test_an_error_is_an_event_where_its_status_is_200_and_else_json(wire: Wire) -> None:
    unknown = post(message("nope"), {**in_session(), "accept": EVENTS})

    assert wire.send(post(message("tools/list"), {"accept": EVENTS})) == no_session(1)
    assert wire.send(unknown) == HttpResponse(
        200,
        EVENT_HEADERS,
        b'event: message\ndata: {"jsonrpc":"2.0","id":1,'
        b'"error":{"code":-32601,"message":"Method not found: nope"}}\n\n',
    )


NOT_JSON = refused(415, "Content-Type must be application/json")


@pytest.mark.requirement("content-type")
@pytest.mark.parametrize(
    ("content_type", "expected"),
    [
        ("application/json", AS_JSON),
        ("APPLICATION/JSON", AS_JSON),
        (" application/json ;charset=utf-8", AS_JSON),
        ("text/json", NOT_JSON),
        ("application/json-rpc", NOT_JSON),
        ("application/x-www-form-urlencoded", NOT_JSON),
        ("application/json, application/json", NOT_JSON),
        ("", NOT_JSON),
    ],
)
def test_the_body_must_be_declared_as_json(wire: Wire, content_type: str, expected: HttpResponse) -> None:
    assert wire.send(post(message("ping"), {**in_session(), "content-type": content_type})) == expected


def test_a_post_without_a_content_type_is_refused(wire: Wire) -> None:
    assert wire.send(without(legacy("ping"), "content-type")) == NOT_JSON
    assert wire.send(HttpRequest("POST", {}, one_line(message("ping")))) == NOT_JSON


CORS = {
    "access-control-allow-origin": ORIGIN,
    "access-control-expose-headers": "Mcp-Session-Id, WWW-Authenticate",
    "vary": "Origin",
}


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
def test_an_origin_that_is_not_allowed_is_refused_whatever_the_method(
    wire: Wire, method: str, origin: str
) -> None:
    request = HttpRequest(method, {**JSON_HEADERS, **in_session(), "origin": origin}, b"{}")

    assert wire.send(request) == refused(403, "This Origin is not allowed to call the server")


@pytest.mark.requirement("cors")
def test_a_page_of_an_allowed_origin_may_read_answers_and_refusals(wire: Wire) -> None:
    answered, unanswered = (
        wire.send(post(message(method), {"origin": ORIGIN})) for method in ("ping", "tools/list")
    )

    assert answered == result(1, {}, CORS)
    assert (unanswered.status, unanswered.headers) == (400, {"content-type": "application/json", **CORS})


@pytest.mark.requirement("cors")
@pytest.mark.parametrize(
    ("requested", "added"),
    [
        ("", ""),
        ("Mcp-Param-Region", ", Mcp-Param-Region"),
        ("content-type, mcp-param-region ,MCP-PARAM-zone", ", mcp-param-region, MCP-PARAM-zone"),
        ("x-other", ""),
        ("Mcp-Param-", ""),
        ("Mcp-Param-a b", ""),
        ("Mcp-Param-a\r\nset-cookie: x", ""),
    ],
)
def test_a_preflight_of_an_allowed_origin_is_answered_with_what_the_page_may_send(
    wire: Wire, requested: str, added: str
) -> None:
    headers = {"origin": ORIGIN, "access-control-request-headers": requested}

    assert wire.send(HttpRequest("OPTIONS", headers, b"")) == HttpResponse(
        204,
        {
            "access-control-allow-methods": "GET, POST, DELETE, OPTIONS",
            "access-control-allow-headers": "Authorization, Content-Type, Accept, MCP-Protocol-Version, "
            f"Mcp-Session-Id, Last-Event-ID, Mcp-Method, Mcp-Name{added}",
            "access-control-max-age": "3600",
            **CORS,
        },
        b"",
    )


ANY_ORIGIN = {
    "access-control-allow-origin": "*",
    "access-control-expose-headers": CORS["access-control-expose-headers"],
}


@pytest.mark.parametrize(
    ("sent", "added"),
    [
        ({"origin": "https://any.example"}, ANY_ORIGIN),
        ({"origin": "https://a.example\r\n set-cookie: a=b"}, ANY_ORIGIN),
        ({}, {}),
    ],
)
def test_a_star_allows_every_origin_and_repeats_none(sent: dict[str, str], added: dict[str, str]) -> None:
    wire = Wire(policy=Policy(frozenset({"*"})))

    found = wire.send(modern("server/discover", headers=sent)).headers

    assert found == {"content-type": "application/json", **added}


WRONG_HOST = refused(403, "This Host is not served here")


@pytest.mark.requirement("host")
@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("mcp.example", AS_JSON),
        ("MCP.example", AS_JSON),
        ("127.0.0.1:3000", AS_JSON),
        ("127.0.0.1", WRONG_HOST),
        ("127.0.0.1:3001", WRONG_HOST),
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
