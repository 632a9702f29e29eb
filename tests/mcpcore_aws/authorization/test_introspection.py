"""Introspection of opaque tokens at an authorization server on loopback: what is taken, refused and kept."""

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from urllib.parse import parse_qs

import pytest

from mcpcore import Principal, StoreUnavailable, Unauthorized
from mcpcore.http import HttpRequest
from mcpcore.protocol.errors import MalformedAuthorization
from mcpcore_aws import LambdaInvocation
from mcpcore_aws.authorization.https import HttpsClient
from mcpcore_aws.authorization.introspection import IntrospectionVerifier
from tests.support.dynamodb import closed_port, silent_server
from tests.support.exchanges import LambdaContext

NOW: Final = 1_800_000_000
ISSUER: Final = "https://login.example.com"
RESOURCE: Final = "https://mcp.example.com/mcp"
TOKEN: Final = "opaque-1"
ACTIVE: Final[dict[str, Any]] = {
    "active": True,
    "sub": "alice",
    "client_id": "client-1",
    "scope": "read write",
    "aud": RESOURCE,
    "iss": ISSUER,
    "exp": NOW + 300,
}
NO_ANSWER: Final = 0
INACTIVE: Final = "it is not active: it is unknown, has expired or was revoked"
OTHER_AUDIENCE: Final = "it is for another audience: ask for a token with this server as resource"


class AuthorizationServer:
    """An introspection endpoint: `tokens` has what it answers, as JSON, or as a status if it is a number."""

    def __init__(self, uri: str) -> None:
        self.uri = uri
        self.tokens: dict[str, Any] = {TOKEN: ACTIVE}
        self.asked: list[str] = []
        self.client = "client-2:s%26cret%20%3A"
        """Id and secret, each encoded."""

    def answer(self, authorization: str, body: bytes) -> tuple[int, object]:
        """Status and JSON for a request with this header and this form."""
        form = parse_qs(body.decode(), strict_parsing=True)
        scheme, _, pair = authorization.partition(" ")
        if (scheme, base64.b64decode(pair).decode()) != ("Basic", self.client):
            return 401, {"error": "invalid_client"}
        [token] = form["token"]
        self.asked.append(token)
        found = self.tokens.get(token, {"active": False})
        return (found, {}) if isinstance(found, int) else (200, found)


@contextmanager
def authorization_server() -> Iterator[AuthorizationServer]:
    """A server that runs until the block ends."""

    class Endpoint(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            status, found = running.answer(self.headers["authorization"], body)
            if status == NO_ANSWER:
                self.close_connection = True
                return
            sent = json.dumps(found).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Endpoint) as server:
        running = AuthorizationServer(f"http://127.0.0.1:{server.server_port}/introspect")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield running
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def server() -> Iterator[AuthorizationServer]:
    with authorization_server() as running:
        yield running


def asking(uri: str, *, secret: str = "s&cret :", issuer: str = ISSUER) -> IntrospectionVerifier:
    """A verifier that asks at `uri`."""
    return IntrospectionVerifier(
        uri,
        "client-2",
        secret,
        audiences_of=lambda _: {RESOURCE},
        client=HttpsClient(),
        issuer=issuer,
        leeway_seconds=10,
    )


def verify(
    verifier: IntrospectionVerifier, token: str = TOKEN, now: float = NOW, seconds: float = 29
) -> Principal | None:
    headers = {"authorization": f"Bearer {token}"}
    invocation = LambdaInvocation({}, LambdaContext(seconds))
    return verifier.verify(HttpRequest("POST", headers, b""), invocation, now)


def refusal(verifier: IntrospectionVerifier, token: str = TOKEN, now: float = NOW) -> str:
    """The description with which the token is refused."""
    with pytest.raises(Unauthorized) as refused:
        verify(verifier, token, now)
    return refused.value.description


# What is taken


def test_an_active_token_is_the_principal_that_the_server_names(server: AuthorizationServer) -> None:
    assert verify(asking(server.uri)) == Principal(
        "alice", ISSUER, "client-1", frozenset({"read", "write"}), ACTIVE
    )
    assert server.asked == [TOKEN]


