"""Identities that a gateway states, in each of their forms; and that nobody else can state one."""

from typing import Any, Final

import pytest

from mcpcore import Principal, Unauthorized
from mcpcore.http import HttpRequest
from mcpcore_aws import LambdaInvocation
from mcpcore_aws.authorization.gateway_claims import GatewayClaimsVerifier
from tests.support.events import captured
from tests.support.exchanges import LambdaContext

ISSUER: Final = "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Example"
CLAIMS: Final = {
    "sub": "8a1f",
    "iss": ISSUER,
    "client_id": "client-1",
    "scope": "read write",
    "exp": "1800000000",
    "cognito:groups": "[admins users]",
}
ROLE: Final = "arn:aws:sts::111122223333:assumed-role/reports/nightly"
POOL_USER: Final = "eu-central-1:3f291106-8703-466b-8f2b-3ecee1ca56ce"
WITHOUT_AUTHORIZER: Final = "the gateway has not verified it: this route has no authorizer"


def event(source: str, context: dict[str, Any]) -> dict[str, Any]:
    """An event of that source with more in its request context."""
    found = captured(source)
    return {**found, "requestContext": {**found["requestContext"], **context}}


def verify(kind: str, event: dict[str, Any], **headers: str) -> Principal:
    request = HttpRequest("POST", headers, b"")
    return GatewayClaimsVerifier(kind).verify(request, LambdaInvocation(event, LambdaContext()), 0)


def refusal(kind: str, event: dict[str, Any], **headers: str) -> str:
    """The description with which a request is refused."""
    with pytest.raises(Unauthorized) as refused:
        verify(kind, event, **headers)
    return refused.value.description


# JWT


@pytest.mark.parametrize(
    ("source", "authorizer"),
    [
        ("http_api", {"jwt": {"claims": CLAIMS, "scopes": None}}),
        ("http_api", {"jwt": {"claims": CLAIMS, "scopes": ["read", "write"]}}),
        ("rest_api", {"claims": CLAIMS}),
        ("rest_api", {"claims": CLAIMS, "scopes": ["admin"]}),
    ],
)
def test_the_claims_of_a_jwt_or_cognito_authorizer_are_the_principal(
    source: str, authorizer: dict[str, Any]
) -> None:
    found = verify("jwt", event(source, {"authorizer": authorizer}))
    assert found == Principal("8a1f", ISSUER, "client-1", frozenset({"read", "write"}), CLAIMS)


@pytest.mark.parametrize(
    ("claims", "listed", "scopes"),
    [
        ({"scope": ""}, None, set()),
        ({}, None, set()),
        ({}, ["read"], set()),
        ({"scope": "read"}, ["read", "write"], {"read"}),
        ({"scp": "[read write]"}, None, {"read", "write"}),
        ({"scp": "read,write"}, None, {"read", "write"}),
        ({"scp": "read write"}, None, {"read", "write"}),
        ({"scp": "[]"}, None, set()),
        ({"scope": "api://a,b/read"}, None, {"api://a,b/read"}),
    ],
)
def test_scopes_are_read_as_the_gateway_writes_them(
    claims: dict[str, str], listed: list[str] | None, scopes: set[str]
) -> None:
    authorizer = {"jwt": {"claims": {"sub": "8a1f", **claims}, "scopes": listed}}
    assert verify("jwt", event("http_api", {"authorizer": authorizer})).scopes == scopes


def test_the_client_is_the_authorized_party_if_no_claim_names_the_client() -> None:
    claims = {"sub": "8a1f", "azp": "client-2"}
    found = verify("jwt", event("http_api", {"authorizer": {"jwt": {"claims": claims}}}))
    assert (found.client_id, found.issuer) == ("client-2", "")


