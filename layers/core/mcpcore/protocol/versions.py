"""Protocol versions in order, and the era that each belongs to."""

import enum
from typing import Final

__all__ = [
    "HANDSHAKE_VERSIONS",
    "LATEST_HANDSHAKE_VERSION",
    "RESUMABLE_VERSIONS",
    "STATELESS_VERSIONS",
    "SUPPORTED_VERSIONS",
    "Era",
    "at_least",
    "negotiate",
]


class Era(enum.Enum):
    """How client and server negotiate a version (spec 2026-07-28, basic/versioning, "Terminology")."""

    LEGACY = "legacy"
    """By the `initialize` handshake; the result is stored in a session."""
    MODERN = "modern"
    """By the `_meta` of each request; nothing is stored."""


HANDSHAKE_VERSIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""The legacy era's versions, oldest first."""

STATELESS_VERSIONS: Final = ("2026-07-28",)
"""The modern era's versions, oldest first."""

SUPPORTED_VERSIONS: Final = tuple(reversed(HANDSHAKE_VERSIONS + STATELESS_VERSIONS))
"""Every supported version, newest first, as `server/discover` and version errors list them."""

LATEST_HANDSHAKE_VERSION: Final = HANDSHAKE_VERSIONS[-1]

RESUMABLE_VERSIONS: Final = frozenset({"2025-11-25"})
"""Handshake versions whose HTTP clients resume an answer that ended early.

Clients of older versions wait on the first connection (spec 2025-11-25, basic/transports, "Resumability").
"""

_AGE: Final = {version: age for age, version in enumerate(SUPPORTED_VERSIONS)}


def negotiate(requested: str) -> str:
    """The version that answers an `initialize` for `requested`: the same if supported, else the latest.

    Versions of the modern era have no handshake, so none of them is ever the answer
    (spec 2025-11-25, basic/lifecycle, "Version Negotiation").
    """
    return requested if requested in HANDSHAKE_VERSIONS else LATEST_HANDSHAKE_VERSION


def at_least(version: str, since: str) -> bool:
    """True when `version` is `since` or newer; both are supported versions."""
    return _AGE[version] <= _AGE[since]
