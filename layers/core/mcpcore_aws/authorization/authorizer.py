"""Authorizer: what stands before the server, lets principals in, and tells all others the way."""

import hmac
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from mcpcore import InsufficientScope, Principal, Unauthorized
from mcpcore.http import HttpRequest, HttpResponse
from mcpcore.http.authorization import challenge, challenged, metadata_response
from mcpcore.protocol.errors import AuthorizationError, MalformedAuthorization, McpError
from mcpcore.protocol.jsonrpc import NoId
from mcpcore.request.outcome import Failed, Outcome, RequestKind, RequestRecord, failure
from mcpcore_aws.authorization.urls import is_metadata_path, metadata_url_of, resource_of
from mcpcore_aws.authorization.verifier import Verifier
from mcpcore_aws.invocation import LambdaInvocation

__all__ = ["MIN_DIGEST_KEY_BYTES", "Authorizer"]

_DIGEST_CHARACTERS: Final = 32  # 128 bits
MIN_DIGEST_KEY_BYTES: Final = 16


class Authorizer:
    """Verifies the principal of each request, with the first of `verifiers` that knows its credentials.

    Sessions, questions and log lines have a digest of the principal, made with `digest_key`: at least 16
    bytes, the same in every environment of the function. `resource` is the public URL of the MCP endpoint,
    by default what the gateway states. `authorization_servers` are the issuers at which clients get tokens;
    without any there is no metadata. Every request needs `scopes`; clients should request
    `scopes_supported`, by default the same: some issuers name a scope differently in tokens and in requests.
    A scope in `implied_scopes` includes those that it maps to. With `public_pages` pages beside MCP need no
    token.

    Raises:
        ValueError: there is no verifier, or `digest_key` is too short.
        TypeError: one text is given where several are expected.
    """

    def __init__(
        self,
        verifiers: Sequence[Verifier],
        *,
        digest_key: bytes,
        resource: str = "",
        authorization_servers: Sequence[str] = (),
        scopes: Collection[str] = (),
        scopes_supported: Collection[str] | None = None,
        implied_scopes: Mapping[str, Collection[str]] | None = None,
        public_pages: bool = False,
    ) -> None:
        if not verifiers:
            raise ValueError("an Authorizer needs a verifier")
        several = {
            "authorization_servers": authorization_servers,
            "scopes": scopes,
            "scopes_supported": scopes_supported,
        }
        for name, value in several.items():
            if isinstance(value, str):
                raise TypeError(f"{name} must be a list of texts, not {value!r}")
        if len(digest_key) < MIN_DIGEST_KEY_BYTES:
            raise ValueError(f"digest_key must have at least {MIN_DIGEST_KEY_BYTES} bytes")
        self._verifiers = tuple(verifiers)
        self._digest_key = digest_key
        self._resource = resource
        self._servers = tuple(authorization_servers)
        self._scopes = frozenset(scopes)
        self._scopes_supported = sorted(scopes if scopes_supported is None else scopes_supported)
        self._implied = implied_scopes or {}
        self.public_pages = public_pages

    def authorized(self, request: HttpRequest, invocation: LambdaInvocation, now: float) -> LambdaInvocation:
        """`invocation` with its principal, whose scopes are still to be checked.

        Raises:
            Unauthorized, MalformedAuthorization: the request shows no credentials that are accepted.
            StoreUnavailable: whether they are cannot be found out.
        """
        principal = self._principal(request, invocation, now)
        principal = principal._replace(scopes=self._with_implied(principal.scopes))
        return invocation._replace(principal=principal, principal_digest=self._digest(principal))

    def require_scopes(self, invocation: LambdaInvocation) -> None:
        """Pass when the principal has the scopes that every request needs.

        Raises:
            InsufficientScope: it lacks one of them; the error names all.
        """
        if invocation.principal is None or not self._scopes <= invocation.principal.scopes:
            raise InsufficientScope(self._scopes)

    def metadata(self, request: HttpRequest, invocation: LambdaInvocation) -> HttpResponse | None:
        """The response to a request for the resource's metadata, 404 if there is none; None for any other."""
        if not is_metadata_path(request.path):
            return None
        if not self._servers:  # a client that looks for it shall learn that, and not be asked for a token
            return HttpResponse(404, {}, b"")
        resource = resource_of(invocation.event, self._resource)
        return metadata_response(request, resource, self._servers, self._scopes_supported)

    def refusal(self, error: McpError) -> Outcome:
        """The outcome of a request that `error` ended before its message was read."""
        described = error.description if isinstance(error, AuthorizationError) else ""
        fields = {"authorization": described} if described else {}
        return failure(NoId.ABSENT, error, RequestRecord(RequestKind.REFUSAL, log_fields=fields))

    def challenged(
        self, response: HttpResponse, outcome: Outcome, invocation: LambdaInvocation
    ) -> HttpResponse:
        """`response` to `outcome`, with the challenge that says how to get in if that was refused."""
        error = outcome.reply.error if isinstance(outcome.reply, Failed) else None
        if not isinstance(error, AuthorizationError):
            return response
        scopes: set[str] = set() if isinstance(error, MalformedAuthorization) else {*self._scopes_supported}
        if isinstance(error, InsufficientScope):
            scopes |= error.scopes - self._scopes
        url = metadata_url_of(resource_of(invocation.event, self._resource)) if self._servers else ""
        return challenged(response, challenge(error, scopes, url))

    def _principal(self, request: HttpRequest, invocation: LambdaInvocation, now: float) -> Principal:
        for verifier in self._verifiers:
            principal = verifier.verify(request, invocation, now)
            if principal is not None:
                return principal
        bearer = request.headers.get("authorization", "").lower().startswith("bearer")
        raise Unauthorized("this server does not accept tokens of this kind" if bearer else "")

    def _with_implied(self, scopes: Iterable[str]) -> frozenset[str]:
        found: set[str] = set()
        waiting = list(scopes)
        while waiting:
            scope = waiting.pop()
            if scope not in found:
                found.add(scope)
                waiting += self._implied.get(scope, ())
        return frozenset(found)

    def _digest(self, principal: Principal) -> str:
        issuer = principal.issuer.encode("utf-8", "surrogatepass")
        name = b"principal %d %b%b" % (
            len(issuer),
            issuer,
            principal.subject.encode("utf-8", "surrogatepass"),
        )
        return hmac.digest(self._digest_key, name, "sha256").hex()[:_DIGEST_CHARACTERS]
