"""A table of answers in one file, of which one answer is read without touching the rest.

    u64                 n, how many answers there are
    u64                 1 if structured contents and texts are compressed (zlib, RFC 1950), else 0
    3n + 1 times u64    where each key, structured content and text begins; the last is the end of the file
    bytes               key, structured content (JSON), text, key, structured content, text …

All numbers are little-endian, all text is UTF-8, and the keys ascend, so that one is found by bisection.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import accumulate
from struct import Struct
from typing import Final, NamedTuple, Protocol
from zlib import compress, decompress

# A larger table is compressed. A smaller one answers sooner as it is.
LARGEST_PLAIN: Final = 32_000_000

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


def pack_table(entries: Iterable[tuple[str, bytes, str]], *, largest_plain: int = LARGEST_PLAIN) -> bytes:
    """The file that `Table` reads, from keys, structured contents and texts."""
    rows = sorted(
        (key.encode("utf-8"), structured, text.encode("utf-8")) for key, structured, text in entries
    )
    compressed = sum(len(part) for row in rows for part in row) > largest_plain
    if compressed:
        rows = [(key, compress(structured, 9), compress(text, 9)) for key, structured, text in rows]
    parts = [part for row in rows for part in row]
    begin = _SPAN.size + _NUMBER.size * (len(parts) + 1)
    offsets = accumulate((len(part) for part in parts), initial=begin)
    return b"".join([_SPAN.pack(len(rows), compressed), *map(_NUMBER.pack, offsets), *parts])


class Table:
    """Answers by key. Nothing is read before it is asked for."""

    def __init__(self, data: Buffer) -> None:
        self._data = data
        self._length, self._compressed = _SPAN.unpack(data[: _SPAN.size])

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
        if self._compressed:
            structured, text = decompress(structured), decompress(text)
        return Entry(key.decode("utf-8"), structured, text.decode("utf-8"))

    def key_at(self, row: int) -> str:
        """The key in that row, the first one being 0."""
        return self._part(row * _PARTS).decode("utf-8")

    def keys(self) -> Iterator[str]:
        """All keys, ascending."""
        return map(self.key_at, range(self._length))

    def _part(self, index: int) -> bytes:
        at = _SPAN.size + _NUMBER.size * index
        begin, end = _SPAN.unpack(self._data[at : at + _SPAN.size])
        return self._data[begin:end]
