"""The canonical form of a registry (RFC 8785, JSON Canonicalization Scheme), which is hashed and signed."""

import hashlib
import json

import rfc8785

from threegood.registry.records import Registry


def canonical_bytes(registry: Registry) -> bytes:
    """The canonical form of the members that `registry.json` states, and of one more, `vocabulary`.

    That is the digest of the canonical form of the vocabulary, so that a signature covers both. It is absent
    if there is no vocabulary.
    """
    content = registry.model_dump(mode="json", exclude_unset=True, exclude={"vocabulary"})
    vocabulary = registry.vocabulary.model_dump(mode="json", exclude_unset=True)
    if vocabulary:
        content["vocabulary"] = digest_of(rfc8785.dumps(vocabulary))
    return rfc8785.dumps(content)


def registry_in(canonical: bytes) -> Registry:
    """The registry in these canonical bytes, without its vocabulary, of which they have only the digest.

    Raises:
        ValueError: it breaks a rule, or the bytes are not the canonical form of what they say.
    """
    content = json.loads(canonical)
    if rfc8785.dumps(content) != canonical:
        raise ValueError("It is not in its canonical form (RFC 8785).")
    content.pop("vocabulary", None)
    return Registry.model_validate_json(rfc8785.dumps(content))


def digest_of(data: bytes) -> str:
    """The SHA-256 digest of `data`, as `sha256:` and 64 hexadecimal digits."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"
