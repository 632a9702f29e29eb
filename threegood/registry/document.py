"""From bytes to a JSON value, or the faults of the text."""

import json
import re
from typing import Any, Final, NamedTuple

from threegood.registry.faults import Fault, FaultyRegistry
from threegood.registry.positions import NotJSON, find_positions, position_at

# The standard parser accepts half of a surrogate pair, which cannot be encoded later.
_SURROGATE_ESCAPE: Final = re.compile(r"\\u[dD][89a-fA-F]")


class Document(NamedTuple):
    """A JSON text that was parsed.

    `file` is its path, as a fault names it. `value` is its content, `repeats` whether some object has a
    member name twice (the last one is in `value`), and `faults` are those that did not stop the parser.
    """

    file: str
    text: str
    value: Any
    repeats: bool
    faults: tuple[Fault, ...]


def read_document(data: bytes, *, file: str) -> Document:
    """The JSON document in `data`, which are the bytes of `file`.

    Raises:
        FaultyRegistry: the bytes are not UTF-8, or the text is not JSON.
    """
    text = _decode(data, file)
    faults: tuple[Fault, ...] = ()
    if text.startswith("\ufeff"):
        text = text[1:]
        faults = (
            Fault(
                file, 1, 1, "", "byte-order-mark", "The file begins with a byte order mark. Save it without."
            ),
        )
    return _parse(file, text, faults)


def _decode(data: bytes, file: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        # Everything before the first invalid byte is valid, so its position can be counted in characters.
        before = data[: error.start].decode("utf-8")
        position = position_at(before, len(before))
        message = f"The byte {data[error.start]:#04x} is not UTF-8. Save the file in that encoding."
        raise FaultyRegistry([Fault(file, *position, "", "encoding", message)]) from None


def _parse(file: str, text: str, faults: tuple[Fault, ...]) -> Document:
    try:
        value, repeats = _load(text)
    except NotJSON as refusal:
        fault = Fault(file, *refusal.position, "", refusal.rule, refusal.message)
        raise FaultyRegistry([*faults, fault]) from None
    return Document(file, text, value, repeats, faults)


def _load(text: str) -> tuple[Any, bool]:
    """The content of the text, and whether some object has a member name twice."""
    repeats = False

    def to_object(members: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal repeats
        value = dict(members)
        repeats = repeats or len(value) < len(members)
        return value

    try:
        # Long integers become floats: Python refuses to convert them, and no field accepts them.
        value = json.loads(
            text,
            object_pairs_hook=to_object,
            parse_constant=_refuse_constant,
            parse_int=lambda digits: int(digits) if len(digits) < 20 else float(digits),
        )
    except (ValueError, RecursionError):
        find_positions(text)  # raises the same fault with its position
        raise
    if _SURROGATE_ESCAPE.search(text):
        find_positions(text)
    return value, repeats


def _refuse_constant(word: str) -> Any:
    raise ValueError(f"{word} is no JSON value.")
