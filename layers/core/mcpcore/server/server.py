"""The engineer's door: register plain typed functions, then build."""

import json
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from mcpcore.definitions.built import (
    BuiltServer,
    CacheHint,
    Completer,
    Icon,
    PromptArgument,
    ResourceInfo,
    ServerInfo,
)
from mcpcore.protocol.capabilities import Capabilities
from mcpcore.protocol.errors import DefinitionError
from mcpcore.server.build import (
    PromptRegistration,
    Registrations,
    ResourceRegistration,
    ToolRegistration,
    build,
    prepare,
)

__all__ = ["Server"]

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=Completer)


class Server:
    """What is offered, before it is checked. Registering leaves a function as it was.

    `page_size` is how many items a list answers at once. `logging` lets tools send log messages to the
    client; `subscriptions` lets legacy clients subscribe to resources, though no stream stays open to tell
    them of changes.
    """

    def __init__(
        self,
        name: str,
        *,
        version: str,
        title: str = "",
        description: str = "",
        website_url: str = "",
        icons: Sequence[Icon] = (),
        instructions: str = "",
        cache: CacheHint | None = None,
        page_size: int = 50,
        logging: bool = False,
        subscriptions: bool = False,
    ) -> None:
        self._drafts = Registrations(
            ServerInfo(name, version, title, description, website_url, tuple(icons)),
            instructions,
            cache or CacheHint(),
            page_size,
            logging,
            subscriptions,
            tools=[],
            resources=[],
            prompts=[],
            completers={},
        )

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
        icons: Sequence[Icon] = (),
        requires: Capabilities | None = None,
        input_schema: Mapping[str, Any] | None = None,
        output_schema: Mapping[str, Any] | None = None,
    ) -> Callable[[F], F]:
        """Register a function as a tool; use it as a decorator, or call the result with the function.

        The input schema comes from the function's type hints (`Param` adds limits and descriptions), or is
        `input_schema`; then the function takes the arguments by name as they come.
        The output schema comes from the return type: `str` or content blocks give content, any other type
        structured content, `ToolResult[T]` both; or it is `output_schema`. Schemas that are given are kept
        and enforced to the letter. A keyword-only parameter `context: Context` is filled in. `name` is the
        function's and `description` its docstring unless given. The four hints become the tool's
        annotations. `requires` is a client capabilities object, such as `{"sampling": {}}`, without which
        a call is refused.
        """
        hints = {
            "readOnlyHint": read_only,
            "destructiveHint": destructive,
            "idempotentHint": idempotent,
            "openWorldHint": open_world,
        }

        def register(function: F) -> F:
            self._drafts.tools.append(
                ToolRegistration(
                    name or function.__name__,
                    title,
                    _described(description, function),
                    {hint: value for hint, value in hints.items() if value is not None},
                    tuple(icons),
                    function,
                    requires or {},
                    input_schema,
                    output_schema,
                )
            )
            return function

        return register

    def resource(
        self,
        uri: str,
        *,
        name: str | None = None,
        title: str = "",
        description: str | None = None,
        mime_type: str = "",
        size: int | None = None,
        annotations: Mapping[str, Any] | None = None,
        icons: Sequence[Icon] = (),
        instances: Callable[[], Sequence[ResourceInfo]] | None = None,
        fixed: bool = False,
    ) -> Callable[[F], F]:
        """Register a function as a resource, or, when `uri` has variables, as a resource template.

        The function takes the variables as strings, by name, and gives text, bytes, `ResourceContents` or a
        list of them, or None when there is nothing under the URI. `instances` gives the resources of a
        template that `resources/list` shows; when they are `fixed`, they never change, and the list's first
        page is encoded once. A keyword-only parameter `context: Context` is filled in.
        """

        def register(function: F) -> F:
            about = ResourceInfo(
                uri,
                name or function.__name__,
                title,
                _described(description, function),
                mime_type,
                size,
                annotations,
                tuple(icons),
            )
            self._drafts.resources.append(ResourceRegistration(about, function, instances, fixed))
            return function

        return register

    def prompt(
        self,
        name: str | None = None,
        *,
        title: str = "",
        description: str | None = None,
        icons: Sequence[Icon] = (),
        arguments: Sequence[PromptArgument] | None = None,
    ) -> Callable[[F], F]:
        """Register a function as a prompt.

        It takes strings by name (those without a default are required; `Param` adds descriptions) and
        gives text, a content block, a `PromptMessage`, or a list of them. `arguments` replaces what its
        type hints say. A keyword-only parameter `context: Context` is filled in.
        """

        def register(function: F) -> F:
            self._drafts.prompts.append(
                PromptRegistration(
                    name or function.__name__,
                    title,
                    _described(description, function),
                    tuple(icons),
                    function,
                    None if arguments is None else tuple(arguments),
                )
            )
            return function

        return register

    def completion(
        self, argument: str, *, prompt: str | None = None, resource: str | None = None
    ) -> Callable[[C], C]:
        """Register a function that completes an argument of a prompt, or a variable of a resource template.

        It takes two things by position, what was typed and the other arguments so far, and gives the values
        that fit, best first.
        """
        if (prompt is None) == (resource is None):
            raise DefinitionError(argument, "a completion is either for a prompt or for a resource template")
        place = ("ref/resource", resource or "") if prompt is None else ("ref/prompt", prompt)

        def register(function: C) -> C:
            self._drafts.completers[*place, argument] = function
            return function

        return register

    def load_tools(self, definitions: str | bytes, handlers: Mapping[str, Callable[..., Any]]) -> None:
        """Register tools from a JSON array of Tool objects, as `tools/list` shows them; one handler for each.

        Their schemas are kept to the letter and enforced on every call as JSON Schema 2020-12. With an
        output schema the handler gives the structured content, or a `ToolResult` of it.

        Raises:
            DefinitionError: the JSON cannot be read or is of another shape, or a tool has no handler.
        """
        for entry in _entries(definitions, "tools"):
            hints = _object(entry, "annotations")
            self.tool(
                entry.get("name"),
                title=entry.get("title", ""),
                description=entry.get("description", ""),
                read_only=hints.get("readOnlyHint"),
                destructive=hints.get("destructiveHint"),
                idempotent=hints.get("idempotentHint"),
                open_world=hints.get("openWorldHint"),
                icons=_icons(entry),
                input_schema=entry.get("inputSchema", {}),
                output_schema=entry.get("outputSchema"),
            )(_handler(handlers, entry.get("name")))

    def load_resources(self, definitions: str | bytes, handlers: Mapping[str, Callable[..., Any]]) -> None:
        """Register resources from a JSON array of Resource and ResourceTemplate objects, handlers by URI.

        Raises:
            DefinitionError: the JSON cannot be read or is of another shape, or a resource has no handler.
        """
        for entry in _entries(definitions, "resources"):
            uri = entry.get("uriTemplate", entry.get("uri"))
            self.resource(
                str(uri),
                name=entry.get("name"),
                title=entry.get("title", ""),
                description=entry.get("description", ""),
                mime_type=entry.get("mimeType", ""),
                size=entry.get("size"),
                annotations=entry.get("annotations"),
                icons=_icons(entry),
            )(_handler(handlers, uri))

    def load_prompts(self, definitions: str | bytes, handlers: Mapping[str, Callable[..., Any]]) -> None:
        """Register prompts from a JSON array of Prompt objects; one handler for each.

        Raises:
            DefinitionError: the JSON cannot be read or is of another shape, or a prompt has no handler.
        """
        for entry in _entries(definitions, "prompts"):
            self.prompt(
                entry.get("name"),
                title=entry.get("title", ""),
                description=entry.get("description", ""),
                icons=_icons(entry),
                arguments=[
                    PromptArgument(each["name"], each.get("description", ""), each.get("required", False))
                    for each in _objects(entry, "arguments", having="name")
                ],
            )(_handler(handlers, entry.get("name")))

    def build(self, prepared: bytes | None = None) -> BuiltServer:
        """The server, checked, with every constant result encoded.

        `prepared` is what `prepare` gave for the same definitions: then pydantic is not imported, unless a
        value comes that only it can check.

        Raises:
            DefinitionError: a definition is wrong, or is not what was prepared; the error names it.
        """
        return build(self._drafts, prepared)

    def prepare(self) -> bytes:
        """What is worth keeping of a build, for `build` to be given at each cold start.

        Keep it beside the code that it was made from: it tells nothing of what has changed since.

        Raises:
            DefinitionError: a definition is wrong; the error names it.
        """
        return prepare(self._drafts)


