"""Definitions from JSON: arrays of Tool, Resource and Prompt objects, as the protocol lists them."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from mcpcore.definitions.built import Icon, PromptArgument
from mcpcore.protocol.errors import DefinitionError

__all__ = ["Definition", "prompts_from", "resources_from", "tools_from"]

Handlers = Mapping[str, Callable[..., Any]]


class Definition(NamedTuple):
    """A tool's or prompt's name or a resource's URI, the options of its registration, and its handler."""

    name: Any
    options: dict[str, Any]
    handler: Callable[..., Any]


def tools_from(definitions: str | bytes, handlers: Handlers) -> Iterator[Definition]:
    """The tools of a JSON array of Tool objects; handlers by name.

    Raises:
        DefinitionError: the JSON is malformed or has another shape, or a tool has no handler.
    """
    for entry in _entries(definitions, "tools"):
        hints = _object(entry, "annotations")
        options = {
            **_common(entry),
            "read_only": hints.get("readOnlyHint"),
            "destructive": hints.get("destructiveHint"),
            "idempotent": hints.get("idempotentHint"),
            "open_world": hints.get("openWorldHint"),
            "input_schema": entry.get("inputSchema", {}),
            "output_schema": entry.get("outputSchema"),
        }
        yield Definition(entry.get("name"), options, _handler(handlers, entry.get("name")))


def resources_from(definitions: str | bytes, handlers: Handlers) -> Iterator[Definition]:
    """The resources of a JSON array of Resource and ResourceTemplate objects; handlers by URI.

    Raises:
        DefinitionError: the JSON is malformed or has another shape, or a resource has no handler.
    """
    for entry in _entries(definitions, "resources"):
        uri = entry.get("uriTemplate", entry.get("uri"))
        options = {
            **_common(entry),
            "name": entry.get("name"),
            "mime_type": entry.get("mimeType", ""),
            "size": entry.get("size"),
            "annotations": entry.get("annotations"),
        }
        yield Definition(str(uri), options, _handler(handlers, uri))


def prompts_from(definitions: str | bytes, handlers: Handlers) -> Iterator[Definition]:
    """The prompts of a JSON array of Prompt objects; handlers by name.

    Raises:
        DefinitionError: the JSON is malformed or has another shape, or a prompt has no handler.
    """
    for entry in _entries(definitions, "prompts"):
        arguments = [
            PromptArgument(each["name"], each.get("description", ""), each.get("required", False))
            for each in _objects(entry, "arguments", having="name")
        ]
        options = {**_common(entry), "arguments": arguments}
        yield Definition(entry.get("name"), options, _handler(handlers, entry.get("name")))


def _entries(definitions: str | bytes, kind: str) -> list[dict[str, Any]]:
    try:
        found = json.loads(definitions)
    except ValueError as error:
        raise DefinitionError(kind, f"the definitions are not JSON: {error}") from error
    if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
        raise DefinitionError(kind, "the definitions must be an array of objects")
    return found


def _common(entry: Mapping[str, Any]) -> dict[str, Any]:
    icons = [
        Icon(icon["src"], icon.get("mimeType", ""), tuple(icon.get("sizes", ())), icon.get("theme", ""))
        for icon in _objects(entry, "icons", having="src")
    ]
    return {
        "title": entry.get("title", ""),
        "description": entry.get("description", ""),
        "icons": icons,
    }


def _handler(handlers: Handlers, name: object) -> Callable[..., Any]:
    if not isinstance(name, str) or name not in handlers:
        raise DefinitionError(str(name), "no handler was given for this definition")
    return handlers[name]


def _object(entry: Mapping[str, Any], member: str) -> Mapping[str, Any]:
    found = entry.get(member, {})
    if not isinstance(found, dict):
        raise DefinitionError(str(entry.get("name")), f"{member} must be an object")
    return found


def _objects(entry: Mapping[str, Any], member: str, *, having: str) -> list[dict[str, Any]]:
    found = entry.get(member, [])
    if not isinstance(found, list) or not all(
        isinstance(each, dict) and isinstance(each.get(having), str) for each in found
    ):
        raise DefinitionError(str(entry.get("name")), f"{member} must be an array of objects with a {having}")
    return found
