"""Tokens of a real issuer, shown to the artifact: which it takes, which it refuses, and what it says then."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, NamedTuple

import httpx2
import pytest

from tests.support.artifact import Artifact
from tests.support.exchanges import Reply, Sent, initialize, legacy, modern, over_http
from tests.support.guarded import SCOPE, Guarded, guarded, guarded_scoped
from tests.support.resuming import text_of
from tests.support.stack import Stack
from threegood_local.issuer import DevelopmentIssuer, development_issuer

pytestmark = pytest.mark.artifact


@pytest.fixture(scope="module")
def issuer() -> Iterator[DevelopmentIssuer]:
    with development_issuer() as running:
        yield running


class Scoped(NamedTuple):
    """The function with scopes, and the file that puts the clock of its keys forward."""

    server: Guarded
    seconds_ahead: Path


@pytest.fixture(scope="module")
def scoped(
    guarded_function: Artifact,
    issuer: DevelopmentIssuer,
    stack: Stack,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Scoped]:
    folder = tmp_path_factory.mktemp("scoped")
    with guarded_scoped(guarded_function, issuer, folder, stack.variables) as made:
        yield Scoped(*made)


@pytest.fixture
def server(scoped: Scoped) -> Guarded:
    return scoped.server


def refusal(reply: Reply) -> tuple[int, str]:
    """The status, and what the challenge says beside the way to the metadata and the scopes."""
    challenge = reply.headers["www-authenticate"]
    assert challenge == reply.headers["mcp-www-authenticate"]
    return reply.status, challenge.partition("error=")[2]


def invalid(description: str) -> tuple[int, str]:
    return 401, f'"invalid_token", error_description="{description}"'


def ok(reply: Reply) -> bool:
    return reply.status == 200 and "result" in reply.message()


FOREIGN: Final = "it is for another audience: ask for a token with this server as resource"


@pytest.mark.requirement("token-audience", "token-issuer")
@pytest.mark.parametrize(
    ("claims", "reason"),
    [
        ({"aud": "https://other.example.com/mcp"}, FOREIGN),
        ({"iss": "https://issuer.example.com"}, "it is from another issuer"),
        ({"exp": 1_700_000_000}, "it has expired"),
        ({"nbf": 4_000_000_000}, "it is not valid yet: its nbf is in the future"),
    ],
    ids=["audience", "issuer", "expired", "not yet valid"],
)
def test_a_token_that_says_something_else_is_refused(
    server: Guarded, claims: dict[str, Any], reason: str
) -> None:
    assert ok(server.call(server.token(), "whoami"))
    assert refusal(server.call(server.token(**claims), "whoami")) == invalid(reason)


@pytest.mark.requirement("token-issuer")
def test_a_token_of_another_issuer_is_refused_though_it_claims_to_be_of_this_one(server: Guarded) -> None:
    with development_issuer() as another:
        said = {"client_id": "tests", "audience": server.url, "scope": SCOPE, "iss": server.issuer.url}
        forged = another.tokens.issue("developer", **said)
    reason = "its issuer has no key for it; get a new token"
    assert refusal(server.call(forged, "whoami")) == invalid(reason)


@pytest.mark.requirement("token-audience")
def test_a_token_for_one_server_is_refused_by_another_with_the_same_issuer(
    server: Guarded, guarded_function: Artifact, stack: Stack, tmp_path: Path
) -> None:
    log = tmp_path / "function.log"
    with guarded(guarded_function, server.issuer, log, stack.variables) as other:
        stolen = other.token()
        assert ok(other.call(stolen, query="rust"))
        assert refusal(server.call(stolen, "whoami")) == invalid(FOREIGN)
        assert stolen not in log.read_text()
    assert stolen not in server.log.read_text()


@pytest.mark.requirement("authorization-401", "authorization-challenge")
def test_who_shows_no_token_learns_the_way_and_nothing_is_wrong_yet(server: Guarded) -> None:
    metadata_url = f"{server.url.removesuffix('/mcp')}/.well-known/oauth-protected-resource/mcp"
    for sent in (modern("tools/list"), initialize(), Sent(b"", {}, "GET"), Sent(b"", {}, "DELETE")):
        refused = over_http(server.url)(sent)
        assert refused.status == 401
        challenge = f'Bearer resource_metadata="{metadata_url}", scope="{SCOPE}"'
        assert refused.headers["www-authenticate"] == challenge


@pytest.mark.requirement("protected-resource-metadata", "metadata-places")
@pytest.mark.parametrize("path", ["", "/mcp"], ids=["at the root", "below the path of the resource"])
def test_everybody_may_read_where_tokens_come_from(server: Guarded, path: str) -> None:
    origin = server.url.removesuffix("/mcp")
    response = httpx2.get(f"{origin}/.well-known/oauth-protected-resource{path}")
    assert response.headers["access-control-allow-origin"] == "*"
    assert response.json() == {
        "resource": server.url,
        "authorization_servers": [server.issuer.url],
        "scopes_supported": [SCOPE],
        "bearer_methods_supported": ["header"],
    }


@pytest.mark.requirement("authorization-malformed")
@pytest.mark.parametrize("authorization", ["Bearer", "Bearer a b"])
def test_what_is_no_bearer_token_is_a_malformed_request(server: Guarded, authorization: str) -> None:
    sent = modern("tools/list")
    refused = over_http(server.url)(sent._replace(headers={**sent.headers, "authorization": authorization}))
    assert refusal(refused) == (
        400,
        '"invalid_request", error_description="Bearer must be followed by one token"',
    )


@pytest.mark.requirement("scope-403")
@pytest.mark.parametrize(
    ("scope", "tool"), [("", "whoami"), (SCOPE, "write")], ids=["of every request", "of the tool"]
)
def test_a_token_without_a_scope_is_told_all_scopes_that_the_call_needs(
    server: Guarded, scope: str, tool: str
) -> None:
    refused = server.call(server.token(scope), tool)
    needed = f"{SCOPE} {SCOPE}:write" if tool == "write" else SCOPE
    assert refused.status == 403
    assert f'scope="{needed}", error="insufficient_scope"' in refused.headers["www-authenticate"]


def test_a_session_is_of_the_principal_that_opened_it(server: Guarded) -> None:
    own, foreign = server.token(), server.token(sub="somebody else")
    session = server.send(initialize(), own).headers["mcp-session-id"]
    ping, end = legacy("ping", session=session), Sent(b"", {"mcp-session-id": session}, "DELETE")
    assert [server.send(ping, foreign).status, server.send(end, foreign).status] == [404, 404]
    assert server.send(ping, own).status == 200


def test_the_principal_of_the_token_reaches_the_tool(server: Guarded) -> None:
    assert text_of(server.call(server.token(), "whoami").message()) == (False, "developer by tests")


def test_tokens_of_a_new_key_are_taken_and_those_of_the_old_one_still(scoped: Scoped) -> None:
    server, seconds_ahead = scoped
    old = server.token()
    assert ok(server.call(old, "whoami"))
    server.issuer.tokens.keys.rotate()
    seconds_ahead.write_text("31")
    assert ok(server.call(server.token(), "whoami"))
    assert ok(server.call(old, "whoami"))


def test_known_keys_are_used_on_for_an_hour_while_the_issuer_is_out_of_reach(
    guarded_function: Artifact, stack: Stack, tmp_path: Path
) -> None:
    with ExitStack() as reachable:
        issuer = reachable.enter_context(development_issuer())
        with guarded_scoped(guarded_function, issuer, tmp_path, stack.variables) as (server, seconds_ahead):
            token = server.token()
            assert ok(server.call(token, "whoami"))
            reachable.close()
            seconds_ahead.write_text("3500")
            assert ok(server.call(token, "whoami"))
            seconds_ahead.write_text("3700")
            refused = server.call(token, "whoami")
    assert (refused.status, refused.headers["retry-after"]) == (503, "5")
    assert issuer.url not in refused.body.decode()