def _described(description: str | None, function: Callable[..., Any]) -> str:
    return _docstring(function) if description is None else description


def _docstring(function: Callable[..., Any]) -> str:
    """Without its indentation. That of a method that this one overrides does not count.

    `inspect.getdoc` would find it; to import inspect takes a cold start longer than all of this server.
    """
    first, _, rest = (function.__doc__ or "").expandtabs().partition("\n")
    return f"{first.strip()}\n{textwrap.dedent(rest)}".strip()


def _entries(definitions: str | bytes, kind: str) -> list[dict[str, Any]]:
    try:
        entries = json.loads(definitions)
    except ValueError as error:
        raise DefinitionError(kind, f"the definitions are not JSON: {error}") from error
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise DefinitionError(kind, "the definitions must be an array of objects")
    return entries


def _handler(handlers: Mapping[str, Callable[..., Any]], name: object) -> Callable[..., Any]:
    if not isinstance(name, str) or name not in handlers:
        raise DefinitionError(str(name), "no handler was given for this definition")
    return handlers[name]


def _icons(entry: Mapping[str, Any]) -> list[Icon]:
    return [
        Icon(icon["src"], icon.get("mimeType", ""), tuple(icon.get("sizes", ())), icon.get("theme", ""))
        for icon in _objects(entry, "icons", having="src")
    ]


def _object(entry: Mapping[str, Any], member: str) -> Mapping[str, Any]:
    found = entry.get(member, {})
    if not isinstance(found, dict):
        raise DefinitionError(str(entry.get("name")), f"{member} must be an object")
    return found


def _objects(entry: Mapping[str, Any], member: str, *, having: str) -> list[dict[str, Any]]:
    found = entry.get(member, [])
    if not isinstance(found, list) or not all(
        isinstance(each, dict) and isinstance(each.get(having), str) for each in found
    ):
        raise DefinitionError(str(entry.get("name")), f"{member} must be an array of objects with a {having}")
    return found
