"""Opaque tokens of a real authorization server, from its clients to the tool that is called with them."""

import time
from collections.abc import Iterator
from typing import Any, Final

import pytest

from mcpcore import Context, Server
from mcpcore_aws import LambdaAdapter
from tests.support.events import captured, headers_of, with_body, with_headers
from tests.support.exchanges import LambdaContext, Reply, body_of, modern
from tests.support.tokens import RESOURCE
from threegood_local.issuer import Client, DevelopmentIssuer, development_issuer

SECRET: Final = "s-e_c.r~e-t"
CALL: Final = modern("tools/call", name="whoami", arguments={})


@pytest.fixture
def issuer() -> Iterator[DevelopmentIssuer]:
    with development_issuer(opaque=True) as running:
        metadata = {"token_endpoint_auth_method": "client_secret_basic"}
        running.clients.add(Client("the-server", metadata, SECRET))
        yield running


class Deployed:
    """The server as it is deployed with introspection, at a time that tests set."""

    def __init__(self, issuer: DevelopmentIssuer, secret: str = SECRET) -> None:
        self.now = time.time()
        self._adapter = LambdaAdapter.from_environment(
            _server(),
            environment={
                "CLIENT_DIGEST_KEY": "k" * 32,
                "SESSIONS_TABLE": "none",
                "AUTH_INTROSPECTION_URI": f"{issuer.url}/introspect",
                "AUTH_CLIENT_ID": "the-server",
                "AUTH_CLIENT_SECRET": secret,
                "AUTH_RESOURCE": RESOURCE,
            },
        )
        self._adapter._clock = lambda: self.now

    def __call__(self, token: str) -> Reply:
        event = with_body(captured("http_api"), CALL.body.decode())
        event = with_headers(event, {**CALL.headers, "authorization": f"Bearer {token}"})
        reply = self._adapter(event, LambdaContext())
        return Reply(reply["statusCode"], headers_of(reply), body_of(reply))


def _server() -> Server:
    server = Server("whoami", version="1")

    @server.tool
    def whoami(context: Context) -> str:
        """Say who calls."""
        assert context.principal is not None
        return f"{context.principal.subject} by {context.principal.client_id}"

    return server


def issue(issuer: DevelopmentIssuer, **changed: Any) -> str:
    given = {"client_id": "a-client", "audience": RESOURCE, "scope": "read"}
    return issuer.tokens.issue("ada", **given | changed)


def test_the_holder_of_a_token_is_whom_its_server_names(issuer: DevelopmentIssuer) -> None:
    reply = Deployed(issuer)(issue(issuer))
    assert (reply.status, reply.message()["result"]["content"][0]["text"]) == (200, "ada by a-client")


def test_a_token_for_another_server_is_refused(issuer: DevelopmentIssuer) -> None:
    reply = Deployed(issuer)(issue(issuer, audience="https://other.example.com/mcp"))
    assert (reply.status, "it is for another audience" in reply.headers["www-authenticate"]) == (401, True)


def test_a_token_that_was_revoked_is_refused_within_half_a_minute(issuer: DevelopmentIssuer) -> None:
    deployed, token = Deployed(issuer), issue(issuer)
    assert deployed(token).status == 200
    issuer.tokens.revoke(token)
    deployed.now += 30
    reply = deployed(token)
    assert (reply.status, "it is not active" in reply.headers["www-authenticate"]) == (401, True)


def test_without_its_secret_the_server_lets_nobody_in_and_blames_no_token(issuer: DevelopmentIssuer) -> None:
    reply = Deployed(issuer, secret="wrong")(issue(issuer))
    assert (reply.status, reply.headers["retry-after"], "www-authenticate" in reply.headers) == (
        503,
        "5",
        False,
    )
