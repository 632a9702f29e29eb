"""The positions of the members and items of a JSON text.

The parser of the standard library drops positions, so this second, slower pass runs only when there are
faults to report. It is stricter than that parser (RFC 8259): no duplicate names, no `NaN` or `Infinity`, no
deep nesting, no half of a surrogate pair (section 8.2).
"""

import re
from bisect import bisect_right
from json import JSONDecodeError, JSONDecoder
from typing import Any, Final, NamedTuple, NoReturn

# A registry is six levels deep; a text that exhausts the stack is refused.
MAX_DEPTH: Final = 32

_BLANKS: Final = " \t\n\r"
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


class Position(NamedTuple):
    """A character of a text; line and column count from 1."""

    line: int
    column: int


class NotJSON(Exception):
    """The text cannot be parsed past `position`; `rule` is `syntax`, `constant`, `nesting` or `surrogate`."""

    def __init__(self, position: Position, rule: str, message: str) -> None:
        self.position = position
        self.rule = rule
        self.message = message
        super().__init__(f"{position.line}:{position.column}: {message}")


class Positions(NamedTuple):
    """Positions by JSON pointer (RFC 6901): of values, of names, and of repeated names."""

    values: dict[str, Position]
    names: dict[str, Position]
    repeated: list[tuple[str, Position]]


def pointer_to(*steps: str | int) -> str:
    """The JSON pointer that takes `steps` from the root (RFC 6901, section 3)."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def position_at(text: str, offset: int) -> Position:
    """The line and column of the character at `offset`."""
    return Position(text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))


def find_positions(text: str) -> Positions:
    """The positions of all values and names in a JSON text.

    Raises:
        NotJSON: the text is not JSON, nested deeper than `MAX_DEPTH`, or has half of a surrogate pair.
    """
    scanner = _Scanner(text)
    scanner.read()
    return scanner.positions


class _Constant(Exception):
    """The standard parser found `NaN`, `Infinity` or `-Infinity`, which are not JSON."""


def _refuse_constant(word: str) -> NoReturn:
    raise _Constant(word)


class _Scanner:
    """One pass over a text; each method reads something at an offset and returns the offset after it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._line_starts = [0, *(at + 1 for at, char in enumerate(text) if char == "\n")]
        # Numbers are skipped, not converted: an integer of a million digits costs nothing here.
        self._decoder = JSONDecoder(parse_constant=_refuse_constant, parse_int=len, parse_float=len)
        self.positions = Positions({}, {}, [])

    def read(self) -> None:
        end = self._after_blanks(self._value(self._after_blanks(0), "", depth=1))
        if end < len(self._text):
            self._fail(end, "the document has ended, but there is more text. Remove it")

    def _value(self, at: int, pointer: str, *, depth: int) -> int:
        self.positions.values[pointer] = self._position(at)
        first = self._text[at : at + 1]
        if first not in ("{", "["):
            return self._scalar(at)[1]
        if depth > MAX_DEPTH:
            raise NotJSON(
                self._position(at), "nesting", f"This is nested deeper than {MAX_DEPTH} levels. Flatten it."
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
            self.positions.names[member] = self._position(at)
            if name in seen:
                self.positions.repeated.append((member, self._position(at)))
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
            self._fail(error.pos, _MESSAGES.get(error.msg.removesuffix(" at"), "this is no JSON value"))
        except _Constant as constant:
            raise NotJSON(
                self._position(at), "constant", f"{constant} is no JSON value. Remove it."
            ) from None
        if isinstance(value, str) and _SURROGATE.search(value):
            message = "This text has half of a character behind a \\u. Write the character itself."
            raise NotJSON(self._position(at), "surrogate", message)
        return value, end

    def _after_blanks(self, at: int) -> int:
        while at < len(self._text) and self._text[at] in _BLANKS:
            at += 1
        return at

    def _position(self, offset: int) -> Position:
        line = bisect_right(self._line_starts, offset)
        return Position(line, offset - self._line_starts[line - 1] + 1)

    def _fail(self, offset: int, reason: str) -> NoReturn:
        raise NotJSON(self._position(offset), "syntax", f"This is not JSON: {reason}.")


_MESSAGES: Final = {
    "Expecting value": "a value is missing, or is not in double quotes",
    "Unterminated string starting": "this text has no closing quote",
    "Invalid control character": "a text cannot hold a line break or another control character",
    "Invalid \\escape": "a backslash in a text must be doubled",
    "Invalid \\escape: ": "a backslash in a text must be doubled",
    "Invalid \\uXXXX escape": "\\u must be followed by four hexadecimal digits",
}