@pytest.mark.parametrize(
    "authorizer",
    [
        None,
        {},
        {"jwt": None},
        {"jwt": {"claims": {}, "scopes": None}},
        {"jwt": {"claims": {"sub": ""}}},
        {"jwt": {"claims": {"sub": ["8a1f"]}}},
        {"claims": "sub=8a1f"},
        {"lambda": {"claims": CLAIMS}},
        {"iam": {"userArn": ROLE}},
        "claims",
    ],
)
def test_without_claims_of_the_gateway_nobody_gets_in(authorizer: object) -> None:
    assert refusal("jwt", event("http_api", {"authorizer": authorizer})) == ""


def test_claims_of_another_issuer_than_the_configured_one_are_refused() -> None:
    invocation = LambdaInvocation(event("rest_api", {"authorizer": {"claims": CLAIMS}}), LambdaContext())
    request = HttpRequest("POST", {"authorization": "Bearer a.b.c"}, b"")
    found = GatewayClaimsVerifier("jwt", issuer=ISSUER).verify(request, invocation, 0)
    assert found.issuer == ISSUER
    with pytest.raises(Unauthorized) as refused:
        GatewayClaimsVerifier("jwt", issuer=f"{ISSUER}/").verify(request, invocation, 0)
    assert refused.value.description == "it is from another issuer"


def test_an_unknown_kind_of_authorizer_is_refused() -> None:
    with pytest.raises(ValueError, match="kind must be jwt or iam, and is 'lambda'"):
        GatewayClaimsVerifier("lambda")


# IAM


@pytest.mark.parametrize(
    ("source", "context"),
    [
        *(
            (
                source,
                {"authorizer": {"iam": {"userArn": ROLE, "userId": "AROA:nightly", "accountId": "1111"}}},
            )
            for source in ("http_api", "function_url")
        ),
        ("rest_api", {"identity": {"userArn": ROLE, "user": "AROA:nightly", "accountId": "1111"}}),
    ],
)
def test_the_identity_behind_a_signed_request_is_the_principal(source: str, context: dict[str, Any]) -> None:
    claims = {"userArn": ROLE, "userId": "AROA:nightly", "accountId": "1111", "cognitoIdentityId": ""}
    assert verify("iam", event(source, context)) == Principal(ROLE, "aws-iam", claims=claims)


@pytest.mark.parametrize(
    ("source", "context"),
    [
        (
            "http_api",
            {"authorizer": {"iam": {"userArn": ROLE, "cognitoIdentity": {"identityId": POOL_USER}}}},
        ),
        ("rest_api", {"identity": {"userArn": ROLE, "cognitoIdentityId": POOL_USER}}),
    ],
)
def test_users_of_an_identity_pool_are_told_apart_though_they_share_a_role(
    source: str, context: dict[str, Any]
) -> None:
    assert verify("iam", event(source, context)).subject == POOL_USER


@pytest.mark.parametrize(
    ("source", "context"),
    [
        ("http_api", {}),
        ("function_url", {"authorizer": {"iam": None}}),
        ("rest_api", {"identity": {"userArn": None, "accountId": None}}),
        ("http_api", {"authorizer": {"jwt": {"claims": CLAIMS}}}),
        ("alb_single_value", {}),
    ],
)
def test_without_an_identity_of_the_gateway_nobody_gets_in(source: str, context: dict[str, Any]) -> None:
    assert refusal("iam", event(source, context)) == ""


# Trust


@pytest.mark.parametrize("kind", ["jwt", "iam"])
@pytest.mark.parametrize("source", ["http_api", "rest_api", "function_url", "alb_single_value"])
def test_no_header_makes_a_principal(kind: str, source: str) -> None:
    forged = {
        "authorization": "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiI4YTFmIn0.",
        "x-amzn-oidc-data": "eyJhbGciOiJub25lIn0.eyJzdWIiOiI4YTFmIn0.",
        "x-amzn-oidc-identity": "8a1f",
        "x-amzn-request-context": '{"authorizer":{"jwt":{"claims":{"sub":"8a1f"}}}}',
    }
    assert refusal(kind, event(source, {}), **forged) == WITHOUT_AUTHORIZER
