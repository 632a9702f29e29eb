"""Validation without pydantic: functions that accept a value only if it is certainly valid.

They cover the JSON Schemas that type hints of plain JSON produce, and are stricter: an object has no member
that its schema does not name, and an integer is not a float. A value that they reject may still be valid;
pydantic then decides, and names the faults.
"""

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, Final

Validator = Callable[[Any], bool]

_DEFINITIONS: Final = "#/$defs/"
# Keywords that do not restrict values.
_ANNOTATIONS: Final = frozenset({"$defs", "title", "description", "default", "examples"})


def rejects_all(value: object) -> bool:
    """Accepts no value."""
    del value
    return False


def fast_validator(schema: Mapping[str, Any]) -> Validator:
    """A function that accepts only values that are valid by `schema`."""
    return _Validators(schema.get("$defs", {})).of(schema)


class _Validators:
    """Makes validators of schemas that share definitions; one that refers to itself rejects all values."""

    def __init__(self, definitions: Mapping[str, Any]) -> None:
        self._definitions = definitions
        self._made: dict[str, Validator] = {}

    def of(self, schema: Mapping[str, Any]) -> Validator:
        keywords = schema.keys() - _ANNOTATIONS
        if keywords == {"$ref"}:
            return self._referred(schema["$ref"])
        if keywords == {"anyOf"}:
            return self._any_of(schema["anyOf"])
        if keywords in ({"const"}, {"const", "type"}):
            return _one_of([schema["const"]])
        if keywords in ({"enum"}, {"enum", "type"}):
            return _one_of(schema["enum"])
        make = _BY_TYPE.get(str(schema.get("type")))
        return make(self, schema, keywords - {"type"}) if make else rejects_all

    def _referred(self, reference: str) -> Validator:
        name = reference.removeprefix(_DEFINITIONS)
        if name not in self._definitions:
            return rejects_all
        if name not in self._made:
            self._made[name] = rejects_all  # for references to itself, met while it is made
            self._made[name] = self.of(self._definitions[name])
        return self._made[name]

    def _any_of(self, choices: list[Any]) -> Validator:
        """Accepts a value of one of `choices`, if each choice has another JSON type.

        Otherwise pydantic may convert a value by one choice though another accepts it unchanged:
        `true` is 1 by `Literal[1] | bool`, and `[1, "a"]` is `[1.0, "a"]` by
        `list[float | str] | list[int | str]`. Of `int | float` it chooses the right one.
        """
        values = [choice for choice in choices if choice.get("type") != "null"]
        kinds = {self._kind(choice) for choice in values}
        if len(values) > 1 and ("" in kinds or len(kinds) < len(values)):
            return rejects_all
        members = [self.of(choice) for choice in choices]
        return lambda value: any(fits(value) for fits in members)

    def _kind(self, choice: Mapping[str, Any]) -> str:
        """The JSON type of the choice; empty if it has several, or literals such as 1, which equals true."""
        if "$ref" in choice:
            choice = self._definitions.get(choice["$ref"].removeprefix(_DEFINITIONS), {})
        kind = str(choice.get("type", ""))
        return "" if kind != "string" and ("const" in choice or "enum" in choice) else kind

    def object(self, schema: Mapping[str, Any], keywords: set[str]) -> Validator:
        if not keywords <= {"properties", "required", "additionalProperties"} or schema.get(
            "additionalProperties"
        ):
            return rejects_all
        members = {name: self.of(member) for name, member in schema.get("properties", {}).items()}
        required = frozenset(schema.get("required", ()))

        def fits(value: Any) -> bool:
            if type(value) is not dict:
                return False
            for name, member in value.items():
                if not members.get(name, rejects_all)(member):
                    return False
            return len(value) == len(members) or required <= value.keys()

        return fits

    def array(self, schema: Mapping[str, Any], keywords: set[str]) -> Validator:
        if not keywords <= {"items", "minItems", "maxItems"} or "items" not in schema:
            return rejects_all
        item = self.of(schema["items"])
        within = _within(schema, "minItems", "maxItems")
        return lambda value: type(value) is list and within(len(value)) and all(map(item, value))

    def string(self, schema: Mapping[str, Any], keywords: set[str]) -> Validator:
        if not keywords <= {"minLength", "maxLength"}:
            return rejects_all
        if not keywords:
            return _text
        within = _within(schema, "minLength", "maxLength")
        return lambda value: type(value) is str and within(len(value)) and _text(value)

    def number(self, schema: Mapping[str, Any], keywords: set[str]) -> Validator:
        if not keywords <= {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}:
            return rejects_all
        within, beyond = _within(schema, "minimum", "maximum"), _beyond(schema)
        if schema["type"] == "integer":
            return lambda value: type(value) is int and within(value) and beyond(value)
        return lambda value: type(value) is float and isfinite(value) and within(value) and beyond(value)

    def boolean(self, schema: Mapping[str, Any], keywords: set[str]) -> Validator:
        del schema
        return rejects_all if keywords else lambda value: type(value) is bool

    def null(self, schema: Mapping[str, Any], keywords: set[str]) -> Validator:
        del schema
        return rejects_all if keywords else lambda value: value is None


_BY_TYPE: Final[Mapping[str, Callable[[_Validators, Mapping[str, Any], set[str]], Validator]]] = {
    "object": _Validators.object,
    "array": _Validators.array,
    "string": _Validators.string,
    "integer": _Validators.number,
    "number": _Validators.number,
    "boolean": _Validators.boolean,
    "null": _Validators.null,
}


def _one_of(values: list[Any]) -> Validator:
    if all(type(value) is str for value in values):
        known = frozenset(values)
        return lambda value: type(value) is str and value in known
    # 1, 1.0 and True are equal in Python and different in JSON.
    typed = [(type(value), value) for value in values]
    return lambda value: (type(value), value) in typed


def _within(schema: Mapping[str, Any], least: str, most: str) -> Validator:
    low, high = schema.get(least), schema.get(most)
    if low is None and high is None:
        return _anything
    return lambda value: (low is None or value >= low) and (high is None or value <= high)


def _beyond(schema: Mapping[str, Any]) -> Validator:
    low, high = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    if low is None and high is None:
        return _anything
    return lambda value: (low is None or value > low) and (high is None or value < high)


def _anything(value: object) -> bool:
    del value
    return True


def _text(value: Any) -> bool:
    """False for strings with lone surrogates too: they cannot be encoded as UTF-8."""
    return type(value) is str and (value.isascii() or not any("\ud800" <= char <= "\udfff" for char in value))
