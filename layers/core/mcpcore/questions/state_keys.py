"""The keys of `requestState` and of exchange ids, derived from a state secret with HKDF (RFC 5869).

Each has one purpose, which its label names, so that no value made for one purpose is valid for another.
docs/request-state.md has the construction with test vectors.
"""

import hmac
from typing import Final

__all__ = ["exchange_key", "hkdf_expand", "hkdf_extract", "key_id", "seal_key"]

_HASH_BYTES: Final = 32
_KEY_ID_BYTES: Final = 8
_SALT: Final = b"mcpcore state secret"


def seal_key(secret: bytes) -> bytes:
    """The key that seals `requestState`."""
    return _derived(secret, b"mcpcore 1 requestState seal", _HASH_BYTES)


def key_id(secret: bytes) -> bytes:
    """The public name of a secret, by which a state says what it was sealed with; it tells nothing more."""
    return _derived(secret, b"mcpcore 1 key id", _KEY_ID_BYTES)


def exchange_key(secret: bytes) -> bytes:
    """The key that ids of exchanges are made with."""
    return _derived(secret, b"mcpcore 1 exchange id", _HASH_BYTES)


def hkdf_extract(salt: bytes, secret: bytes) -> bytes:
    """HKDF-Extract with SHA-256 (RFC 5869, section 2.2)."""
    return hmac.digest(salt, secret, "sha256")


def hkdf_expand(pseudorandom_key: bytes, info: bytes, length: int) -> bytes:
    """HKDF-Expand with SHA-256 (RFC 5869, section 2.3): at most 255 · 32 bytes."""
    block, output = b"", b""
    for counter in range(1, -(-length // _HASH_BYTES) + 1):
        block = hmac.digest(pseudorandom_key, block + info + bytes([counter]), "sha256")
        output += block
    return output[:length]


def _derived(secret: bytes, label: bytes, length: int) -> bytes:
    return hkdf_expand(hkdf_extract(_SALT, secret), label, length)
