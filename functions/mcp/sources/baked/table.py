"""A table of answers in one file; reading one answer does not touch the others.

    u64                 n, the number of answers
    u64                 1 if structured contents and texts are compressed (zlib, RFC 1950), else 0
    3n + 1 times u64    the offset of each key, structured content and text; the last is the end of the file
    bytes               key, structured content (JSON), text, key, structured content, text …

All numbers are little-endian, all text is UTF-8, and the keys ascend, so that one is found by bisection.
"""

from bisect import bisect_left
from collections.abc import Iterator
from struct import Struct
from typing import Final, NamedTuple, Protocol
from zlib import decompress

OFFSET: Final = Struct("<Q")
HEADER: Final = Struct("<2Q")

_SPAN: Final = Struct("<2Q")  # two neighbouring offsets: where a part begins and ends
_PARTS: Final = 3


class TableEntry(NamedTuple):
    """One answer as stored in the table."""

    key: str
    structured: bytes
    text: str


class Buffer(Protocol):
    """The data of a table: bytes, or a mapped file."""

    def __getitem__(self, span: slice, /) -> bytes: ...


class Table:
    """Answers by key. Each part is read when it is asked for."""

    def __init__(self, data: Buffer) -> None:
        self._data = data
        self._length, self._compressed = HEADER.unpack(data[: HEADER.size])

    def find(self, key: str) -> TableEntry | None:
        """The answer under `key`; `None` if there is none."""
        wanted = key.encode("utf-8", "surrogatepass")  # a client's key may hold any character
        row = bisect_left(range(self._length), wanted, key=lambda row: self._part(row * _PARTS))
        if row == self._length or self._part(row * _PARTS) != wanted:
            return None
        return self.at(row)

    def at(self, row: int) -> TableEntry:
        """The answer in `row`, counted from 0."""
        first = row * _PARTS
        key, structured, text = (self._part(first + part) for part in range(_PARTS))
        if self._compressed:
            structured, text = decompress(structured), decompress(text)
        return TableEntry(key.decode("utf-8"), structured, text.decode("utf-8"))

    def key_at(self, row: int) -> str:
        """The key in `row`, counted from 0."""
        return self._part(row * _PARTS).decode("utf-8")

    def keys(self) -> Iterator[str]:
        """All keys, ascending."""
        return map(self.key_at, range(self._length))

    def _part(self, index: int) -> bytes:
        at = HEADER.size + OFFSET.size * index
        begin, end = _SPAN.unpack(self._data[at : at + _SPAN.size])
        return self._data[begin:end]
