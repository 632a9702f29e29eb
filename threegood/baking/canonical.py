"""The canonical form of a registry, which is hashed and signed.

It follows RFC 8785 (JSON Canonicalization Scheme): members sorted by name, no white space, shortest escapes,
UTF-8. Sorting by code point is sorting by UTF-16 unit here, because all names are ASCII, and a registry has
no fractions: so these short functions and a full implementation of the RFC give the same bytes for any valid
registry.
"""

import hashlib
import json
from typing import Any

from threegood.registry.records import Registry


def canonical_bytes(registry: Registry) -> bytes:
    """The canonical form of the members that `registry.json` states, and of one more, `vocabulary`.

    That is the digest of the canonical form of the vocabulary, so that a signature covers both. It is absent
    if there is no vocabulary.
    """
    content = registry.model_dump(mode="json", exclude_unset=True, exclude={"vocabulary"})
    vocabulary = registry.vocabulary.model_dump(mode="json", exclude_unset=True)
    if vocabulary:
        content["vocabulary"] = digest_of(_canonical(vocabulary))
    return _canonical(content)


def _canonical(content: dict[str, Any]) -> bytes:
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8")


def digest_of(data: bytes) -> str:
    """The SHA-256 digest of `data`, as `sha256:` and 64 hexadecimal digits."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"
