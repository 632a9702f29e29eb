"""Type hints to JSON Schema and to pydantic's checks: the one module that imports pydantic.

It is needed to build a server from its functions, and not by a server whose build was prepared.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from types import NoneType, UnionType
from typing import Any, Final, Literal, NotRequired, Union, get_args, get_origin, get_type_hints

from pydantic import ConfigDict, TypeAdapter, with_config
from pydantic.errors import PydanticUserError
from pydantic_core import SchemaError
from typing_extensions import TypedDict

from mcpcore.definitions.param import Param
from mcpcore.definitions.schemas import CONTEXT_PARAMETER, ArgumentsSchema, OutputSchema
from mcpcore.protocol.content import ContentBlock, ToolResult
from mcpcore.protocol.errors import DefinitionError
from mcpcore.protocol.jsonrpc import encode

__all__ = ["arguments_schema", "output_schema", "string_parameters", "takes_context"]


def takes_context(function: Callable[..., Any]) -> bool:
    """True when `function` wants the request's context, as a keyword-only parameter."""
    return any(_is_context(parameter) for parameter in inspect.signature(function).parameters.values())


def string_parameters(function: Callable[..., Any], name: str) -> list[tuple[str, str, bool]]:
    """Name, description and whether it is required, for each parameter but the context; all are strings.

    Raises:
        DefinitionError: one has no type hint, is not a string, or cannot be given by name.
    """
    hints = _type_hints(function, name)
    found = []
    for parameter in inspect.signature(function).parameters.values():
        if _is_context(parameter):
            continue
        _require_nameable(parameter, hints, name)
        _, schema = _compiled(hints[parameter.name], name, "validation")
        if "string" not in (schema.get("type"), *(each.get("type") for each in schema.get("anyOf", ()))):
            raise DefinitionError(name, f"parameter {parameter.name} must be a string")
        found.append((parameter.name, schema.get("description", ""), parameter.default is parameter.empty))
    return found


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
    return ArgumentsSchema(schema, plain=_is_plain(adapter), adapter=lambda: adapter)


def output_schema(function: Callable[..., Any], name: str) -> OutputSchema | None:
    """The schema of the structured content that `function` returns; None when it returns content blocks.

    A return type of `str`, `None`, content blocks, or none at all gives content; any other gives
    structured content, `ToolResult[T]` that of `T`.

    Raises:
        DefinitionError: the return type has no JSON Schema, or is a `ToolResult` of nobody knows what.
    """
    hint = _type_hints(function, name).get("return")
    if _is_content(hint):
        return None
    if hint is ToolResult:
        raise DefinitionError(name, "say what is structured: annotate the result as ToolResult[T]")
    if get_origin(hint) is ToolResult:
        (hint,) = get_args(hint)
    adapter, schema = _compiled(hint, name, "serialization")
    return OutputSchema(schema, plain=_is_plain(adapter), adapter=lambda: adapter)


def _is_content(hint: Any) -> bool:
    if hint in (None, Any, str, type(None)) or hint in get_args(ContentBlock):
        return True
    inner = [argument for argument in get_args(hint) if argument is not Ellipsis]
    if get_origin(hint) in (Union, UnionType):
        return all(_is_content(argument) for argument in inner)
    # A list of strings is data; a list of blocks is content.
    return get_origin(hint) in (list, tuple, Sequence) and all(
        argument is not str and _is_content(argument) for argument in inner
    )


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
    return parameter.name == CONTEXT_PARAMETER and parameter.kind is parameter.KEYWORD_ONLY


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
    except TypeError as error:
        raise DefinitionError(name, f"a type hint makes no sense: {error}") from error
    except SchemaError as error:
        record = " ".join(str(error).split())
        raise DefinitionError(name, f"a type hint makes no sense: {record}") from error


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


# The core schemas whose values are the JSON that they were, and what these may say without changing that.
_PLAIN: Final = {
    "typed-dict": {"fields", "extra_behavior", "config", "cls", "cls_name", "ref", "metadata"},
    "typed-dict-field": {"schema", "required", "metadata"},
    "str": {"min_length", "max_length", "metadata"},
    "int": {"ge", "le", "gt", "lt", "metadata"},
    "float": {"ge", "le", "gt", "lt", "metadata"},
    "bool": {"metadata"},
    "none": {"metadata"},
    "literal": {"expected", "metadata"},
    "nullable": {"schema", "metadata"},
    "union": {"choices", "metadata"},
    "list": {"items_schema", "min_length", "max_length", "metadata"},
    "definitions": {"schema", "definitions", "metadata"},
    "definition-ref": {"schema_ref", "metadata"},
}


_PLAIN_CONFIG: Final = {"extra", "extra_fields_behavior", "title"}
# What a JSON Schema may say that its core schema does not: words that say nothing about values.
_SILENT: Final = {"title", "description", "default", "examples"}


def _is_plain(adapter: TypeAdapter[Any]) -> bool:
    """Whether every value that fits comes out as it went in, and its JSON Schema says all."""
    return _plain_schema(adapter.core_schema)


def _plain_schema(schema: Any) -> bool:
    if isinstance(schema, tuple):  # a choice of a union, with its label
        schema = schema[0]
    known = _PLAIN.get(schema["type"])
    said = {name for name, value in schema.items() if value} - {"type"}
    if known is None or not said <= known or not _says_all(schema):
        return False
    inner = [schema[name] for name in ("schema", "items_schema") if name in schema]
    inner += [*schema.get("choices", ()), *schema.get("definitions", ()), *schema.get("fields", {}).values()]
    return all(map(_plain_schema, inner))


def _says_all(schema: Any) -> bool:
    """Whether nothing beside the core schema changes values, or what the JSON Schema says of them."""
    config = schema.get("config", {}).keys() | getattr(schema.get("cls"), "__pydantic_config__", {}).keys()
    record = dict(schema.get("metadata", {}))
    functions = record.pop("pydantic_js_annotation_functions", ())
    words = record.pop("pydantic_js_updates", {}).keys()
    return (
        config <= _PLAIN_CONFIG
        and words <= _SILENT
        and not record
        and all(isinstance(getattr(function, "__self__", None), Param) for function in functions)
        and all(type(value) in (str, int, bool, NoneType) for value in schema.get("expected", ()))
    )
