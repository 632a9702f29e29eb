"""What an issuer answers: Authlib's authorization server, which keeps everything in memory."""

from typing import Any, Final

from authlib.common.security import generate_token
from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2 import JsonRequest, OAuth2Error, OAuth2Request
from authlib.oauth2.rfc6750 import BearerTokenGenerator
from authlib.oauth2.rfc7591 import ClientRegistrationEndpoint
from authlib.oauth2.rfc7662 import IntrospectionEndpoint
from authlib.oauth2.rfc9207 import IssuerParameter
from flask import Flask, Response, jsonify, request

from threegood_local.issuer.clients import Client, Clients
from threegood_local.issuer.grants import (
    AUTH_METHODS,
    USER,
    AuthorizationCode,
    ClientCredentials,
    Consent,
    OnlyS256,
    RefreshToken,
    User,
)
from threegood_local.issuer.tokens import AccessTokens

__all__ = ["Endpoints"]

_REFRESH_TOKEN_LENGTH: Final = 48


class Endpoints(AuthorizationServer):
    """The authorization server of an issuer."""

    def __init__(self, app: Flask, tokens: AccessTokens, clients: Clients) -> None:
        super().__init__(app, clients.find, self._keep)
        self.tokens: Final = tokens
        self.clients: Final = clients
        self.codes: Final[dict[str, Consent]] = {}
        self.refresh_tokens: Final[dict[str, Consent]] = {}
        self.register_grant(AuthorizationCode, [OnlyS256(required=True)])
        self.register_grant(RefreshToken)
        self.register_grant(ClientCredentials)
        self.register_endpoint(_Registration)
        self.register_endpoint(_Introspection)
        self.register_extension(_Issuer(tokens.issuer))
        generator = BearerTokenGenerator(self._access_token, _refresh_token, self._lifetime_seconds)
        self.register_token_generator("default", generator)
        _add_routes(app, self)

    @property
    def metadata(self) -> dict[str, Any]:
        """What clients learn of the server (RFC 8414, section 2)."""
        issuer = self.tokens.issuer
        return {
            "issuer": issuer,
            "authorization_endpoint": f"{issuer}/authorize",
            "token_endpoint": f"{issuer}/token",
            "registration_endpoint": f"{issuer}/register",
            "introspection_endpoint": f"{issuer}/introspect",
            "jwks_uri": f"{issuer}/jwks.json",
            "response_types_supported": ["code"],
            "grant_types_supported": [
                grant.GRANT_TYPE for grant in (AuthorizationCode, RefreshToken, ClientCredentials)
            ],
            "token_endpoint_auth_methods_supported": AUTH_METHODS,
            "introspection_endpoint_auth_methods_supported": _Introspection.CLIENT_AUTH_METHODS,
            "code_challenge_methods_supported": OnlyS256.SUPPORTED_CODE_CHALLENGE_METHOD,
            "authorization_response_iss_parameter_supported": True,
            "client_id_metadata_document_supported": True,
        }

    def authorize(self) -> Any:
        """Consent to the authorization request."""
        asked = self.create_oauth2_request(None)
        try:
            grant = self.get_authorization_grant(asked)
        except OAuth2Error as error:
            return self.handle_error_response(asked, error)
        return self.create_authorization_response(asked, grant_user=USER, grant=grant)

    def _access_token(self, client: Client, grant_type: str, user: User | None, scope: str) -> str:  # noqa: ARG002
        subject = user.get_user_id() if user else client.client_id
        # The grants have compared the resource with what was consented to.
        audience = request.form["resource"]
        return self.tokens.issue(subject, client_id=client.client_id, audience=audience, scope=scope)

    def _lifetime_seconds(self, client: Client, grant_type: str) -> int:  # noqa: ARG002
        return self.tokens.lifetime_seconds

    def _keep(self, token: dict[str, Any], asked: OAuth2Request) -> None:
        """Keep what was consented to for the refresh token."""
        consent = asked.authorization_code or asked.refresh_token
        if consent and "refresh_token" in token:
            self.refresh_tokens[token["refresh_token"]] = consent


class _Registration(ClientRegistrationEndpoint):
    """Lets every client register (RFC 7591)."""

    def authenticate_token(self, asked: JsonRequest) -> str:  # noqa: ARG002
        return "everybody"

    def get_server_metadata(self) -> dict[str, Any]:
        metadata: dict[str, Any] = self.server.metadata
        return metadata

    def generate_client_info(self, asked: JsonRequest) -> dict[str, Any]:
        """A public client gets no secret."""
        made: dict[str, Any] = super().generate_client_info(asked)
        if asked.payload.data.get("token_endpoint_auth_method") == "none":
            del made["client_secret"], made["client_secret_expires_at"]
        return made

    def save_client(
        self, client_info: dict[str, Any], client_metadata: dict[str, Any], _: JsonRequest
    ) -> Client:
        client = Client(client_info["client_id"], client_metadata, client_info.get("client_secret", ""))
        self.server.clients.add(client)
        return client


class _Introspection(IntrospectionEndpoint):
    """Explains tokens to every client that has a secret (RFC 7662)."""

    CLIENT_AUTH_METHODS: Final = ["client_secret_basic"]

    def query_token(self, token: str, token_type_hint: str | None) -> dict[str, Any] | None:  # noqa: ARG002
        explained: dict[str, Any] | None = self.server.tokens.explain(token)
        return explained

    def check_permission(self, *_: object) -> bool:
        return True

    def create_introspection_payload(self, token: dict[str, Any] | None) -> dict[str, Any]:
        return {"active": True, "token_type": "Bearer", **token} if token else {"active": False}


class _Issuer(IssuerParameter):
    """Names the issuer in authorization responses (RFC 9207)."""

    def __init__(self, issuer: str) -> None:
        self._issuer = issuer

    def get_issuer(self) -> str:
        return self._issuer


def _refresh_token(**_: object) -> str:
    return str(generate_token(_REFRESH_TOKEN_LENGTH))


def _add_routes(app: Flask, server: Endpoints) -> None:
    @app.get("/.well-known/oauth-authorization-server")
    def metadata() -> Response:
        return jsonify(server.metadata)

    @app.get("/jwks.json")
    def keys() -> Response:
        return jsonify(server.tokens.keys.published())

    @app.get("/authorize")
    def authorize() -> Any:
        return server.authorize()

    @app.post("/token")
    def token() -> Any:
        return server.create_token_response()

    @app.post("/register")
    def register() -> Any:
        return server.create_endpoint_response(_Registration.ENDPOINT_NAME)

    @app.post("/introspect")
    def introspect() -> Any:
        return server.create_endpoint_response(_Introspection.ENDPOINT_NAME)