@pytest.mark.parametrize("token", ["a.b.c", "eyJhbGciOiJFUzI1NiJ9.e30.AA", "x~y+z/==", "3gs"])
def test_where_it_stands_alone_it_asks_about_tokens_of_any_form(
    server: AuthorizationServer, token: str
) -> None:
    server.tokens[token] = ACTIVE
    assert verify(asking(server.uri), token) is not None
    assert server.asked == [token]


@pytest.mark.parametrize(
    ("changed", "issuer", "expected"),
    [
        ({"aud": ["https://other.example.com", RESOURCE]}, ISSUER, ("alice", ISSUER, "client-1")),
        ({"iss": None}, ISSUER, ("alice", ISSUER, "client-1")),
        ({"iss": "https://else.example.com"}, "", ("alice", "https://else.example.com", "client-1")),
        ({"iss": None}, "", ("alice", "", "client-1")),
        ({"sub": None}, ISSUER, ("client-1", ISSUER, "client-1")),
        ({"exp": None}, ISSUER, ("alice", ISSUER, "client-1")),
        ({"exp": NOW - 9}, ISSUER, ("alice", ISSUER, "client-1")),
        ({"nbf": NOW + 10, "iat": NOW + 10}, ISSUER, ("alice", ISSUER, "client-1")),
        ({"token_type": "Bearer", "token_use": "access_token"}, ISSUER, ("alice", ISSUER, "client-1")),
    ],
)
def test_members_that_a_server_may_leave_out_are_not_demanded(
    server: AuthorizationServer, changed: dict[str, Any], issuer: str, expected: tuple[str, str, str]
) -> None:
    server.tokens[TOKEN] = {name: value for name, value in (ACTIVE | changed).items() if value is not None}
    found = verify(asking(server.uri, issuer=issuer))
    assert found is not None
    assert found[:3] == (expected[0], expected[1] or server.uri, expected[2])


# What is refused


@pytest.mark.parametrize(
    ("changed", "description"),
    [
        ({"active": False}, INACTIVE),
        ({"active": "true"}, INACTIVE),
        ({"active": 1}, INACTIVE),
        ({"active": None}, INACTIVE),
        ({"iss": "https://login.example.com/"}, "it is from another issuer"),
        ({"iss": ["https://login.example.com"]}, "it is from another issuer"),
        ({"aud": None}, OTHER_AUDIENCE),
        ({"aud": "https://mcp.example.com"}, OTHER_AUDIENCE),
        ({"aud": [RESOURCE + "/"]}, OTHER_AUDIENCE),
        ({"aud": {RESOURCE: 1}}, OTHER_AUDIENCE),
        ({"exp": NOW - 10}, "it has expired"),
        ({"exp": str(NOW + 300)}, "its exp is not a time"),
        ({"nbf": NOW + 11}, "it is not valid yet: its nbf is in the future"),
        ({"sub": ""}, "its sub is not a short string"),
        ({"sub": 7}, "its sub is not a short string"),
        ({"sub": None, "client_id": None}, "its sub is not a short string"),
        ({"scope": {"read": True}}, "its scope is not text"),
        ({"token_use": "refresh_token"}, "it is no access token"),
        ({"typ": "Offline"}, "it is no access token"),
        ({"at_hash": "x"}, "it is no access token"),
    ],
)
def test_a_token_that_is_not_for_this_server_now_is_refused(
    server: AuthorizationServer, changed: dict[str, Any], description: str
) -> None:
    server.tokens[TOKEN] = {name: value for name, value in (ACTIVE | changed).items() if value is not None}
    assert refusal(asking(server.uri)) == description


@pytest.mark.parametrize("token", ["two words", "täken", 'a"b', "a,b", ""])
def test_what_is_no_token_is_refused_without_asking(server: AuthorizationServer, token: str) -> None:
    with pytest.raises(MalformedAuthorization):
        verify(asking(server.uri), token)
    assert server.asked == []


