"""`requestState`: what the next run of a request needs, sealed and carried by the client.

It is untrusted input when it comes back (spec 2026-07-28, basic/patterns/mrtr). The seal (HMAC-SHA256) covers
all of it, and it is bound to the request that it was made for.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from mcpcore.protocol import base64url
from mcpcore.protocol.errors import InvalidParams
from mcpcore.protocol.jsonrpc import encode

__all__ = ["Binding", "open_state", "seal_state"]

_SEAL_BYTES: Final = 32


class Binding(NamedTuple):
    """The request that a state belongs to: it opens for the same method, params and principal only."""

    method: str
    params: Mapping[str, Any]
    principal: str = ""

    def digest(self) -> str:
        """SHA-256 of the binding, without the params that a retry changes."""
        fixed = {
            name: value
            for name, value in self.params.items()
            if name not in ("_meta", "inputResponses", "requestState")
        }
        canonical = json.dumps([self.method, self.principal, fixed], sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def seal_state(content: Mapping[str, Any], *, binding: Binding, expires_at: int, key: bytes) -> str:
    """`content` as text that the client cannot change unnoticed; it opens until `expires_at`."""
    body = encode({"expires": expires_at, "bound": binding.digest(), "content": content})
    return base64url.encode(hmac.digest(key, body, "sha256") + body)


def open_state(state: object, *, binding: Binding, now: float, keys: Sequence[bytes]) -> Mapping[str, Any]:
    """The content of a sealed state. Each of `keys` opens: a key can be replaced while states are out.

    Raises:
        InvalidParams: the server did not seal it, or it has expired, or it belongs to another request.
    """
    raw = base64url.decode(state)
    seal, body = raw[:_SEAL_BYTES], raw[_SEAL_BYTES:]
    if not any(hmac.compare_digest(seal, hmac.digest(key, body, "sha256")) for key in keys):
        raise InvalidParams("requestState is not one that this server gave out; send it back as it was")
    opened: dict[str, Any] = json.loads(body)
    if opened["bound"] != binding.digest():
        raise InvalidParams("requestState belongs to another request; retry with the same method and params")
    if opened["expires"] <= now:
        raise InvalidParams("requestState has expired; begin again without it")
    content: Mapping[str, Any] = opened["content"]
    return content
