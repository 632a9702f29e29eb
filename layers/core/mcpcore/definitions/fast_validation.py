"""JSON Schemas to functions that say whether a value fits beyond doubt.

They know the part of JSON Schema that type hints of plain JSON come to, and are strict where it is lax: an
object has no member that its schema does not name, and a whole number is no float. What they do not accept
may fit all the same; then somebody else must decide, and say what is wrong.
"""

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, Final

Fits = Callable[[Any], bool]

_DEFINITIONS: Final = "#/$defs/"
# What says nothing about values.
_SILENT: Final = frozenset({"$defs", "title", "description", "default", "examples"})


def never(value: object) -> bool:
    """Accepts nothing."""
    del value
    return False


def acceptor(schema: Mapping[str, Any]) -> Fits:
    """A function that accepts only what fits `schema`."""
    return _Acceptors(schema.get("$defs", {})).of(schema)


class _Acceptors:
    """Makes acceptors of schemas that share their definitions; one that refers to itself accepts nothing."""

    def __init__(self, definitions: Mapping[str, Any]) -> None:
        self._definitions = definitions
        self._made: dict[str, Fits] = {}

    def of(self, schema: Mapping[str, Any]) -> Fits:
        words = schema.keys() - _SILENT
        if words == {"$ref"}:
            return self._referred(schema["$ref"])
        if words == {"anyOf"}:
            return self._any_of(schema["anyOf"])
        if words in ({"const"}, {"const", "type"}):
            return _one_of([schema["const"]])
        if words in ({"enum"}, {"enum", "type"}):
            return _one_of(schema["enum"])
        make = _BY_TYPE.get(str(schema.get("type")))
        return make(self, schema, words - {"type"}) if make else never

    def _referred(self, reference: str) -> Fits:
        name = reference.removeprefix(_DEFINITIONS)
        if name not in self._definitions:
            return never
        if name not in self._made:
            self._made[name] = never  # what it is to itself
            self._made[name] = self.of(self._definitions[name])
        return self._made[name]

    def _any_of(self, choices: list[Any]) -> Fits:
        """Fits one of `choices`, if each is for another type of JSON.

        Else pydantic may take a value by a choice that converts it, though another would take it as it is:
        `true` is 1 by `Literal[1] | bool`, and `[1, "a"]` is `[1.0, "a"]` by
        `list[float | str] | list[int | str]`. Of `int | float` it takes the right one.
        """
        values = [choice for choice in choices if choice.get("type") != "null"]
        kinds = {self._kind(choice) for choice in values}
        if len(values) > 1 and ("" in kinds or len(kinds) < len(values)):
            return never
        members = [self.of(choice) for choice in choices]
        return lambda value: any(fits(value) for fits in members)

    def _kind(self, choice: Mapping[str, Any]) -> str:
        """The type of what fits; empty if it may be several, or a literal that is 1 and true alike."""
        if "$ref" in choice:
            choice = self._definitions.get(choice["$ref"].removeprefix(_DEFINITIONS), {})
        kind = str(choice.get("type", ""))
        return "" if kind != "string" and ("const" in choice or "enum" in choice) else kind

    def object(self, schema: Mapping[str, Any], words: set[str]) -> Fits:
        if not words <= {"properties", "required", "additionalProperties"} or schema.get(
            "additionalProperties"
        ):
            return never
        members = {name: self.of(member) for name, member in schema.get("properties", {}).items()}
        required = frozenset(schema.get("required", ()))

        def fits(value: Any) -> bool:
            if type(value) is not dict:
                return False
            for name, member in value.items():
                if not members.get(name, never)(member):
                    return False
            return len(value) == len(members) or required <= value.keys()

        return fits

    def array(self, schema: Mapping[str, Any], words: set[str]) -> Fits:
        if not words <= {"items", "minItems", "maxItems"} or "items" not in schema:
            return never
        item = self.of(schema["items"])
        within = _within(schema, "minItems", "maxItems")
        return lambda value: type(value) is list and within(len(value)) and all(map(item, value))

    def string(self, schema: Mapping[str, Any], words: set[str]) -> Fits:
        if not words <= {"minLength", "maxLength"}:
            return never
        if not words:
            return _text
        within = _within(schema, "minLength", "maxLength")
        return lambda value: _text(value) and within(len(value))

    def number(self, schema: Mapping[str, Any], words: set[str]) -> Fits:
        if not words <= {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}:
            return never
        within, beyond = _within(schema, "minimum", "maximum"), _beyond(schema)
        if schema["type"] == "integer":
            return lambda value: type(value) is int and within(value) and beyond(value)
        return lambda value: type(value) is float and isfinite(value) and within(value) and beyond(value)

    def boolean(self, schema: Mapping[str, Any], words: set[str]) -> Fits:
        del schema
        return never if words else lambda value: type(value) is bool

    def null(self, schema: Mapping[str, Any], words: set[str]) -> Fits:
        del schema
        return never if words else lambda value: value is None


_BY_TYPE: Final[Mapping[str, Callable[[_Acceptors, Mapping[str, Any], set[str]], Fits]]] = {
    "object": _Acceptors.object,
    "array": _Acceptors.array,
    "string": _Acceptors.string,
    "integer": _Acceptors.number,
    "number": _Acceptors.number,
    "boolean": _Acceptors.boolean,
    "null": _Acceptors.null,
}


def _one_of(values: list[Any]) -> Fits:
    if all(type(value) is str for value in values):
        known = frozenset(values)
        return lambda value: type(value) is str and value in known
    # 1, 1.0 and True are one to Python and three to JSON.
    typed = [(type(value), value) for value in values]
    return lambda value: (type(value), value) in typed


def _within(schema: Mapping[str, Any], least: str, most: str) -> Fits:
    low, high = schema.get(least), schema.get(most)
    if low is None and high is None:
        return _anything
    return lambda value: (low is None or value >= low) and (high is None or value <= high)


def _beyond(schema: Mapping[str, Any]) -> Fits:
    low, high = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    if low is None and high is None:
        return _anything
    return lambda value: (low is None or value > low) and (high is None or value < high)


def _anything(value: object) -> bool:
    del value
    return True


def _text(value: Any) -> bool:
    """False for lone surrogates too, which are no text that could be sent on."""
    return type(value) is str and (value.isascii() or not any("\ud800" <= char <= "\udfff" for char in value))
