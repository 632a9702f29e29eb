"""JSON Schemas and validation from type hints: the one module that imports pydantic at its top.

It is needed to build a server from its functions, not to start one that was prebuilt.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NotRequired,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import ConfigDict, TypeAdapter, with_config
from pydantic.errors import PydanticUserError
from pydantic_core import SchemaError
from typing_extensions import TypedDict

from mcpcore.definitions.param import Param
from mcpcore.definitions.schemas import ArgumentsSchema, DeclaredSchema, OutputSchema
from mcpcore.protocol.content import ContentBlock, ToolResult
from mcpcore.protocol.errors import DefinitionError
from mcpcore.protocol.jsonrpc import encode

__all__ = [
    "arguments_schema",
    "check_parameters",
    "compile_type",
    "context_parameter",
    "output_schema",
    "string_parameters",
]


def context_parameter(function: Callable[..., Any], name: str, context_type: type) -> str:
    """The name of the parameter whose type hint is `context_type`, or that or None; empty without one.

    Raises:
        DefinitionError: two parameters have it, the one that has it cannot be passed by name, one has a type
            made from it, or a keyword-only parameter is called `context` and has no type hint.
    """
    hints = _type_hints(function, name)
    found: list[str] = []
    for parameter in inspect.signature(function).parameters.values():
        hinted = _is_context(hints.get(parameter.name), context_type)
        if not hinted and _mentions(hints.get(parameter.name), context_type):
            right = f"{parameter.name}: {context_type.__name__}"
            raise DefinitionError(
                name, f"the context is passed only to a parameter of its own type; write {right}"
            )
        if hinted or (parameter.name == "context" and parameter.kind is parameter.KEYWORD_ONLY):
            _require_nameable(parameter, hints, name)
        if hinted:
            found.append(parameter.name)
    if len(found) > 1:
        raise DefinitionError(name, f"{found[0]} and {found[1]} both have the type of the context")
    return found[0] if found else ""


def _is_context(hint: Any, context_type: type) -> bool:
    choices = _choices(hint)
    return context_type in choices and all(each in (context_type, NoneType) for each in choices)


def _choices(hint: Any) -> list[Any]:
    """The types of a union, or the one type, without their annotations."""
    if get_origin(hint) is Annotated:
        return _choices(get_args(hint)[0])
    if get_origin(hint) in (Union, UnionType):
        return [choice for each in get_args(hint) for choice in _choices(each)]
    return [hint]


def _mentions(hint: Any, context_type: type) -> bool:
    """True when `hint` is a subclass of `context_type`, or is made from it."""
    if isinstance(hint, TypeVar):
        return any(_mentions(each, context_type) for each in (hint.__bound__, *hint.__constraints__))
    inner = hint if isinstance(hint, list) else get_args(hint)
    if inner:
        return any(_mentions(each, context_type) for each in inner)
    return inspect.isclass(hint) and issubclass(hint, context_type)


def string_parameters(
    function: Callable[..., Any], name: str, context_type: type
) -> list[tuple[str, str, bool]]:
    """Name, description and whether it is required, for each parameter but the context; all are strings.

    Raises:
        DefinitionError: one has no type hint, is not a string, or cannot be passed by name.
    """
    hints, context = _type_hints(function, name), context_parameter(function, name, context_type)
    found = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name == context:
            continue
        _require_nameable(parameter, hints, name)
        _, schema = compile_type(hints[parameter.name], name, "validation")
        if "string" not in (schema.get("type"), *(each.get("type") for each in schema.get("anyOf", ()))):
            raise DefinitionError(name, f"parameter {parameter.name} must be a string")
        found.append((parameter.name, schema.get("description", ""), parameter.default is parameter.empty))
    return found


def check_parameters(
    function: Callable[..., Any], name: str, context_type: type, schema: DeclaredSchema
) -> None:
    """Check that `function` can be called with arguments that fit a handwritten schema.

    Raises:
        DefinitionError: a required parameter is neither a property in the schema nor the context.
    """
    known = {*schema.property_names(), context_parameter(function, name, context_type)}
    for parameter in inspect.signature(function).parameters.values():
        variadic = parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        if parameter.name not in known and parameter.default is parameter.empty and not variadic:
            raise DefinitionError(
                name,
                f"the input schema has no property for the required parameter {parameter.name}; add one, or, "
                f"for the context, write {parameter.name}: {context_type.__name__}",
            )


def arguments_schema(function: Callable[..., Any], name: str, context_type: type) -> ArgumentsSchema:
    """The schema of the arguments that `function` takes by name, without the context.

    Unknown arguments are refused and no type is converted into another, as in JSON Schema.

    Raises:
        DefinitionError: a parameter has no type hint, cannot be passed by name, has a type without a schema,
            or a default that is not JSON.
    """
    hints, context = _type_hints(function, name), context_parameter(function, name, context_type)
    fields: dict[str, Any] = {}
    defaults: dict[str, Any] = {}
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name == context:
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
    adapter, schema = compile_type(with_config(ConfigDict(extra="forbid"))(record), name, "validation")
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
        DefinitionError: the return type has no JSON Schema, or is a `ToolResult` without its type argument.
    """
    hint = _type_hints(function, name).get("return")
    if _is_content(hint):
        return None
    if hint is ToolResult:
        raise DefinitionError(
            name, "annotate the result as ToolResult[T], with the type of the structured content"
        )
    if get_origin(hint) is ToolResult:
        (hint,) = get_args(hint)
    adapter, schema = compile_type(hint, name, "serialization")
    if _refers_to_object(schema):  # a model that contains itself; clients look for the type at the root
        schema["type"] = "object"
    return OutputSchema(schema, plain=_is_plain(adapter), adapter=lambda: adapter)


