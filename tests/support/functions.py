"""Handlers with the type hints that a test is about, and the schemas that these make."""

from collections.abc import Callable
from typing import Any

from mcpcore import Context
from mcpcore.definitions.schemas import ArgumentsSchema, OutputSchema
from mcpcore.definitions.type_schemas import arguments_schema, output_schema


def taking(hint: object) -> Callable[..., str]:
    """A function `tool` with a parameter `value` of this type."""

    def tool(value: Any) -> str:
        """Take a value."""
        return str(value)

    tool.__annotations__["value"] = hint
    return tool


def returning(hint: object, value: object = None) -> Callable[..., Any]:
    """A function `tool` with this return type that returns `value`."""

    def tool() -> Any:
        """Return a value."""
        return value

    tool.__annotations__["return"] = hint
    return tool


def arguments_of(function: Callable[..., Any]) -> ArgumentsSchema:
    """The schema of the arguments of `function`, as of a tool named "tool"."""
    return arguments_schema(function, "tool", Context)


def output_of(hint: object) -> OutputSchema | None:
    """The schema of the structured content of a tool with this return type."""
    return output_schema(returning(hint), "tool")
