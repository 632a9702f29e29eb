"""The issuer of local runs: how clients get tokens from it, and what it refuses."""

import base64
import hashlib
import json
import ssl
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import httpx2
import pytest
from joserfc import jwt
from joserfc.jwk import KeySet

from tests.support.certificates import write_certificate
from tests.support.websites import Page, website
from threegood_local.issuer import DevelopmentIssuer, development_issuer

RESOURCE: Final = "https://mcp.example.com/mcp"
OTHER: Final = "https://other.example.com/mcp"
CALLBACK: Final = "http://127.0.0.1:9/callback"
VERIFIER: Final = "v" * 43
CHALLENGE: Final = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
METADATA: Final[dict[str, Any]] = {
    "redirect_uris": [CALLBACK],
    "grant_types": ["authorization_code", "refresh_token"],
    "token_endpoint_auth_method": "none",
}


@pytest.fixture(scope="module")
def issuer() -> Iterator[DevelopmentIssuer]:
    with development_issuer() as running:
        yield running


class Visitor:
    """A public client, and the browser of its user."""

    def __init__(self, issuer: DevelopmentIssuer, client_id: str = "") -> None:
        self.url = issuer.url
        self.client_id = client_id or self.register(**METADATA)["client_id"]

    def register(self, **metadata: Any) -> dict[str, Any]:
        response = httpx2.post(f"{self.url}/register", json=metadata)
        assert response.status_code == 201
        registered: dict[str, Any] = response.json()
        return registered

    def authorize(self, **changes: str | None) -> httpx2.Response:
        """The response to an authorization request; a change to None leaves a parameter out."""
        parameters = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": CALLBACK,
            "scope": "read write",
            "state": "state",
            "resource": RESOURCE,
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            **changes,
        }
        sent = {name: value for name, value in parameters.items() if value is not None}
        return httpx2.get(f"{self.url}/authorize", params=sent)

    def code(self) -> str:
        return sent_back(self.authorize())["code"]

    def redeem(self, code: str, **changes: str) -> httpx2.Response:
        return self.token(
            grant_type="authorization_code",
            code=code,
            redirect_uri=CALLBACK,
            code_verifier=VERIFIER,
            **changes,
        )

    def refresh(self, refresh_token: str, **changes: str) -> httpx2.Response:
        return self.token(grant_type="refresh_token", refresh_token=refresh_token, **changes)

    def token(self, **form: str) -> httpx2.Response:
        named = {"client_id": self.client_id, "resource": RESOURCE, **form}
        return httpx2.post(f"{self.url}/token", data=named)


@pytest.fixture
def visitor(issuer: DevelopmentIssuer) -> Visitor:
    return Visitor(issuer)


def sent_back(response: httpx2.Response) -> dict[str, str]:
    """What a redirect tells the client."""
    assert response.status_code == 302
    assert response.headers["location"].startswith(f"{CALLBACK}?")
    return dict(parse_qsl(urlsplit(response.headers["location"]).query))


def read(token: str, issuer: DevelopmentIssuer) -> tuple[dict[str, Any], dict[str, Any]]:
    """Header and claims of a token that one of the published keys has signed."""
    keys = KeySet.import_key_set(httpx2.get(f"{issuer.url}/jwks.json").json())
    decoded = jwt.decode(token, keys, algorithms=["Ed25519"])
    return dict(decoded.header), dict(decoded.claims)


def error(response: httpx2.Response) -> tuple[int, str]:
    return response.status_code, response.json()["error"]


def test_it_describes_itself_where_clients_look(issuer: DevelopmentIssuer) -> None:
    metadata = httpx2.get(f"{issuer.url}/.well-known/oauth-authorization-server").json()
    assert metadata == {
        "issuer": issuer.url,
        "authorization_endpoint": f"{issuer.url}/authorize",
        "token_endpoint": f"{issuer.url}/token",
        "registration_endpoint": f"{issuer.url}/register",
        "introspection_endpoint": f"{issuer.url}/introspect",
        "jwks_uri": f"{issuer.url}/jwks.json",
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code", "refresh_token", "client_credentials"],
        "token_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post"],
        "introspection_endpoint_auth_methods_supported": ["client_secret_basic"],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True,
        "client_id_metadata_document_supported": True,
    }


