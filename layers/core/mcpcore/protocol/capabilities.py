"""Capability objects, as client and server declare them."""

from collections.abc import Mapping
from typing import Any, TypeAlias

__all__ = ["Capabilities", "missing_capabilities"]

Capabilities: TypeAlias = Mapping[str, Any]
"""A ClientCapabilities or ServerCapabilities object: capability name to its settings."""


def missing_capabilities(declared: Capabilities, required: Capabilities) -> Capabilities:
    """The part of `required` that `declared` does not cover; empty when nothing is missing.

    A capability is covered when it is declared with every named setting of the requirement; null declares
    nothing.
    """
    return {
        name: settings for name, settings in required.items() if not _covers(declared.get(name), settings)
    }


def _covers(declared: object, settings: Mapping[str, Any]) -> bool:
    return isinstance(declared, Mapping) and all(declared.get(name) is not None for name in settings)
