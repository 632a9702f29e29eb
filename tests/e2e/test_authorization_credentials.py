"""API keys and opaque tokens, shown to the artifact: made, taken, revoked, refused."""

from collections.abc import Iterator

import pytest

from tests.support.artifact import Artifact
from tests.support.commands import threegood
from tests.support.dynamodb import fresh_api_keys_table, use_dynamodb
from tests.support.guarded import SCOPE, Guarded, guarded
from tests.support.stack import Stack
from threegood_local.issuer import Client, development_issuer

pytestmark = pytest.mark.artifact


@pytest.fixture(scope="module")
def keys_table(dynamodb: str) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        use_dynamodb(patch, dynamodb)
        yield fresh_api_keys_table(dynamodb)


@pytest.fixture(scope="module")
def server(
    guarded_function: Artifact, stack: Stack, keys_table: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Guarded]:
    """The product, which takes API keys, and asks its issuer about opaque tokens."""
    log = tmp_path_factory.mktemp("credentials") / "function.log"
    with development_issuer(opaque=True) as issuer:
        asking = Client("server", {"token_endpoint_auth_method": "client_secret_basic"}, "secret")
        issuer.clients.add(asking)
        variables = {
            **stack.variables,
            "AUTH_API_KEYS_TABLE": keys_table,
            "AUTH_INTROSPECTION_URI": f"{issuer.url}/introspect",
            "AUTH_CLIENT_ID": "server",
            "AUTH_CLIENT_SECRET": "secret",
        }
        with guarded(guarded_function, issuer, log, variables) as running:
            yield running


def outcome(server: Guarded, token: str) -> tuple[int, str]:
    """The status of a call with this token, and why it is refused."""
    reply = server.call(token, query="rust")
    challenge = reply.headers.get("www-authenticate", "")
    return reply.status, challenge.partition('error_description="')[2].removesuffix('"')


def test_an_api_key_is_taken_until_it_is_revoked(server: Guarded, keys_table: str) -> None:
    table = ("--table", keys_table)
    made = threegood("keys", "create", *table, "--name", "tests", "--scopes", SCOPE)
    key, key_id = made.out.strip(), made.err.split()[1]
    assert [outcome(server, key), outcome(server, key)] == [(200, "")] * 2
    assert threegood("keys", "revoke", *table, key_id).code == 0
    assert outcome(server, key) == (401, "the API key was revoked; ask for a new one")
    assert key not in server.log.read_text()


def test_an_api_key_without_the_scope_of_the_server_is_forbidden(server: Guarded, keys_table: str) -> None:
    made = threegood("keys", "create", "--table", keys_table, "--name", "tests")
    assert outcome(server, made.out.strip())[0] == 403


def test_an_opaque_token_is_taken_as_the_issuer_explains_it(server: Guarded) -> None:
    assert outcome(server, server.token()) == (200, "")
    revoked = server.token()
    server.issuer.tokens.revoke(revoked)
    assert outcome(server, revoked) == (401, "it is not active: it is unknown, has expired or was revoked")
    assert outcome(server, server.token(scope=""))[0] == 403


def test_an_opaque_token_for_another_server_is_refused(server: Guarded) -> None:
    foreign = server.token(aud="https://other.example.com/mcp")
    assert outcome(server, foreign)[0] == 401