def test_a_code_brings_a_token_for_the_resource_with_the_scopes_asked_for(
    issuer: DevelopmentIssuer, visitor: Visitor
) -> None:
    returned = sent_back(visitor.authorize())
    assert (returned["state"], returned["iss"]) == ("state", issuer.url)
    answer = visitor.redeem(returned["code"]).json()
    assert (answer["token_type"], answer["expires_in"], answer["scope"]) == ("Bearer", 3600, "read write")
    header, claims = read(answer["access_token"], issuer)
    assert (header["alg"], header["typ"]) == ("Ed25519", "at+jwt")
    assert claims.pop("exp") - claims.pop("iat") == 3600
    assert claims.pop("jti")
    assert claims == {
        "iss": issuer.url,
        "sub": "developer",
        "aud": RESOURCE,
        "client_id": visitor.client_id,
        "scope": "read write",
    }


@pytest.mark.parametrize(
    "changes",
    [
        {"code_challenge": None, "code_challenge_method": None},
        {"code_challenge_method": None},
        {"code_challenge_method": "plain"},
        {"code_challenge": None},
    ],
    ids=["without", "by default plain", "plain", "without challenge"],
)
def test_nobody_signs_in_without_pkce_by_s256(
    issuer: DevelopmentIssuer, visitor: Visitor, changes: dict[str, str | None]
) -> None:
    returned = sent_back(visitor.authorize(**changes))
    assert (returned["error"], returned["iss"]) == ("invalid_request", issuer.url)
    assert "code" not in returned


def test_no_code_is_made_without_a_resource(visitor: Visitor) -> None:
    assert error(visitor.authorize(resource=None)) == (400, "invalid_target")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"code_verifier": "w" * 43}, "invalid_grant"),
        ({"resource": OTHER}, "invalid_target"),
        ({"redirect_uri": f"{CALLBACK}/other"}, "invalid_grant"),
    ],
)
def test_a_code_is_good_only_for_what_it_was_made_for(
    visitor: Visitor, changes: dict[str, str], reason: str
) -> None:
    form = {"code": visitor.code(), "redirect_uri": CALLBACK, "code_verifier": VERIFIER, **changes}
    assert error(visitor.token(grant_type="authorization_code", **form)) == (400, reason)


def test_a_code_is_good_for_one_client_and_once(issuer: DevelopmentIssuer, visitor: Visitor) -> None:
    code = visitor.code()
    assert error(Visitor(issuer).redeem(code)) == (400, "invalid_grant")
    assert visitor.redeem(code).status_code == 200
    assert error(visitor.redeem(code)) == (400, "invalid_grant")


def test_a_refresh_token_is_good_once_and_brings_the_next(
    issuer: DevelopmentIssuer, visitor: Visitor
) -> None:
    first = visitor.redeem(visitor.code()).json()
    assert error(visitor.refresh(first["refresh_token"], resource=OTHER)) == (400, "invalid_target")
    second = visitor.refresh(first["refresh_token"]).json()
    assert error(visitor.refresh(first["refresh_token"])) == (400, "invalid_grant")
    third = visitor.refresh(second["refresh_token"], scope="read").json()
    assert (read(third["access_token"], issuer)[1]["aud"], third["scope"]) == (RESOURCE, "read")
    assert error(visitor.refresh(third["refresh_token"], scope="read admin")) == (400, "invalid_scope")


