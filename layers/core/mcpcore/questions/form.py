"""Forms: the fields to ask a user for, and the check of what the user filled in.

A form is a flat JSON Schema object, or a pydantic model, dataclass or TypedDict. Types need pydantic, JSON
Schemas need jsonschema; each is imported by the first form of its kind.
"""

import importlib
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from mcpcore.definitions.schemas import json_schema_faults
from mcpcore.protocol.errors import DefinitionError, listed, shortened
from mcpcore.protocol.jsonrpc import encode

if TYPE_CHECKING:
    from pydantic import TypeAdapter

__all__ = ["Form", "filled_in", "form_json"]

Form: TypeAlias = Mapping[str, Any] | type
"""The fields to ask for: a flat JSON Schema object, or a pydantic model, dataclass or TypedDict."""


def form_json(form: Form) -> dict[str, Any]:
    """The JSON Schema of a form.

    It is checked before the user sees it, so that no user fills in a form whose answer cannot be checked
    (spec client/elicitation, "Requested Schema").

    Raises:
        ValueError: a client cannot show the form; the message names the field and what to write instead.
        ImportError: the form is a JSON Schema and `jsonschema` is not installed.
    """
    if isinstance(form, type):
        schema: Mapping[str, Any] = _of_type(form)[1]
    else:
        schema = form
        importlib.import_module("jsonschema")
    return _shown(schema)


def filled_in(form: Form, content: Mapping[str, Any]) -> Any:
    """The content of an accepted form: an instance of the form's type, or the mapping itself.

    Raises:
        ValueError: it does not fit the form; the message names the first faults.
    """
    if not isinstance(form, type):
        if form and (faults := json_schema_faults(form, content)):
            raise ValueError(listed(faults))
        return content
    from pydantic import ValidationError

    try:
        return _of_type(form)[0].validate_json(encode(content), strict=True)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        faults = [
            f"{shortened('.'.join(map(str, fault['loc']))) or 'content'}: {fault['msg']}" for fault in found
        ]
        raise ValueError(listed(faults)) from None


@lru_cache(maxsize=128)
def _of_type(form: type) -> "tuple[TypeAdapter[Any], dict[str, Any]]":
    from mcpcore.definitions.type_schemas import compile_type

    try:
        adapter, schema = compile_type(form, form.__name__, "validation")
    except DefinitionError as error:
        raise ValueError(f"{form.__name__} cannot be a form: {error.problem}") from error
    definitions = schema.pop("$defs", {})
    fields = schema.get("properties", {})
    if schema.get("type") == "object" and "properties" not in schema:
        raise ValueError(f"{form.__name__} cannot be a form: it names no fields")
    for name in schema.get("required", ()):
        if _is_nullable(fields[name]):
            raise ValueError(f"{name} cannot be a field of a form: give it the default None, or no None")
    return adapter, {**schema, "properties": {name: _field(fields[name], definitions) for name in fields}}


def _is_nullable(schema: Mapping[str, Any]) -> bool:
    return {"type": "null"} in schema.get("anyOf", ())


def _field(schema: dict[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of one field: enums are inlined, and an optional field is simply not required."""
    optional = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    if len(optional) == 1 and _is_nullable(schema):
        rest = {
            key: value
            for key, value in schema.items()
            if key != "anyOf" and (key, value) != ("default", None)
        }
        schema = {**optional[0], **rest}
    if isinstance(schema.get("items"), dict):
        schema = {**schema, "items": _field(schema["items"], definitions)}
    reference = schema.get("$ref", "").removeprefix("#/$defs/")
    own = {key: value for key, value in schema.items() if key != "$ref"}
    merged = {**definitions.get(reference, {}), **own}
    if isinstance(merged.get("const"), str):
        merged["enum"] = [merged.pop("const")]
    return merged


# What a field of each type can have (spec client/elicitation, "Requested Schema"), beside `_ANNOTATIONS`.
# Clients ignore other keywords: the user would fill in freely what the check of the answer then refuses.
_KEYWORDS: Final[Mapping[str, set[str]]] = {
    "string": {"minLength", "maxLength", "format", "enum", "enumNames", "oneOf"},
    "number": {"minimum", "maximum"},
    "integer": {"minimum", "maximum"},
    "boolean": set(),
    "array": {"items", "minItems", "maxItems", "uniqueItems"},
}
_ANNOTATIONS: Final = {"type", "title", "description", "default", "examples"}
_FORMATS: Final = ("email", "uri", "date", "date-time")
_DEFAULTS: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "number": (int, float),
    "integer": (int, float),
    "boolean": (bool,),
    "array": (list,),
}


def _shown(schema: object) -> dict[str, Any]:
    """The schema of a form as clients need it, its fields checked."""
    if not isinstance(schema, Mapping) or schema.get("type") != "object":
        raise ValueError('the schema of a form must have "type": "object" at its root')
    fields = schema.get("properties", {})
    if not isinstance(fields, Mapping):
        raise ValueError("the properties of a form must be an object")
    typed = {name: _typed(field) for name, field in fields.items()}
    for name, field in typed.items():
        if problem := _problem(field):
            raise ValueError(f"{name} cannot be a field of a form: {problem}")
    return {**schema, "properties": typed}


def _typed(field: Any) -> Any:
    """The schema of a field or of its items, with the type that clients need beside an enum of strings."""
    if not isinstance(field, Mapping):
        return field
    if "type" not in field and _are_strings(field.get("enum")):
        return {"type": "string", **field}
    return {**field, "items": _typed(field["items"])} if "items" in field else field


def _problem(field: Any) -> str:
    """Why clients cannot show a field as it is, and what to write instead; empty if they can."""
    kind = field.get("type") if isinstance(field, Mapping) else None
    if isinstance(field, Mapping) and ("const" in field or not _are_strings(field.get("enum", []))):
        return "write its choices as an enum of strings, and convert the answer in the function"
    if not isinstance(kind, str) or kind not in _KEYWORDS:
        return (
            "it is nested or has no single type; use a string, number, integer, boolean, an enum of strings, "
            "or an array whose items are an enum of strings"
        )
    surplus = sorted(field.keys() - _KEYWORDS[kind] - _ANNOTATIONS)
    if surplus:
        instead = "use minimum and maximum (ge=, le=)" if "exclusive" in surplus[0] else "check the answer"
        return f"clients do not apply {' and '.join(surplus)}; {instead} instead"
    if field.get("format", "date") not in _FORMATS:
        return (
            f"clients do not know the format {field['format']}; use {', '.join(_FORMATS)} or a plain string"
        )
    if "default" in field and not isinstance(field["default"], _DEFAULTS[kind]):
        return f"its default must be of the type {kind}"
    return "" if _has_valid_choices(field) else _CHOICES


_CHOICES: Final = (
    'write choices as "enum", an array of strings, or as objects with const and title, both strings, in '
    '"oneOf"; an array has them in its items, as "enum" with "type": "string", or in "anyOf"'
)


def _has_valid_choices(field: Mapping[str, Any]) -> bool:
    if field["type"] != "array":
        return _are_titled(field.get("oneOf", []))
    items = field.get("items")
    if not isinstance(items, Mapping):
        return False
    return _are_titled(items.get("anyOf")) or (
        items.get("type") == "string" and _are_strings(items.get("enum"))
    )


def _are_strings(choices: object) -> bool:
    return isinstance(choices, list) and all(isinstance(each, str) for each in choices)


def _are_titled(choices: object) -> bool:
    return isinstance(choices, list) and all(
        isinstance(each, Mapping) and _are_strings([each.get("const"), each.get("title")]) for each in choices
    )
