"""The authorization of the SDK's server: JWTs, verified with PyJWT by the keys of their issuer.

The SDK has no verifier of its own, and its documentation leaves one to its user; PyJWT is among its packages.
"""

import os
from typing import Any

import jwt
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from pydantic import AnyHttpUrl


class JwtVerifier:
    """Verifies signature, issuer, audience and expiry."""

    def __init__(self, *, issuer: str, resource: str, keys: str) -> None:
        self._issuer, self._resource = issuer, resource
        self._keys = jwt.PyJWKClient(keys)

    async def verify_token(self, token: str) -> AccessToken | None:
        """The token's data, or None if it is not valid; Lambda sends one request at a time, so none waits."""
        try:
            key = self._keys.get_signing_key_from_jwt(token)
            claims: dict[str, Any] = jwt.decode(
                token, key, algorithms=["RS256"], issuer=self._issuer, audience=self._resource
            )
        except jwt.PyJWTError:
            return None
        return AccessToken(
            token=token,
            client_id=claims["client_id"],
            scopes=claims["scope"].split(),
            expires_at=claims["exp"],
            resource=self._resource,
            subject=claims["sub"],
            claims=claims,
        )


def authorization() -> dict[str, Any]:
    """The arguments of a server that accepts the tokens of the issuer in the environment."""
    issuer, resource = os.environ["AUTH_ISSUER"], os.environ["AUTH_RESOURCE"]
    return {
        "token_verifier": JwtVerifier(issuer=issuer, resource=resource, keys=os.environ["AUTH_JWKS_URI"]),
        "auth": AuthSettings(
            issuer_url=AnyHttpUrl(issuer),
            resource_server_url=AnyHttpUrl(resource),
            validate_token_resource=True,
        ),
    }
