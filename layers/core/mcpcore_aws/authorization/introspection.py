"""Token introspection: an authorization server is asked what an opaque access token stands for (RFC 7662)."""

import base64
import hashlib
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final
from urllib.parse import quote

from mcpcore import Principal, StoreUnavailable, Unauthorized
from mcpcore.http import HttpRequest
from mcpcore.http.authorization import bearer_token
from mcpcore_aws.authorization.claims import (
    DEFAULT_LEEWAY_SECONDS,
    check_audience,
    check_purpose,
    check_times,
    principal_of,
    time_of,
)
from mcpcore_aws.authorization.https import HttpsClient
from mcpcore_aws.errors import StoreFault, Unreachable
from mcpcore_aws.invocation import LambdaInvocation

__all__ = ["IntrospectionVerifier"]

_ANSWER_SECONDS: Final = 5.0
_KEPT_SECONDS: Final = 30
_REFUSAL_KEPT_SECONDS: Final = 10
_MAX_KEPT: Final = 1_000
# While the server does not answer, every request would wait for its whole time limit.
_PAUSE_SECONDS: Final = 5


class IntrospectionVerifier:
    """A `Verifier` that asks the authorization server at `uri` about bearer tokens. Threads may share it.

    It asks as the client `client_id` with `client_secret`. A token is taken if it is active, if its issuer,
    which need not be stated, is `issuer`, if one of its audiences is in `audiences_of(invocation)`, and if
    its times hold, give or take `leeway_seconds`. An audience is demanded, as RFC 7662 leaves to the resource
    (section 4): a server states it only if it is asked for tokens with this resource.

    An answer is kept for 30 seconds, never beyond the token's expiry: so late is a revoked token refused.
    That a token is not active is kept for 10 seconds. While the server is out of reach, tokens without a kept
    answer get 503.

    It takes every bearer token. So it stands last: API keys are recognized by their prefix, and what has
    dots is a JWT where a `JwtVerifier` stands before it, which asks nobody, and whose refusal is final.
    """

    def __init__(
        self,
        uri: str,
        client_id: str,
        client_secret: str,
        *,
        audiences_of: Callable[[LambdaInvocation], Collection[str]],
        client: HttpsClient,
        issuer: str = "",
        leeway_seconds: int = DEFAULT_LEEWAY_SECONDS,
    ) -> None:
        self._uri = uri
        self._headers = {"authorization": _basic(client_id, client_secret)}
        self._audiences_of = audiences_of
        self._client = client
        self._issuer = issuer
        self._leeway_seconds = leeway_seconds
        self._kept: dict[str, tuple[float, Mapping[str, Any]]] = {}
        self._paused_until = 0.0
        self._failure = ""

    def verify(self, request: HttpRequest, invocation: LambdaInvocation, now: float) -> Principal | None:
        """See `Verifier`. Without a `sub`, as of a client's own token, the subject is the client's id."""
        token = bearer_token(request)
        if token is None:
            return None
        claims = self._claims(token, invocation, now)
        if claims.get("active") is not True:
            raise Unauthorized("it is not active: it is unknown, has expired or was revoked")
        check_purpose(claims)
        issuer = claims.get("iss") or self._issuer
        if self._issuer and issuer != self._issuer:
            raise Unauthorized("it is from another issuer")
        check_audience(claims, self._audiences_of(invocation))
        check_times(claims, now, self._leeway_seconds)
        subject = claims.get("sub", claims.get("client_id"))
        return principal_of(claims, subject, issuer if isinstance(issuer, str) and issuer else self._uri)

    def _claims(self, token: str, invocation: LambdaInvocation, now: float) -> Mapping[str, Any]:
        """The server's answer, which may be a kept one."""
        key = hashlib.sha256(token.encode()).hexdigest()
        until, claims = self._kept.get(key, (now, {}))
        # A longer wait than any that was set means that the clock was put back.
        if 0 < until - now <= _KEPT_SECONDS:
            return claims
        claims = self._ask(token, invocation, now)
        self._keep(key, claims, now)
        return claims

    def _ask(self, token: str, invocation: LambdaInvocation, now: float) -> Mapping[str, Any]:
        wait_seconds = self._paused_until - now
        if 0 < wait_seconds <= _PAUSE_SECONDS:
            raise _unavailable(self._failure)
        fields = {"token": token}
        seconds = min(invocation.seconds_left(), _ANSWER_SECONDS)
        try:
            return self._client.post_form(self._uri, fields, seconds, headers=self._headers)
        except StoreFault as fault:
            failure = f"{type(fault).__name__}: {fault}"
            # An answer with an error may be about this token alone.
            if isinstance(fault, Unreachable):
                self._paused_until, self._failure = now + _PAUSE_SECONDS, failure
            raise _unavailable(failure) from fault

    def _keep(self, key: str, claims: Mapping[str, Any], now: float) -> None:
        until = now + _REFUSAL_KEPT_SECONDS
        if claims.get("active") is True:
            expires_at = time_of(claims, "exp")
            until = min(now + _KEPT_SECONDS, now + _KEPT_SECONDS if expires_at is None else expires_at)
        if len(self._kept) >= _MAX_KEPT:  # most have ended
            self._kept.clear()
        self._kept[key] = (until, claims)


def _unavailable(reason: str) -> StoreUnavailable:
    return StoreUnavailable(
        reason, retry_after_seconds=_PAUSE_SECONDS, what="The authorization server's answers"
    )


def _basic(client_id: str, client_secret: str) -> str:
    """HTTP Basic for a client (RFC 6749, section 2.3.1: both are form-encoded first)."""
    # A space is %20: not every server reads a + as one.
    pair = f"{quote(client_id, safe='')}:{quote(client_secret, safe='')}"
    return f"Basic {base64.b64encode(pair.encode()).decode('ascii')}"
