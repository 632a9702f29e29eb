"""Access tokens: what they say, and the keys that sign them."""

import secrets
import time
from typing import Any, Final

from joserfc import jwt
from joserfc.jwk import KeySet, OKPKey

__all__ = ["AccessTokens", "SigningKeys"]

_ALGORITHM: Final = "Ed25519"
_LIFETIME_SECONDS: Final = 3600


class SigningKeys:
    """Ed25519 keys. The newest signs; all are published, so that tokens of the older ones stay valid."""

    def __init__(self) -> None:
        self._keys = [_fresh()]

    def rotate(self) -> None:
        """Sign with a new key from now on."""
        self._keys.append(_fresh())

    def published(self) -> dict[str, Any]:
        """The public keys as a JWK Set (RFC 7517, section 5)."""
        return dict(KeySet(list(self._keys)).as_dict(private=False))

    def sign(self, claims: dict[str, Any]) -> str:
        """The claims as a JWT access token (RFC 9068, section 2)."""
        key = self._keys[-1]
        return jwt.encode({"alg": _ALGORITHM, "typ": "at+jwt", "kid": key.kid}, claims, key, [_ALGORITHM])


class AccessTokens:
    """The tokens of one issuer: JWTs, or with `opaque` random text that only introspection explains."""

    def __init__(self, issuer: str, *, opaque: bool) -> None:
        self.keys: Final = SigningKeys()
        self.lifetime_seconds = _LIFETIME_SECONDS
        self.issuer: Final = issuer
        self._opaque = opaque
        self._issued: dict[str, dict[str, Any]] = {}

    def issue(self, subject: str, *, client_id: str, audience: str, scope: str, **claims: Any) -> str:
        """A new token, valid for `lifetime_seconds`; `claims` are added, or replace what it would say."""
        now = int(time.time())
        said = {
            "iss": self.issuer,
            "sub": subject,
            "aud": audience,
            "client_id": client_id,
            "scope": scope,
            "iat": now,
            "exp": now + self.lifetime_seconds,
            "jti": secrets.token_urlsafe(),
            **claims,
        }
        token = secrets.token_urlsafe() if self._opaque else self.keys.sign(said)
        self._issued[token] = said
        return token

    def revoke(self, token: str) -> None:
        """Let introspection know the token no more."""
        self._issued.pop(token, None)

    def explain(self, token: str) -> dict[str, Any] | None:
        """What a token says; None if it is unknown, revoked or expired."""
        said = self._issued.get(token)
        return said if said and said["exp"] > time.time() else None


def _fresh() -> OKPKey:
    return OKPKey.generate_key("Ed25519", {"use": "sig", "alg": _ALGORITHM}, auto_kid=True)
