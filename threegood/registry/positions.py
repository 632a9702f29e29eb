"""Where the members and items of a JSON text stand.

The parser of the standard library forgets places, so this is a second, slower reading, made only when there
is something to complain about. It is stricter than that parser (RFC 8259): no duplicate names, no `NaN` or
`Infinity`, no absurd nesting, no half of a surrogate pair (section 8.2).
"""

import re
from bisect import bisect_right
from json import JSONDecodeError, JSONDecoder
from typing import Any, Final, NamedTuple, NoReturn

# A registry is six levels deep; this leaves room for mistakes, and none for a text that exhausts the stack.
DEEPEST: Final = 32

_BLANKS: Final = " \t\n\r"
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


class Place(NamedTuple):
    """A character of a text; line and column count from 1."""

    line: int
    column: int


class NotJSON(Exception):
    """The text cannot be read past `place`; `rule` is `syntax`, `constant`, `nesting` or `surrogate`."""

    def __init__(self, place: Place, rule: str, message: str) -> None:
        self.place = place
        self.rule = rule
        self.message = message
        super().__init__(f"{place.line}:{place.column}: {message}")


class Places(NamedTuple):
    """The places in a text by JSON pointer (RFC 6901): of values, of names, and of names given twice."""

    values: dict[str, Place]
    names: dict[str, Place]
    repeated: list[tuple[str, Place]]


def pointer_to(*steps: str | int) -> str:
    """The JSON pointer that takes `steps` from the root (RFC 6901, section 3)."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def place_of(text: str, offset: int) -> Place:
    """Line and column of the character at `offset`."""
    return Place(text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))


def find_places(text: str) -> Places:
    """The places of everything in a JSON text.

    Raises:
        NotJSON: the text is not JSON, nested deeper than `DEEPEST`, or holds half of a character.
    """
    scanner = _Scanner(text)
    scanner.read()
    return scanner.places


class _Constant(Exception):
    """The standard parser met one of the three words that it knows and JSON does not."""


def _refuse_constant(word: str) -> NoReturn:
    raise _Constant(word)


class _Scanner:
    """One pass over a text; what reads a thing at an offset gives the offset behind it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._line_starts = [0, *(at + 1 for at, char in enumerate(text) if char == "\n")]
        # Numbers are passed over, never computed: a whole number of a million digits costs nothing here.
        self._decoder = JSONDecoder(parse_constant=_refuse_constant, parse_int=len, parse_float=len)
        self.places = Places({}, {}, [])

    def read(self) -> None:
        end = self._after_blanks(self._value(self._after_blanks(0), "", depth=1))
        if end < len(self._text):
            self._fail(end, "the document has ended, but there is more text. Remove it")

    def _value(self, at: int, pointer: str, *, depth: int) -> int:
        self.places.values[pointer] = self._place(at)
        first = self._text[at : at + 1]
        if first not in ("{", "["):
            return self._scalar(at)[1]
        if depth > DEEPEST:
            raise NotJSON(
                self._place(at), "nesting", f"This is nested deeper than {DEEPEST} levels. Flatten it."
            )
        return (self._object if first == "{" else self._array)(at, pointer, depth)

    def _object(self, at: int, pointer: str, depth: int) -> int:
        at = self._after_blanks(at + 1)
        if self._text.startswith("}", at):
            return at + 1
        seen: set[str] = set()
        while True:
            name, end = self._name(at)
            member = pointer + pointer_to(name)
            self.places.names[member] = self._place(at)
            if name in seen:
                self.places.repeated.append((member, self._place(at)))
            seen.add(name)
            at = self._after_blanks(end)
            if not self._text.startswith(":", at):
                self._fail(at, "a colon must stand between a name and its value")
            at = self._after_blanks(self._value(self._after_blanks(at + 1), member, depth=depth + 1))
            if self._text.startswith("}", at):
                return at + 1
            at = self._after_comma(at, closing="}")

    def _array(self, at: int, pointer: str, depth: int) -> int:
        at = self._after_blanks(at + 1)
        if self._text.startswith("]", at):
            return at + 1
        index = 0
        while True:
            at = self._after_blanks(self._value(at, pointer + pointer_to(index), depth=depth + 1))
            if self._text.startswith("]", at):
                return at + 1
            at = self._after_comma(at, closing="]")
            index += 1

    def _after_comma(self, at: int, *, closing: str) -> int:
        if not self._text.startswith(",", at):
            self._fail(at, f'a comma or the closing "{closing}" is missing')
        following = self._after_blanks(at + 1)
        if self._text.startswith(closing, following):
            self._fail(at, f'nothing follows this comma but the closing "{closing}". Remove the comma')
        return following

    def _name(self, at: int) -> tuple[str, int]:
        if not self._text.startswith('"', at):
            self._fail(at, "a name in double quotes is missing")
        return self._scalar(at)

    def _scalar(self, at: int) -> tuple[Any, int]:
        try:
            value, end = self._decoder.raw_decode(self._text, at)
        except JSONDecodeError as error:
            self._fail(error.pos, _IN_OTHER_WORDS.get(error.msg.removesuffix(" at"), "this is no JSON value"))
        except _Constant as constant:
            raise NotJSON(self._place(at), "constant", f"{constant} is no JSON value. Remove it.") from None
        if isinstance(value, str) and _SURROGATE.search(value):
            message = "This text has half of a character behind a \\u. Write the character itself."
            raise NotJSON(self._place(at), "surrogate", message)
        return value, end

    def _after_blanks(self, at: int) -> int:
        while at < len(self._text) and self._text[at] in _BLANKS:
            at += 1
        return at

    def _place(self, offset: int) -> Place:
        line = bisect_right(self._line_starts, offset)
        return Place(line, offset - self._line_starts[line - 1] + 1)

    def _fail(self, offset: int, reason: str) -> NoReturn:
        raise NotJSON(self._place(offset), "syntax", f"This is not JSON: {reason}.")


_IN_OTHER_WORDS: Final = {
    "Expecting value": "a value is missing, or is not in double quotes",
    "Unterminated string starting": "this text has no closing quote",
    "Invalid control character": "a text cannot hold a line break or another control character",
    "Invalid \\escape": "a backslash in a text must be doubled",
    "Invalid \\escape: ": "a backslash in a text must be doubled",
    "Invalid \\uXXXX escape": "\\u must be followed by four hexadecimal digits",
}
