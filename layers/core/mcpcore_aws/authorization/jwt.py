"""JwtVerifier: access tokens as JWTs, signed by an issuer (RFC 9068, and what common issuers make of it).

joserfc verifies the signatures; it was chosen over PyJWT because it knows the algorithm names of RFC 9864.
"""

import json
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from joserfc import jws
from joserfc.errors import JoseError
from joserfc.jwa import JWSAlgModel

from mcpcore import Principal, Unauthorized
from mcpcore.http import HttpRequest
from mcpcore.http.authorization import bearer_token
from mcpcore.protocol import base64url
from mcpcore_aws.authorization.algorithms import ALGORITHMS
from mcpcore_aws.authorization.claims import (
    DEFAULT_LEEWAY_SECONDS,
    check_audience,
    check_purpose,
    check_times,
    principal_of,
    time_of,
)
from mcpcore_aws.authorization.issuer_keys import IssuerKey, IssuerKeys
from mcpcore_aws.invocation import LambdaInvocation

__all__ = ["JwtVerifier"]

_MAX_KEY_ID_CHARACTERS: Final = 256

# Types of access tokens. Many issuers write none, or the general one (RFC 9068, section 4; RFC 8725, 3.11).
_TYPES: Final = ("", "jwt", "at+jwt", "application/at+jwt")


class JwtVerifier:
    """Verifies bearer tokens that are JWTs of `issuer`.

    A token is taken if a key of `keys` verifies its signature by one of `algorithms`, its issuer is `issuer`
    to the letter, one of its audiences is in `audiences_of(invocation)`, and its times hold, give or take
    `leeway_seconds`.

    Raises:
        ValueError: an algorithm is unknown, or there is none.
    """

    def __init__(
        self,
        issuer: str,
        keys: IssuerKeys,
        *,
        audiences_of: Callable[[LambdaInvocation], Collection[str]],
        algorithms: Collection[str] = tuple(ALGORITHMS),
        leeway_seconds: int = DEFAULT_LEEWAY_SECONDS,
    ) -> None:
        if not algorithms or not set(algorithms) <= set(ALGORITHMS):
            raise ValueError(f"algorithms must be of {', '.join(ALGORITHMS)}, and are {sorted(algorithms)}")
        self._issuer = issuer
        self._keys = keys
        self._audiences_of = audiences_of
        self._algorithms = frozenset(algorithms)
        self._leeway_seconds = leeway_seconds

    def verify(self, request: HttpRequest, invocation: LambdaInvocation, now: float) -> Principal | None:
        """See `Verifier`. A token without dots is of another kind: opaque, or an API key."""
        token = bearer_token(request)
        if token is None or "." not in token:
            return None
        parts = token.split(".")
        if len(parts) != 3 or not all(parts):
            raise Unauthorized("it is not a signed JWT, which has three parts")
        if not _decoded(parts[2]):
            raise Unauthorized("its signature is not base64url")
        algorithm, key_id = self._checked_header(_json_object(parts[0], "header"))
        key = self._keys.find(key_id, algorithm, invocation.seconds_left())
        if key is None:
            raise Unauthorized("its issuer has no key for it; get a new token")
        _verify_signature(token, key, algorithm)
        claims = _json_object(parts[1], "payload")
        self._check_claims(claims, self._audiences_of(invocation), now)
        return principal_of(claims, claims.get("sub"), self._issuer)

    def _checked_header(self, header: Mapping[str, Any]) -> tuple[str, str | None]:
        algorithm, key_id, kind = header.get("alg"), header.get("kid"), header.get("typ", "")
        if not isinstance(algorithm, str) or algorithm not in self._algorithms:
            raise Unauthorized(f"its algorithm must be one of {', '.join(sorted(self._algorithms))}")
        if not isinstance(kind, str) or kind.lower() not in _TYPES:
            raise Unauthorized("its typ is not that of an access token")
        if "crit" in header or "b64" in header:
            raise Unauthorized("its header demands an extension that is not known here")
        if key_id is not None and not (isinstance(key_id, str) and 0 < len(key_id) <= _MAX_KEY_ID_CHARACTERS):
            raise Unauthorized("its kid must be a short string")
        return algorithm, key_id

    def _check_claims(self, claims: Mapping[str, Any], audiences: Collection[str], now: float) -> None:
        if claims.get("iss") != self._issuer:
            raise Unauthorized("it is from another issuer")
        check_purpose(claims)
        check_audience(claims, audiences)
        if time_of(claims, "exp") is None:
            raise Unauthorized("it has no time of expiry")
        check_times(claims, now, self._leeway_seconds)


class _OneAlgorithm(jws.JWSRegistry):
    """Verifies by the algorithm that was checked before, whatever joserfc recommends or warns of."""

    def get_alg(self, name: str) -> JWSAlgModel:
        return self.algorithms[name]


def _verify_signature(token: str, key: IssuerKey, algorithm: str) -> None:
    registry = _OneAlgorithm(algorithms=[algorithm], strict_check_header=False)
    try:
        jws.deserialize_compact(token, key.key, registry=registry)
    except (JoseError, ValueError, TypeError) as error:
        raise Unauthorized("its signature does not match") from error


def _json_object(part: str, name: str) -> dict[str, Any]:
    """The object in a part of the token. A member that stands twice could be read in two ways."""
    try:
        found = json.loads(
            _decoded(part).decode(), object_pairs_hook=_without_doubles, parse_constant=_refuse_constant
        )
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Unauthorized(f"its {name} is not a JSON object")
    return found


def _decoded(part: str) -> bytes:
    """The bytes of a part, which has no padding (RFC 7515, section 2); empty if it is not canonical."""
    return b"" if "=" in part else base64url.decode(part + "=" * (-len(part) % 4))


def _without_doubles(members: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(members)
    if len(found) != len(members):
        raise ValueError("a member stands twice")
    return found


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
