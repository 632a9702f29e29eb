"""Tools, resources and prompts as built: the records that `build` makes and the methods read."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from mcpcore.definitions.schemas import ArgumentsSchema, DeclaredSchema, OutputSchema
from mcpcore.definitions.uri_templates import UriTemplate
from mcpcore.protocol.capabilities import Capabilities
from mcpcore.protocol.versions import at_least

__all__ = [
    "BuiltServer",
    "CacheHint",
    "Completer",
    "Icon",
    "Prompt",
    "PromptArgument",
    "Resource",
    "ResourceInfo",
    "ServerInfo",
    "Tool",
    "ToolText",
    "prompt_to_wire",
    "resource_to_wire",
    "server_to_wire",
    "template_to_wire",
    "tool_to_wire",
]


class Icon(NamedTuple):
    """A picture for a user interface (since 2025-11-25; spec basic/index, "Icons")."""

    src: str
    mime_type: str = ""
    sizes: tuple[str, ...] = ()
    theme: str = ""


class ServerInfo(NamedTuple):
    """Who the server is (an Implementation object, spec basic/index); empty strings are left out."""

    name: str
    version: str
    title: str
    description: str
    website_url: str
    icons: tuple[Icon, ...] = ()


class CacheHint(NamedTuple):
    """How long a client may cache a result, and whether it may share it between users."""

    ttl_ms: int = 300_000
    scope: Literal["public", "private"] = "public"


class Tool(NamedTuple):
    """One tool.

    `context_parameter` is the parameter of `function` that gets the `Context`; empty if it has none.
    `requires` are the client capabilities without which a call is refused. `headers` are the argument paths
    that a modern client repeats in `Mcp-Param-*` headers, by header name. A call needs all of `scopes`.
    """

    name: str
    title: str
    description: str
    annotations: Mapping[str, bool]
    icons: tuple[Icon, ...]
    function: Callable[..., Any]
    arguments: ArgumentsSchema | DeclaredSchema
    output: OutputSchema | None
    context_parameter: str
    requires: Capabilities
    headers: Mapping[str, tuple[str, ...]]
    scopes: frozenset[str]


class ResourceInfo(NamedTuple):
    """A resource as `resources/list` shows it (spec server/resources, "Resource")."""

    uri: str
    name: str
    title: str = ""
    description: str = ""
    mime_type: str = ""
    size: int | None = None
    annotations: Mapping[str, Any] | None = None
    icons: tuple[Icon, ...] = ()


class Resource(NamedTuple):
    """What can be read under a URI, or under every URI that a template matches.

    `about` describes it; its `uri` is the template's text. `instances` gives the resources of a template
    that `resources/list` shows, and `fixed` says that they never change. Reading needs all of `scopes`.
    """

    about: ResourceInfo
    template: UriTemplate
    function: Callable[..., Any]
    context_parameter: str
    instances: Callable[[], Sequence[ResourceInfo]] | None
    fixed: bool
    scopes: frozenset[str]


class PromptArgument(NamedTuple):
    """An argument of a prompt; its value is always a string."""

    name: str
    description: str
    required: bool


class Prompt(NamedTuple):
    """One prompt. Getting it needs all of `scopes`."""

    name: str
    title: str
    description: str
    icons: tuple[Icon, ...]
    arguments: tuple[PromptArgument, ...]
    function: Callable[..., Any]
    context_parameter: str
    scopes: frozenset[str]


ToolText: TypeAlias = Literal["own", "json", "both"]
"""The text of a tool result that has structured content.

