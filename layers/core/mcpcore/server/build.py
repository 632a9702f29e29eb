"""From what was registered to a server that is ready: checks every definition, encodes every constant."""

import re
from collections.abc import Callable, Collection
from typing import Any, Final, get_args

from mcpcore.definitions.built import (
    BuiltServer,
    Prompt,
    PromptArgument,
    Resource,
    Tool,
    ToolText,
    server_to_wire,
)
from mcpcore.definitions.parameter_headers import declared_headers
from mcpcore.definitions.prebuild import Constants, TypeSchemas, pack_prebuilt, unpack_prebuilt
from mcpcore.definitions.schemas import (
    ArgumentsSchema,
    DeclaredSchema,
    declared_output,
    declared_schema,
)
from mcpcore.definitions.uri_templates import parse_template
from mcpcore.methods.call import encode_result
from mcpcore.methods.pagination import constant_lists, encode_page
from mcpcore.protocol.capabilities import Capabilities
from mcpcore.protocol.errors import DefinitionError
from mcpcore.protocol.versions import HANDSHAKE_VERSIONS, STATELESS_VERSIONS, SUPPORTED_VERSIONS, at_least
from mcpcore.request.context import Context
from mcpcore.request.envelope import SERVER_INFO_KEY
from mcpcore.request.principal import SCOPE_CHARACTERS, is_scope
from mcpcore.server.registration import (
    PromptRegistration,
    Registrations,
    ResourceRegistration,
    ToolRegistration,
)

__all__ = ["build", "prebuild"]

# spec server/tools, "Tool Names"
_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,128}")
_NO_SCOPES: Final = frozenset[str]()
_NEEDS_NAME: Final = "needs a name; its function has none of its own, so give name="


def build(registered: Registrations, prebuilt: bytes | None = None) -> BuiltServer:
    """The server that these registrations make; `prebuilt` is what `prebuild` returned for the same ones.

    Raises:
        DefinitionError: one of them is wrong, or differs from the prebuilt file; the error names it.
    """
    if prebuilt is None:
        server = _built(registered, TypeSchemas(Context))
        return server._replace(constants=_constants(server, registered.instructions))
    schemas, constants = unpack_prebuilt(prebuilt)
    return _built(registered, TypeSchemas(Context, schemas))._replace(constants=constants)


def prebuild(registered: Registrations) -> bytes:
    """The prebuilt file, with which `build` reads no type hints and encodes no constants.

    Raises:
        DefinitionError: see `build`.
    """
    schemas = TypeSchemas(Context)
    server = _built(registered, schemas)
    return pack_prebuilt(schemas, _constants(server, registered.instructions))


def _built(registered: Registrations, schemas: TypeSchemas) -> BuiltServer:
    _check_server(registered)
    tools = _by_name("tool", [_tool(each, schemas) for each in registered.tools])
    prompts = _by_name("prompt", [_prompt(each, schemas) for each in registered.prompts])
    resources = [_resource(each, schemas) for each in registered.resources]
    _refuse_duplicates("resource", "URI", [resource.template.text for resource in resources])
    server = BuiltServer(
        info=registered.info,
        cache=registered.cache,
        page_size=registered.page_size,
        tool_text=registered.tool_text,
        capabilities={version: _capabilities(registered, version) for version in SUPPORTED_VERSIONS},
        tools=tools,
        resources={each.template.text: each for each in resources if not each.template.variables},
        templates=tuple(each for each in resources if each.template.variables),
        prompts=prompts,
        completers=registered.completers,
        constants={},
        # Results of the modern era carry who answered (spec 2026-07-28, basic/index, "Responses").
        modern_tail={
            "resultType": "complete",
            "_meta": {SERVER_INFO_KEY: server_to_wire(registered.info, STATELESS_VERSIONS[-1])},
        },
        hide_unauthorized=registered.hide_unauthorized,
    )
    _check_completers(server)
    return server


def _capabilities(registered: Registrations, version: str) -> Capabilities:
    legacy = version in HANDSHAKE_VERSIONS
    offered = {
        "tools": registered.tools,
        "resources": registered.resources,
        "prompts": registered.prompts,
        "logging": registered.logging,
        "completions": registered.completers and at_least(version, "2025-03-26"),
    }
    capabilities: dict[str, Any] = {name: {} for name, there in offered.items() if there}
    # The modern era has subscriptions of another kind, which need a stream that stays open.
    if registered.subscriptions and legacy and "resources" in capabilities:
        capabilities["resources"] = {"subscribe": True}
    return capabilities


def _constants(server: BuiltServer, instructions: str) -> Constants:
    common = {"instructions": instructions} if instructions else {}
    constants: dict[tuple[str, str], bytes] = {}
    for version in HANDSHAKE_VERSIONS:
        initialize = {
            "protocolVersion": version,
            "capabilities": server.capabilities[version],
            "serverInfo": server_to_wire(server.info, version),
            **common,
        }
        constants[version, "initialize"] = encode_result(server, version, initialize)
    for version in STATELESS_VERSIONS:
        discover = {
            "supportedVersions": list(SUPPORTED_VERSIONS),
            "capabilities": server.capabilities[version],
            **common,
        }
        constants[version, "server/discover"] = encode_result(server, version, discover, server.cache)
    for version in SUPPORTED_VERSIONS:
        for method in constant_lists(server):
            constants[version, method] = encode_page(server, version, method)
    return constants


