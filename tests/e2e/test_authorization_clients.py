"""The official clients sign in to the artifact, behind a gateway that renames the challenge or does not."""

import json
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from mcp import MCPError
from mcp.client.auth.extensions.client_credentials import ClientCredentialsOAuthProvider

from tests.clients.programs import FOLDER, json_output
from tests.support.artifact import Artifact
from tests.support.certificates import write_certificate
from tests.support.exchanges import modern, over_http
from tests.support.guarded import SCOPE, GatewayKind, Guarded, guarded, guarded_scoped
from tests.support.node import Node
from tests.support.published import NAMES_OF_NAMED
from tests.support.sdk import text_of
from tests.support.signing_in import CALLBACK, Application, connected
from tests.support.stack import Stack
from tests.support.websites import Page, website
from threegood_local.issuer import Client, DevelopmentIssuer, development_issuer

pytestmark = [pytest.mark.artifact, pytest.mark.anyio]

QUERY: Final = {"query": f"a guide to {NAMES_OF_NAMED[0]}"}
ASKED: Final[dict[str, Any]] = {"name": "get_sources", "arguments": QUERY}
SDK_V1, CLIENT_V2 = "sdk-v1", "client-v2"
both_lines: Final = pytest.mark.parametrize("client", [SDK_V1, CLIENT_V2])

# What each client sends first. Only the first line opens a session.
OPENING: Final = {
    SDK_V1: ["initialize", "notifications/initialized"],
    CLIENT_V2: ["server/discover"],
    "python": ["server/discover"],
}
REGISTRATION: Final = "POST /register → 201"
CODE, REFRESHED = "/token authorization_code → 200", "/token refresh_token → 200"
CALLED: Final = "tools/call → 200"


class Issuer(NamedTuple):
    """The issuer, and the URL of a client's metadata document, which it can read."""

    running: DevelopmentIssuer
    metadata_url: str


@pytest.fixture(scope="module")
def issuer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Issuer]:
    certificate = write_certificate(tmp_path_factory.mktemp("tls") / "certificate.pem")
    trusted, pages = ssl.create_default_context(cafile=str(certificate)), dict[str, Page]()
    with website(pages, certificate) as site, development_issuer(trusted=trusted) as running:
        url = f"{site.url}/client.json"
        document = {"client_id": url, "client_name": "tests", "redirect_uris": [CALLBACK]}
        pages["/client.json"] = Page(json.dumps(document), "application/json")
        yield Issuer(running, url)


# Below a stage only the challenge says where the metadata is; where that is renamed, only its place does.
GATEWAYS: Final = {
    "challenge kept": GatewayKind(),
    "challenge renamed": GatewayKind(renames_challenge=True),
    "metadata below a stage": GatewayKind(stage="/prod"),
}


@pytest.fixture(scope="module", params=[*GATEWAYS.values()], ids=[*GATEWAYS])
def product(
    request: pytest.FixtureRequest,
    guarded_function: Artifact,
    issuer: Issuer,
    stack: Stack,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Guarded]:
    log = tmp_path_factory.mktemp("product") / "function.log"
    with guarded(guarded_function, issuer.running, log, stack.variables, request.param) as running:
        yield running


@pytest.fixture(scope="module")
def scoped(
    guarded_function: Artifact, issuer: Issuer, stack: Stack, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Guarded]:
    folder = tmp_path_factory.mktemp("scoped")
    with guarded_scoped(guarded_function, issuer.running, folder, stack.variables) as (running, _):
        yield running


def expired(server: Guarded) -> str:
    return server.token(exp=1)


def discovery(server: Guarded) -> list[str]:
    """How a client finds the issuer once it is refused."""
    return [
        f"GET {server.gateway_kind.stage}/.well-known/oauth-protected-resource/mcp → 200",
        "GET /.well-known/oauth-authorization-server → 200",
    ]


def test_the_challenge_arrives_under_the_name_that_the_gateway_gives_it(product: Guarded) -> None:
    headers = over_http(product.url)(modern("tools/list")).headers
    found = {name for name in headers if "www-authenticate" in name}
    assert found == {product.gateway_kind.challenge_header, "mcp-www-authenticate"}


async def test_the_python_client_registers_signs_in_calls_and_refreshes(product: Guarded) -> None:
    application = Application()
    provider = application.provider(product.url)
    async with connected(product.url, application, provider) as session:
        assert json.loads(text_of(await session.call_tool("get_sources", QUERY)))["sources"]
        assert application.scope() == SCOPE
        assert provider.context.current_tokens
        provider.context.current_tokens.access_token = expired(product)
        provider.context.token_expiry_time = 1
        assert json.loads(text_of(await session.call_tool("get_sources", QUERY)))["sources"]
    assert application.exchanges == [
        "server/discover → 401",
        *discovery(product),
        REGISTRATION,
        CODE,
        "server/discover → 200",
        CALLED,
        "tools/list → 200",
        REFRESHED,
        CALLED,
    ]