def test_a_machine_gets_a_token_by_its_secret(issuer: DevelopmentIssuer, visitor: Visitor) -> None:
    machine = visitor.register(grant_types=["client_credentials"])
    form = {"grant_type": "client_credentials", "scope": "read", "resource": RESOURCE}
    url, name = f"{issuer.url}/token", machine["client_id"]
    answer = httpx2.post(url, data=form, auth=(name, machine["client_secret"])).json()
    claims = read(answer["access_token"], issuer)[1]
    assert (claims["sub"], claims["client_id"], claims["aud"]) == (name, name, RESOURCE)
    assert "refresh_token" not in answer
    assert error(httpx2.post(url, data=form, auth=(name, "guessed"))) == (401, "invalid_client")
    assert error(httpx2.post(url, data={**form, "client_id": name})) == (401, "invalid_client")


@pytest.mark.parametrize(
    ("redirect_uri", "status"),
    [
        ("http://127.0.0.1:4711/callback", 302),
        ("http://127.0.0.1:4711/other", 400),
        ("https://evil.example.com/callback", 400),
    ],
)
def test_users_are_sent_to_registered_places_alone_on_loopback_to_any_port(
    visitor: Visitor, redirect_uri: str, status: int
) -> None:
    response = visitor.authorize(redirect_uri=redirect_uri)
    assert response.status_code == status
    assert response.headers.get("location", redirect_uri).startswith(redirect_uri)


def test_a_client_may_be_the_url_of_its_metadata_document(tmp_path: Path) -> None:
    certificate, pages = write_certificate(tmp_path / "certificate.pem"), dict[str, Page]()
    trusted = ssl.create_default_context(cafile=str(certificate))
    with website(pages, certificate) as site, development_issuer(trusted=trusted) as issuer:
        own, foreign = f"{site.url}/client.json", f"{site.url}/foreign.json"
        document = json.dumps({"client_id": own, "client_name": "tests", "redirect_uris": [CALLBACK]})
        pages |= {"/client.json": Page(document), "/foreign.json": Page(document)}
        visitor = Visitor(issuer, own)
        assert visitor.redeem(visitor.code()).status_code == 200
        assert error(Visitor(issuer, foreign).authorize()) == (400, "invalid_client")
        assert error(Visitor(issuer, f"{site.url}/missing.json").authorize()) == (400, "invalid_client")


def test_only_introspection_explains_opaque_tokens_to_who_has_a_secret() -> None:
    with development_issuer(opaque=True) as issuer:
        visitor = Visitor(issuer)
        server = visitor.register(grant_types=[])
        credentials = server["client_id"], server["client_secret"]
        token = visitor.redeem(visitor.code()).json()["access_token"]
        asked: dict[str, Any] = {"url": f"{issuer.url}/introspect", "data": {"token": token}}
        explained = httpx2.post(**asked, auth=credentials).json()
        assert (explained["active"], explained["sub"], explained["aud"]) == (True, "developer", RESOURCE)
        assert error(httpx2.post(**asked)) == (401, "invalid_client")
        issuer.tokens.revoke(token)
        assert httpx2.post(**asked, auth=credentials).json() == {"active": False}


def test_an_expired_token_is_not_active(issuer: DevelopmentIssuer) -> None:
    token = issuer.tokens.issue("developer", client_id="c", audience=RESOURCE, scope="", exp=time.time() - 1)
    assert issuer.tokens.explain(token) is None


def test_a_new_key_signs_and_tokens_of_the_old_one_stay_valid(issuer: DevelopmentIssuer) -> None:
    given = {"client_id": "c", "audience": RESOURCE, "scope": ""}
    old = issuer.tokens.issue("developer", **given)
    issuer.tokens.keys.rotate()
    new = issuer.tokens.issue("developer", **given)
    assert read(old, issuer)[0]["kid"] != read(new, issuer)[0]["kid"]


def test_a_web_page_whose_name_leads_to_loopback_is_not_answered(issuer: DevelopmentIssuer) -> None:
    url = f"{issuer.url}/.well-known/oauth-authorization-server"
    assert httpx2.get(url, headers={"host": "evil.example.com"}).status_code == 400
