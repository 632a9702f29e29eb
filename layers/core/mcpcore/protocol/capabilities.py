"""Capability objects, as client and server declare them."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias

__all__ = ["ASKED", "Capabilities", "missing_capabilities", "readable_part"]

Capabilities: TypeAlias = Mapping[str, Any]
"""A ClientCapabilities or ServerCapabilities object: capability name to its settings."""


ASKED: Final[Capabilities] = {
    "elicitation": {"form": {}, "url": {}},
    "sampling": {"tools": {}},
    "roots": {},
}
"""The client capabilities that questions to a client need, with the settings that make a difference."""


def readable_part(declared: Capabilities, required: Iterable[Capabilities]) -> Capabilities:
    """The part of `declared` that questions and requirements of `required` look at: names, no content.

    So what is stored for a session is small, whatever a client declares.
    """
    found: dict[str, dict[str, Any]] = {}
    for each in (ASKED, *required):
        for name, settings in each.items():
            if isinstance(there := declared.get(name), Mapping):
                found.setdefault(name, {}).update({key: {} for key in settings if there.get(key) is not None})
    return found


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
