"""What was registered, before it is checked."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from mcpcore.definitions.built import (
    CacheHint,
    Completer,
    Icon,
    PromptArgument,
    ResourceInfo,
    ServerInfo,
    ToolText,
)
from mcpcore.protocol.capabilities import Capabilities

__all__ = ["PromptRegistration", "Registrations", "ResourceRegistration", "ToolRegistration"]


class ToolRegistration(NamedTuple):
    """A tool; `input_schema` and `output_schema` are handwritten schemas, None without one."""

    name: str
    title: str
    description: str
    annotations: Mapping[str, bool]
    icons: tuple[Icon, ...]
    function: Callable[..., Any]
    requires: Capabilities
    input_schema: object
    output_schema: object
    scopes: Collection[str]


class ResourceRegistration(NamedTuple):
    """A resource or a resource template."""

    about: ResourceInfo
    function: Callable[..., Any]
    instances: Callable[[], Sequence[ResourceInfo]] | None
    fixed: bool
    scopes: Collection[str]


class PromptRegistration(NamedTuple):
    """A prompt; `arguments` are None unless they were given beside the type hints."""

    name: str
    title: str
    description: str
    icons: tuple[Icon, ...]
    function: Callable[..., Any]
    arguments: tuple[PromptArgument, ...] | None
    scopes: Collection[str]


class Registrations(NamedTuple):
    """Everything that was registered, in order."""

    info: ServerInfo
    instructions: str
    cache: CacheHint
    page_size: int
    tool_text: ToolText
    logging: bool
    subscriptions: bool
    hide_unauthorized: bool
    tools: list[ToolRegistration]
    resources: list[ResourceRegistration]
    prompts: list[PromptRegistration]
    completers: dict[tuple[str, str, str], Completer]