def _refers_to_object(schema: Mapping[str, Any]) -> bool:
    target = schema.get("$ref", "").removeprefix("#/$defs/")
    return bool(schema.get("$defs", {}).get(target, {}).get("type") == "object")


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
    while isinstance(function, partial):
        function = function.func
    if not (inspect.isroutine(function) or inspect.isclass(function)):
        function = type(function).__call__
    try:
        return get_type_hints(function, include_extras=True)
    except (NameError, AttributeError, SyntaxError) as error:
        raise DefinitionError(name, f"a type hint cannot be resolved: {error}") from error


def _require_nameable(parameter: inspect.Parameter, hints: Mapping[str, Any], name: str) -> None:
    if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
        raise DefinitionError(name, f"parameter {parameter.name} cannot be passed by name")
    if parameter.name not in hints:
        advice = f"; write {parameter.name}: Context" if parameter.name in ("context", "ctx") else ""
        raise DefinitionError(name, f"parameter {parameter.name} has no type hint{advice}")


def _require_json(default: object, argument: str, name: str) -> None:
    try:
        encode(default)
    except (TypeError, ValueError) as error:
        raise DefinitionError(name, f"the default of parameter {argument} is not JSON") from error


def compile_type(
    hint: Any, name: str, mode: Literal["validation", "serialization"]
) -> tuple[TypeAdapter[Any], dict[str, Any]]:
    """Pydantic's validator of a type, and its JSON Schema without titles.

    Raises:
        DefinitionError: the type has no JSON Schema, or is not a valid type hint.
    """
    try:
        adapter = TypeAdapter(hint)
        return adapter, _without_titles(adapter.json_schema(mode=mode))
    except PydanticUserError as error:
        problem = error.message.splitlines()[0].partition(". ")[0]
        raise DefinitionError(name, f"a type has no JSON Schema: {problem}") from error
    except TypeError as error:
        raise DefinitionError(name, f"invalid type hint: {error}") from error
    except SchemaError as error:
        message = " ".join(str(error).split())
        raise DefinitionError(name, f"invalid type hint: {message}") from error


def _without_titles(schema: Any) -> Any:
    """The schema without pydantic's titles, which repeat the names; a property named title stays."""
    if isinstance(schema, list):
        return [_without_titles(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: _without_titles(value) for name, value in item.items()}
        if key in ("properties", "$defs")
        else _without_titles(item)
        for key, item in schema.items()
        if not (key == "title" and isinstance(item, str))
    }


# The pydantic core schemas whose validated values equal the JSON input, and the keys that keep it so.
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
# The JSON Schema keywords that a core schema lacks and that do not restrict values.
_ANNOTATIONS: Final = {"title", "description", "default", "examples"}


def _is_plain(adapter: TypeAdapter[Any]) -> bool:
    """True when validation changes no value, and the JSON Schema alone decides what is valid."""
    return _plain_schema(adapter.core_schema)


def _plain_schema(schema: Any) -> bool:
    if isinstance(schema, tuple):  # a choice of a union, with its label
        schema = schema[0]
    known = _PLAIN.get(schema["type"])
    used = {name for name, value in schema.items() if value} - {"type"}
    if known is None or not used <= known or not _is_unchanged(schema):
        return False
    inner = [schema[name] for name in ("schema", "items_schema") if name in schema]
    inner += [*schema.get("choices", ()), *schema.get("definitions", ()), *schema.get("fields", {}).values()]
    return all(map(_plain_schema, inner))


def _is_unchanged(schema: Any) -> bool:
    """True when no configuration or metadata changes values, or the JSON Schema beyond annotations."""
    config = schema.get("config", {}).keys() | getattr(schema.get("cls"), "__pydantic_config__", {}).keys()
    metadata = dict(schema.get("metadata", {}))
    functions = metadata.pop("pydantic_js_annotation_functions", ())
    keywords = metadata.pop("pydantic_js_updates", {}).keys()
    return (
        config <= _PLAIN_CONFIG
        and keywords <= _ANNOTATIONS
        and not metadata
        and all(isinstance(getattr(function, "__self__", None), Param) for function in functions)
        and all(type(value) in (str, int, bool, NoneType) for value in schema.get("expected", ()))
    )
