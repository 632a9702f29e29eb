"""Input and output schemas of tools, and the validation of values against them.

`type_schemas` makes them from type hints with pydantic, which is imported only when a value needs it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mcpcore.definitions.fast_validation import Validator, fast_validator, rejects_all
from mcpcore.protocol.errors import DefinitionError, InvalidArguments, shortened
from mcpcore.protocol.jsonrpc import encode, json_text
from mcpcore.protocol.versions import at_least

if TYPE_CHECKING:
    from pydantic import TypeAdapter
    from pydantic_core import ErrorDetails

__all__ = [
    "ArgumentsSchema",
    "DeclaredSchema",
    "OutputSchema",
    "declared_output",
    "declared_schema",
    "json_schema_faults",
]

_MAX_FAULTS: Final = 10
_WRAPPER: Final = "result"
"""The member that carries structured content that is no object, where the revision allows objects only."""

_REFERENCES: Final = ("$ref", "$dynamicRef")

# The keywords whose value is data, and those whose value holds schemas under names that are not keywords.
_DATA: Final = frozenset({"const", "default", "enum", "examples"})
_BY_NAME: Final = frozenset({"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"})

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


class ArgumentsSchema:
    """The arguments of a tool: the JSON Schema that clients see, and the validation that enforces it.

    `adapter` gives pydantic's validator, made for the first value that needs it. If pydantic changes no value
    (`plain`), arguments that pass `fast_validation` are used without it.
    """

    def __init__(
        self, json: Mapping[str, Any], *, plain: bool, adapter: "Callable[[], TypeAdapter[Any]]"
    ) -> None:
        self.json = json
        self.plain = plain
        self.adapter = adapter

    @cached_property
    def _fits(self) -> Validator:
        return fast_validator(self.json) if self.plain else rejects_all

    def checked(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """`arguments` as the tool's keyword arguments.

        Raises:
            InvalidArguments: they break the schema; each fault is named, up to ten of them.
        """
        if self._fits(arguments):
            return dict(arguments)
        return self._converted(tool, arguments)

    def _converted(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        unknown = self._unknown(arguments)
        if len(unknown) > _MAX_FAULTS:  # values are not looked at, so that many of them cost little
            faults = [self._no_such_argument(name) for name in unknown[:_MAX_FAULTS]]
            raise InvalidArguments(tool, faults, more=len(unknown) - len(faults))
        from pydantic import ValidationError

        known = {**arguments, **dict.fromkeys(unknown)} if unknown else arguments
        try:
            values: dict[str, Any] = self.adapter().validate_json(encode(known), strict=True)
        except ValidationError as error:
            found = error.errors(include_url=False, include_context=False, include_input=False)
            faults = [self._sentence(each, known) for each in found[:_MAX_FAULTS]]
            raise InvalidArguments(tool, faults, more=len(found) - len(faults)) from None
        return values

    def _unknown(self, arguments: Mapping[str, Any]) -> list[str]:
        """The names that the schema neither lists nor allows."""
        if self.json.get("additionalProperties") is not False:
            return []
        return [name for name in arguments if name not in self.json["properties"]]

    def _sentence(self, fault: "ErrorDetails", arguments: Mapping[str, Any]) -> str:
        location, kind, message = fault["loc"], fault["type"], fault["msg"]
        if kind == "json_invalid":  # the client's JSON was valid; only this cannot be encoded again
            return f"{_with_surrogate(arguments)}: has half of a surrogate pair, which is no character"
        place = shortened(".".join(map(str, location))) or "arguments"
        if kind != "extra_forbidden":
            message = message if kind == "missing" else self._range(location) or message
            return f"{place}: {message[:1].lower()}{message[1:]}"
        if len(location) > 1:
            return f"{place}: no such field"
        return self._no_such_argument(place)

    def _no_such_argument(self, name: str) -> str:
        known = ", ".join(self.json["properties"]) or "none"
        return f"{shortened(name)}: no such argument (known: {known})"

    def _range(self, location: tuple[int | str, ...]) -> str | None:
        """The expected range of a number with two bounds, whichever bound the value broke."""
        schema = self.json["properties"].get(location[0]) if len(location) == 1 else None
        for each in (schema or {}).get("anyOf", [schema or {}]):
            if "minimum" in each and "maximum" in each:
                kind = "whole number" if each.get("type") == "integer" else "number"
                return f"Input should be a {kind} from {each['minimum']} to {each['maximum']}"
        return None


class OutputSchema:
    """The structured content of a tool: the JSON Schema that clients see, and the validation of results.

    `adapter` gives pydantic's validator; it is None for a handwritten schema, which jsonschema validates. See
    `ArgumentsSchema` for `plain`.
    """

    def __init__(
        self,
        json: Mapping[str, Any],
        *,
        plain: bool = False,
        adapter: "Callable[[], TypeAdapter[Any]] | None" = None,
    ) -> None:
        self.json = json
        self.plain = plain
        self.adapter = adapter

    @cached_property
    def _fits(self) -> Validator:
        return fast_validator(self.json) if self.plain else rejects_all

    def checked(self, structured: object) -> Any:
        """`structured` as JSON values.

        Raises:
            ValueError: it does not fit the schema that the tool declares.
        """
        if self.adapter is None:
            if faults := json_schema_faults(self.json, structured):
                raise ValueError("; ".join(faults))
            return structured
        if self._fits(structured):
            return structured
        adapter = self.adapter()
        return adapter.dump_python(adapter.validate_python(structured), mode="json")

    def listed_for(self, version: str) -> Mapping[str, Any] | None:
        """The schema that clients of `version` see; None before 2025-06-18, which has no output schemas."""
        if not at_least(version, "2025-06-18"):
            return None
        return self._wrapped if self._wraps(version) else self.json

    def members_for(self, version: str, structured: object) -> dict[str, Any]:
        """The member `structuredContent` for clients of `version`; `structured` has been checked."""
        if not at_least(version, "2025-06-18"):
            return {}
        return {"structuredContent": {_WRAPPER: structured} if self._wraps(version) else structured}

    def _wraps(self, version: str) -> bool:
        # Before 2026-07-28 structured content is an object (spec 2025-11-25, server/tools, "Output Schema").
        return self.json.get("type") != "object" and not at_least(version, "2026-07-28")

    @cached_property
    def _wrapped(self) -> Mapping[str, Any]:
        # Only a root may name its dialect (JSON Schema 2020-12, section 8.1.1), and there is but one.
        schema = {key: value for key, value in self.json.items() if key != "$schema"}
        inner = _moved(schema, f"/properties/{_WRAPPER}")
        return {"type": "object", "properties": {_WRAPPER: inner}, "required": [_WRAPPER]}


class DeclaredSchema(NamedTuple):
    """A handwritten JSON Schema, listed unchanged and enforced as JSON Schema 2020-12."""

    json: Mapping[str, Any]

    def checked(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """See `ArgumentsSchema.checked`."""
        if faults := json_schema_faults(self.json, arguments):
            raise InvalidArguments(tool, faults)
        return dict(arguments)

    def property_names(self) -> set[str]:
        """The names of all properties in it, of the arguments and of what is nested in them."""
        return set(_property_names(self.json))


def declared_schema(schema: object, name: str) -> DeclaredSchema:
    """`schema` as the arguments of a tool.

    Raises:
        DefinitionError: it is not a valid JSON Schema 2020-12 of an object, or refers to another document.
    """
    if not isinstance(schema, Mapping) or schema.get("type") != "object":
        raise DefinitionError(name, "an input schema must have the type object at its root")
    _require_valid(schema, name)
    return DeclaredSchema(schema)


def declared_output(schema: object, name: str) -> OutputSchema:
    """`schema` as the structured content of a tool.

    Raises:
        DefinitionError: it is not a valid JSON Schema 2020-12, or refers to another document.
    """
    if not isinstance(schema, Mapping):
        raise DefinitionError(name, "an output schema must be an object")
    _require_valid(schema, name)
    return OutputSchema(schema)


def _require_valid(schema: Mapping[str, Any], name: str) -> None:
    try:
        from jsonschema import Draft202012Validator
        from jsonschema.exceptions import SchemaError
    except ImportError as error:
        raise DefinitionError(
            name, "a handwritten schema needs the package jsonschema: install mcpcore[json-schema]"
        ) from error

    if schema.get("$schema", _DIALECT) != _DIALECT:
        raise DefinitionError(name, f"only the dialect {_DIALECT} is supported")
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        raise DefinitionError(name, f"invalid schema at {error.json_path}: {error.message}") from error
    for reference in _references(schema):
        if not reference.startswith("#"):
            raise DefinitionError(
                name, f"$ref {reference} points outside the schema; only local references are supported"
            )
    _require_resolvable(schema, name)


def _require_resolvable(schema: Mapping[str, Any], name: str) -> None:
    """Refuse references without a target, and loops of references on one and the same value."""
    from referencing import Registry
    from referencing.exceptions import Unresolvable
    from referencing.jsonschema import DRAFT202012, Schema, SchemaResource

    root: SchemaResource = DRAFT202012.create_resource(schema)
    registry: Registry[Schema] = Registry().with_resource(root.id() or "", root)
    applied: dict[int, list[int]] = {}
    references: dict[int, str] = {}
    waiting: list[tuple[Schema, Any]] = [(schema, registry.resolver(root.id() or ""))]
    while waiting:
        node, base = waiting.pop()
        if id(node) in applied or not isinstance(node, Mapping):
            continue
        targets = applied[id(node)] = [id(inner) for inner in _applied_in_place(node)]
        waiting += [
            (inner.contents, base.in_subresource(inner))
            for inner in DRAFT202012.create_resource(node).subresources()
        ]
        for reference in (node[key] for key in _REFERENCES if key in node):
            try:
                found = base.lookup(reference)
            except Unresolvable as error:
                raise DefinitionError(name, f"$ref {reference} has no target") from error
            references[id(node)] = reference
            targets.append(id(found.contents))
            waiting.append((found.contents, found.resolver))
    if looped := _in_a_loop(applied):
        named = sorted({references[node] for node in looped if node in references})
        raise DefinitionError(name, f"$ref {', '.join(named)} refers back to itself and restricts nothing")


def _applied_in_place(node: Mapping[str, Any]) -> Iterator[object]:
    """The subschemas of `node` that apply to the same value as `node`."""
    for key in ("allOf", "anyOf", "oneOf"):
        yield from node.get(key, ())
    yield from node.get("dependentSchemas", {}).values()
    for key in ("not", "if", "then", "else"):
        if key in node:
            yield node[key]


def _in_a_loop(targets: Mapping[int, Sequence[int]]) -> set[int]:
    """The nodes of a graph from which a path runs into a loop; empty without a loop."""
    left = set(targets)
    while ended := {node for node in left if not left.intersection(targets[node])}:
        left -= ended
    return left


def json_schema_faults(schema: Mapping[str, Any], value: object) -> list[str]:
    """The faults of `value` by `schema`, a sentence for each of the first ten; empty if it is valid.

    The search stops at ten: a large value can have a fault in every place.
    """
    from jsonschema import Draft202012Validator

    found = islice(Draft202012Validator(schema).iter_errors(value), _MAX_FAULTS)
    errors = sorted(found, key=lambda error: error.json_path)
    return [f"{shortened(error.json_path)}: {shortened(error.message)}" for error in errors]


def _with_surrogate(arguments: Mapping[str, Any]) -> str:
    """The name of the first argument that has a lone surrogate in it."""
    for name, value in arguments.items():
        try:
            json_text({name: value}).encode("utf-8")
        except UnicodeEncodeError:
            return shortened(name)
    return "arguments"


def _moved(node: Any, pointer: str) -> Any:
    """The schema `node` for another place: its local references begin with the JSON pointer of that place.

    Those within a schema that has an `$id` begin at that schema, wherever it is.
    """
    if isinstance(node, list):
        return [_moved(item, pointer) for item in node]
    if not isinstance(node, Mapping) or "$id" in node:
        return node
    moved: dict[str, Any] = {}
    for key, value in node.items():
        if key == "discriminator":  # OpenAPI's: its pointers too would lead nowhere, and oneOf says the same
            continue
        if key in _REFERENCES and isinstance(value, str) and (value == "#" or value.startswith("#/")):
            moved[key] = f"#{pointer}{value[1:]}"
        elif key in _BY_NAME and isinstance(value, Mapping):
            moved[key] = {name: _moved(inner, pointer) for name, inner in value.items()}
        else:
            moved[key] = value if key in _DATA else _moved(value, pointer)
    return moved


def _property_names(node: object) -> Iterator[str]:
    if isinstance(node, Mapping):
        properties = node.get("properties")
        yield from properties if isinstance(properties, Mapping) else ()
    inner = node.values() if isinstance(node, Mapping) else node if isinstance(node, list) else ()
    for each in inner:
        yield from _property_names(each)


def _references(node: object) -> Iterator[str]:
    if isinstance(node, Mapping):
        for key, value in node.items():
            if key in _REFERENCES and isinstance(value, str):
                yield value
            else:
                yield from _references(value)
    elif isinstance(node, list):
        for item in node:
            yield from _references(item)
