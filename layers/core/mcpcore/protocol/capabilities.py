"""Capability objects, as client and server declare them."""

from collections.abc import Mapping
from typing import Any, TypeAlias

__all__ = ["Capabilities", "missing_capabilities"]

Capabilities: TypeAlias = Mapping[str, Any]
"""A ClientCapabilities or ServerCapabilities object: capability name to its settings."""


def missing_capabilities(declared: Capabilities, required: Capabilities) -> Capabilities:
    """The part of `required` that `declared` does not cover; empty when nothing is missing.

    A capability is covered when it is declared with every named setting of the requirement.
    """
    return {
        name: settings
        for name, settings in required.items()
        if not (isinstance(found := declared.get(name), Mapping) and settings.keys() <= found.keys())
    }
