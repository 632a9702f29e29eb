"""What a server offers, once it is checked: the records that `build` makes and the methods read."""

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, NamedTuple

from mcpcore.capabilities import Capabilities
from mcpcore.schemas import ArgumentsSchema, OutputSchema
from mcpcore.versions import at_least

__all__ = ["BuiltServer", "CacheHint", "ServerInfo", "Tool", "server_to_wire", "tool_to_wire"]


class ServerInfo(NamedTuple):
    """Who the server is (an Implementation object, spec basic/index); empty strings are left out."""

    name: str
    version: str
    title: str
    description: str
    website_url: str


class CacheHint(NamedTuple):
    """How long a client may keep a constant result, and whether it may share it between users."""

    ttl_ms: int = 300_000
    scope: Literal["public", "private"] = "public"


class Tool(NamedTuple):
    """One tool. `requires` is what the client must be able to do for the tool to work at all."""

    name: str
    title: str
    description: str
    annotations: Mapping[str, bool]
    function: Callable[..., Any]
    arguments: ArgumentsSchema
    output: OutputSchema | None
    takes_context: bool
    requires: Capabilities


class BuiltServer(NamedTuple):
    """A server that is ready to answer.

    `constants` has the encoded result of every (version, method) whose answer never changes;
    `modern_tail` the members that every result of the modern era carries.
    """

    info: ServerInfo
    capabilities: Capabilities
    tools: Mapping[str, Tool]
    constants: Mapping[tuple[str, str], bytes]
    modern_tail: Mapping[str, Any]


# Which version brought a member; older ones are not sent it.
_INFO_SINCE: Final = (
    ("title", "title", "2025-06-18"),
    ("description", "description", "2025-11-25"),
    ("website_url", "websiteUrl", "2025-11-25"),
)


def server_to_wire(info: ServerInfo, version: str) -> dict[str, Any]:
    """The Implementation object that a client of `version` knows."""
    wire: dict[str, Any] = {"name": info.name, "version": info.version}
    for field, member, since in _INFO_SINCE:
        if (value := getattr(info, field)) and at_least(version, since):
            wire[member] = value
    return wire


def tool_to_wire(tool: Tool, version: str) -> dict[str, Any]:
    """The Tool object that a client of `version` knows (spec server/tools, "Tool")."""
    wire: dict[str, Any] = {"name": tool.name, "description": tool.description}
    if tool.title and at_least(version, "2025-06-18"):
        wire["title"] = tool.title
    wire["inputSchema"] = tool.arguments.json
    if tool.output is not None and at_least(version, "2025-06-18"):
        wire["outputSchema"] = tool.output.json
    if tool.annotations and at_least(version, "2025-03-26"):
        wire["annotations"] = tool.annotations
    return wire
