"""Registrations from JSON: arrays of Tool, Resource and Prompt objects, as the protocol lists them."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from mcpcore.definitions.built import Icon, PromptArgument, ResourceInfo
from mcpcore.protocol.errors import DefinitionError
from mcpcore.server.registration import (
    PromptRegistration,
    ResourceRegistration,
    ToolRegistration,
    function_name,
)

__all__ = ["prompts_from", "resources_from", "tools_from"]

Handlers: TypeAlias = Mapping[str, Callable[..., Any]]
"""The function for each name, or for each URI of a resource."""

_HINTS: Final = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


def tools_from(definitions: str | bytes, handlers: Handlers) -> list[ToolRegistration]:
    """The tools of a JSON array of Tool objects.

    Raises:
        DefinitionError: the JSON is malformed or has another shape, or a tool has no handler.
    """
    return [_tool(entry, handlers) for entry in _entries(definitions, "tools")]


def resources_from(definitions: str | bytes, handlers: Handlers) -> list[ResourceRegistration]:
    """The resources of a JSON array of Resource and ResourceTemplate objects.

    Raises:
        DefinitionError: see `tools_from`.
    """
    return [_resource(entry, handlers) for entry in _entries(definitions, "resources")]


def prompts_from(definitions: str | bytes, handlers: Handlers) -> list[PromptRegistration]:
    """The prompts of a JSON array of Prompt objects.

    Raises:
        DefinitionError: see `tools_from`.
    """
    return [_prompt(entry, handlers) for entry in _entries(definitions, "prompts")]


def _tool(entry: Mapping[str, Any], handlers: Handlers) -> ToolRegistration:
    hints = entry.get("annotations", {})
    if not isinstance(hints, dict):
        raise DefinitionError(str(entry.get("name")), "annotations must be an object")
    return ToolRegistration(
        name=entry.get("name", ""),
        title=entry.get("title", ""),
        description=entry.get("description", ""),
        annotations={hint: hints[hint] for hint in _HINTS if hints.get(hint) is not None},
        icons=_icons(entry),
        function=_handler(handlers, entry.get("name")),
        requires={},
        input_schema=entry.get("inputSchema", {}),
        output_schema=entry.get("outputSchema"),
    )


def _resource(entry: Mapping[str, Any], handlers: Handlers) -> ResourceRegistration:
    uri = entry.get("uriTemplate", entry.get("uri"))
    icons, function = _icons(entry), _handler(handlers, uri)
    about = ResourceInfo(
        uri=str(uri),
        name=entry.get("name") or function_name(function),
        title=entry.get("title", ""),
        description=entry.get("description", ""),
        mime_type=entry.get("mimeType", ""),
        size=entry.get("size"),
        annotations=entry.get("annotations"),
        icons=icons,
    )
    return ResourceRegistration(about, function, instances=None, fixed=False)


def _prompt(entry: Mapping[str, Any], handlers: Handlers) -> PromptRegistration:
    arguments = [
        PromptArgument(each["name"], each.get("description", ""), each.get("required", False))
        for each in _objects(entry, "arguments", having="name")
    ]
    return PromptRegistration(
        name=entry.get("name", ""),
        title=entry.get("title", ""),
        description=entry.get("description", ""),
        icons=_icons(entry),
        function=_handler(handlers, entry.get("name")),
        arguments=tuple(arguments),
    )


def _entries(definitions: str | bytes, kind: str) -> list[dict[str, Any]]:
    try:
        found = json.loads(definitions)
    except ValueError as error:
        raise DefinitionError(kind, f"the definitions are not JSON: {error}") from error
    if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
        raise DefinitionError(kind, "the definitions must be an array of objects")
    return found


def _handler(handlers: Handlers, name: object) -> Callable[..., Any]:
    if not isinstance(name, str) or name not in handlers:
        raise DefinitionError(str(name), "no handler was given for this definition")
    return handlers[name]


def _icons(entry: Mapping[str, Any]) -> tuple[Icon, ...]:
    return tuple(
        Icon(icon["src"], icon.get("mimeType", ""), tuple(icon.get("sizes", ())), icon.get("theme", ""))
        for icon in _objects(entry, "icons", having="src")
    )


def _objects(entry: Mapping[str, Any], member: str, *, having: str) -> list[dict[str, Any]]:
    """The array of objects under `member`, each with a string `having`; empty if it is missing."""
    found = entry.get(member, [])
    if not isinstance(found, list) or not all(
        isinstance(each, dict) and isinstance(each.get(having), str) for each in found
    ):
        raise DefinitionError(str(entry.get("name")), f"{member} must be an array of objects with a {having}")
    return found