def test_a_token_that_is_too_long_is_refused_without_asking(server: AuthorizationServer) -> None:
    assert refusal(asking(server.uri), "a" * 8_193) == "it is longer than 8,192 characters"
    assert server.asked == []


def test_other_schemes_are_left_to_other_verifiers(server: AuthorizationServer) -> None:
    request = HttpRequest("POST", {"authorization": "DPoP opaque-1"}, b"")
    assert asking(server.uri).verify(request, LambdaInvocation({}, LambdaContext()), NOW) is None
    assert server.asked == []


# What is kept


def test_an_answer_is_kept_for_half_a_minute(server: AuthorizationServer) -> None:
    verifier = asking(server.uri)
    assert verify(verifier) is not None
    server.tokens[TOKEN] = {"active": False}
    assert verify(verifier, now=NOW + 29) is not None
    assert refusal(verifier, now=NOW + 30) == INACTIVE
    assert len(server.asked) == 2


def test_an_answer_is_not_kept_beyond_the_expiry_of_its_token(server: AuthorizationServer) -> None:
    server.tokens[TOKEN] = ACTIVE | {"exp": NOW + 2}
    verifier = asking(server.uri)
    for now in (NOW, NOW + 1, NOW + 2, NOW + 3):
        verify(verifier, now=now)
    assert len(server.asked) == 3


def test_a_refusal_is_kept_for_ten_seconds(server: AuthorizationServer) -> None:
    verifier = asking(server.uri)
    assert {refusal(verifier, "unknown", now=NOW + second) for second in range(20)} == {INACTIVE}
    assert len(server.asked) == 2


def test_a_clock_that_was_put_back_keeps_no_answer(server: AuthorizationServer) -> None:
    verifier = asking(server.uri)
    verify(verifier)
    verify(verifier, now=NOW - 3600)
    assert len(server.asked) == 2


def test_answers_are_kept_in_bounded_memory_by_the_hash_of_their_token(server: AuthorizationServer) -> None:
    verifier = asking(server.uri)
    for number in range(1_050):
        refusal(verifier, f"token-{number}")
    assert len(verifier._kept) <= 1_000
    assert "token-" not in str(verifier._kept)


# Without an answer


@pytest.mark.parametrize("answered", [500, 503, 404, 302, [], "active"])
def test_an_error_of_the_server_refuses_nobody_for_good(server: AuthorizationServer, answered: Any) -> None:
    server.tokens |= {"odd": answered}
    verifier = asking(server.uri)
    with pytest.raises(StoreUnavailable) as unavailable:
        verify(verifier, "odd")
    assert (
        unavailable.value.message
        == "The authorization server's answers are unavailable at the moment; try again shortly"
    )
    assert (unavailable.value.retry_after_seconds, server.uri in unavailable.value.reason) == (5, True)
    assert verify(verifier) is not None


def test_wrong_credentials_of_ours_are_no_fault_of_the_token(server: AuthorizationServer) -> None:
    with pytest.raises(StoreUnavailable) as unavailable:
        verify(asking(server.uri, secret="another"))
    assert "HTTP 401" in unavailable.value.reason


def test_a_server_that_does_not_answer_is_asked_again_after_a_pause(server: AuthorizationServer) -> None:
    server.tokens["lost"] = NO_ANSWER
    verifier = asking(server.uri)
    for token, now in (("lost", NOW), (TOKEN, NOW + 4)):
        with pytest.raises(StoreUnavailable, match="answers are unavailable"):
            verify(verifier, token, now=now)
    assert verify(verifier, now=NOW + 5) is not None
    assert server.asked == ["lost", TOKEN]


def test_a_server_out_of_reach_is_unavailable() -> None:
    with pytest.raises(StoreUnavailable) as unavailable:
        verify(asking(f"http://127.0.0.1:{closed_port()}/"))
    assert unavailable.value.reason.startswith("Unreachable: ")


def test_a_silent_server_is_not_waited_for_beyond_the_invocation() -> None:
    with silent_server() as uri, pytest.raises(StoreUnavailable):
        verify(asking(uri), seconds=1.2)
