"""The vocabulary of a registry in one file, of which a query reads only what its own words need.

    u64             the number of categories
    13 times 2 u64  offset and length in bytes of each section below
    keys            u64, the fingerprint of each key, ascending, so that a key is found by bisection
    weights         u16, the weight of each key, in 32767ths, times two; one more if the key is a common word
    ends            u32, where in the postings those of each key end
    postings        u32, those of a key ascending (see `sources.baked.postings`)
    long keys       u32, ascending, the keys with more than `FULL_READ_LIMIT` postings
    heads           u32, the `HEAD_LENGTH` strongest postings of each long key
    spelling keys   u32, the key of each known spelling
    spelling ends   u32, where in the spelling texts each one ends
    spelling texts  UTF-8
    variant hashes  u32, the CRC-32 of each deletion variant of a spelling, ascending
    variants        u32, the spelling that each variant comes from
    topic ends      u32, where in the topic texts the name of each out-of-scope topic ends
    topic texts     UTF-8

Numbers are little-endian, as Lambda's machines are; sections begin at multiples of eight. A fingerprint is
BLAKE2b (RFC 7693) of eight bytes: with three million keys, one in 10 ** 12 unknown words collides with one.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from mmap import mmap
from struct import Struct
from typing import Final
from zlib import crc32

from sources.baked.postings import lowest_posting, topic_of

# A query reads only the strongest postings of a key that has more than this, so that no word makes it slow.
FULL_READ_LIMIT: Final = 1024
HEAD_LENGTH: Final = 256

SECTIONS: Final = 13
HEADER: Final = Struct(f"<{1 + 2 * SECTIONS}Q")
ALIGNMENT: Final = 8
FULL_WEIGHT: Final = 32767


def fingerprint(key: str) -> int:
    """The fingerprint of `key`: the number under which the file has it."""
    # A key may come from a client, and hold any character.
    return int.from_bytes(blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def variant_hash(variant: str) -> int:
    """The hash of a deletion variant: the number under which the file has it."""
    return crc32(variant.encode("utf-8", "surrogatepass"))


class Lexicon:
    """The vocabulary in `data`: bytes or a mapped file, of which the constructor reads only the header.

    Raises:
        ValueError: `data` is no lexicon, or its header does not fit its length.
    """

    def __init__(self, data: bytes | mmap) -> None:
        sections = _sections(memoryview(data))
        self.categories: int = HEADER.unpack_from(data)[0]
        self._keys: Sequence[int] = sections[0].cast("Q")
        self._weights: Sequence[int] = sections[1].cast("H")
        self._ends, self._postings, self._long_rows, self._heads, self._spelling_keys = (
            section.cast("I") for section in sections[2:7]
        )
        self._spellings = _Texts(sections[7].cast("I"), sections[8])
        self._variant_hashes, self._variants = (section.cast("I") for section in sections[9:11])
        self._topic_names = _Texts(sections[11].cast("I"), sections[12])

    @property
    def has_out_of_scope(self) -> bool:
        """Whether there are topics out of scope."""
        return len(self._topic_names) > 0

    def find(self, key: str) -> int | None:
        """The row of `key`; `None` if the vocabulary does not have it."""
        wanted = fingerprint(key)
        row = bisect_left(self._keys, wanted)
        return row if row < len(self._keys) and self._keys[row] == wanted else None

    def weight(self, row: int) -> float:
        """The weight of the key in `row`, from 0 to 1."""
        return (self._weights[row] >> 1) / FULL_WEIGHT

    def is_common(self, row: int) -> bool:
        """Whether the key in `row` is a common word."""
        return self._weights[row] & 1 == 1

    def is_complete(self, row: int) -> bool:
        """Whether `strongest_postings` gives all postings of the key in `row`."""
        begin, end = self._span(row)
        return end - begin <= FULL_READ_LIMIT

    def strongest_postings(self, row: int) -> Sequence[int]:
        """All postings of the key in `row`, or only the strongest if there are more than can be read."""
        begin, end = self._span(row)
        if end - begin <= FULL_READ_LIMIT:
            return self._postings[begin:end]
        head = bisect_left(self._long_rows, row) * HEAD_LENGTH
        return self._heads[head : head + HEAD_LENGTH]

    def posting(self, row: int, topic: int) -> int | None:
        """The posting of the key in `row` for `topic`, if there is one."""
        begin, end = self._span(row)
        index = bisect_left(self._postings, lowest_posting(topic), begin, end)
        if index < end and topic_of(self._postings[index]) == topic:
            return self._postings[index]
        return None

    def spellings_with(self, variant: str) -> Iterator[tuple[str, int]]:
        """The known spellings with this deletion variant, each with the row of its key."""
        for index in _indexes_of(variant_hash(variant), self._variant_hashes):
            spelling = self._variants[index]
            yield self._spellings[spelling].decode("utf-8"), self._spelling_keys[spelling]

    def out_of_scope_name(self, topic: int) -> str:
        """The name of an out-of-scope topic."""
        return self._topic_names[topic - self.categories].decode("utf-8")

    def _span(self, row: int) -> tuple[int, int]:
        return (self._ends[row - 1] if row else 0), self._ends[row]


class _Texts:
    """Texts stored one after the other, and where each one ends."""

    def __init__(self, ends: Sequence[int], data: memoryview) -> None:
        self._ends = ends
        self._data = data

    def __len__(self) -> int:
        return len(self._ends)

    def __getitem__(self, index: int) -> bytes:
        begin = self._ends[index - 1] if index else 0
        return bytes(self._data[begin : self._ends[index]])


def _sections(data: memoryview) -> list[memoryview]:
    if len(data) < HEADER.size:
        raise ValueError(f"a lexicon has {HEADER.size} bytes at least, and this has {len(data)}")
    spans = HEADER.unpack_from(data)[1:]
    last_begin, last_length = spans[-2:]
    if not 0 <= len(data) - last_begin - last_length < ALIGNMENT:
        raise ValueError("the header of the lexicon does not fit its length")
    return [data[begin : begin + length] for begin, length in zip(spans[::2], spans[1::2], strict=True)]


def _indexes_of(wanted: int, ascending: Sequence[int]) -> Iterator[int]:
    index = bisect_left(ascending, wanted)
    while index < len(ascending) and ascending[index] == wanted:
        yield index
        index += 1
