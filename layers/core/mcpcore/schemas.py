"""Type hints to JSON Schema, and values checked against them. The one module that knows pydantic."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from types import UnionType
from typing import Any, Final, Literal, NamedTuple, NotRequired, Union, get_args, get_origin, get_type_hints

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config
from pydantic.errors import PydanticUserError
from typing_extensions import TypedDict

from mcpcore.content import ContentBlock, ToolResult
from mcpcore.errors import DefinitionError, InvalidArguments, shortened
from mcpcore.jsonrpc import encode
from mcpcore.versions import at_least

__all__ = [
    "CONTEXT_PARAMETER",
    "ArgumentsSchema",
    "DeclaredSchema",
    "OutputSchema",
    "arguments_schema",
    "declared_output",
    "declared_schema",
    "json_schema_faults",
    "output_schema",
    "string_parameters",
    "takes_context",
]

CONTEXT_PARAMETER: Final = "context"
"""A tool that has a keyword-only parameter of this name is handed the request's `Context`."""

_FAULTS_TOLD: Final = 10


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


class OutputSchema(NamedTuple):
    """What a tool gives: the JSON Schema that clients see, and the check of what is sent.

    `adapter` is None for a schema that somebody wrote; then it is the schema itself that checks.
    """

    json: Mapping[str, Any]
    adapter: TypeAdapter[Any] | None

    def checked(self, structured: object) -> Any:
        """`structured` as JSON values.

        Raises:
            ValueError: it does not fit; the tool's author has promised something else.
        """
        if self.adapter is None:
            if faults := json_schema_faults(self.json, structured):
                raise ValueError("; ".join(faults))
            return structured
        return self.adapter.dump_python(self.adapter.validate_python(structured), mode="json")

    def as_text(self, structured: object) -> str:
        """The same as JSON text, for clients and models that read only text.

        Raises:
            ValueError: as `checked` does.
        """
        return encode(self.checked(structured)).decode("ascii")

    def sent_to(self, version: str) -> bool:
        """True when clients of `version` know it: objects since 2025-06-18, all else since 2026-07-28."""
        return at_least(version, "2025-06-18" if self.json.get("type") == "object" else "2026-07-28")


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
    return OutputSchema(schema, adapter)


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


class DeclaredSchema(NamedTuple):
    """A JSON Schema that somebody wrote, kept to the letter and enforced as JSON Schema 2020-12."""

    json: Mapping[str, Any]

    def checked(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """See `ArgumentsSchema.checked`."""
        if faults := json_schema_faults(self.json, arguments):
            raise InvalidArguments(tool, faults)
        return dict(arguments)


def declared_schema(schema: object, name: str) -> DeclaredSchema:
    """`schema` as what a tool takes.

    Raises:
        DefinitionError: it is no valid JSON Schema 2020-12 of an object, or refers to another document.
    """
    if not isinstance(schema, Mapping) or schema.get("type") != "object":
        raise DefinitionError(name, "an input schema must have the type object at its root")
    _require_valid(schema, name)
    return DeclaredSchema(schema)


def declared_output(schema: object, name: str) -> OutputSchema:
    """`schema` as what a tool gives.

    Raises:
        DefinitionError: it is no valid JSON Schema 2020-12, or refers to another document.
    """
    if not isinstance(schema, Mapping):
        raise DefinitionError(name, "an output schema must be an object")
    _require_valid(schema, name)
    return OutputSchema(schema, None)


def _require_valid(schema: Mapping[str, Any], name: str) -> None:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    if schema.get("$schema", _DIALECT) != _DIALECT:
        raise DefinitionError(name, f"only the dialect {_DIALECT} is supported")
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        raise DefinitionError(name, f"invalid schema at {error.json_path}: {error.message}") from error
    for reference in _references(schema):
        if not reference.startswith("#"):
            raise DefinitionError(
                name, f"$ref {reference} leaves the schema; only local references are followed"
            )
    _require_resolvable(schema, name)


def _require_resolvable(schema: Mapping[str, Any], name: str) -> None:
    """Find the references that lead nowhere, and those that lead back without having consumed anything."""
    from referencing import Registry
    from referencing.exceptions import Unresolvable
    from referencing.jsonschema import DRAFT202012, Schema, SchemaResource

    root: SchemaResource = DRAFT202012.create_resource(schema)
    registry: Registry[Schema] = Registry().with_resource(root.id() or "", root)
    same: dict[int, list[int]] = {}
    written: dict[int, str] = {}
    waiting: list[tuple[Schema, Any]] = [(schema, registry.resolver(root.id() or ""))]
    while waiting:
        node, base = waiting.pop()
        if id(node) in same or not isinstance(node, Mapping):
            continue
        steps = same[id(node)] = [id(inner) for inner in _applied_in_place(node)]
        waiting += [
            (inner.contents, base.in_subresource(inner))
            for inner in DRAFT202012.create_resource(node).subresources()
        ]
        for reference in (node[key] for key in ("$ref", "$dynamicRef") if key in node):
            try:
                found = base.lookup(reference)
            except Unresolvable as error:
                raise DefinitionError(name, f"$ref {reference} leads nowhere") from error
            written[id(node)] = reference
            steps.append(id(found.contents))
            waiting.append((found.contents, found.resolver))
    if looped := _in_a_loop(same):
        references = sorted({written[node] for node in looped if node in written})
        raise DefinitionError(name, f"$ref {', '.join(references)} leads in a circle and checks nothing")


def _applied_in_place(node: Mapping[str, Any]) -> Iterator[object]:
    """The subschemas of `node` that are applied to the very value that `node` is applied to."""
    for key in ("allOf", "anyOf", "oneOf"):
        yield from node.get(key, ())
    yield from node.get("dependentSchemas", {}).values()
    for key in ("not", "if", "then", "else"):
        if key in node:
            yield node[key]


def _in_a_loop(steps: Mapping[int, Sequence[int]]) -> set[int]:
    """What is left of a graph when all that leads to an end has been taken away; empty without a loop."""
    left = set(steps)
    while ended := {node for node in left if not left.intersection(steps[node])}:
        left -= ended
    return left


def json_schema_faults(schema: Mapping[str, Any], value: object) -> list[str]:
    """How `value` breaks `schema`, a sentence each, up to ten; empty when it fits.

    No more than ten are looked for: a large value can have a fault in every place.
    """
    from jsonschema import Draft202012Validator

    found = islice(Draft202012Validator(schema).iter_errors(value), _FAULTS_TOLD)
    errors = sorted(found, key=lambda error: error.json_path)
    return [f"{shortened(error.json_path)}: {shortened(error.message)}" for error in errors]


_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def _references(node: object) -> Iterator[str]:
    if isinstance(node, Mapping):
        for key, value in node.items():
            if key in ("$ref", "$dynamicRef") and isinstance(value, str):
                yield value
            else:
                yield from _references(value)
    elif isinstance(node, list):
        for item in node:
            yield from _references(item)


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
