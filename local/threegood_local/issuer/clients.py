"""The clients that an issuer knows: registered with it, or described by a document under their own URL."""

import secrets
import ssl
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import httpx2
from authlib.oauth2.rfc6749 import ClientMixin

__all__ = ["Client", "Clients"]

_TIMEOUT_SECONDS: Final = 5
_PUBLIC: Final = "none"
_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})
_FROM_DOCUMENTS: Final = {"authorization_code", "refresh_token"}


class Client(ClientMixin):
    """A client by its metadata (RFC 7591, section 2); it gets every scope that it asks for."""

    def __init__(self, client_id: str, metadata: Mapping[str, Any], secret: str = "") -> None:
        self.client_id: Final = client_id
        self._secret = secret
        self._redirect_uris: list[str] = list(metadata.get("redirect_uris", ()))
        self._grant_types = frozenset(metadata.get("grant_types", ("authorization_code",)))
        self._auth_method = metadata.get("token_endpoint_auth_method", _PUBLIC)

    def get_client_id(self) -> str:
        """The identifier that the client names itself by."""
        return self.client_id

    def get_default_redirect_uri(self) -> str:
        """Where its users go back if it does not say; empty if that is not clear."""
        return self._redirect_uris[0] if len(self._redirect_uris) == 1 else ""

    def get_allowed_scope(self, scope: str) -> str:
        """The scope that it gets of `scope`."""
        return scope or ""

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        """Whether its users may be sent to this URI; on loopback to any port (RFC 8252, section 7.3)."""
        return _any_port(redirect_uri) in map(_any_port, self._redirect_uris)

    def check_client_secret(self, client_secret: str) -> bool:
        """Whether this is its secret."""
        return bool(self._secret) and secrets.compare_digest(self._secret, client_secret)

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:  # noqa: ARG002  # the same for all
        """Whether it may prove who it is by `method`."""
        return bool(method == self._auth_method)

    def check_response_type(self, response_type: str) -> bool:
        """Whether it may ask for this at the authorization endpoint."""
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        """Whether it may ask for tokens this way."""
        return grant_type in self._grant_types


class Clients:
    """The clients by identifier. `trusted` is for the servers of metadata documents, or else system roots."""

    def __init__(self, trusted: ssl.SSLContext | None = None) -> None:
        self._known: dict[str, Client] = {}
        self._trusted = trusted or ssl.create_default_context()

    def add(self, client: Client) -> None:
        """Know this client from now on."""
        self._known[client.client_id] = client

    def find(self, client_id: str) -> Client | None:
        """The client; None if it is unknown, or its document is out of reach or not about it."""
        if client_id not in self._known and urlsplit(client_id).scheme == "https":
            described = self._described(client_id)
            if described:
                self.add(described)
        return self._known.get(client_id)

    def _described(self, url: str) -> Client | None:
        """The client of a client-ID metadata document (draft-ietf-oauth-client-id-metadata-document)."""
        try:
            with httpx2.Client(verify=self._trusted, timeout=_TIMEOUT_SECONDS) as http:
                document = http.get(url).raise_for_status().json()
        except (httpx2.HTTPError, ValueError):
            return None
        if not isinstance(document, dict) or document.get("client_id") != url:
            return None
        # It can keep no secret, for everybody can read the document.
        return Client(
            url, {**document, "grant_types": _FROM_DOCUMENTS, "token_endpoint_auth_method": _PUBLIC}
        )


def _any_port(uri: str) -> str:
    parts = urlsplit(uri)
    return parts._replace(netloc=str(parts.hostname)).geturl() if parts.hostname in _LOOPBACK else uri
