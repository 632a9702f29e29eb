"""Handlers with the type hints that a test is about."""

from collections.abc import Callable
from typing import Any


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