async def test_the_python_client_signs_in_by_its_metadata_document(product: Guarded, issuer: Issuer) -> None:
    application = Application()
    provider = application.provider(product.url, issuer.metadata_url)
    async with connected(product.url, application, provider) as session:
        assert not (await session.call_tool("get_sources", QUERY)).is_error
    assert application.information
    assert application.information.client_id == issuer.metadata_url
    assert application.exchanges[:4] == ["server/discover → 401", *discovery(product), CODE]


async def test_a_machine_gets_in_by_its_secret(product: Guarded, issuer: Issuer) -> None:
    metadata = {"grant_types": ["client_credentials"], "token_endpoint_auth_method": "client_secret_basic"}
    issuer.running.clients.add(Client("machine", metadata, "a secret"))
    application = Application()
    provider = ClientCredentialsOAuthProvider(
        product.url, application, "machine", "a secret", issuer=issuer.running.url
    )
    async with connected(product.url, application, provider) as session:
        assert not (await session.call_tool("get_sources", QUERY)).is_error
    assert application.exchanges[:4] == [
        "server/discover → 401",
        *discovery(product),
        "/token client_credentials → 200",
    ]


async def test_the_python_client_steps_up(scoped: Guarded) -> None:
    application = Application()
    async with connected(scoped.url, application, application.provider(scoped.url)) as session:
        assert text_of(await session.call_tool("whoami")).startswith("developer by ")
        assert application.scope() == SCOPE
        assert text_of(await session.call_tool("write")) == "written"
        assert application.scope() == f"{SCOPE} {SCOPE}:write"
        assert text_of(await session.call_tool("write")) == "written"
    assert application.exchanges[-4:] == ["tools/call → 403", CODE, CALLED, CALLED]


@pytest.mark.requirement("scope-403")
async def test_behind_a_gateway_that_renames_the_challenge_no_client_learns_how_to_step_up(
    guarded_function: Artifact, issuer: Issuer, stack: Stack, tmp_path: Path
) -> None:
    """The gateway can be told to restore the challenge from its copy."""
    gateway_kind = GatewayKind(renames_challenge=True)
    made = guarded_scoped(guarded_function, issuer.running, tmp_path, stack.variables, gateway_kind)
    application = Application()
    with made as (server, _):
        async with connected(server.url, application, application.provider(server.url)) as session:
            with pytest.raises(MCPError):
                await session.call_tool("write")
        refused = server.call(server.token(), "write")
    assert application.exchanges[-1] == "tools/call → 403"
    assert 'scope="mcp mcp:write", error="insufficient_scope"' in refused.headers["mcp-www-authenticate"]


def signed_in(node: Node, client: str, url: str, *calls: dict[str, Any], **plan: Any) -> dict[str, Any]:
    """What came of a TypeScript client that signed in and made these calls."""
    given = json.dumps({"calls": calls, **plan})
    found: dict[str, Any] = json_output(node.program, FOLDER / "signing_in.mjs", client, url, given)
    return found


def opened(server: Guarded, client: str, *signing_in: str) -> list[str]:
    """The exchanges up to the first call."""
    first, *others = OPENING[client]
    accepted = [f"{message} → 202" for message in others]
    return [f"{first} → 401", *discovery(server), *signing_in, f"{first} → 200", *accepted]


@both_lines
def test_a_typescript_client_registers_signs_in_calls_and_refreshes(
    node: Node, product: Guarded, client: str
) -> None:
    found = signed_in(node, client, product.url, ASKED, {**ASKED, "expired": expired(product)})
    for text, scope in found["results"]:
        assert (scope, len(json.loads(text)["sources"])) == (SCOPE, 3)
    assert found["exchanges"] == [
        *opened(product, client, REGISTRATION, CODE),
        CALLED,
        "tools/call → 401",
        REFRESHED,
        CALLED,
    ]


@both_lines
def test_a_typescript_client_signs_in_by_its_metadata_document(
    node: Node, product: Guarded, issuer: Issuer, client: str
) -> None:
    found = signed_in(node, client, product.url, ASKED, metadataUrl=issuer.metadata_url)
    assert found["clientId"] == issuer.metadata_url
    assert found["exchanges"] == [*opened(product, client, CODE), CALLED]


@both_lines
def test_a_typescript_client_steps_up(node: Node, scoped: Guarded, client: str) -> None:
    # The first line refreshes when it should ask for more scopes, so it must not be able to.
    plan = {"forgetful": client == SDK_V1}
    found = signed_in(node, client, scoped.url, {"name": "whoami"}, {"name": "write"}, **plan)
    (who, narrow), (written, wide) = found["results"]
    assert (who, narrow) == (f"developer by {found['clientId']}", SCOPE)
    assert (written, sorted(wide.split())) == ("written", [SCOPE, f"{SCOPE}:write"])
    assert found["exchanges"] == [
        *opened(scoped, client, REGISTRATION, CODE),
        CALLED,
        "tools/call → 403",
        CODE,
        CALLED,
    ]
