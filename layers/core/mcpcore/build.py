"""From what was registered to a server that is ready: checks every definition, encodes every constant."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from mcpcore.capabilities import Capabilities
from mcpcore.definitions import BuiltServer, CacheHint, ServerInfo, Tool, server_to_wire, tool_to_wire
from mcpcore.envelope import SERVER_INFO_KEY
from mcpcore.errors import DefinitionError
from mcpcore.jsonrpc import encode
from mcpcore.schemas import arguments_schema, output_schema, takes_context
from mcpcore.versions import HANDSHAKE_VERSIONS, STATELESS_VERSIONS, SUPPORTED_VERSIONS

__all__ = ["ToolDraft", "build"]

# spec server/tools, "Tool Names"
_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,128}")


class ToolDraft(NamedTuple):
    """A tool as it was registered."""

    name: str
    title: str
    description: str
    annotations: Mapping[str, bool]
    function: Callable[..., Any]
    requires: Capabilities


def build(info: ServerInfo, instructions: str, cache: CacheHint, drafts: Iterable[ToolDraft]) -> BuiltServer:
    """The server that these definitions make.

    Raises:
        DefinitionError: one of them is wrong; the error names it.
    """
    _check_info(info, cache)
    tools: dict[str, Tool] = {}
    for draft in drafts:
        if draft.name in tools:
            raise DefinitionError(draft.name, "two tools have this name")
        tools[draft.name] = _tool(draft)
    capabilities: Capabilities = {"tools": {}} if tools else {}
    constants: dict[tuple[str, str], bytes] = {}
    for version in HANDSHAKE_VERSIONS:
        constants |= _legacy_constants(version, info, instructions, capabilities, tools.values())
    # Results of the modern era carry who answered (spec 2026-07-28, basic/index, "Responses").
    newest = STATELESS_VERSIONS[-1]
    tail = {"resultType": "complete", "_meta": {SERVER_INFO_KEY: server_to_wire(info, newest)}}
    for version in STATELESS_VERSIONS:
        constants |= _modern_constants(version, instructions, cache, capabilities, tools.values(), tail)
    return BuiltServer(info, capabilities, tools, constants, tail)


def _check_info(info: ServerInfo, cache: CacheHint) -> None:
    if not (info.name and info.version):
        raise DefinitionError("server", "it needs a name and a version")
    if cache.ttl_ms < 0:
        raise DefinitionError("server", f"the cache's ttl_ms must not be negative, and is {cache.ttl_ms}")


def _tool(draft: ToolDraft) -> Tool:
    if _NAME.fullmatch(draft.name) is None:
        raise DefinitionError(draft.name, "a tool's name has 1 to 128 letters, digits, and _ . - only")
    if not draft.description:
        raise DefinitionError(draft.name, "a tool needs a description, or a docstring that serves as one")
    return Tool(
        draft.name,
        draft.title,
        draft.description,
        draft.annotations,
        draft.function,
        arguments_schema(draft.function, draft.name),
        output_schema(draft.function, draft.name),
        takes_context(draft.function),
        draft.requires,
    )


def _legacy_constants(
    version: str, info: ServerInfo, instructions: str, capabilities: Capabilities, tools: Iterable[Tool]
) -> dict[tuple[str, str], bytes]:
    initialize: dict[str, Any] = {
        "protocolVersion": version,
        "capabilities": capabilities,
        "serverInfo": server_to_wire(info, version),
    }
    if instructions:
        initialize["instructions"] = instructions
    return {
        (version, "initialize"): encode(initialize),
        (version, "ping"): encode({}),
        (version, "tools/list"): encode({"tools": [tool_to_wire(tool, version) for tool in tools]}),
    }


def _modern_constants(
    version: str,
    instructions: str,
    cache: CacheHint,
    capabilities: Capabilities,
    tools: Iterable[Tool],
    tail: Mapping[str, Any],
) -> dict[tuple[str, str], bytes]:
    kept = {"ttlMs": cache.ttl_ms, "cacheScope": cache.scope, **tail}
    discover: dict[str, Any] = {"supportedVersions": list(SUPPORTED_VERSIONS), "capabilities": capabilities}
    if instructions:
        discover["instructions"] = instructions
    return {
        (version, "server/discover"): encode({**discover, **kept}),
        (version, "tools/list"): encode({"tools": [tool_to_wire(tool, version) for tool in tools], **kept}),
    }
