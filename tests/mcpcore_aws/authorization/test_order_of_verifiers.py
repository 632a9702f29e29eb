"""Which verifier decides about which credentials, when the settings ask for several."""

import base64
import json
from typing import Any, Final

import pytest

from mcpcore_aws.adapter import LambdaAdapter
from mcpcore_aws.authorization.settings import open_authorizer, read_authorization_settings
from mcpcore_aws.settings import EnvironmentReader
from tests.support.adapters import small_server
from tests.support.dynamodb import account_at, closed_port
from tests.support.events import captured, headers_of, with_body, with_headers
from tests.support.exchanges import LambdaContext, modern
from tests.support.scripted import Scripted, answer, scripted

ISSUER: Final = "https://login.example.com"
KEY: Final = "3gs_" + "k" * 42 + "A"
OPAQUE: Final = "opaque"


def part(value: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


JWT: Final = f"{part({'alg': 'ES256'})}.{part({'sub': 'alice', 'iss': ISSUER})}.AAAA"


def reply_to(
    token: str, settings: dict[str, str], authorizer: dict[str, Any] | None = None
) -> tuple[int, str]:
    """The status, and the description in the challenge, of a request with this token."""
    reader = EnvironmentReader({"CLIENT_DIGEST_KEY": "k" * 32, **settings})
    opened = open_authorizer(read_authorization_settings(reader), clock=lambda: 1_800_000_000)
    reader.require_valid()
    adapter = LambdaAdapter(small_server(), authorizer=opened)
    sent = modern("tools/list")
    event = with_headers(
        with_body(captured("http_api"), sent.body.decode()),
        {**sent.headers, "authorization": f"Bearer {token}"},
    )
    event["requestContext"]["authorizer"] = authorizer
    reply = adapter(event, LambdaContext())
    challenge = headers_of(reply).get("www-authenticate", "")
    return reply["statusCode"], challenge.partition('error_description="')[2].partition('"')[0]


@pytest.fixture
def all_settings(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Settings of every verifier, over one server that knows nobody."""
    with scripted(answer({"active": False})) as server:
        for name, value in account_at(server.endpoint).items():
            monkeypatch.setenv(name, value)
        settings = {
            "AUTH_API_KEYS_TABLE": "keys",
            "AUTH_ISSUER": ISSUER,
            "AUTH_JWKS_URI": f"http://127.0.0.1:{closed_port()}",
            "AUTH_INTROSPECTION_URI": f"{server.endpoint}/introspect",
            "AUTH_CLIENT_ID": "client",
            "AUTH_CLIENT_SECRET": "secret",
        }
        yield settings, server


def test_each_token_is_decided_by_the_verifier_of_its_kind_alone(
    all_settings: tuple[dict[str, str], Scripted],
) -> None:
    settings, server = all_settings
    assert reply_to(KEY, settings) == (401, "the API key is unknown")
    assert reply_to(KEY[:-1], settings) == (401, "the API key is malformed; send it whole, as it was printed")
    assert reply_to("a.b", settings) == (401, "it is not a signed JWT, which has three parts")
    assert reply_to(JWT, settings) == (503, "")  # no keys to be had: nobody else is asked
    assert reply_to(OPAQUE, settings) == (401, "it is not active: it is unknown, has expired or was revoked")
    assert ["x-amz-target" in asked.headers for asked in server.asked] == [True, False]


def test_a_token_of_a_kind_that_nobody_verifies_is_refused() -> None:
    settings = {"AUTH_ISSUER": ISSUER, "AUTH_JWKS_URI": f"http://127.0.0.1:{closed_port()}"}
    assert reply_to(OPAQUE, settings) == (401, "this server does not accept tokens of this kind")


def test_a_jwt_that_the_gateway_has_verified_is_not_verified_again() -> None:
    settings = {"AUTH_GATEWAY": "jwt", "AUTH_ISSUER": ISSUER}
    stated = {"jwt": {"claims": {"sub": "alice", "iss": ISSUER}, "scopes": None}}
    assert reply_to(JWT, settings, stated) == (200, "")
    assert reply_to(JWT, settings) == (401, "the gateway has not verified it: this route has no authorizer")


def test_a_refused_key_is_refused_whatever_the_gateway_states(
    all_settings: tuple[dict[str, str], Scripted],
) -> None:
    settings, _ = all_settings
    stated = {"jwt": {"claims": {"sub": "alice", "iss": ISSUER}, "scopes": None}}
    refused = reply_to(
        KEY, {"AUTH_API_KEYS_TABLE": settings["AUTH_API_KEYS_TABLE"], "AUTH_GATEWAY": "jwt"}, stated
    )
    assert refused == (401, "the API key is unknown")
