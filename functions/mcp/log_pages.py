"""The pages of the transparency log: static files (C2SP tlog-tiles) under `/log/`, entries under `/audit`."""

import json
import zlib
from typing import Final
from urllib.parse import parse_qsl, urlencode

from mcpcore.http import HttpRequest, HttpResponse
from mcpcore.http.headers import wants_gzip
from mcpcore.http.messages import BYTES
from sources.audit import AuditFilter, audit_part
from sources.baked.log import BUNDLES, CHECKPOINT, BakedLog

__all__ = ["AUDIT_PATH", "LOG_PATH", "log_page"]

AUDIT_PATH: Final = "/audit"
LOG_PATH: Final = "/log/"

_METHODS: Final = ("GET", "HEAD")
# Any web page may read what is public anyway: no session and no cookie is looked at.
_PUBLIC: Final = {
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "Link",
    "x-content-type-options": "nosniff",
}
# As tlog-tiles says: a head may change at any time, and what is under the name of a tile never does.
_HEAD: Final = {"cache-control": "no-cache", "content-type": "text/plain; charset=utf-8"}
_TILE: Final = {"cache-control": "public, max-age=31536000, immutable", "content-type": BYTES}
_JSON: Final = {"cache-control": "public, max-age=60", "content-type": "application/json"}

# A load balancer takes 1 MB; a proof of a log of a million entries has 1 KB.
_MAX_ENTRIES: Final = 400
_MAX_ENTRIES_BYTES: Final = 400_000


def log_page(log: BakedLog, request: HttpRequest) -> HttpResponse | None:
    """The response to `request`; None if the log has no page under its path.

    Raises:
        RecordDamaged: what it needs of the log is not as it was baked.
    """
    if request.path != AUDIT_PATH and not request.path.startswith(LOG_PATH):
        return None
    if request.method not in _METHODS:
        return HttpResponse(405, {"allow": ", ".join(_METHODS)}, b"")
    response = _audit(log, request.query) if request.path == AUDIT_PATH else _file(log, request.path)
    return _sent(response, request)


def _file(log: BakedLog, path: str) -> HttpResponse:
    name = path.removeprefix(LOG_PATH)
    content, headers = (log.checkpoint(), _HEAD) if name == CHECKPOINT else (log.tile(name), _TILE)
    if content is None:
        return HttpResponse(404, {**_JSON, "cache-control": "no-cache"}, b'{"message":"Not Found"}')
    return HttpResponse(200, headers, content)


def _audit(log: BakedLog, query: str) -> HttpResponse:
    """The entries that `query` asks for as a JSON array, and the address of the next part as a link."""
    asked = dict(parse_qsl(query, keep_blank_values=True))
    try:
        wanted = AuditFilter(
            asked.get("since"), asked.get("category"), asked.get("action"), _index(asked.get("start", "0"))
        )
        part = audit_part(
            log,
            wanted,
            limit=_MAX_ENTRIES,
            limit_bytes=_MAX_ENTRIES_BYTES,
            proof=asked.get("proof", "").lower() in ("true", "1"),
        )
    except ValueError as error:
        body = json.dumps({"error": f"{error}."}).encode()
        return HttpResponse(400, {**_JSON, "cache-control": "no-cache"}, body)
    headers = dict(_JSON)
    if part.next is not None:
        headers["link"] = f'<?{urlencode({**asked, "start": part.next})}>; rel="next"'
    return HttpResponse(
        200, headers, json.dumps(part.entries, separators=(",", ":"), ensure_ascii=False).encode("utf-8")
    )


def _index(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise ValueError("start is no index: write a whole number, such as 0")
    return int(text)


def _sent(response: HttpResponse, request: HttpRequest) -> HttpResponse:
    """`response` as `request` accepts it: tiles of hashes do not get smaller, everything else does."""
    headers, body = {**_PUBLIC, **response.headers}, response.body
    if headers["content-type"] != BYTES or request.path.startswith(f"{LOG_PATH}{BUNDLES}"):
        headers["vary"] = "Accept-Encoding"
        if wants_gzip(request.headers.get("accept-encoding", ""), body_bytes=len(body)):
            packer = zlib.compressobj(wbits=zlib.MAX_WBITS | 16)
            body = packer.compress(body) + packer.flush()
            headers["content-encoding"] = "gzip"
    if request.method == "HEAD":
        return HttpResponse(response.status, {**headers, "content-length": str(len(body))}, b"")
    return HttpResponse(response.status, headers, body)
