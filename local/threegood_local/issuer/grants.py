"""How clients get tokens: by a user's consent, by a refresh token, by a secret of their own."""

from typing import Any, Final, NamedTuple

from authlib.oauth2 import OAuth2Error, OAuth2Request
from authlib.oauth2.rfc6749 import (
    AuthorizationCodeGrant,
    ClientCredentialsGrant,
    InvalidRequestError,
    RefreshTokenGrant,
)
from authlib.oauth2.rfc7636 import CodeChallenge

from threegood_local.issuer.clients import Client

__all__ = [
    "AUTH_METHODS",
    "USER",
    "AuthorizationCode",
    "ClientCredentials",
    "Consent",
    "OnlyS256",
    "RefreshToken",
    "User",
]

AUTH_METHODS: Final = ["none", "client_secret_basic", "client_secret_post"]
"""How clients prove at the token endpoint who they are."""


class User(NamedTuple):
    """Somebody who consents."""

    name: str

    def get_user_id(self) -> str:
        """The `sub` of tokens."""
        return self.name


USER: Final = User("developer")
"""The one user: whoever works on this machine."""


class Consent(NamedTuple):
    """What a user consented to: kept under a code, and then under each refresh token in turn."""

    client_id: str
    redirect_uri: str
    scope: str
    resource: str
    code_challenge: str
    code_challenge_method: str

    def get_redirect_uri(self) -> str:
        """Where the code was sent."""
        return self.redirect_uri

    def get_scope(self) -> str:
        """The scopes, separated by spaces."""
        return self.scope

    def check_client(self, client: Client) -> bool:
        """Whether this client got it."""
        return client.client_id == self.client_id


class InvalidTarget(OAuth2Error):
    """The resource is missing, or not the one that was consented to (RFC 8707, section 2)."""

    error = "invalid_target"


class OnlyS256(CodeChallenge):
    """PKCE that every client must use, by SHA-256 (OAuth 2.1, section 7.5.1)."""

    SUPPORTED_CODE_CHALLENGE_METHOD: Final = ["S256"]

    def validate_code_challenge(self, grant: Any, redirect_uri: str) -> None:
        """Refuse an authorization request without a challenge."""
        if (
            grant.request.payload.data.get("code_challenge_method")
            not in self.SUPPORTED_CODE_CHALLENGE_METHOD
        ):
            raise InvalidRequestError("code_challenge_method has to be S256")
        super().validate_code_challenge(grant, redirect_uri)


class AuthorizationCode(AuthorizationCodeGrant):
    """An authorization code, which is good for one token."""

    TOKEN_ENDPOINT_AUTH_METHODS: Final = AUTH_METHODS

    def save_authorization_code(self, code: str, request: OAuth2Request) -> None:
        """Keep what was consented to."""
        asked = request.payload.data
        self.server.codes[code] = Consent(
            request.client.client_id,
            request.payload.redirect_uri,
            request.scope,
            _resource_of(request),
            asked["code_challenge"],
            asked["code_challenge_method"],
        )

    def query_authorization_code(self, code: str, client: Client) -> Consent | None:
        """What was consented to for this client."""
        consent: Consent | None = self.server.codes.get(code)
        return consent if consent and consent.check_client(client) else None

    def validate_token_request(self) -> None:
        """Refuse a code for another resource."""
        super().validate_token_request()
        _require_same(self.request, self.request.authorization_code)

    def delete_authorization_code(self, _: Consent) -> None:
        """Forget the code."""
        self.server.codes.pop(self.request.form["code"], None)

    def authenticate_user(self, _: Consent) -> User:
        """Who consented."""
        return USER


class RefreshToken(RefreshTokenGrant):
    """A refresh token, which is good for one token and the next refresh token."""

    TOKEN_ENDPOINT_AUTH_METHODS: Final = AUTH_METHODS
    INCLUDE_NEW_REFRESH_TOKEN: Final = True

    def authenticate_refresh_token(self, refresh_token: str) -> Consent | None:
        """What was consented to."""
        consent: Consent | None = self.server.refresh_tokens.get(refresh_token)
        return consent

    def validate_token_request(self) -> None:
        """Refuse a refresh token for another resource."""
        super().validate_token_request()
        _require_same(self.request, self.request.refresh_token)

    def authenticate_user(self, _: Consent) -> User:
        """Who consented."""
        return USER

    def revoke_old_credential(self, _: Consent) -> None:
        """Forget the refresh token that was used."""
        self.server.refresh_tokens.pop(self.request.form["refresh_token"], None)


class ClientCredentials(ClientCredentialsGrant):
    """A client's own secret, without a user."""

    TOKEN_ENDPOINT_AUTH_METHODS: Final = ["client_secret_basic", "client_secret_post"]

    def validate_token_request(self) -> None:
        """Refuse a request that names no resource."""
        super().validate_token_request()
        _resource_of(self.request)


def _resource_of(request: OAuth2Request) -> str:
    """The one resource that a token is asked for.

    Raises:
        InvalidTarget: there is none, or there are several.
    """
    named = request.payload.datalist["resource"]
    if len(named) != 1:
        raise InvalidTarget("name the server's URL, once, as resource")
    return str(named[0])


def _require_same(request: OAuth2Request, consent: Consent) -> None:
    """Refuse a token for another resource than the one that was consented to.

    Raises:
        InvalidTarget: the request names another resource, or none.
    """
    if _resource_of(request) != consent.resource:
        raise InvalidTarget("the user consented to another resource")
