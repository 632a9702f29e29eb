"""What a tool may give back, and how each content block goes on the wire."""

from typing import Any, Generic, NamedTuple, TypeVar

__all__ = ["TextContent", "ToolResult", "block_to_wire"]

T = TypeVar("T")


class TextContent(NamedTuple):
    """Text for the model to read (spec server/tools, "Text Content")."""

    text: str


class ToolResult(NamedTuple, Generic[T]):
    """Structured content together with the text that says the same to a model.

    `structured` fits the output schema that the tool's return annotation, `ToolResult[T]`, gives.
    """

    structured: T
    text: str


def block_to_wire(block: TextContent) -> dict[str, Any]:
    """The content block as a JSON object."""
    return {"type": "text", "text": block.text}
