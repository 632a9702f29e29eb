"""Protocol versions in order, and the two eras they fall into."""

import enum
from typing import Final

__all__ = [
    "HANDSHAKE_VERSIONS",
    "LATEST_HANDSHAKE_VERSION",
    "STATELESS_VERSIONS",
    "SUPPORTED_VERSIONS",
    "Era",
    "at_least",
    "negotiated",
]


class Era(enum.Enum):
    """How a request says which protocol it speaks (spec 2026-07-28, basic/versioning, "Terminology")."""

    LEGACY = "legacy"
    """By the `initialize` handshake, remembered in a session."""
    MODERN = "modern"
    """By the `_meta` of each request; nothing is remembered."""


HANDSHAKE_VERSIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""The legacy era's versions, oldest first."""

STATELESS_VERSIONS: Final = ("2026-07-28",)
"""The modern era's versions, oldest first."""

SUPPORTED_VERSIONS: Final = tuple(reversed(HANDSHAKE_VERSIONS + STATELESS_VERSIONS))
"""Every version spoken here, newest first: what `server/discover` and a refused version are told."""

LATEST_HANDSHAKE_VERSION: Final = HANDSHAKE_VERSIONS[-1]

_AGE: Final = {version: age for age, version in enumerate(SUPPORTED_VERSIONS)}


def negotiated(requested: str) -> str:
    """The version that answers an `initialize` for `requested`: the same if spoken, else our latest.

    A version of the modern era has no handshake, so it is never the answer
    (spec 2025-11-25, basic/lifecycle, "Version Negotiation").
    """
    return requested if requested in HANDSHAKE_VERSIONS else LATEST_HANDSHAKE_VERSION


def at_least(version: str, since: str) -> bool:
    """True when `version` is `since` or newer; both are supported versions."""
    return _AGE[version] <= _AGE[since]
