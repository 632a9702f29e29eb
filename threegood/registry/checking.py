"""Checks one file of a registry: its record, or all of its faults, each with position and rule."""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import Any, Final, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from threegood.registry.document import Document
from threegood.registry.faults import Fault, FaultyRegistry
from threegood.registry.files import vocabulary_file
from threegood.registry.positions import NotJSON, Positions, find_positions, pointer_to
from threegood.registry.records import (
    BREACH,
    Category,
    Curator,
    Endorsement,
    OutOfScopeTopic,
    Record,
    RegistryFile,
    Source,
)
from threegood.registry.rules import OUT_OF_SCOPE, Breach

Location = tuple[int | str, ...]
AnyRecord = TypeVar("AnyRecord", bound=Record)


def check(document: Document, kind: type[AnyRecord], breaches: Iterable[Breach]) -> AnyRecord:
    """The record that a document is.

    `breaches` are those of the rules that other files take part in.

    Raises:
        FaultyRegistry: at least one rule is broken; it has all faults, in the order of the file.
    """
    across = list(breaches)
    try:
        record = kind.model_validate(document.value)
    except ValidationError as error:
        raise _refusal(document, kind, error.errors(include_url=False), across) from None
    if document.repeats or document.faults or across:
        raise _refusal(document, kind, [], across)
    return record


def _refusal(
    document: Document, kind: type[Record], errors: list[ErrorDetails], breaches: list[Breach]
) -> FaultyRegistry:
    try:
        positions = find_positions(document.text)
    except NotJSON as refusal:  # only the second pass refuses deep nesting
        nested = Fault(document.file, *refusal.position, "", refusal.rule, refusal.message)
        return FaultyRegistry([*document.faults, nested])
    faults = _Faults(document.file, kind, positions)
    return FaultyRegistry(
        [
            *document.faults,
            *faults.repeated(),
            *map(faults.of_error, errors),
            *(faults.at_value(breach.at, breach.rule, breach.sentence) for breach in breaches),
        ]
    )


class _Faults:
    """Makes the faults of one file, which should be a record of `kind`."""

    def __init__(self, file: str, kind: type[Record], positions: Positions) -> None:
        self._file = file
        self._kind = kind
        self._positions = positions

    def at_value(self, location: Location, rule: str, sentence: str) -> Fault:
        pointer = pointer_to(*location)
        return Fault(self._file, *self._positions.values[pointer], pointer, rule, sentence)

    def repeated(self) -> Iterator[Fault]:
        sentence = "This object has this name already. Remove one of the two."
        for pointer, position in self._positions.repeated:
            yield Fault(self._file, *position, pointer, "duplicate-name", sentence)

    def of_error(self, error: ErrorDetails) -> Fault:
        location, kind = error["loc"], error["type"]
        if kind == BREACH:
            rule, sentence = error["ctx"]["rule"], error["ctx"]["sentence"]
            if rule == "slug":  # pydantic adds a step for the name of a member
                return self._at_name(location[:-1], rule, sentence)
            return self.at_value(location, rule, sentence)
        if kind == "missing":
            return self._missing(location)
        if kind == "extra_forbidden":
            return self._unknown(location)
        if kind in _EXPECTED:
            sentence = f"Here must be {_EXPECTED[kind]}, not {_kind(error['input'])}."
            return self.at_value(location, "type", sentence)
        return self.at_value(location, "invalid", f"This is not valid: {error['msg']}.")

    def _at_name(self, location: Location, rule: str, sentence: str) -> Fault:
        pointer = pointer_to(*location)
        return Fault(self._file, *self._positions.names[pointer], pointer, rule, sentence)

    def _missing(self, location: Location) -> Fault:
        *container, field = location
        return self.at_value(
            tuple(container), "missing-field", f'The field "{field}" is missing here. Add it.'
        )

    def _unknown(self, location: Location) -> Fault:
        moved = _moved(self._kind, location)
        if moved is not None:
            return self._at_name(location, "moved-field", moved)
        *container, field = location
        fields = _record_at(self._kind, tuple(container)).model_fields
        known = [info.alias or name for name, info in fields.items()]
        close = get_close_matches(str(field), known, n=1)
        hint = f'Did you mean "{close[0]}"?' if close else "Remove it."
        sentence = f"There is no such field. {hint} The fields here are {', '.join(known)}."
        return self._at_name(location, "unknown-field", sentence)


def _moved(kind: type[Record], location: Location) -> str | None:
    """What to do with a field that a registry file had when the vocabulary was in it; `None` for others."""
    if kind is not RegistryFile:
        return None
    match location:
        case ("outside",):
            file, field = OUT_OF_SCOPE, "topics"
        case ("categories", str(file), "aliases" | "keywords" as field):
            pass
        case _:
            return None
    return (
        "The vocabulary is in files of its own, beside this one. Move this array to "
        f'{vocabulary_file(file)}, as {{"{field}": […]}}.'
    )


def _record_at(kind: type[Record], location: Location) -> type[Record]:
    """The record class at `location`, which pydantic does not report."""
    match location:
        case ("curator",):
            return Curator
        case ("endorsements", _):
            return Endorsement
        case ("categories", _):
            return Category
        case ("categories", _, "sources", _):
            return Source
        case ("topics", _):
            return OutOfScopeTopic
        case _:
            return kind


def _kind(value: Any) -> str:
    return _KINDS.get(type(value), "a number with a fraction")


_KINDS: Final = {
    dict: "an object",
    list: "an array",
    str: "a text",
    bool: "true or false",
    int: "a number",
    type(None): "null",
}

# The error types of pydantic → what it expects.
_EXPECTED: Final = {
    "string_type": "a text in double quotes",
    "literal_error": "a text in double quotes",
    "int_type": "a whole number",
    "tuple_type": "an array",
    "dict_type": "an object",
    "model_type": "an object",
}
