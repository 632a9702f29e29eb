"""Server: registers plain typed functions as tools, resources, prompts and completions, then builds."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar, overload

from mcpcore.definitions.built import (
    BuiltServer,
    CacheHint,
    Completer,
    Icon,
    PromptArgument,
    ResourceInfo,
    ServerInfo,
    ToolText,
)
from mcpcore.protocol.capabilities import Capabilities
from mcpcore.protocol.errors import DefinitionError
from mcpcore.server.build import build, prebuild
from mcpcore.server.registration import (
    PromptRegistration,
    Registrations,
    ResourceRegistration,
    ToolRegistration,
)

__all__ = ["Server"]

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=Completer)


class Server:
    """What a server offers, before it is checked. Registering leaves a function usable as it was.

    `page_size` is how many items one page of a list has at most: large, because many clients read the first
    page only. `tool_text` is the text of a result with structured content: the tool's `own`, the content as
    `json`, or `both`. `logging` lets handlers send log messages to the client; `subscriptions` lets legacy
    clients subscribe to resources, though no stream stays open to send them updates. `hide_unauthorized`
    lists only what the principal has the scopes for; a client that sees no tool asks for no scope of it.
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
        page_size: int = 1000,
        tool_text: ToolText = "both",
        logging: bool = False,
        subscriptions: bool = False,
        hide_unauthorized: bool = False,
    ) -> None:
        self._registered = Registrations(
            ServerInfo(name, version, title, description, website_url, tuple(icons)),
            instructions,
            cache or CacheHint(),
            page_size,
            tool_text,
            logging,
            subscriptions,
            hide_unauthorized,
            tools=[],
            resources=[],
            prompts=[],
            completers={},
        )

    @overload
    def tool(self, function: F, /) -> F: ...

    @overload
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
        scopes: Collection[str] = (),
    ) -> Callable[[F], F]: ...

    def tool(
        self,
        name: str | F | None = None,
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
        scopes: Collection[str] = (),
    ) -> F | Callable[[F], F]:
        """Register a function as a tool: `@server.tool`, or `@server.tool(...)` with options.

        The input schema comes from the function's type hints (`Param` adds limits and descriptions), or is
        `input_schema`; then the function gets the arguments by name, unconverted. The output schema comes
        from the return type: `str` or content blocks give content, any other type structured content,
        `ToolResult[T]` both; or it is `output_schema`. Handwritten schemas are enforced, and listed
        unchanged; but versions before 2026-07-28 get output that is no object, and its schema, in an object.
        A parameter with the type `Context` gets the request's context. `name` is the function's and
        `description` its docstring by default. `read_only`, `destructive`, `idempotent` and `open_world`
        become the tool's annotations. `requires` is a client capabilities object, such as
        `{"sampling": {}}`, without which a call is refused; `scopes` are OAuth scopes, all of which the
        principal of a call must have.
        """
        hints = {
            "readOnlyHint": read_only,
            "destructiveHint": destructive,
            "idempotentHint": idempotent,
            "openWorldHint": open_world,
        }

        def register(function: F) -> F:
            self._registered.tools.append(
                ToolRegistration(
                    _named(name, function),
                    title,
                    _described(description, function),
                    {hint: value for hint, value in hints.items() if value is not None},
                    tuple(icons),
                    function,
                    requires or {},
                    input_schema,
                    output_schema,
                    scopes,
                )
            )
            return function

        return register(name) if callable(name) else register

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
        scopes: Collection[str] = (),
    ) -> Callable[[F], F]:
        """Register a function as a resource, or, if `uri` has variables, as a resource template.

        The function takes the variables as strings, by name, and returns text, bytes, `ResourceContents` or a
        list of them, or None if nothing is under the URI. `instances` returns the resources of a template
        that `resources/list` shows; if they are `fixed`, they never change, and the first page of the list is
        encoded once. A parameter with the type `Context` gets the request's context. `scopes` as for a tool.

        Raises:
            DefinitionError: it was used without a URI.
        """
        if callable(uri):
            raise DefinitionError(
                getattr(uri, "__name__", "resource"),
                'a resource needs a URI: write @server.resource("notes://today")',
            )

        def register(function: F) -> F:
            about = ResourceInfo(
                uri,
                _named(name, function),
                title,
                _described(description, function),
                mime_type,
                size,
                annotations,
                tuple(icons),
            )
            self._registered.resources.append(ResourceRegistration(about, function, instances, fixed, scopes))
            return function

        return register

    @overload
    def prompt(self, function: F, /) -> F: ...

    @overload
    def prompt(
        self,
        name: str | None = None,
        *,
        title: str = "",
        description: str | None = None,
        icons: Sequence[Icon] = (),
        arguments: Sequence[PromptArgument] | None = None,
        scopes: Collection[str] = (),
    ) -> Callable[[F], F]: ...

    def prompt(
        self,
        name: str | F | None = None,
        *,
        title: str = "",
        description: str | None = None,
        icons: Sequence[Icon] = (),
        arguments: Sequence[PromptArgument] | None = None,
        scopes: Collection[str] = (),
    ) -> F | Callable[[F], F]:
        """Register a function as a prompt: `@server.prompt`, or `@server.prompt(...)` with options.

        It takes strings by name (those without a default are required; `Param` adds descriptions) and
        returns text, a content block, a `PromptMessage`, or a list of them. `arguments` replaces what its
        type hints say. A parameter with the type `Context` gets the request's context. `scopes` as for a
        tool.
        """

        def register(function: F) -> F:
            self._registered.prompts.append(
                PromptRegistration(
                    _named(name, function),
                    title,
                    _described(description, function),
                    tuple(icons),
                    function,
                    None if arguments is None else tuple(arguments),
                    scopes,
                )
            )
            return function

        return register(name) if callable(name) else register

    def completion(
        self, argument: str, *, prompt: str | None = None, resource: str | None = None
    ) -> Callable[[C], C]:
        """Register a function that completes an argument of a prompt, or a variable of a resource template.

        It takes two values by position, what was typed and the other arguments so far, and returns the
        values that fit, best first.

        Raises:
            DefinitionError: it names no argument, or not exactly one prompt or resource template.
        """
        if callable(argument):
            raise DefinitionError(
                getattr(argument, "__name__", "completion"),
                'a completion needs an argument: write @server.completion("city", prompt="plan")',
            )
        if (prompt is None) == (resource is None):
            raise DefinitionError(argument, "a completion is either for a prompt or for a resource template")
        reference = ("ref/resource", resource or "") if prompt is None else ("ref/prompt", prompt)

        def register(function: C) -> C:
            self._registered.completers[*reference, argument] = function
            return function

        return register

    def load_tools(self, definitions: str | bytes, handlers: Mapping[str, Callable[..., Any]]) -> None:
        """Register tools from a JSON array of Tool objects, as `tools/list` shows them; one handler for each.

        Their schemas are listed unchanged and enforced on every call as JSON Schema 2020-12. With an output
        schema the handler returns the structured content, or a `ToolResult` of it.

        Raises:
            DefinitionError: the JSON is malformed or has another shape, or a definition has no handler.
        """
        from mcpcore.server.loading import tools_from

        for name, options, handler in tools_from(definitions, handlers):
            self.tool(name, **options)(handler)

    def load_resources(self, definitions: str | bytes, handlers: Mapping[str, Callable[..., Any]]) -> None:
        """Register resources from their JSON objects, handlers by URI. See `load_tools`."""
        from mcpcore.server.loading import resources_from

        for uri, options, handler in resources_from(definitions, handlers):
            self.resource(uri, **options)(handler)

    def load_prompts(self, definitions: str | bytes, handlers: Mapping[str, Callable[..., Any]]) -> None:
        """Register prompts from Prompt objects, handlers by name. See `load_tools`."""
        from mcpcore.server.loading import prompts_from

        for name, options, handler in prompts_from(definitions, handlers):
            self.prompt(name, **options)(handler)

    def build(self, prebuilt: bytes | None = None) -> BuiltServer:
        """The server, checked, with every constant result encoded.

        `prebuilt` is what `prebuild` returned for the same definitions: then pydantic is not imported, unless
        a value needs it.

        Raises:
            DefinitionError: a definition is wrong, or the prebuilt file does not have it; the error names it.
        """
        return build(self._registered, prebuilt)

    def prebuild(self) -> bytes:
        """The content of a file for `build`, which makes a cold start several times faster.

        Keep it beside the code that it was made from: a later change of the code makes it wrong.

        Raises:
            DefinitionError: a definition is wrong; the error names it.
        """
        return prebuild(self._registered)


def _named(name: object, function: Callable[..., Any]) -> str:
    """`name`, unless it is empty or the function itself; else the function's own, empty if it has none."""
    return str(getattr(function, "__name__", "") if callable(name) or not name else name)


def _described(description: str | None, function: Callable[..., Any]) -> str:
    return _docstring(function) if description is None else description


def _docstring(function: Callable[..., Any]) -> str:
    """The function's own docstring without its indentation.

    `inspect.getdoc` would give it, but importing inspect takes longer than all of this package.
    """
    first, *rest = (function.__doc__ or "").expandtabs().split("\n")
    indentation = min((len(line) - len(line.lstrip()) for line in rest if line.strip()), default=0)
    return "\n".join([first.strip(), *(line[indentation:].rstrip() for line in rest)]).strip()
