"""`registry.json` checked: a Registry, or all that is wrong with it, each fault with place and rule."""

from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from threegood.registry.document import Document, read_document
from threegood.registry.faults import Fault, FaultyRegistry
from threegood.registry.patterns import idle_patterns
from threegood.registry.positions import NotJSON, Places, find_places, pointer_to
from threegood.registry.records import (
    BREACH,
    Category,
    Curator,
    Endorsement,
    OutsideTopic,
    Record,
    Registry,
    Source,
)
from threegood.registry.rules import Breach
from threegood.registry.vocabulary import misleading_words

Location = tuple[int | str, ...]


def validate(data: bytes) -> Registry:
    """The registry in the bytes of a `registry.json`.

    Raises:
        FaultyRegistry: at least one rule is broken; it holds all faults, sorted by place. A file that cannot
            be read as JSON is told the first place where it breaks; what follows would be guesswork.
    """
    document = read_document(data)
    breaches = [*idle_patterns(document.value), *misleading_words(document.value)]
    try:
        registry = Registry.model_validate(document.value)
    except ValidationError as error:
        raise _refusal(document, error.errors(include_url=False), breaches) from None
    if document.repeats or document.faults or breaches:
        raise _refusal(document, [], breaches)
    return registry


def _refusal(document: Document, errors: list[ErrorDetails], breaches: list[Breach]) -> FaultyRegistry:
    try:
        places = find_places(document.text)
    except NotJSON as refusal:  # what only our own reading refuses: absurd nesting
        return FaultyRegistry([*document.faults, Fault(*refusal.place, "", refusal.rule, refusal.message)])
    found = (_fault(error, places) for error in errors)
    told = (_at_value(breach.at, breach.rule, breach.sentence, places) for breach in breaches)
    return FaultyRegistry([*document.faults, *_repetitions(places), *found, *told])


def _repetitions(places: Places) -> Iterator[Fault]:
    for pointer, place in places.repeated:
        yield Fault(
            *place, pointer, "duplicate-name", "This object has this name already. Remove one of the two."
        )


def _fault(error: ErrorDetails, places: Places) -> Fault:
    location = error["loc"]
    if error["type"] == BREACH:
        rule, sentence = error["ctx"]["rule"], error["ctx"]["sentence"]
        if rule == "slug":  # pydantic marks the name of a member with one more step
            return _at_name(location[:-1], rule, sentence, places)
        return _at_value(location, rule, sentence, places)
    return _STRUCTURE.get(error["type"], _unforeseen)(error, places)


def _missing(error: ErrorDetails, places: Places) -> Fault:
    *container, field = error["loc"]
    return _at_value(
        tuple(container), "missing-field", f'The field "{field}" is missing here. Add it.', places
    )


def _unknown(error: ErrorDetails, places: Places) -> Fault:
    *container, field = error["loc"]
    known = tuple(_record_at(tuple(container)).model_fields)
    close = get_close_matches(str(field), known, n=1)
    hint = f'Did you mean "{close[0]}"?' if close else "Remove it."
    sentence = f"There is no such field. {hint} The fields here are {', '.join(known)}."
    return _at_name(error["loc"], "unknown-field", sentence, places)


def _record_at(location: Location) -> type[Record]:
    """Which record stands at `location`; pydantic does not say."""
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
            return OutsideTopic
        case _:
            return Registry


def _wrong_type(expected: str) -> Callable[[ErrorDetails, Places], Fault]:
    def fault(error: ErrorDetails, places: Places) -> Fault:
        sentence = f"Here must be {expected}, not {_kind(error['input'])}."
        return _at_value(error["loc"], "type", sentence, places)

    return fault


def _kind(value: Any) -> str:
    return _KINDS.get(type(value), "a number with a fraction")


def _unforeseen(error: ErrorDetails, places: Places) -> Fault:
    return _at_value(error["loc"], "invalid", f"This is not valid: {error['msg']}.", places)


def _at_value(location: Location, rule: str, sentence: str, places: Places) -> Fault:
    pointer = pointer_to(*location)
    return Fault(*places.values[pointer], pointer, rule, sentence)


def _at_name(location: Location, rule: str, sentence: str, places: Places) -> Fault:
    pointer = pointer_to(*location)
    return Fault(*places.names[pointer], pointer, rule, sentence)


_KINDS: Final = {
    dict: "an object",
    list: "an array",
    str: "a text",
    bool: "true or false",
    int: "a number",
    type(None): "null",
}

# What pydantic itself finds: its type of error → a fault in our words.
_STRUCTURE: Final[dict[str, Callable[[ErrorDetails, Places], Fault]]] = {
    "missing": _missing,
    "extra_forbidden": _unknown,
    "string_type": _wrong_type("a text in double quotes"),
    "literal_error": _wrong_type("a text in double quotes"),
    "int_type": _wrong_type("a whole number"),
    "tuple_type": _wrong_type("an array"),
    "dict_type": _wrong_type("an object"),
    "model_type": _wrong_type("an object"),
}
