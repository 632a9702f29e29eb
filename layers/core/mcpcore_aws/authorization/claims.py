"""The claims of an access token, whoever vouches for them: what each must be, and the principal in them."""

from collections.abc import Collection, Mapping
from typing import Any, Final

from mcpcore import Principal, Unauthorized

__all__ = [
    "DEFAULT_LEEWAY_SECONDS",
    "check_audience",
    "check_purpose",
    "check_times",
    "principal_of",
    "scopes_of",
    "time_of",
]

DEFAULT_LEEWAY_SECONDS: Final = 30
"""How far the clocks of an issuer and of Lambda may be apart."""

_MAX_SUBJECT_CHARACTERS: Final = 512
_MAX_SECONDS: Final = 1e12

# How issuers name tokens that are for a client or an authorization server, never for a resource: Cognito
# and Hydra in `token_use`, Keycloak in `typ`, others in `token_type`.
_OTHER_PURPOSES: Final = frozenset({"id", "id_token", "refresh", "refresh_token", "offline"})
# ID tokens alone have these (OpenID Connect Core 1.0, section 3.3.2.11).
_HASHES: Final = ("at_hash", "c_hash")


def check_purpose(claims: Mapping[str, Any]) -> None:
    """Raise Unauthorized if the claims are of an ID token or a refresh token."""
    named = (claims.get(name) for name in ("token_use", "typ", "token_type"))
    other = any(isinstance(name, str) and name.lower() in _OTHER_PURPOSES for name in named)
    if other or any(name in claims for name in _HASHES):
        raise Unauthorized("it is no access token")


def check_audience(claims: Mapping[str, Any], audiences: Collection[str]) -> None:
    """Raise Unauthorized unless one of the token's audiences is among `audiences` (RFC 8707, section 2.2)."""
    found = claims.get("aud")
    named = found if isinstance(found, list) else [found]
    if not any(isinstance(each, str) and each in audiences for each in named):
        raise Unauthorized("it is for another audience: ask for a token with this server as resource")


def check_times(claims: Mapping[str, Any], now: float, leeway_seconds: float) -> None:
    """Raise Unauthorized if the token has expired, or is from the future (RFC 7519, section 4.1)."""
    expires_at = time_of(claims, "exp")
    if expires_at is not None and now >= expires_at + leeway_seconds:
        raise Unauthorized("it has expired")
    for name in ("nbf", "iat"):
        time = time_of(claims, name)
        if time is not None and now < time - leeway_seconds:
            raise Unauthorized(f"it is not valid yet: its {name} is in the future")


def time_of(claims: Mapping[str, Any], name: str) -> float | None:
    """The claim as seconds since the epoch; None if it is absent.

    Raises:
        Unauthorized: it is no number, or no time.
    """
    value = claims.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < _MAX_SECONDS:
        raise Unauthorized(f"its {name} is not a time")
    return value


def principal_of(claims: Mapping[str, Any], subject: object, issuer: str) -> Principal:
    """The principal with these claims.

    Raises:
        Unauthorized: `subject` is no text, is empty, too long or unprintable, or the scopes are no texts.
    """
    if not isinstance(subject, str) or not 0 < len(subject) <= _MAX_SUBJECT_CHARACTERS:
        raise Unauthorized("its sub is not a short string")
    if not subject.isprintable():  # tools write it into logs and tables
        raise Unauthorized("its sub has characters that cannot be printed")
    client = claims.get("client_id", claims.get("azp", ""))
    return Principal(subject, issuer, client if isinstance(client, str) else "", scopes_of(claims), claims)


def scopes_of(claims: Mapping[str, Any]) -> frozenset[str]:
    """The scopes in `scope` (RFC 8693, section 4.2), or in `scp`, as some issuers call it.

    Raises:
        Unauthorized: they are neither text nor an array of it.
    """
    name = "scope" if "scope" in claims else "scp"
    found = claims.get(name, "")
    if isinstance(found, str):
        return frozenset(found.split(" ")) - {""}  # no other space separates them (RFC 6749, section 3.3)
    if isinstance(found, list) and all(isinstance(scope, str) for scope in found):
        return frozenset(found)
    raise Unauthorized(f"its {name} is not text")
