"""Forms: the fields to ask a user for, and the check of what the user filled in.

A form is a flat JSON Schema object, or a pydantic model, dataclass or TypedDict. Types need pydantic, JSON
Schemas need jsonschema; each is imported by the first form of its kind.
"""

import importlib
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from mcpcore.definitions.schemas import json_schema_faults
from mcpcore.protocol.errors import DefinitionError
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
        ValueError: a client cannot show the form, because a field is not flat.
        ImportError: the form is a JSON Schema and `jsonschema` is not installed.
    """
    if isinstance(form, type):
        schema: Mapping[str, Any] = _of_type(form)[1]
    else:
        schema = form
        importlib.import_module("jsonschema")
    _require_flat(schema)
    return dict(schema)


def filled_in(form: Form, content: Mapping[str, Any]) -> Any:
    """The content of an accepted form: an instance of the form's type, or the mapping itself.

    Raises:
        ValueError: it does not fit the form; the message names each fault.
    """
    if not isinstance(form, type):
        if form and (faults := json_schema_faults(form, content)):
            raise ValueError("; ".join(faults))
        return content
    from pydantic import ValidationError

    try:
        return _of_type(form)[0].validate_json(encode(content), strict=True)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        faults = [f"{'.'.join(map(str, fault['loc'])) or 'content'}: {fault['msg']}" for fault in found]
        raise ValueError("; ".join(faults)) from None


@cache
def _of_type(form: type) -> "tuple[TypeAdapter[Any], dict[str, Any]]":
    from mcpcore.definitions.type_schemas import compile_type

    try:
        adapter, schema = compile_type(form, form.__name__, "validation")
    except DefinitionError as error:
        raise ValueError(f"{form.__name__} cannot be a form: {error.problem}") from error
    definitions = schema.pop("$defs", {})
    fields = schema.get("properties", {})
    return adapter, {**schema, "properties": {name: _field(fields[name], definitions) for name in fields}}


def _field(schema: dict[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of one field: enums are inlined, and an optional field is simply not required."""
    optional = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    if len(optional) == 1 and len(schema["anyOf"]) == 2:
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
    return {**definitions.get(reference, {}), **own}


_FIELD_TYPES: Final = ("string", "number", "integer", "boolean")


def _require_flat(schema: object) -> None:
    if not isinstance(schema, Mapping) or schema.get("type") != "object":
        raise ValueError('the schema of a form must have "type": "object" at its root')
    fields = schema.get("properties", {})
    if not isinstance(fields, Mapping):
        raise ValueError("the properties of a form must be an object")
    for name, field in fields.items():
        if not (isinstance(field, Mapping) and (_is_scalar(field) or _is_multiple_choice(field))):
            raise ValueError(
                f"{name} cannot be a field of a form: use a string, number, integer, boolean or enum, or an "
                "array whose items are an enum; nothing nested"
            )


def _is_scalar(field: Mapping[str, Any]) -> bool:
    return field.get("type") in _FIELD_TYPES or ("type" not in field and isinstance(field.get("enum"), list))


def _is_multiple_choice(field: Mapping[str, Any]) -> bool:
    items = field.get("items")
    if field.get("type") != "array" or not isinstance(items, Mapping):
        return False
    return isinstance(items.get("enum") or items.get("anyOf"), list)
