"""Definitions from JSON: arrays of Tool, Resource and Prompt objects, as the protocol lists them."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from mcpcore.definitions.built import Icon
from mcpcore.protocol.errors import DefinitionError

__all__ = ["entries", "handler_of", "icons_of", "object_member", "objects_member"]


def entries(definitions: str | bytes, kind: str) -> list[dict[str, Any]]:
    """The objects of a JSON array.

    Raises:
        DefinitionError: it is not JSON, or not an array of objects.
    """
    try:
        found = json.loads(definitions)
    except ValueError as error:
        raise DefinitionError(kind, f"the definitions are not JSON: {error}") from error
    if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
        raise DefinitionError(kind, "the definitions must be an array of objects")
    return found


def handler_of(handlers: Mapping[str, Callable[..., Any]], name: object) -> Callable[..., Any]:
    """The handler of that name.

    Raises:
        DefinitionError: there is none.
    """
    if not isinstance(name, str) or name not in handlers:
        raise DefinitionError(str(name), "no handler was given for this definition")
    return handlers[name]


def icons_of(entry: Mapping[str, Any]) -> list[Icon]:
    """The icons of a definition."""
    return [
        Icon(icon["src"], icon.get("mimeType", ""), tuple(icon.get("sizes", ())), icon.get("theme", ""))
        for icon in objects_member(entry, "icons", having="src")
    ]


def object_member(entry: Mapping[str, Any], member: str) -> Mapping[str, Any]:
    """The object under `member`; empty if it is missing.

    Raises:
        DefinitionError: it is not an object.
    """
    found = entry.get(member, {})
    if not isinstance(found, dict):
        raise DefinitionError(str(entry.get("name")), f"{member} must be an object")
    return found


def objects_member(entry: Mapping[str, Any], member: str, *, having: str) -> list[dict[str, Any]]:
    """The array of objects under `member`; empty if it is missing.

    Raises:
        DefinitionError: it is not an array, or an item lacks the string `having`.
    """
    found = entry.get(member, [])
    if not isinstance(found, list) or not all(
        isinstance(each, dict) and isinstance(each.get(having), str) for each in found
    ):
        raise DefinitionError(str(entry.get("name")), f"{member} must be an array of objects with a {having}")
    return found
