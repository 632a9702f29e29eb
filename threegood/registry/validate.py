"""Validates `registry.json`: a Registry, or all of its faults, each with position and rule."""

from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from threegood.registry.document import Document, read_document
from threegood.registry.faults import Fault, FaultyRegistry
from threegood.registry.patterns import redundant_patterns
from threegood.registry.positions import NotJSON, Positions, find_positions, pointer_to
from threegood.registry.records import (
    BREACH,
    Category,
    Curator,
    Endorsement,
    OutOfScopeTopic,
    Record,
    Registry,
    Source,
)
from threegood.registry.rules import Breach
from threegood.registry.vocabulary import ambiguous_words

Location = tuple[int | str, ...]


def validate(data: bytes) -> Registry:
    """The registry in the bytes of a `registry.json`.

    Raises:
        FaultyRegistry: at least one rule is broken; it has all faults, in the order of the file. For a file
            that is not JSON, it has the first syntax error only.
    """
    document = read_document(data)
    breaches = [*redundant_patterns(document.value), *ambiguous_words(document.value)]
    try:
        registry = Registry.model_validate(document.value)
    except ValidationError as error:
        raise _refusal(document, error.errors(include_url=False), breaches) from None
    if document.repeats or document.faults or breaches:
        raise _refusal(document, [], breaches)
    return registry


def _refusal(document: Document, errors: list[ErrorDetails], breaches: list[Breach]) -> FaultyRegistry:
    try:
        positions = find_positions(document.text)
    except NotJSON as refusal:  # only the second pass refuses deep nesting
        return FaultyRegistry([*document.faults, Fault(*refusal.position, "", refusal.rule, refusal.message)])
    found = (_fault(error, positions) for error in errors)
    broken = (_at_value(breach.at, breach.rule, breach.sentence, positions) for breach in breaches)
    return FaultyRegistry([*document.faults, *_repetitions(positions), *found, *broken])


def _repetitions(positions: Positions) -> Iterator[Fault]:
    for pointer, position in positions.repeated:
        yield Fault(
            *position, pointer, "duplicate-name", "This object has this name already. Remove one of the two."
        )


def _fault(error: ErrorDetails, positions: Positions) -> Fault:
    location = error["loc"]
    if error["type"] == BREACH:
        rule, sentence = error["ctx"]["rule"], error["ctx"]["sentence"]
        if rule == "slug":  # pydantic adds a step for the name of a member
            return _at_name(location[:-1], rule, sentence, positions)
        return _at_value(location, rule, sentence, positions)
    return _STRUCTURE.get(error["type"], _other)(error, positions)


def _missing(error: ErrorDetails, positions: Positions) -> Fault:
    *container, field = error["loc"]
    return _at_value(
        tuple(container), "missing-field", f'The field "{field}" is missing here. Add it.', positions
    )


def _unknown(error: ErrorDetails, positions: Positions) -> Fault:
    *container, field = error["loc"]
    known = tuple(_record_at(tuple(container)).model_fields)
    close = get_close_matches(str(field), known, n=1)
    hint = f'Did you mean "{close[0]}"?' if close else "Remove it."
    sentence = f"There is no such field. {hint} The fields here are {', '.join(known)}."
    return _at_name(error["loc"], "unknown-field", sentence, positions)


def _record_at(location: Location) -> type[Record]:
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
        case ("outside", _):
            return OutOfScopeTopic
        case _:
            return Registry


def _wrong_type(expected: str) -> Callable[[ErrorDetails, Positions], Fault]:
    def fault(error: ErrorDetails, positions: Positions) -> Fault:
        sentence = f"Here must be {expected}, not {_kind(error['input'])}."
        return _at_value(error["loc"], "type", sentence, positions)

    return fault


def _kind(value: Any) -> str:
    return _KINDS.get(type(value), "a number with a fraction")


def _other(error: ErrorDetails, positions: Positions) -> Fault:
    return _at_value(error["loc"], "invalid", f"This is not valid: {error['msg']}.", positions)


def _at_value(location: Location, rule: str, sentence: str, positions: Positions) -> Fault:
    pointer = pointer_to(*location)
    return Fault(*positions.values[pointer], pointer, rule, sentence)


def _at_name(location: Location, rule: str, sentence: str, positions: Positions) -> Fault:
    pointer = pointer_to(*location)
    return Fault(*positions.names[pointer], pointer, rule, sentence)


_KINDS: Final = {
    dict: "an object",
    list: "an array",
    str: "a text",
    bool: "true or false",
    int: "a number",
    type(None): "null",
}

# The error types of pydantic → the functions that make faults of them.
_STRUCTURE: Final[dict[str, Callable[[ErrorDetails, Positions], Fault]]] = {
    "missing": _missing,
    "extra_forbidden": _unknown,
    "string_type": _wrong_type("a text in double quotes"),
    "literal_error": _wrong_type("a text in double quotes"),
    "int_type": _wrong_type("a whole number"),
    "tuple_type": _wrong_type("an array"),
    "dict_type": _wrong_type("an object"),
    "model_type": _wrong_type("an object"),
}
