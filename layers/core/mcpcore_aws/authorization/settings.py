"""The settings of authorization, and the authorizer that they describe; read only if it is on."""

import time
from collections.abc import Callable, Collection
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from mcpcore.request.principal import SCOPE_CHARACTERS, is_scope
from mcpcore_aws.authorization.algorithms import ALGORITHMS
from mcpcore_aws.authorization.authorizer import MIN_DIGEST_KEY_BYTES, Authorizer
from mcpcore_aws.authorization.claims import DEFAULT_LEEWAY_SECONDS
from mcpcore_aws.authorization.urls import is_safe_url, resource_of
from mcpcore_aws.authorization.verifier import Verifier
from mcpcore_aws.invocation import LambdaInvocation
from mcpcore_aws.settings import EnvironmentReader, Secret, SettingsError

if TYPE_CHECKING:
    from mcpcore_aws.authorization.https import HttpsClient

__all__ = ["AuthorizationSettings", "open_authorizer", "read_authorization_settings"]

_GATEWAY_KINDS: Final = ("", "jwt", "iam")
_MAX_LEEWAY_SECONDS: Final = 300
_NO_JOSERFC: Final = (
    "AUTH_ISSUER needs the package joserfc: attach the layer of authorization, or install mcpcore[auth]"
)


class AuthorizationSettings(NamedTuple):
    """The settings of authorization; docs/authorization.md says what each is for."""

    issuer: str
    jwks_uri: str
    resource: str
    audiences: frozenset[str]
    scopes: frozenset[str]
    scopes_supported: frozenset[str]
    algorithms: frozenset[str]
    leeway_seconds: int
    introspection_uri: str
    client_id: str
    client_secret: bytes
    api_keys_table: str
    gateway: str
    public_pages: bool
    digest_key: bytes


def read_authorization_settings(reader: EnvironmentReader) -> AuthorizationSettings:
    """The settings of authorization; faults are collected by the reader."""
    settings = AuthorizationSettings(
        issuer=_url(reader, "AUTH_ISSUER"),
        jwks_uri=_url(reader, "AUTH_JWKS_URI"),
        resource=_url(reader, "AUTH_RESOURCE"),
        audiences=reader.names("AUTH_AUDIENCE"),
        scopes=_scopes(reader, "AUTH_SCOPES"),
        scopes_supported=_scopes(reader, "AUTH_SCOPES_SUPPORTED"),
        algorithms=reader.names("AUTH_ALGORITHMS") or frozenset(ALGORITHMS),
        leeway_seconds=reader.integer("AUTH_LEEWAY_SECONDS", DEFAULT_LEEWAY_SECONDS, 0, _MAX_LEEWAY_SECONDS),
        introspection_uri=_url(reader, "AUTH_INTROSPECTION_URI"),
        client_id=reader.text("AUTH_CLIENT_ID", ""),
        client_secret=Secret(reader.text("AUTH_CLIENT_SECRET", "").encode()),
        api_keys_table=reader.text("AUTH_API_KEYS_TABLE", ""),
        gateway=reader.choice("AUTH_GATEWAY", "", _GATEWAY_KINDS),
        public_pages=reader.choice("AUTH_PAGES", "private", ("private", "public")) == "public",
        digest_key=Secret(reader.text("CLIENT_DIGEST_KEY").encode()),
    )
    unknown = settings.algorithms - set(ALGORITHMS)
    if unknown:
        reader.faults.append(
            f"AUTH_ALGORITHMS may name {', '.join(ALGORITHMS)}, and names {', '.join(sorted(unknown))}"
        )
    if 0 < len(settings.digest_key) < MIN_DIGEST_KEY_BYTES:
        reader.faults.append(f"CLIENT_DIGEST_KEY must have at least {MIN_DIGEST_KEY_BYTES} characters")
    if (
        settings.gateway == "iam"
        and settings.scopes
        and not (settings.issuer or settings.introspection_uri or settings.api_keys_table)
    ):
        reader.faults.append("AUTH_SCOPES must be empty: identities of AUTH_GATEWAY=iam have no scopes")
    if settings.jwks_uri and not settings.issuer:
        reader.faults.append("AUTH_JWKS_URI needs AUTH_ISSUER")
    if settings.introspection_uri and not (settings.client_id and settings.client_secret):
        reader.faults.append("AUTH_INTROSPECTION_URI needs AUTH_CLIENT_ID and AUTH_CLIENT_SECRET")
    return settings


