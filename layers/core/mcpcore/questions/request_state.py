"""`requestState`: what an interrupted request must remember, sealed and given to the client to bring back.

It is hostile input when it comes back (spec 2026-07-28, basic/patterns/mrtr). The seal covers everything in
it, and it is bound to the request that it was made for.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from mcpcore.protocol.base64url import from_text, to_text
from mcpcore.protocol.errors import InvalidParams
from mcpcore.protocol.jsonrpc import encode

__all__ = ["Binding", "open_state", "seal_state"]

_SEAL_BYTES: Final = 32


class Binding(NamedTuple):
    """What a state belongs to: it opens for the same method, params and principal only."""

    method: str
    params: Mapping[str, Any]
    principal: str = ""

    def digest(self) -> str:
        """The binding in a few characters; the members that a retry changes are left out."""
        kept = {
            name: value
            for name, value in self.params.items()
            if name not in ("_meta", "inputResponses", "requestState")
        }
        canonical = json.dumps([self.method, self.principal, kept], sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def seal_state(remembered: Mapping[str, Any], *, binding: Binding, expires_at: int, key: bytes) -> str:
    """`remembered` as text that the client cannot change without notice; it opens until `expires_at`."""
    body = encode({"expires": expires_at, "bound": binding.digest(), "remembered": remembered})
    return to_text(hmac.digest(key, body, "sha256") + body)


def open_state(state: object, *, binding: Binding, now: float, keys: Sequence[bytes]) -> Mapping[str, Any]:
    """What was remembered. Every key of `keys` opens, so that a key can be replaced while states are out.

    Raises:
        InvalidParams: it is not one of ours, was changed, has expired, or belongs to another request.
    """
    raw = from_text(state)
    seal, body = raw[:_SEAL_BYTES], raw[_SEAL_BYTES:]
    if not any(hmac.compare_digest(seal, hmac.digest(key, body, "sha256")) for key in keys):
        raise InvalidParams("requestState is not one that this server gave out; send it back as it was")
    content: dict[str, Any] = json.loads(body)
    if content["bound"] != binding.digest():
        raise InvalidParams("requestState belongs to another request; retry with the same method and params")
    if content["expires"] <= now:
        raise InvalidParams("requestState has expired; begin again without it")
    remembered: Mapping[str, Any] = content["remembered"]
    return remembered
