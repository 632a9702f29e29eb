"""Bearer tokens, challenges and metadata, as texts of HTTP."""

import json
from typing import Final

import pytest

from mcpcore.http import HttpRequest, HttpResponse
from mcpcore.http.authorization import bearer_token, challenge, challenged, metadata_response
from mcpcore.protocol.errors import InsufficientScope, MalformedAuthorization, Unauthorized

URL: Final = "https://api.example.com/.well-known/oauth-protected-resource/mcp"


def request(authorization: str | None = None, method: str = "POST") -> HttpRequest:
    return HttpRequest(method, {} if authorization is None else {"authorization": authorization}, b"")


@pytest.mark.parametrize(
    ("header", "token"),
    [
        (None, None),
        ("", None),
        ("Basic dXNlcjpwYXNz", None),
        ("Bearerx abc", None),
        ("Bearer abc.def-ghi_~+/==", "abc.def-ghi_~+/=="),
        ("bearer abc", "abc"),
        (" BEARER   abc ", "abc"),
    ],
)
def test_the_token_of_a_request(header: str | None, token: str | None) -> None:
    assert bearer_token(request(header)) == token


@pytest.mark.parametrize(
    "header", ["Bearer", "Bearer ", "Bearer a b", "Bearer a,Bearer b", "Bearer ä", "Bearer ="]
)
def test_a_header_without_one_token_is_malformed(header: str) -> None:
    with pytest.raises(MalformedAuthorization, match="followed by one token"):
        bearer_token(request(header))


def test_a_long_token_is_refused_before_it_is_looked_at() -> None:
    assert bearer_token(request("Bearer " + "a" * 8192))
    with pytest.raises(Unauthorized, match=r"longer than 8,192 characters"):
        bearer_token(request("Bearer " + "a" * 8193))


@pytest.mark.requirement("authorization-challenge")
@pytest.mark.parametrize(
    ("error", "scopes", "url", "expected"),
    [
        (Unauthorized(), [], URL, f'Bearer resource_metadata="{URL}"'),
        (Unauthorized(), ["b", "a"], URL, f'Bearer resource_metadata="{URL}", scope="a b"'),
        (Unauthorized(), [], "", "Bearer"),
        (
            Unauthorized('it "has"\\\nexpired'),
            [],
            URL,
            f'Bearer resource_metadata="{URL}", error="invalid_token", error_description="it hasexpired"',
        ),
        (
            InsufficientScope(["x"]),
            ["x"],
            URL,
            f'Bearer resource_metadata="{URL}", scope="x", error="insufficient_scope", '
            'error_description="This needs an access token with the scope x"',
        ),
    ],
)
def test_the_challenge(error: Unauthorized, scopes: list[str], url: str, expected: str) -> None:
    assert challenge(error, scopes, url) == expected


def test_a_challenge_is_sent_twice_and_can_be_read_by_a_page_that_may_call() -> None:
    answered = HttpResponse(401, {"access-control-expose-headers": "WWW-Authenticate"}, b"{}")

    headers = challenged(answered, "Bearer").headers

    assert headers["www-authenticate"] == headers["mcp-www-authenticate"] == "Bearer"
    assert headers["access-control-expose-headers"] == "WWW-Authenticate, mcp-www-authenticate"
    assert headers["cache-control"] == "no-store"


@pytest.mark.requirement("protected-resource-metadata")
def test_the_metadata_names_resource_servers_and_scopes() -> None:
    response = metadata_response(request(method="GET"), "https://a/mcp", ["https://issuer"], ["read"])

    assert json.loads(response.body) == {
        "resource": "https://a/mcp",
        "authorization_servers": ["https://issuer"],
        "scopes_supported": ["read"],
        "bearer_methods_supported": ["header"],
    }
    assert response.status == 200
    assert response.headers["access-control-allow-origin"] == "*"
    assert response.headers["content-type"] == "application/json"


def test_metadata_without_scopes_leaves_them_out() -> None:
    response = metadata_response(request(method="GET"), "https://a/mcp", ["https://issuer"], [])

    assert "scopes_supported" not in json.loads(response.body)


@pytest.mark.parametrize(
    ("method", "status"), [("HEAD", 200), ("OPTIONS", 204), ("POST", 405), ("DELETE", 405)]
)
def test_other_methods_of_the_metadata(method: str, status: int) -> None:
    response = metadata_response(request(method=method), "https://a/mcp", ["https://issuer"], [])

    assert (response.status, response.body) == (status, b"")
    assert response.headers["access-control-allow-origin"] == "*"
