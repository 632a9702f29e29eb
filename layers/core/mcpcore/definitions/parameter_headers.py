"""`x-mcp-header`: the arguments that a modern client repeats in headers (spec 2026-07-28, server/tools)."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from mcpcore.protocol.errors import DefinitionError

__all__ = ["declared_headers"]

_KEYWORD: Final = "x-mcp-header"
_TYPES: Final = ("string", "integer", "boolean")
_TOKEN: Final = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")  # RFC 9110, section 5.6.2

_DATA: Final = frozenset({"const", "default", "enum", "examples"})
"""Keywords whose value is not a schema."""
_BY_NAME: Final = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
"""Keywords whose value maps freely chosen names to schemas."""


def declared_headers(schema: Mapping[str, Any], tool: str) -> dict[str, tuple[str, ...]]:
    """The path of each argument that has a header, by the header's name in lower case.

    Raises:
        DefinitionError: a name is not a token or is used twice, the argument is not a string, an integer or
            a boolean, or the keyword is not on a property. Clients would drop the whole tool.
    """
    found: dict[str, tuple[str, ...]] = {}
    for path, node in _properties(schema, ()):
        if _KEYWORD not in node:
            continue
        name = node[_KEYWORD]
        if not isinstance(name, str) or _TOKEN.fullmatch(name) is None:
            raise DefinitionError(tool, f"{_KEYWORD} of {'.'.join(path)} is not a header name")
        if node.get("type") not in _TYPES:
            raise DefinitionError(tool, f"{_KEYWORD} of {'.'.join(path)} needs type {', '.join(_TYPES)}")
        if name.lower() in found:
            raise DefinitionError(tool, f"two arguments have the {_KEYWORD} {name}")
        found[name.lower()] = path
    if _count(schema) != len(found):
        raise DefinitionError(tool, f"{_KEYWORD} is allowed only on properties, at any depth")
    return found


def _properties(
    schema: Mapping[str, Any], path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], Mapping[str, Any]]]:
    properties = schema.get("properties")
    for name, node in properties.items() if isinstance(properties, Mapping) else ():
        if isinstance(node, Mapping):
            yield (*path, name), node
            yield from _properties(node, (*path, name))


def _count(node: object) -> int:
    """How often the keyword occurs in a schema at any depth, outside of values that are data."""
    if isinstance(node, list):
        return sum(map(_count, node))
    if not isinstance(node, Mapping):
        return 0
    return (_KEYWORD in node) + sum(_count_under(key, value) for key, value in node.items())


def _count_under(key: str, value: object) -> int:
    if key in _DATA:
        return 0
    if key in _BY_NAME and isinstance(value, Mapping):
        return sum(map(_count, value.values()))
    return _count(value)
