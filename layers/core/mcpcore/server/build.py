"""From what was registered to a server that is ready: checks every definition, encodes every constant."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from mcpcore.definitions.built import (
    BuiltServer,
    CacheHint,
    Completer,
    Icon,
    Prompt,
    PromptArgument,
    Resource,
    ResourceInfo,
    ServerInfo,
    Tool,
    server_to_wire,
)
from mcpcore.definitions.parameter_headers import declared_headers
from mcpcore.definitions.prebuild import Constants, Hints, pack, unpack
from mcpcore.definitions.schemas import declared_output, declared_schema
from mcpcore.definitions.uri_templates import parse_template
from mcpcore.methods.call import Answer, Call
from mcpcore.methods.prompts import list_prompts
from mcpcore.methods.resources import list_resources, list_templates
from mcpcore.methods.tools import list_tools
from mcpcore.protocol.capabilities import Capabilities
from mcpcore.protocol.errors import DefinitionError
from mcpcore.protocol.jsonrpc import encode
from mcpcore.protocol.versions import (
    HANDSHAKE_VERSIONS,
    STATELESS_VERSIONS,
    SUPPORTED_VERSIONS,
    Era,
    at_least,
)
from mcpcore.request.context import Context, RequestEnvironment
from mcpcore.request.envelope import SERVER_INFO_KEY, Envelope
from mcpcore.sessions.store import SessionId

__all__ = [
    "PromptRegistration",
    "Registrations",
    "ResourceRegistration",
    "ToolRegistration",
    "build",
    "prepare",
]

# spec server/tools, "Tool Names"
_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,128}")


class ToolRegistration(NamedTuple):
    """A tool as it was registered; `schema` and `output` are its schemas when they were written by hand."""

    name: str
    title: str
    description: str
    annotations: Mapping[str, bool]
    icons: tuple[Icon, ...]
    function: Callable[..., Any]
    requires: Capabilities
    schema: object
    output: object


class ResourceRegistration(NamedTuple):
    """A resource or a template as it was registered."""

    about: ResourceInfo
    function: Callable[..., Any]
    instances: Callable[[], Sequence[ResourceInfo]] | None
    fixed: bool


class PromptRegistration(NamedTuple):
    """A prompt as it was registered; `arguments` when they were written by hand."""

    name: str
    title: str
    description: str
    icons: tuple[Icon, ...]
    function: Callable[..., Any]
    arguments: tuple[PromptArgument, ...] | None


class Registrations(NamedTuple):
    """Everything that was registered, in order."""

    info: ServerInfo
    instructions: str
    cache: CacheHint
    page_size: int
    logging: bool
    subscriptions: bool
    tools: list[ToolRegistration]
    resources: list[ResourceRegistration]
    prompts: list[PromptRegistration]
    completers: dict[tuple[str, str, str], Completer]


def build(drafts: Registrations, prepared: bytes | None = None) -> BuiltServer:
    """The server that these definitions make; `prepared` is what `prepare` gave for the same.

    Raises:
        DefinitionError: one of them is wrong, or is not what was prepared; the error names it.
    """
    if prepared is None:
        server = _built(drafts, Hints())
        return server._replace(constants=_constants(server, drafts.instructions))
    hints, constants = unpack(prepared)
    return _built(drafts, hints)._replace(constants=constants)


def prepare(drafts: Registrations) -> bytes:
    """What `build` can be given, so that it looks at no type hint and encodes nothing.

    Raises:
        DefinitionError: see `build`.
    """
    hints = Hints()
    server = _built(drafts, hints)
    return pack(hints, _constants(server, drafts.instructions))


def _built(drafts: Registrations, hints: Hints) -> BuiltServer:
    _check_server(drafts)
    tools = _by_name("tool", [_tool(draft, hints) for draft in drafts.tools])
    prompts = _by_name("prompt", [_prompt(draft, hints) for draft in drafts.prompts])
    resources = [_resource(draft, hints) for draft in drafts.resources]
    _refuse_twins("resource", [resource.template.text for resource in resources])
    server = BuiltServer(
        info=drafts.info,
        cache=drafts.cache,
        page_size=drafts.page_size,
        capabilities={version: _capabilities(drafts, version) for version in SUPPORTED_VERSIONS},
        tools=tools,
        resources={each.template.text: each for each in resources if not each.template.variables},
        templates=tuple(each for each in resources if each.template.variables),
        prompts=prompts,
        completers=drafts.completers,
        constants={},
        # Results of the modern era carry who answered (spec 2026-07-28, basic/index, "Responses").
        modern_tail={
            "resultType": "complete",
            "_meta": {SERVER_INFO_KEY: server_to_wire(drafts.info, STATELESS_VERSIONS[-1])},
        },
    )
    _check_completers(server)
    return server


def _capabilities(drafts: Registrations, version: str) -> Capabilities:
    legacy = version in HANDSHAKE_VERSIONS
    offered = {
        "tools": drafts.tools,
        "resources": drafts.resources,
        "prompts": drafts.prompts,
        "logging": drafts.logging,
        "completions": drafts.completers and at_least(version, "2025-03-26"),
    }
    capabilities: dict[str, Any] = {name: {} for name, there in offered.items() if there}
    # The modern era has subscriptions of another kind, which need a stream that stays open.
    if drafts.subscriptions and legacy and "resources" in capabilities:
        capabilities["resources"] = {"subscribe": True}
    return capabilities


def _constants(server: BuiltServer, instructions: str) -> Constants:
    record = {"instructions": instructions} if instructions else {}
    constants: dict[tuple[str, str], bytes] = {}
    offer: dict[str, Any]
    for version in HANDSHAKE_VERSIONS:
        offer = {
            "protocolVersion": version,
            "capabilities": server.capabilities[version],
            "serverInfo": server_to_wire(server.info, version),
        }
        constants[version, "initialize"] = encode({**offer, **record})
    for version in STATELESS_VERSIONS:
        offer = {
            "supportedVersions": list(SUPPORTED_VERSIONS),
            "capabilities": server.capabilities[version],
        }
        kept = {"ttlMs": server.cache.ttl_ms, "cacheScope": server.cache.scope}
        constants[version, "server/discover"] = encode({**offer, **record, **kept, **server.modern_tail})
    for version in SUPPORTED_VERSIONS:
        for name, make in _lists(server).items():
            constants[version, name] = _first_page(server, version, name, make)
    return constants


def _lists(server: BuiltServer) -> dict[str, Callable[[Call], Answer]]:
    """The lists that never change; one with instances that may is put together for each request."""
    lists: dict[str, Callable[[Call], Answer]] = {
        "tools/list": list_tools,
        "prompts/list": list_prompts,
        "resources/templates/list": list_templates,
    }
    if all(resource.instances is None or resource.fixed for resource in server.templates):
        lists["resources/list"] = list_resources
    return lists


def _first_page(server: BuiltServer, version: str, method: str, make: Callable[[Call], Answer]) -> bytes:
    era = Era.LEGACY if version in HANDSHAKE_VERSIONS else Era.MODERN
    envelope = Envelope(era, version, "", "", {}, {}, None, None)
    environment = RequestEnvironment(0, lambda: SessionId(""), 0)
    return make(Call(server, method, {}, envelope, Context(envelope, environment))).result


def _check_server(drafts: Registrations) -> None:
    if not (drafts.info.name and drafts.info.version):
        raise DefinitionError("server", "it needs a name and a version")
    if drafts.cache.ttl_ms < 0:
        raise DefinitionError(
            "server", f"the cache's ttl_ms must not be negative, and is {drafts.cache.ttl_ms}"
        )
    if drafts.page_size < 1:
        raise DefinitionError("server", f"page_size must be at least 1, and is {drafts.page_size}")


def _tool(draft: ToolRegistration, hints: Hints) -> Tool:
    if _NAME.fullmatch(draft.name) is None:
        raise DefinitionError(draft.name, "a tool's name has 1 to 128 letters, digits, and _ . - only")
    if not draft.description:
        raise DefinitionError(draft.name, "a tool needs a description, or a docstring that serves as one")
    written = draft.schema is not None
    arguments = (
        declared_schema(draft.schema, draft.name) if written else hints.arguments(draft.function, draft.name)
    )
    return Tool(
        name=draft.name,
        title=draft.title,
        description=draft.description,
        annotations=draft.annotations,
        icons=draft.icons,
        function=draft.function,
        arguments=arguments,
        output=(
            hints.output(draft.function, draft.name)
            if draft.output is None
            else declared_output(draft.output, draft.name)
        ),
        takes_context=hints.takes_context(draft.function, "tool", draft.name),
        requires=draft.requires,
        headers=declared_headers(arguments.json, draft.name),
    )


def _resource(draft: ResourceRegistration, hints: Hints) -> Resource:
    about = draft.about
    template = parse_template(about.uri)
    if not about.name:
        raise DefinitionError(about.uri, "a resource needs a name")
    _check_variables(draft.function, template.variables, "resource", about.uri, hints)
    if draft.instances is not None and not template.variables:
        raise DefinitionError(about.uri, "only a template has instances; this URI has no variables")
    takes_context = hints.takes_context(draft.function, "resource", about.uri)
    return Resource(about, template, draft.function, takes_context, draft.instances, draft.fixed)


def _prompt(draft: PromptRegistration, hints: Hints) -> Prompt:
    if not draft.name:
        raise DefinitionError("prompt", "a prompt needs a name")
    arguments = draft.arguments
    if arguments is None:
        found = hints.strings(draft.function, "prompt", draft.name)
        arguments = tuple(PromptArgument(*each) for each in found)
    else:
        names = tuple(each.name for each in arguments)
        _check_variables(draft.function, names, "prompt", draft.name, hints)
    return Prompt(
        draft.name,
        draft.title,
        draft.description,
        draft.icons,
        arguments,
        draft.function,
        hints.takes_context(draft.function, "prompt", draft.name),
    )


def _check_variables(
    function: Callable[..., Any], names: tuple[str, ...], kind: str, where: str, hints: Hints
) -> None:
    parameters = [name for name, _, _ in hints.strings(function, kind, where)]
    if sorted(parameters) != sorted(names):
        raise DefinitionError(
            where, f"its function takes {parameters or 'nothing'}, but must take {list(names)}"
        )


def _check_completers(server: BuiltServer) -> None:
    prompts = {name: [each.name for each in prompt.arguments] for name, prompt in server.prompts.items()}
    templates = {each.template.text: each.template.variables for each in server.templates}
    for kind, named, argument in server.completers:
        known = prompts.get(named) if kind == "ref/prompt" else templates.get(named)
        if known is None or argument not in known:
            raise DefinitionError(named, f"there is no {argument} here to complete")


def _by_name(kind: str, records: list[Any]) -> dict[str, Any]:
    _refuse_twins(kind, [record.name for record in records])
    return {record.name: record for record in records}


def _refuse_twins(kind: str, names: list[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise DefinitionError(name, f"two {kind}s have this name")
