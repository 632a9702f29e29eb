"""The algorithms that access tokens may be signed with."""

from collections.abc import Mapping
from typing import Final

__all__ = ["ALGORITHMS"]

ALGORITHMS: Final[Mapping[str, str]] = {
    "EdDSA": "Ed25519",
    "Ed25519": "Ed25519",
    "ES256": "P-256",
    "RS256": "RSA",
    "PS256": "RSA",
}
"""The algorithms that a token may be signed with, and the kind of key that each takes.

RFC 7518, section 3.1; RFC 8037; RFC 9864, which names EdDSA with this curve Ed25519.
"""
