"""The list methods, page by page (spec server/utilities/pagination).

Any instance reads a cursor that another wrote. It is sealed with what identifies the list and the digest of
its principal, not with a secret: a changed cursor is noticed, and so is another principal's. The position in
a list that everybody may read needs no protection.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate, takewhile
from typing import Any, Final, NamedTuple

from mcpcore.definitions.built import (
    BuiltServer,
    ResourceInfo,
    prompt_to_wire,
    resource_to_wire,
    template_to_wire,
    tool_to_wire,
)
from mcpcore.methods.call import Call, MethodResult, encode_result
from mcpcore.protocol import base64url
from mcpcore.protocol.errors import InvalidParams
from mcpcore.protocol.jsonrpc import encode

__all__ = ["LISTS", "constant_lists", "encode_page", "list_page"]

_POSITION_BYTES: Final = 4
_SEAL_BYTES: Final = 12
# Lambda refuses a reply of more than 6 MB; this leaves room for escapes and for the other members.
_PAGE_LIMIT_BYTES: Final = 1_000_000


# In an encoded list no string holds this, since quotes in strings are escaped.
_HAS_CURSOR: Final = b'"nextCursor":"'


class _List(NamedTuple):
    """The result's member, the items of the list in parts, and how one item is encoded for a version."""

    member: str
    parts: Callable[[BuiltServer], Sequence[Sequence[Any]]]
    to_wire: Callable[[Any, str], Mapping[str, Any]]


def _resources(server: BuiltServer) -> Sequence[Sequence[ResourceInfo]]:
    """The resources without variables, then the instances that each template lists."""
    listed = [resource.about for resource in server.resources.values()]
    return [listed, *(each.instances() for each in server.templates if each.instances is not None)]


LISTS: Final[Mapping[str, _List]] = {
    "tools/list": _List("tools", lambda server: [[*server.tools.values()]], tool_to_wire),
    "prompts/list": _List("prompts", lambda server: [[*server.prompts.values()]], prompt_to_wire),
    "resources/list": _List("resources", _resources, resource_to_wire),
    "resources/templates/list": _List(
        "resourceTemplates", lambda server: [server.templates], template_to_wire
    ),
}


def constant_lists(server: BuiltServer) -> list[str]:
    """The list methods whose result never changes: all, unless a template has instances that may change."""
    changing = any(each.instances is not None and not each.fixed for each in server.templates)
    return [method for method in LISTS if not (changing and method == "resources/list")]


def list_page(call: Call) -> MethodResult:
    """One page of a list; the first page of a constant list was encoded when the server was built.

    Raises:
        InvalidParams: the server did not give out this cursor for this list.
    """
    server, version, method = call.server, call.envelope.version, call.method
    cursor, environment = call.params.get("cursor"), call.run.environment
    if server.hide_unauthorized and environment.principal is not None:
        server = _visible_with(environment.principal.scopes, server)
    if cursor is None and server is call.server:  # absent, or the null that some clients write for it
        encoded = server.constants.get((version, method))
        if encoded is not None and not (environment.principal_digest and _HAS_CURSOR in encoded):
            return MethodResult(encoded)
    principal = environment.principal_digest
    return MethodResult(encode_page(server, version, method, cursor=cursor, principal=principal))


def encode_page(
    server: BuiltServer, version: str, method: str, *, cursor: object = None, principal: str = ""
) -> bytes:
    """The encoded page of a list: the first one, or the one that `cursor` asks for.

    A page has `page_size` items, or fewer if they would exceed a megabyte; at least one. Its cursor is taken
    from the principal of this digest alone.

    Raises:
        InvalidParams: the server did not give out this cursor for this list.
    """
    member, list_parts, to_wire = LISTS[method]
    parts = list_parts(server)
    length = sum(map(len, parts))
    # A list of another length has other cursors: after a change a client starts again.
    name = f"{method} {length} {server.page_size} {principal}".rstrip().encode()
    start = 0 if cursor is None else _position(cursor, name)
    page = _fitting([to_wire(item, version) for item in _items(parts, start, start + server.page_size)])
    members: dict[str, Any] = {member: page}
    if (end := start + len(page)) < length:
        members["nextCursor"] = _cursor(end, name)
    return encode_result(server, version, members, server.cache)


def _visible_with(scopes: frozenset[str], server: BuiltServer) -> BuiltServer:
    """The server without the definitions that need another scope."""
    return server._replace(
        tools={name: tool for name, tool in server.tools.items() if tool.scopes <= scopes},
        resources={uri: each for uri, each in server.resources.items() if each.scopes <= scopes},
        templates=tuple(each for each in server.templates if each.scopes <= scopes),
        prompts={name: prompt for name, prompt in server.prompts.items() if prompt.scopes <= scopes},
    )


def _items(parts: Sequence[Sequence[Any]], start: int, end: int) -> list[Any]:
    """The items from `start` to `end` of the parts put together; a template may have 100,000 instances."""
    found: list[Any] = []
    for part in parts:
        found += part[max(start, 0) : max(end, 0)]
        start, end = start - len(part), end - len(part)
    return found


def _fitting(items: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    sizes = accumulate(len(encode(item)) for item in items)
    fitting = sum(1 for _ in takewhile(_PAGE_LIMIT_BYTES.__ge__, sizes))
    return items[: max(1, fitting)]


def _cursor(position: int, name: bytes) -> str:
    encoded = position.to_bytes(_POSITION_BYTES, "big")
    return base64url.encode(encoded + _seal(encoded, name))


def _position(cursor: object, name: bytes) -> int:
    raw = base64url.decode(cursor)
    encoded, seal = raw[:_POSITION_BYTES], raw[_POSITION_BYTES:]
    if seal != _seal(encoded, name):
        raise InvalidParams("Invalid cursor: it was not given out for this list; ask again without a cursor")
    return int.from_bytes(encoded, "big")


def _seal(encoded: bytes, name: bytes) -> bytes:
    import hmac  # a list of one page has no cursors

    return hmac.digest(name, encoded, "sha256")[:_SEAL_BYTES]
