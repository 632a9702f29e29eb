"""The content types that handlers return, and their JSON for a client's version.

A block type that the version lacks becomes a text block: clients ignore unknown members, but not unknown
block types.
"""

import base64
from collections.abc import Mapping, Sequence
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar, assert_never

from mcpcore.protocol.versions import at_least

__all__ = [
    "Audio",
    "ContentBlock",
    "EmbeddedResource",
    "Image",
    "PromptMessage",
    "ResourceContents",
    "ResourceLink",
    "Text",
    "ToolResult",
    "block_to_wire",
    "check_meta",
    "contents_to_wire",
    "message_to_wire",
]

T = TypeVar("T")


class Text(NamedTuple):
    """Text for the model to read (spec server/tools, "Text Content")."""

    text: str
    annotations: Mapping[str, Any] | None = None


class Image(NamedTuple):
    """An image; `data` are its bytes (spec server/tools, "Image Content")."""

    data: bytes
    mime_type: str
    annotations: Mapping[str, Any] | None = None


class Audio(NamedTuple):
    """A sound; `data` are its bytes (since 2025-03-26; spec server/tools, "Audio Content")."""

    data: bytes
    mime_type: str
    annotations: Mapping[str, Any] | None = None


class ResourceLink(NamedTuple):
    """A resource that the client may read (since 2025-06-18; spec server/tools, "Resource Links")."""

    uri: str
    name: str
    title: str = ""
    description: str = ""
    mime_type: str = ""
    annotations: Mapping[str, Any] | None = None


class ResourceContents(NamedTuple):
    """The contents of a resource: text, or bytes (spec server/resources, "Resource Contents")."""

    uri: str
    content: str | bytes
    mime_type: str = ""


class EmbeddedResource(NamedTuple):
    """A resource, put into the answer itself (spec server/tools, "Embedded Resources")."""

    resource: ResourceContents
    annotations: Mapping[str, Any] | None = None


_ROLES: Final = ("user", "assistant")

# Labels of prefixes in `_meta`, as the second of them reserved for the protocol.
_RESERVED: Final = ("modelcontextprotocol", "mcp")

ContentBlock: TypeAlias = Text | Image | Audio | ResourceLink | EmbeddedResource


class ToolResult(NamedTuple, Generic[T]):
    """Structured content together with the text that a model reads.

    `structured` fits the output schema that the tool's return annotation, `ToolResult[T]`, gives.
    `text` is one text block, or the blocks to send. `meta` are members of the result's `_meta`, for programs:
    a model does not see them. Each name has a prefix, as in `com.example/batch` (spec basic/index, "_meta").
    """

    structured: T
    text: str | Sequence[ContentBlock]
    meta: Mapping[str, Any] | None = None


class PromptMessage(NamedTuple):
    """One message of a prompt; `role` is "user" or "assistant" (spec server/prompts, "PromptMessage")."""

    role: str
    content: ContentBlock


def block_to_wire(block: ContentBlock, version: str) -> dict[str, Any]:
    """The JSON of a content block for a client of `version`.

    Raises:
        TypeError, ValueError: a field has another type than it is declared with.
    """
    wire: dict[str, Any]
    match block:
        case Text(text):
            wire = {"type": "text", "text": _text(text)}
        case Image(data, mime_type):
            wire = {"type": "image", "data": _base64(data), "mimeType": _text(mime_type)}
        case Audio(data, mime_type):
            if not at_least(version, "2025-03-26"):
                return {"type": "text", "text": f"[audio, {mime_type}, {len(data)} bytes]"}
            wire = {"type": "audio", "data": _base64(data), "mimeType": _text(mime_type)}
        case ResourceLink(uri, name):
            if not at_least(version, "2025-06-18"):
                return {"type": "text", "text": f"{name}: {uri}"}
            wire = {"type": "resource_link", "uri": _text(uri), "name": _text(name), **_described(block)}
        case EmbeddedResource(resource):
            wire = {"type": "resource", "resource": contents_to_wire(resource)}
        case never:
            assert_never(never)
    if block.annotations:
        wire["annotations"] = dict(block.annotations)
    return wire


def check_meta(meta: Mapping[str, Any]) -> None:
    """Pass if a server may send these members in the `_meta` of a result (spec 2026-07-28, basic/index).

    The specification lets names do without a prefix; ours must have one, so that they meet nobody else's.

    Raises:
        ValueError: a name is malformed, or has no prefix, or one that is reserved for the protocol.
        TypeError, AttributeError: it is no mapping whose names are strings.
    """
    for name in meta:
        prefix, _, own = name.rpartition("/")
        labels = prefix.split(".")
        well_formed = name.isascii() and all(map(_is_label, labels))
        if not (well_formed and (own == "" or _is_bounded(own, inside="-_."))):
            raise ValueError(f"{name!r} is no name for _meta: write one with a prefix, as com.example/batch")
        if len(labels) > 1 and labels[1] in _RESERVED:
            raise ValueError(f"the prefix of {name!r} is reserved for the protocol: take one of your own")


def _is_label(label: str) -> bool:
    return label[:1].isalpha() and _is_bounded(label, inside="-")


def _is_bounded(word: str, *, inside: str) -> bool:
    """Whether `word` begins and ends with a letter or digit, and has nothing else but `inside` between."""
    bare = word
    for mark in inside:
        bare = bare.replace(mark, "")
    return bare.isalnum() and word.strip(inside) == word


def contents_to_wire(contents: ResourceContents) -> dict[str, Any]:
    """The contents of a resource as a JSON object; bytes in Base64.

    Raises:
        TypeError: as `block_to_wire` does.
    """
    wire: dict[str, Any] = {"uri": _text(contents.uri)}
    if contents.mime_type:
        wire["mimeType"] = _text(contents.mime_type)
    if isinstance(contents.content, str):
        wire["text"] = contents.content
    else:
        wire["blob"] = _base64(contents.content)
    return wire


def message_to_wire(message: PromptMessage, version: str) -> dict[str, Any]:
    """The message of a prompt as a JSON object.

    Raises:
        TypeError, ValueError: there is no such role, the content is no block, or as `block_to_wire` does.
    """
    if message.role not in _ROLES:
        raise ValueError(f"a message is from the user or the assistant, not from {message.role!r}")
    if not isinstance(message.content, ContentBlock):
        raise TypeError(f"a message holds a content block, not {type(message.content).__name__}")
    return {"role": message.role, "content": block_to_wire(message.content, version)}


def _described(link: ResourceLink) -> dict[str, str]:
    members = {"title": link.title, "description": link.description, "mimeType": link.mime_type}
    return {name: _text(value) for name, value in members.items() if value}


def _text(value: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{type(value).__name__} was given where text is required")
    return value


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