def _scopes(reader: EnvironmentReader, name: str) -> frozenset[str]:
    scopes = frozenset(reader.text(name, "").replace(",", " ").split())
    reader.faults += [
        f"{name} has {scope!r}, which no token can have: {SCOPE_CHARACTERS}"
        for scope in sorted(scopes)
        if not is_scope(scope)
    ]
    return scopes


def open_authorizer(settings: AuthorizationSettings, *, clock: Callable[[], float] = time.time) -> Authorizer:
    """The authorizer that `settings` describe. It opens no connection before the first request.

    Raises:
        SettingsError: JWTs are to be verified, and the package that does is missing.
    """
    return Authorizer(
        list(_verifiers(settings, clock)),
        digest_key=settings.digest_key,
        resource=settings.resource,
        authorization_servers=(settings.issuer,) if settings.issuer else (),
        scopes=settings.scopes,
        scopes_supported=settings.scopes_supported or None,
        public_pages=settings.public_pages,
    )


def _verifiers(settings: AuthorizationSettings, clock: Callable[[], float]) -> "list[Verifier]":
    """API keys first, which their prefix tells apart; JWTs before opaque tokens, which may look like any.

    What the gateway has verified comes last: that verifier refuses every request that it does not know. Where
    that is a JWT, it is not verified again: audiences are configured there, and need not be in `aud`.
    """
    found: list[Verifier] = []
    audiences_of = partial(_audiences, settings)
    if settings.api_keys_table:
        from mcpcore_aws.authorization.api_keys import ApiKeyVerifier

        found.append(ApiKeyVerifier(settings.api_keys_table))
    if settings.issuer and settings.gateway != "jwt":
        found.append(_jwt_verifier(settings, audiences_of, clock))
    if settings.introspection_uri:
        found.append(_introspection_verifier(settings, audiences_of))
    if settings.gateway:
        from mcpcore_aws.authorization.gateway_claims import GatewayClaimsVerifier

        found.append(GatewayClaimsVerifier(settings.gateway, issuer=settings.issuer))
    return found


def _jwt_verifier(
    settings: AuthorizationSettings,
    audiences_of: Callable[[LambdaInvocation], Collection[str]],
    clock: Callable[[], float],
) -> Verifier:
    try:
        from mcpcore_aws.authorization.issuer_keys import IssuerKeys
        from mcpcore_aws.authorization.jwt import JwtVerifier
    except ModuleNotFoundError as error:
        raise SettingsError([_NO_JOSERFC]) from error

    return JwtVerifier(
        settings.issuer,
        IssuerKeys(settings.issuer, settings.jwks_uri, client=_https_client(), clock=clock),
        audiences_of=audiences_of,
        algorithms=settings.algorithms,
        leeway_seconds=settings.leeway_seconds,
    )


def _introspection_verifier(
    settings: AuthorizationSettings, audiences_of: Callable[[LambdaInvocation], Collection[str]]
) -> Verifier:
    from mcpcore_aws.authorization.introspection import IntrospectionVerifier

    return IntrospectionVerifier(
        settings.introspection_uri,
        settings.client_id,
        settings.client_secret.decode(),
        audiences_of=audiences_of,
        client=_https_client(),
        issuer=settings.issuer,
        leeway_seconds=settings.leeway_seconds,
    )


def _https_client() -> "HttpsClient":
    from mcpcore_aws.authorization.https import HttpsClient

    return HttpsClient()


def _audiences(settings: AuthorizationSettings, invocation: LambdaInvocation) -> Collection[str]:
    return settings.audiences or (resource_of(invocation.event, settings.resource),)


def _url(reader: EnvironmentReader, name: str) -> str:
    url = reader.text(name, "")
    if url and not is_safe_url(url):
        reader.faults.append(f"{name} must be an https URL without user, fragment and spaces, and is {url!r}")
    return url
