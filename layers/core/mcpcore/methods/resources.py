"""resources/read (spec server/resources)."""

from collections.abc import Mapping, Sequence

from mcpcore.definitions.built import BuiltServer, Resource
from mcpcore.definitions.uri_templates import MAX_URI_LENGTH, normalized
from mcpcore.methods.call import Call, MethodResult
from mcpcore.protocol.content import ResourceContents, contents_to_wire
from mcpcore.protocol.errors import HandlerCrashed, InvalidParams, McpError, ResourceNotFound

__all__ = ["find_resource", "read_resource"]


def read_resource(call: Call) -> MethodResult:
    """The contents of the resource under `params.uri`, listed or not.

    Raises:
        InvalidParams: the URI is missing or too long.
        InsufficientScope: the principal lacks a scope of the resource.
        ResourceNotFound: no resource has it, or the function returned None.
        HandlerCrashed, DeadlineExceeded: the function raised, or did not end in time.
    """
    uri = call.text_param("uri")
    if len(uri) > MAX_URI_LENGTH:
        raise InvalidParams(f"Invalid params: uri is longer than {MAX_URI_LENGTH} characters")
    resource, variables = find_resource(call.server, uri)
    call.require_scopes(resource.scopes)
    try:
        returned = call.invoke(resource.function, variables, resource.context_parameter)
        contents = [contents_to_wire(part) for part in _contents(resource, uri, returned)]
        if not contents:
            raise ResourceNotFound(uri)
        return MethodResult(call.result({"contents": contents}, cacheable=True))
    except McpError:
        raise
    except Exception as cause:
        raise HandlerCrashed from cause


def find_resource(server: BuiltServer, uri: str) -> tuple[Resource, Mapping[str, str]]:
    """The resource under `uri`, and the variables of its template.

    Raises:
        ResourceNotFound: no resource has it.
    """
    # An equivalent URI must not reach a template that needs fewer scopes than the resource under this one.
    forms = (uri, normalized(uri)) if "%" in uri else (uri,)
    for form in forms:
        if (fixed := server.resources.get(form)) is not None:
            return fixed, {}
    for resource in server.templates:
        for form in forms:
            if (variables := resource.template.match(form)) is not None:
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
    raise TypeError(
        f"the resource {resource.about.uri} returned {type(returned).__name__}, not resource contents"
    )
