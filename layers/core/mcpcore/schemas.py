"""Type hints to JSON Schema, and values checked against them. The one module that knows pydantic."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, NotRequired, get_args, get_origin, get_type_hints

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config
from pydantic.errors import PydanticUserError
from typing_extensions import TypedDict

from mcpcore.content import ToolResult
from mcpcore.errors import DefinitionError, InvalidArguments, shortened
from mcpcore.jsonrpc import encode

__all__ = ["ArgumentsSchema", "OutputSchema", "arguments_schema", "output_schema", "takes_context"]

_CONTEXT_PARAMETER = "context"
_FAULTS_TOLD = 10


class ArgumentsSchema(NamedTuple):
    """What a tool takes: the JSON Schema that clients see, and the check that enforces the same."""

    json: Mapping[str, Any]
    adapter: TypeAdapter[Any]

    def checked(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """`arguments` as the tool's keyword arguments.

        Raises:
            InvalidArguments: they break the schema; each fault is named, up to ten of them.
        """
        try:
            values: dict[str, Any] = self.adapter.validate_json(encode(arguments), strict=True)
        except ValidationError as error:
            raise InvalidArguments(tool, self._faults(error)) from None
        return values

    def _faults(self, error: ValidationError) -> list[str]:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        return [self._sentence(fault["loc"], fault["type"], fault["msg"]) for fault in found[:_FAULTS_TOLD]]

    def _sentence(self, location: tuple[int | str, ...], kind: str, message: str) -> str:
        place = shortened(".".join(map(str, location))) or "arguments"
        if kind != "extra_forbidden":
            return f"{place}: {message[:1].lower()}{message[1:]}"
        if len(location) > 1:
            return f"{place}: no such field"
        known = ", ".join(self.json["properties"]) or "none"
        return f"{place}: no such argument (known: {known})"


class OutputSchema(NamedTuple):
    """What a tool gives: the JSON Schema that clients see, and the check of what is sent."""

    json: Mapping[str, Any]
    adapter: TypeAdapter[Any]

    def checked(self, structured: object) -> Any:
        """`structured` as JSON values.

        Raises:
            ValueError: it does not fit; the tool's author has promised something else.
        """
        return self.adapter.dump_python(self.adapter.validate_python(structured), mode="json")


def arguments_schema(function: Callable[..., Any], name: str) -> ArgumentsSchema:
    """The schema of the arguments that `function` takes by name, its context left out.

    Unknown arguments are refused and no type is converted into another, as JSON Schema has it.

    Raises:
        DefinitionError: a parameter has no type hint, cannot be given by name, has a type with no schema,
            or a default that JSON has not.
    """
    hints = _type_hints(function, name)
    fields: dict[str, Any] = {}
    defaults: dict[str, Any] = {}
    for parameter in inspect.signature(function).parameters.values():
        if _is_context(parameter):
            continue
        _require_nameable(parameter, hints, name)
        hint = hints[parameter.name]
        if parameter.default is parameter.empty:
            fields[parameter.name] = hint
        else:
            fields[parameter.name] = NotRequired[hint]
            defaults[parameter.name] = parameter.default
    # mypy cannot follow a TypedDict whose fields are only known when the server is built
    record = TypedDict(f"{name}_arguments", fields)  # type: ignore[misc]
    adapter, schema = _compiled(with_config(ConfigDict(extra="forbid"))(record), name, "validation")
    schema.setdefault("properties", {})
    for argument, default in defaults.items():
        _require_json(default, argument, name)
        if default is not None:
            schema["properties"][argument].setdefault("default", default)
    return ArgumentsSchema(schema, adapter)


def output_schema(function: Callable[..., Any], name: str) -> OutputSchema | None:
    """The schema of the structured content that `function` returns; None when it returns only text.

    Raises:
        DefinitionError: the return type is neither `str` nor `ToolResult[T]` with an object type `T`.
    """
    hint = _type_hints(function, name).get("return")
    if hint is str:
        return None
    if get_origin(hint) is not ToolResult:
        raise DefinitionError(name, "a tool returns str or ToolResult[T]; annotate it so")
    (structured,) = get_args(hint)
    adapter, schema = _compiled(structured, name, "serialization")
    if schema.get("type") != "object":
        raise DefinitionError(name, "the T of ToolResult[T] must be an object type, such as a TypedDict")
    return OutputSchema(schema, adapter)


def takes_context(function: Callable[..., Any]) -> bool:
    """True when `function` has a keyword-only parameter `context`: it is handed the request's `Context`."""
    return any(_is_context(parameter) for parameter in inspect.signature(function).parameters.values())


def _type_hints(function: Callable[..., Any], name: str) -> dict[str, Any]:
    try:
        return get_type_hints(function, include_extras=True)
    except (NameError, SyntaxError) as error:
        raise DefinitionError(name, f"a type hint cannot be resolved: {error}") from error


def _require_nameable(parameter: inspect.Parameter, hints: Mapping[str, Any], name: str) -> None:
    if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
        raise DefinitionError(name, f"parameter {parameter.name} cannot be given by name")
    if parameter.name not in hints:
        raise DefinitionError(name, f"parameter {parameter.name} has no type hint")


def _is_context(parameter: inspect.Parameter) -> bool:
    return parameter.name == _CONTEXT_PARAMETER and parameter.kind is parameter.KEYWORD_ONLY


def _require_json(default: object, argument: str, name: str) -> None:
    try:
        encode(default)
    except (TypeError, ValueError) as error:
        raise DefinitionError(name, f"the default of parameter {argument} is not JSON") from error


def _compiled(
    hint: Any, name: str, mode: Literal["validation", "serialization"]
) -> tuple[TypeAdapter[Any], dict[str, Any]]:
    try:
        adapter = TypeAdapter(hint)
        return adapter, _plain(adapter.json_schema(mode=mode))
    except PydanticUserError as error:
        raise DefinitionError(name, f"a type has no JSON Schema: {error.message}") from error


def _plain(schema: Any) -> Any:
    """The schema without pydantic's titles, which repeat the names; a property called title is kept."""
    if isinstance(schema, list):
        return [_plain(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: _plain(value) for name, value in item.items()}
        if key in ("properties", "$defs")
        else _plain(item)
        for key, item in schema.items()
        if not (key == "title" and isinstance(item, str))
    }
