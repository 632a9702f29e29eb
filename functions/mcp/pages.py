"""What the product answers over HTTP beside MCP; imported when the first page is asked for."""

from typing import Final

from log_pages import log_page
from mcpcore.http import HttpRequest, HttpResponse
from mcpcore.http.headers import wants_gzip
from sources.baked import BakedRegistry
from sources.resources import REGISTRY_PATH

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
        if request.path == REGISTRY_PATH:
            return self._whole_registry(request)
        return log_page(self._registry.log(), request)

    def _whole_registry(self, request: HttpRequest) -> HttpResponse:
        """The bytes that digest and signature cover.

        The digest is the entity tag. The compressed bytes need another one (RFC 9110, section 8.8.3.3).
        """
        if request.method not in _METHODS:
            return HttpResponse(405, {"allow": ", ".join(_METHODS)}, b"")
        packed = self._registry.compressed_canonical()
        compressed = wants_gzip(request.headers.get("accept-encoding", ""), body_bytes=len(packed))
        tag = f'"{self._registry.manifest.digest}{"-gzip" if compressed else ""}"'
        headers = {**_PUBLIC, "etag": tag}
        if _matches(request.headers.get("if-none-match", ""), tag):
            return HttpResponse(304, headers, b"")
        body = packed if compressed else self._registry.canonical()
        headers["content-type"] = "application/json"
        if compressed:
            headers["content-encoding"] = "gzip"
        if request.method == "HEAD":
            return HttpResponse(200, {**headers, "content-length": str(len(body))}, b"")
        return HttpResponse(200, headers, body)


def _matches(if_none_match: str, tag: str) -> bool:
    """Whether a client has what `tag` names (RFC 9110, section 13.1.2); weak tags are compared too."""
    tags = [each.strip().removeprefix("W/") for each in if_none_match.split(",")]
    return tag in tags or tags == ["*"]
