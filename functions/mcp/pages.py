"""What the product answers over HTTP beside MCP; imported when the first page is asked for."""

import json
from hashlib import sha256
from time import time
from typing import Final

from log_pages import log_page
from mcpcore.http import HttpRequest, HttpResponse
from mcpcore.http.headers import wants_gzip
from sources.baked import BakedRegistry
from sources.catalog import SERVER_VERSION
from sources.resources import HEALTH_PATH, REGISTRY_PATH, SIGNATURE_PATH

__all__ = ["Pages"]

# A deployment may change the registry. Until then a cache answers, and later asks with the entity tag.
_MAX_AGE_SECONDS: Final = 300

# Any web page may read what is public anyway: no session and no cookie is looked at.
_PUBLIC: Final = {
    "cache-control": f"public, max-age={_MAX_AGE_SECONDS}",
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "ETag",
    "vary": "Accept-Encoding",
    "x-content-type-options": "nosniff",
}
# The template routes the metadata of authorization here. While that is off, clients learn that there is none.
_WELL_KNOWN: Final = "/.well-known/"
_METHODS: Final = ("GET", "HEAD")


class Pages:
    """The pages over the baked registry in a folder, and no page where one may be looked for."""

    def __init__(self, registry_dir: str) -> None:
        self._registry = BakedRegistry.open(registry_dir)

    def __call__(self, request: HttpRequest) -> HttpResponse | None:
        """The response to `request`; None if there is no page under its path.

        Raises:
            RecordDamaged: what it needs of the registry is not as it was baked.
        """
        if request.path.startswith(_WELL_KNOWN):
            return HttpResponse(404, {}, b"")
        page = {
            REGISTRY_PATH: self._whole_registry,
            SIGNATURE_PATH: self._signature,
            HEALTH_PATH: self._health,
        }.get(request.path)
        if page is None:
            return log_page(self._registry.log(), request)
        if request.method not in _METHODS:
            return HttpResponse(405, {"allow": ", ".join(_METHODS)}, b"")
        return page(request)

    def _signature(self, request: HttpRequest) -> HttpResponse:
        """The file `registry.sig`; 404 if the registry is not signed as it is."""
        signature = self._registry.signature()
        if signature is None:
            status = self._registry.manifest.status
            body = json.dumps({"error": f"The registry is {status}: there is no signature of it."})
            return _shown(request, 404, {**_PUBLIC, "cache-control": "no-store"}, body.encode("utf-8"))
        tag = f'"sha256:{sha256(signature).hexdigest()}"'
        headers = {**_PUBLIC, "etag": tag}
        if _matches(request.headers.get("if-none-match", ""), tag):
            return HttpResponse(304, headers, b"")
        return _shown(request, 200, headers, signature)

    def _health(self, request: HttpRequest) -> HttpResponse:
        """That the node works, and what it serves; `status`, `version` and `pubkey` as the reference node."""
        facts = self._registry.manifest
        body = {
            "status": "ok",
            "version": facts.version,
            "pubkey": self._registry.page("provenance").structured["curator"]["spellings"]["zbase32"],
            "key": facts.curator_pubkey,
            "digest": facts.digest,
            "signature": facts.status_at(time()),
            "demonstration": facts.demonstration,
            "expires_at": facts.expires_at,
            "server_version": SERVER_VERSION,
        }
        headers = {**_PUBLIC, "cache-control": "no-store"}
        return _shown(request, 200, headers, json.dumps(body).encode("utf-8"))

    def _whole_registry(self, request: HttpRequest) -> HttpResponse:
        """The bytes that digest and signature cover.

        The digest is the entity tag. The compressed bytes need another one (RFC 9110, section 8.8.3.3).
        """
        packed = self._registry.compressed_canonical()
        compressed = wants_gzip(request.headers.get("accept-encoding", ""), body_bytes=len(packed))
        tag = f'"{self._registry.manifest.digest}{"-gzip" if compressed else ""}"'
        headers = {**_PUBLIC, "etag": tag}
        if _matches(request.headers.get("if-none-match", ""), tag):
            return HttpResponse(304, headers, b"")
        body = packed if compressed else self._registry.canonical()
        if compressed:
            headers["content-encoding"] = "gzip"
        return _shown(request, 200, headers, body)


def _shown(request: HttpRequest, status: int, headers: dict[str, str], body: bytes) -> HttpResponse:
    """A JSON body, or for HEAD its length."""
    headers = {**headers, "content-type": "application/json"}
    if request.method == "HEAD":
        return HttpResponse(status, {**headers, "content-length": str(len(body))}, b"")
    return HttpResponse(status, headers, body)


def _matches(if_none_match: str, tag: str) -> bool:
    """Whether a client has what `tag` names (RFC 9110, section 13.1.2); weak tags are compared too."""
    tags = [each.strip().removeprefix("W/") for each in if_none_match.split(",")]
    return tag in tags or tags == ["*"]
