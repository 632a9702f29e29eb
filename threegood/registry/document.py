"""Bytes to a JSON value, or the faults that keep them from being one."""

import json
import re
from typing import Any, Final, NamedTuple

from threegood.registry.faults import Fault, FaultyRegistry
from threegood.registry.positions import NotJSON, find_places, place_of

# The standard parser lets half of a pair pass, and nothing after it can take such a text.
_SURROGATE_ESCAPE: Final = re.compile(r"\\u[dD][89a-fA-F]")


class Document(NamedTuple):
    """A JSON text that could be read.

    `value` is what it says, `repeats` whether some object in it names a member twice (the last one is in
    `value`), `faults` what was passed over to get this far.
    """

    text: str
    value: Any
    repeats: bool
    faults: tuple[Fault, ...]


def read_document(data: bytes) -> Document:
    """The JSON document in `data`.

    Raises:
        FaultyRegistry: the bytes are no UTF-8, or the text is no JSON.
    """
    text = _decode(data)
    faults: tuple[Fault, ...] = ()
    if text.startswith("\ufeff"):
        text = text[1:]
        faults = (
            Fault(1, 1, "", "byte-order-mark", "The file begins with a byte order mark. Save it without."),
        )
    return _parse(text, faults)


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        # Everything before the first wrong byte is right, so its place can be told in characters.
        before = data[: error.start].decode("utf-8")
        place = place_of(before, len(before))
        message = f"The byte {data[error.start]:#04x} is not UTF-8. Save the file in that encoding."
        raise FaultyRegistry([Fault(*place, "", "encoding", message)]) from None


def _parse(text: str, faults: tuple[Fault, ...]) -> Document:
    try:
        value, repeats = _load(text)
    except NotJSON as refusal:
        fault = Fault(*refusal.place, "", refusal.rule, refusal.message)
        raise FaultyRegistry([*faults, fault]) from None
    return Document(text, value, repeats, faults)


def _load(text: str) -> tuple[Any, bool]:
    """What the text says, and whether some object in it names a member twice."""
    repeats = False

    def to_object(members: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal repeats
        value = dict(members)
        repeats = repeats or len(value) < len(members)
        return value

    try:
        # Long numbers become floats: Python refuses to compute such whole ones, and no field can hold them.
        value = json.loads(
            text,
            object_pairs_hook=to_object,
            parse_constant=_refuse_constant,
            parse_int=lambda digits: int(digits) if len(digits) < 20 else float(digits),
        )
    except (ValueError, RecursionError):
        find_places(text)  # refuses it as well, and says why and where
        raise
    if _SURROGATE_ESCAPE.search(text):
        find_places(text)
    return value, repeats


def _refuse_constant(word: str) -> Any:
    raise ValueError(f"{word} is no JSON value.")