`own` is the text that the tool gives, `json` the structured content as JSON in place of that text, `both` the
one after the other. A tool that gives no text gets the JSON (spec server/tools, "Structured Content").
"""

Completer: TypeAlias = Callable[[str, Mapping[str, str]], Sequence[str]]
"""From what was typed and the other arguments so far to the values that complete it."""


class BuiltServer(NamedTuple):
    """A server that is ready to answer.

    `constants` has the encoded result of every (version, method) whose result never changes; `modern_tail`
    has the members of every result of the modern era. The keys of `completers` are kind of reference, its
    name or template, and argument. `hide_unauthorized` leaves out of lists what a principal has no scopes
    for.
    """

    info: ServerInfo
    cache: CacheHint
    page_size: int
    tool_text: ToolText
    capabilities: Mapping[str, Capabilities]
    tools: Mapping[str, Tool]
    resources: Mapping[str, Resource]
    templates: tuple[Resource, ...]
    prompts: Mapping[str, Prompt]
    completers: Mapping[tuple[str, str, str], Completer]
    constants: Mapping[tuple[str, str], bytes]
    modern_tail: Mapping[str, Any]
    hide_unauthorized: bool = False

    def scopes(self) -> frozenset[str]:
        """Every scope that some definition needs."""
        resources = (*self.resources.values(), *self.templates)
        needed = [each.scopes for each in self.tools.values()]
        needed += [each.scopes for each in resources] + [each.scopes for each in self.prompts.values()]
        return frozenset[str]().union(*needed)

    def for_one_principal(self) -> "BuiltServer":
        """The server whose results no client may share between users, because not everybody may read them."""
        public, private = b'"cacheScope":"public"', b'"cacheScope":"private"'
        return self._replace(
            cache=self.cache._replace(scope="private"),
            # The member stands after those that a definition has a say in.
            constants={key: private.join(each.rsplit(public, 1)) for key, each in self.constants.items()},
        )

    def without_scopes(self) -> "BuiltServer":
        """The server with every scope taken away, for a transport on which nobody is authorized."""
        none = frozenset[str]()
        return self._replace(
            tools={name: tool._replace(scopes=none) for name, tool in self.tools.items()},
            resources={uri: each._replace(scopes=none) for uri, each in self.resources.items()},
            templates=tuple(each._replace(scopes=none) for each in self.templates),
            prompts={name: prompt._replace(scopes=none) for name, prompt in self.prompts.items()},
        )


def server_to_wire(info: ServerInfo, version: str) -> dict[str, Any]:
    """The Implementation object for a client of `version`."""
    wire: dict[str, Any] = {"name": info.name, "version": info.version}
    if info.title and at_least(version, "2025-06-18"):
        wire["title"] = info.title
    if at_least(version, "2025-11-25"):
        newer = {"description": info.description, "websiteUrl": info.website_url}
        wire |= {member: value for member, value in newer.items() if value}
    return wire | _icons(info.icons, version)


def tool_to_wire(tool: Tool, version: str) -> dict[str, Any]:
    """The Tool object for a client of `version` (spec server/tools, "Tool")."""
    wire: dict[str, Any] = {"name": tool.name, "description": tool.description}
    if tool.title and at_least(version, "2025-06-18"):
        wire["title"] = tool.title
    wire["inputSchema"] = tool.arguments.json
    if tool.output is not None and (listed := tool.output.listed_for(version)) is not None:
        wire["outputSchema"] = listed
    if tool.annotations and at_least(version, "2025-03-26"):
        wire["annotations"] = tool.annotations
    return wire | _icons(tool.icons, version)


def resource_to_wire(listed: ResourceInfo, version: str) -> dict[str, Any]:
    """The Resource object for a client of `version` (spec server/resources, "Resource")."""
    wire = {"uri": listed.uri, **_described(listed, version)}
    if listed.size is not None:
        wire["size"] = listed.size
    return wire


def template_to_wire(resource: Resource, version: str) -> dict[str, Any]:
    """The ResourceTemplate object for a client of `version`."""
    return {"uriTemplate": resource.template.text, **_described(resource.about, version)}


def prompt_to_wire(prompt: Prompt, version: str) -> dict[str, Any]:
    """The Prompt object for a client of `version` (spec server/prompts, "Prompt")."""
    wire: dict[str, Any] = {"name": prompt.name}
    if prompt.title and at_least(version, "2025-06-18"):
        wire["title"] = prompt.title
    if prompt.description:
        wire["description"] = prompt.description
    if prompt.arguments:
        wire["arguments"] = [_argument_to_wire(argument) for argument in prompt.arguments]
    return wire | _icons(prompt.icons, version)


def _argument_to_wire(argument: PromptArgument) -> dict[str, Any]:
    wire: dict[str, Any] = {"name": argument.name, "required": argument.required}
    if argument.description:
        wire["description"] = argument.description
    return wire


def _described(listed: ResourceInfo, version: str) -> dict[str, Any]:
    wire: dict[str, Any] = {"name": listed.name}
    if listed.title and at_least(version, "2025-06-18"):
        wire["title"] = listed.title
    members = {
        "description": listed.description,
        "mimeType": listed.mime_type,
        "annotations": listed.annotations,
    }
    wire |= {member: value for member, value in members.items() if value}
    return wire | _icons(listed.icons, version)


_ICONS_SINCE: Final = "2025-11-25"


def _icons(icons: tuple[Icon, ...], version: str) -> dict[str, Any]:
    if not icons or not at_least(version, _ICONS_SINCE):
        return {}
    return {"icons": [_icon_to_wire(icon) for icon in icons]}


def _icon_to_wire(icon: Icon) -> dict[str, Any]:
    members = {"mimeType": icon.mime_type, "sizes": list(icon.sizes), "theme": icon.theme}
    return {"src": icon.src, **{member: value for member, value in members.items() if value}}