def _check_server(registered: Registrations) -> None:
    if not (registered.info.name and registered.info.version):
        raise DefinitionError("server", "a server needs a name and a version")
    if registered.cache.ttl_ms < 0:
        raise DefinitionError(
            "server", f"the cache's ttl_ms must not be negative, and is {registered.cache.ttl_ms}"
        )
    if registered.page_size < 1:
        raise DefinitionError("server", f"page_size must be at least 1, and is {registered.page_size}")
    if registered.tool_text not in get_args(ToolText):
        raise DefinitionError("server", f"tool_text must be own, json or both, not {registered.tool_text!r}")


def _tool(registered: ToolRegistration, schemas: TypeSchemas) -> Tool:
    if not registered.name:
        raise DefinitionError("tool", f"a tool {_NEEDS_NAME}")
    if _NAME.fullmatch(registered.name) is None:
        raise DefinitionError(registered.name, "a tool's name has 1 to 128 letters, digits, and _ . - only")
    if not registered.description:
        raise DefinitionError(registered.name, "a tool needs a description or a docstring")
    arguments = _arguments(registered, schemas)
    return Tool(
        name=registered.name,
        title=registered.title,
        description=registered.description,
        annotations=registered.annotations,
        icons=registered.icons,
        function=registered.function,
        arguments=arguments,
        output=(
            schemas.output(registered.function, registered.name)
            if registered.output_schema is None
            else declared_output(registered.output_schema, registered.name)
        ),
        context_parameter=schemas.context_parameter(registered.function, "tool", registered.name),
        requires=registered.requires,
        headers=declared_headers(arguments.json, registered.name),
        scopes=_scopes(registered.scopes, registered.name),
    )


def _arguments(registered: ToolRegistration, schemas: TypeSchemas) -> ArgumentsSchema | DeclaredSchema:
    if registered.input_schema is None:
        return schemas.arguments(registered.function, registered.name)
    declared = declared_schema(registered.input_schema, registered.name)
    schemas.check_parameters(registered.function, registered.name, declared)
    return declared


def _resource(registered: ResourceRegistration, schemas: TypeSchemas) -> Resource:
    about = registered.about
    template = parse_template(about.uri)
    if not about.name:
        raise DefinitionError(about.uri, f"a resource {_NEEDS_NAME}")
    _check_variables(registered.function, template.variables, "resource", about.uri, schemas)
    if registered.instances is not None and not template.variables:
        raise DefinitionError(about.uri, "only a template has instances; this URI has no variables")
    context_parameter = schemas.context_parameter(registered.function, "resource", about.uri)
    return Resource(
        about,
        template,
        registered.function,
        context_parameter,
        registered.instances,
        registered.fixed,
        _scopes(registered.scopes, about.uri),
    )


def _prompt(registered: PromptRegistration, schemas: TypeSchemas) -> Prompt:
    if not registered.name:
        raise DefinitionError("prompt", f"a prompt {_NEEDS_NAME}")
    arguments = registered.arguments
    if arguments is None:
        found = schemas.strings(registered.function, "prompt", registered.name)
        arguments = tuple(PromptArgument(*each) for each in found)
    else:
        names = tuple(each.name for each in arguments)
        _check_variables(registered.function, names, "prompt", registered.name, schemas)
    return Prompt(
        registered.name,
        registered.title,
        registered.description,
        registered.icons,
        arguments,
        registered.function,
        schemas.context_parameter(registered.function, "prompt", registered.name),
        _scopes(registered.scopes, registered.name),
    )


def _scopes(scopes: object, where: str) -> frozenset[str]:
    if not scopes:
        return _NO_SCOPES
    if isinstance(scopes, str) or not isinstance(scopes, Collection) or not all(map(is_scope, scopes)):
        raise DefinitionError(where, f"scopes must be a list of scopes, not {scopes!r}; {SCOPE_CHARACTERS}")
    return frozenset(scopes)


def _check_variables(
    function: Callable[..., Any], names: tuple[str, ...], kind: str, where: str, schemas: TypeSchemas
) -> None:
    parameters = [name for name, _, _ in schemas.strings(function, kind, where)]
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
            wanted = "prompt" if kind == "ref/prompt" else "resource template"
            raise DefinitionError(named, f"no {wanted} of this name has an argument {argument} to complete")


def _by_name(kind: str, records: list[Any]) -> dict[str, Any]:
    _refuse_duplicates(kind, "name", [record.name for record in records])
    return {record.name: record for record in records}


def _refuse_duplicates(kind: str, key: str, names: list[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise DefinitionError(name, f"two {kind}s have this {key}")
