"""The engineer's door: register plain typed functions, then build."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from mcpcore.build import ToolDraft, build
from mcpcore.capabilities import Capabilities
from mcpcore.definitions import BuiltServer, CacheHint, ServerInfo

__all__ = ["Server"]

F = TypeVar("F", bound=Callable[..., Any])


class Server:
    """What is offered, before it is checked. Registering leaves a function as it was."""

    def __init__(
        self,
        name: str,
        *,
        version: str,
        title: str = "",
        description: str = "",
        website_url: str = "",
        instructions: str = "",
        cache: CacheHint | None = None,
    ) -> None:
        self._info = ServerInfo(name, version, title, description, website_url)
        self._instructions = instructions
        self._cache = cache or CacheHint()
        self._tools: list[ToolDraft] = []

    def tool(
        self,
        name: str | None = None,
        *,
        title: str = "",
        description: str | None = None,
        read_only: bool | None = None,
        destructive: bool | None = None,
        idempotent: bool | None = None,
        open_world: bool | None = None,
        requires: Capabilities | None = None,
    ) -> Callable[[F], F]:
        """Register a function as a tool; use it as a decorator, or call the result with the function.

        The input schema comes from the function's type hints (pydantic's `Field` adds limits and
        descriptions), the output schema from a return type `ToolResult[T]`; a tool that returns `str`
        has none. A keyword-only parameter `context: Context` is filled in. `name` is the function's and
        `description` its docstring unless given. The four hints become the tool's annotations.
        `requires` is a client capabilities object, such as `{"sampling": {}}`, without which a call
        is refused.
        """
        hints = {
            "readOnlyHint": read_only,
            "destructiveHint": destructive,
            "idempotentHint": idempotent,
            "openWorldHint": open_world,
        }

        def register(function: F) -> F:
            self._tools.append(
                ToolDraft(
                    name or function.__name__,
                    title,
                    description if description is not None else inspect.getdoc(function) or "",
                    _given(hints),
                    function,
                    requires or {},
                )
            )
            return function

        return register

    def build(self) -> BuiltServer:
        """The server, checked, with every constant result encoded.

        Raises:
            DefinitionError: a definition is wrong; the error names it.
        """
        return build(self._info, self._instructions, self._cache, self._tools)


def _given(hints: Mapping[str, bool | None]) -> dict[str, bool]:
    return {name: value for name, value in hints.items() if value is not None}
