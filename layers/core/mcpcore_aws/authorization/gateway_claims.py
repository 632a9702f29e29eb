"""Identities that a gateway's own authorizer has verified, as it states them in the event's request context.

Nothing else of an event is trusted, headers least of all: a client writes those, and so the header
`x-amzn-oidc-data`, in which a load balancer states a user, is not read. A load balancer would have to be the
only way to the function, and its signature verified, for that to be more than the client's word.
"""

from collections.abc import Mapping
from typing import Any, Final

from mcpcore import Principal, Unauthorized
from mcpcore.http import HttpRequest
from mcpcore_aws.event_sources import Event
from mcpcore_aws.invocation import LambdaInvocation

__all__ = ["IAM_ISSUER", "GatewayClaimsVerifier"]

IAM_ISSUER: Final = "aws-iam"
"""The issuer of principals with an AWS identity. No authorization server has it, for an issuer is a URL."""


class GatewayClaimsVerifier:
    """A `Verifier` of what an authorizer at the gateway has verified before the function was called.

    `kind` is `jwt` for the claims of a JWT authorizer (HTTP API) or of a Cognito authorizer (REST API), and
    `iam` for the identity behind a signed request (HTTP API, REST API, Function URL). Configure it only if
    every route to the function has that authorizer: a route without it is answered 401.

    It stands last, after the verifiers of bearer tokens, for it refuses what it does not know. If `issuer` is
    given, claims must be of that one. Who may invoke the function directly writes its events, and so is whom
    they say.

    Raises:
        ValueError: `kind` is something else.
    """

    def __init__(self, kind: str, *, issuer: str = "") -> None:
        if kind not in _PRINCIPAL_OF:
            raise ValueError(f"kind must be {' or '.join(_PRINCIPAL_OF)}, and is {kind!r}")
        self._principal_of = _PRINCIPAL_OF[kind]
        self._issuer = issuer if kind == "jwt" else ""

    def verify(self, request: HttpRequest, invocation: LambdaInvocation, now: float) -> Principal:
        """The principal that the gateway states.

        Raises:
            Unauthorized: it states none, or one of another issuer.
        """
        del now
        principal = self._principal_of(invocation.event)
        if principal is None:
            reason = "the gateway has not verified it: this route has no authorizer"
            raise Unauthorized(reason if "authorization" in request.headers else "")
        if self._issuer and principal.issuer != self._issuer:
            raise Unauthorized("it is from another issuer")
        return principal


def _from_claims(event: Event) -> Principal | None:
    """The principal of a JWT that the gateway has verified: signature, issuer, audience and times.

    API Gateway makes text of every claim: an array becomes "[a b]" behind an HTTP API, "a,b" behind a REST
    API. Those of the principal are text from the start, but scopes in an array, which `scp` may be. What it
    lists as `scopes` beside the claims is not taken: a route of an HTTP API may name several scopes, and lets
    tokens in that have one of them.
    """
    authorizer = _object(event["requestContext"], "authorizer")
    claims = _object(_object(authorizer, "jwt"), "claims") or _object(authorizer, "claims")
    subject = _text(claims, "sub")
    if not subject:
        return None
    scopes = _text(claims, "scope") or _text(claims, "scp").strip("[]").replace(",", " ")
    return Principal(
        subject,
        _text(claims, "iss"),
        _text(claims, "client_id") or _text(claims, "azp"),
        frozenset(scopes.split(" ")) - {""},
        claims,
    )


def _from_iam(event: Event) -> Principal | None:
    """The AWS identity that signed the request: subject is its ARN, which names a role's session too.

    All users of a Cognito identity pool have the same ARN, so the subject is their identity's id. IAM knows
    no scopes: its policies say who may call.
    """
    context = event["requestContext"]
    iam = _object(_object(context, "authorizer"), "iam")
    cognito = _object(iam, "cognitoIdentity")
    identity = _object(context, "identity")  # of a REST API, where `user` is the id
    arn = _text(iam, "userArn") or _text(identity, "userArn")
    if not arn:
        return None
    claims = {
        "userArn": arn,
        "userId": _text(iam, "userId") or _text(identity, "user"),
        "accountId": _text(iam, "accountId") or _text(identity, "accountId"),
        "cognitoIdentityId": _text(cognito, "identityId") or _text(identity, "cognitoIdentityId"),
    }
    return Principal(claims["cognitoIdentityId"] or arn, IAM_ISSUER, claims=claims)


def _object(holder: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The object under `name`; empty if there is none, as the context of a Lambda authorizer may have it."""
    found = holder.get(name)
    return found if isinstance(found, Mapping) else {}


def _text(holder: Mapping[str, Any], name: str) -> str:
    found = holder.get(name)
    return found if isinstance(found, str) else ""


_PRINCIPAL_OF: Final = {"jwt": _from_claims, "iam": _from_iam}
