"""What OAuth 2.0 adds to HTTP requests and responses: bearer tokens, challenges, and the resource's metadata.

RFC 6750 (bearer tokens), RFC 9728 (protected resource metadata). Only a server with authorization imports it.
"""

import json
import re
from collections.abc import Collection, Sequence
from typing import Final

from mcpcore.http.messages import HttpRequest, HttpResponse
from mcpcore.protocol.errors import AuthorizationError, MalformedAuthorization, Unauthorized

__all__ = [
    "CHALLENGE_COPY",
    "MAX_TOKEN_CHARACTERS",
    "METADATA_PATH",
    "bearer_token",
    "challenge",
    "challenged",
    "metadata_response",
]

METADATA_PATH: Final = "/.well-known/oauth-protected-resource"
"""Where the metadata is; before the path of a resource that has one (RFC 9728, section 3.1)."""

CHALLENGE_COPY: Final = "mcp-www-authenticate"
"""A header with the same challenge, from which a gateway can restore the one that it renames."""

MAX_TOKEN_CHARACTERS: Final = 8_192
"""Of an access token; API Gateway takes 10,240 bytes for all headers together."""

# "b64token" (RFC 6750, section 2.1)
_TOKEN: Final = re.compile(r"[A-Za-z0-9._~+/-]+=*")
_METADATA_MAX_AGE_SECONDS: Final = 300


def bearer_token(request: HttpRequest) -> str | None:
    """The token of `Authorization: Bearer`; None if the request has no such header or another scheme.

    Tokens in a query or a body are not looked at.

    Raises:
        MalformedAuthorization: there is no token after the scheme, or several.
        Unauthorized: the token is too long.
    """
    scheme, _, token = request.headers.get("authorization", "").strip(" \t").partition(" ")
    if scheme.lower() != "bearer":
        return None
    token = token.strip(" ")
    if len(token) > MAX_TOKEN_CHARACTERS:
        raise Unauthorized(f"it is longer than {MAX_TOKEN_CHARACTERS:,} characters")
    if _TOKEN.fullmatch(token) is None:
        raise MalformedAuthorization("Bearer must be followed by one token")
    return token


def challenge(error: AuthorizationError, scopes: Collection[str], metadata_url: str) -> str:
    """The value of `WWW-Authenticate` (RFC 6750, section 3; RFC 9728, section 5.1).

    `scopes` are all that the request needs; `metadata_url` is where the resource's metadata is, empty if it
    has none.
    """
    parameters = {
        "resource_metadata": metadata_url,
        "scope": " ".join(sorted(scopes)),
        "error": error.code,
        "error_description": error.description,
    }
    given = [f'{name}="{_quotable(value)}"' for name, value in parameters.items() if value]
    return " ".join(["Bearer", ", ".join(given)]).rstrip()


def challenged(response: HttpResponse, value: str) -> HttpResponse:
    """`response` with the challenge `value`, readable for web pages that may call."""
    headers = {
        **response.headers,
        "www-authenticate": value,
        CHALLENGE_COPY: value,
        "cache-control": "no-store",
    }
    if "access-control-expose-headers" in headers:
        headers["access-control-expose-headers"] += f", {CHALLENGE_COPY}"
    return response._replace(headers=headers)


def metadata_response(
    request: HttpRequest, resource: str, authorization_servers: Sequence[str], scopes: Sequence[str]
) -> HttpResponse:
    """The metadata of a protected resource (RFC 9728, section 2), which every web page may read."""
    common = {"access-control-allow-origin": "*", "x-content-type-options": "nosniff"}
    if request.method == "OPTIONS":
        allowed = {"access-control-allow-methods": "GET, HEAD", "access-control-allow-headers": "*"}
        return HttpResponse(204, {**common, **allowed, "access-control-max-age": "3600"}, b"")
    if request.method not in ("GET", "HEAD"):
        return HttpResponse(405, {**common, "allow": "GET, HEAD, OPTIONS"}, b"")
    document = {
        "resource": resource,
        "authorization_servers": list(authorization_servers),
        **({"scopes_supported": list(scopes)} if scopes else {}),
        "bearer_methods_supported": ["header"],
    }
    body = json.dumps(document, separators=(",", ":")).encode()
    headers = {
        **common,
        "content-type": "application/json",
        "cache-control": f"public, max-age={_METADATA_MAX_AGE_SECONDS}",
    }
    if request.method == "HEAD":
        return HttpResponse(200, {**headers, "content-length": str(len(body))}, b"")
    return HttpResponse(200, headers, body)


def _quotable(text: str) -> str:
    """`text` with what may not stand in `error_description` left out (RFC 6750, section 3)."""
    return "".join(character for character in text if " " <= character <= "~" and character not in '"\\')
