"""`requestState`: what the next run of a request needs, sealed and carried by the client.

It is untrusted input when it comes back (spec 2026-07-28, basic/patterns/mrtr). As bytes it is

    version (1) · key id (8) · seal (32) · body

The seal (HMAC-SHA256) covers version, key id and body, which is JSON: docs/request-state.md.
"""

import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from mcpcore.protocol import base64url
from mcpcore.protocol.errors import InvalidParams
from mcpcore.protocol.jsonrpc import encode
from mcpcore.questions.state_keys import key_id, seal_key

__all__ = ["Binding", "open_state", "seal_state"]

# Of the layout above and of the members of the body and its content: a change of either needs another.
_VERSION: Final = b"\x01"
_KEY_ID_END: Final = 9
_SEAL_END: Final = _KEY_ID_END + 32


class Binding(NamedTuple):
    """What a state belongs to: it opens on the server of this name, for one method, params and principal.

    `principal` is the digest of the principal; empty without authorization.
    """

    audience: str
    method: str
    params: Mapping[str, Any]
    principal: str = ""

    def digest(self) -> str:
        """SHA-256 of the request, without the params that a retry changes."""
        fixed = {
            name: value
            for name, value in self.params.items()
            if name not in ("_meta", "inputResponses", "requestState")
        }
        canonical = json.dumps([self.method, self.principal, fixed], sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def seal_state(content: Mapping[str, Any], *, binding: Binding, expires_at: int, secret: bytes) -> str:
    """`content` as text that the client cannot change unnoticed; it opens until `expires_at`."""
    body = encode(
        {
            "audience": binding.audience,
            "bound": binding.digest(),
            "expires": expires_at,
            "content": content,
        }
    )
    head = _VERSION + key_id(secret)
    return base64url.encode(head + _seal(secret, head, body) + body)


def open_state(state: object, *, binding: Binding, now: float, secrets: Iterable[bytes]) -> Mapping[str, Any]:
    """The content of a sealed state. `secrets` are taken one by one until the state's key id names one.

    Raises:
        InvalidParams: the server did not seal it, or with a secret that is gone; or it has expired, or it
            belongs to another server or request.
    """
    raw = base64url.decode(state)
    head, seal, body = raw[:_KEY_ID_END], raw[_KEY_ID_END:_SEAL_END], raw[_SEAL_END:]
    if not body:
        raise _forged()
    if head[:1] != _VERSION:
        raise InvalidParams("requestState is of another version; begin again without it")
    named = (secret for secret in secrets if hmac.compare_digest(key_id(secret), head[1:]))
    secret = next(named, None)
    if secret is None:
        raise InvalidParams("requestState is sealed with a key that is gone; begin again without it")
    if not hmac.compare_digest(seal, _seal(secret, head, body)):
        raise _forged()
    return _opened(json.loads(body), binding, now)


def _opened(body: Mapping[str, Any], binding: Binding, now: float) -> Mapping[str, Any]:
    if body["audience"] != binding.audience:
        raise InvalidParams("requestState is of another server; begin again without it")
    if body["bound"] != binding.digest():
        raise InvalidParams("requestState belongs to another request; retry with the same method and params")
    if body["expires"] <= now:
        raise InvalidParams("requestState has expired; begin again without it")
    content: Mapping[str, Any] = body["content"]
    return content


def _seal(secret: bytes, head: bytes, body: bytes) -> bytes:
    return hmac.digest(seal_key(secret), head + body, "sha256")


def _forged() -> InvalidParams:
    return InvalidParams("requestState is not one that this server gave out; send it back as it was")
