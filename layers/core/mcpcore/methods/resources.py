"""The resources/ methods: lists, templates, reading, subscribing (spec server/resources)."""

from collections.abc import Mapping, Sequence
from typing import Any

from mcpcore.definitions.built import BuiltServer, Resource, ResourceInfo, resource_to_wire, template_to_wire
from mcpcore.definitions.schemas import CONTEXT_PARAMETER
from mcpcore.definitions.uri_templates import LONGEST_URI
from mcpcore.methods.call import Answer, Call, empty, paged
from mcpcore.methods.pagination import Chain
from mcpcore.protocol.content import ResourceContents, contents_to_wire
from mcpcore.protocol.errors import InternalError, InvalidParams, McpError, ResourceNotFound

__all__ = ["all_listed", "list_resources", "list_templates", "read_resource", "subscribe"]


def list_resources(call: Call) -> Answer:
    """A page of the resources: the fixed ones, then the instances that templates show."""
    return paged(call, "resources", lambda: all_listed(call.server), resource_to_wire)


def list_templates(call: Call) -> Answer:
    """A page of the resource templates."""
    return paged(call, "resourceTemplates", lambda: call.server.templates, template_to_wire)


def read_resource(call: Call) -> Answer:
    """The contents of the resource under `params.uri`, listed or not.

    Raises:
        InvalidParams: the URI is missing or too long.
        ResourceNotFound: nothing is under it, or the function gives back None.
        InternalError: the function failed, or was not done in time.
    """
    uri = call.text_param("uri")
    if len(uri) > LONGEST_URI:
        raise InvalidParams(f"Invalid params: uri is longer than {LONGEST_URI} characters")
    resource, variables = _resource(call.server, uri)
    arguments: dict[str, Any] = dict(variables)
    if resource.takes_context:
        arguments[CONTEXT_PARAMETER] = call.context
    try:
        returned = call.run(resource.function, **arguments)
        contents = [contents_to_wire(part) for part in _contents(resource, uri, returned)]
        if not contents:
            raise ResourceNotFound(uri)
        return Answer(call.result({"contents": contents}, cacheable=True))
    except McpError:
        raise
    except Exception as cause:
        raise InternalError from cause


def subscribe(call: Call) -> Answer:
    """Subscribe to a resource, or end it. Nothing is kept: there is no stream to tell of changes on.

    Raises:
        InvalidParams: the URI is missing.
    """
    call.text_param("uri")
    return empty(call)


def all_listed(server: BuiltServer) -> Sequence[ResourceInfo]:
    """Every resource that `resources/list` shows, in order."""
    fixed = [resource.about for resource in server.resources.values()]
    shown = [resource.instances() for resource in server.templates if resource.instances is not None]
    return Chain((fixed, *shown))


def _resource(server: BuiltServer, uri: str) -> tuple[Resource, Mapping[str, str]]:
    if (fixed := server.resources.get(uri)) is not None:
        return fixed, {}
    for resource in server.templates:
        if (variables := resource.template.match(uri)) is not None:
            return resource, variables
    raise ResourceNotFound(uri)


def _contents(resource: Resource, uri: str, returned: object) -> Sequence[ResourceContents]:
    if returned is None:
        return ()
    if isinstance(returned, str | bytes):
        return (ResourceContents(uri, returned, resource.about.mime_type),)
    if isinstance(returned, ResourceContents):
        return (returned,)
    if isinstance(returned, list | tuple) and all(isinstance(part, ResourceContents) for part in returned):
        return returned
    raise TypeError(f"the resource {resource.about.uri} gave {type(returned).__name__}, which is no contents")
