"""A table of answers in one file, of which one answer is read without touching the rest.

    u64                 n, how many answers there are
    3n + 1 times u64    where each key, structured content and text begins; the last is the end of the file
    bytes               key, structured content (JSON), text, key, structured content, text …

All numbers are little-endian, all text is UTF-8, and the keys ascend, so that one is found by bisection.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import accumulate
from struct import Struct
from typing import Final, NamedTuple, Protocol

_NUMBER: Final = Struct("<Q")
_SPAN: Final = Struct("<2Q")
_PARTS: Final = 3


class Entry(NamedTuple):
    """One answer as it lies in the table."""

    key: str
    structured: bytes
    text: str


class Buffer(Protocol):
    """What a table is read from: bytes, or a mapped file."""

    def __getitem__(self, span: slice, /) -> bytes: ...


def pack_table(entries: Iterable[tuple[str, bytes, str]]) -> bytes:
    """The file that `Table` reads, from keys, structured contents and texts."""
    parts = [
        part
        for key, structured, text in sorted(entries, key=lambda entry: entry[0].encode("utf-8"))
        for part in (key.encode("utf-8"), structured, text.encode("utf-8"))
    ]
    begin = _NUMBER.size * (len(parts) + 2)
    offsets = accumulate((len(part) for part in parts), initial=begin)
    return b"".join([_NUMBER.pack(len(parts) // _PARTS), *map(_NUMBER.pack, offsets), *parts])


class Table:
    """Answers by key. Nothing is read before it is asked for."""

    def __init__(self, data: Buffer) -> None:
        self._data = data
        (self._length,) = _NUMBER.unpack(data[: _NUMBER.size])

    def find(self, key: str) -> Entry | None:
        """The answer under `key`; `None` if there is none."""
        wanted = key.encode("utf-8", "surrogatepass")  # a key may be a caller's, and hold anything
        row = bisect_left(range(self._length), wanted, key=lambda row: self._part(row * _PARTS))
        if row == self._length or self._part(row * _PARTS) != wanted:
            return None
        return self.at(row)

    def at(self, row: int) -> Entry:
        """The answer in that row, the first one being 0."""
        first = row * _PARTS
        key, structured, text = (self._part(first + part) for part in range(_PARTS))
        return Entry(key.decode("utf-8"), structured, text.decode("utf-8"))

    def keys(self) -> Iterator[str]:
        """All keys, ascending."""
        return (self._part(row * _PARTS).decode("utf-8") for row in range(self._length))

    def _part(self, index: int) -> bytes:
        at = _NUMBER.size * (index + 1)
        begin, end = _SPAN.unpack(self._data[at : at + _SPAN.size])
        return self._data[begin:end]
