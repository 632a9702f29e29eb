"""The vocabulary of a registry in one file, of which a query reads only what belongs to its own words.

    u64             how many categories there are
    13 times 2 u64  where each of the sections below begins, and how many bytes it has
    keys            u64, the fingerprint of each key, ascending, so that a key is found by bisection
    weights         u16, how much each key tells, in 65535ths
    ends            u32, where in the postings those of each key end
    postings        u32, those of a key ascending (see `sources.baked.postings`)
    long keys       u32, ascending, the keys with more than `LONGEST_READ` postings
    heads           u32, of each of these the `HEAD` strongest postings
    spelling keys   u32, the key of each known spelling
    spelling ends   u32, where in the spelling texts each one ends
    spelling texts  UTF-8
    variant hashes  u32, the CRC-32 of each spelling with letters left out, ascending
    variants        u32, the spelling that each variant comes from
    outside ends    u32, where in the outside texts the name of each topic outside the registry ends
    outside texts   UTF-8

Numbers are little-endian, as Lambda's machines are; sections begin at multiples of eight. A fingerprint is
BLAKE2b (RFC 7693) of eight bytes: of three million keys, one in 10 ** 12 strange words is taken for one.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import accumulate
from mmap import mmap
from struct import Struct
from typing import Final, NamedTuple
from zlib import crc32

from sources.baked.postings import first_posting, impact_of, topic_of

# A key with more postings than this is read by its strongest ones, so that no word makes a query slow.
LONGEST_READ: Final = 1024
HEAD: Final = 256

_SECTIONS: Final = 13
_HEADER: Final = Struct(f"<{1 + 2 * _SECTIONS}Q")
_ALIGNMENT: Final = 8
_FULL_WEIGHT: Final = 65535


class Term(NamedTuple):
    """What is known of a key: how much it tells, from 0 to 1, and its postings, in any order."""

    weight: float
    postings: Sequence[int]


def pack_lexicon(
    *,
    categories: int,
    outside: Iterable[str],
    terms: Mapping[str, Term],
    spellings: Mapping[str, str],
    variants: Iterable[tuple[str, str]],
) -> bytes:
    """The file that `Lexicon` reads.

    `spellings` tells the key of each spelling, and `variants` has pairs of a variant and its spelling.
    """
    keys = sorted(terms, key=_fingerprint)
    rows = {key: row for row, key in enumerate(keys)}
    known = sorted(spellings)
    places = {spelling: place for place, spelling in enumerate(known)}
    hashed = sorted({(_hash(variant), places[spelling]) for variant, spelling in variants})
    postings = [sorted(terms[key].postings) for key in keys]
    long_rows = [row for row, own in enumerate(postings) if len(own) > LONGEST_READ]
    return _assembled(
        categories,
        (
            _numbers(map(_fingerprint, keys), "Q"),
            _numbers((round(terms[key].weight * _FULL_WEIGHT) for key in keys), "H"),
            _numbers(accumulate(map(len, postings))),
            _numbers(posting for own in postings for posting in own),
            _numbers(long_rows),
            _numbers(posting for row in long_rows for posting in _head(postings[row])),
            _numbers(rows[spellings[spelling]] for spelling in known),
            *_texts(known),
            _numbers(number for number, _ in hashed),
            _numbers(place for _, place in hashed),
            *_texts(outside),
        ),
    )


def _head(postings: Iterable[int]) -> list[int]:
    return sorted(postings, key=lambda posting: (-impact_of(posting), posting))[:HEAD]


def _texts(many: Iterable[str]) -> tuple[bytes, bytes]:
    encoded = [text.encode("utf-8") for text in many]
    return _numbers(accumulate(map(len, encoded))), b"".join(encoded)


def _numbers(numbers: Iterable[int], size: str = "I") -> bytes:
    return array(size, numbers).tobytes()


def _assembled(categories: int, sections: Sequence[bytes]) -> bytes:
    padded = [section + bytes(-len(section) % _ALIGNMENT) for section in sections]
    begins = accumulate(map(len, padded), initial=_HEADER.size)
    places = (
        number for begin, section in zip(begins, sections, strict=False) for number in (begin, len(section))
    )
    return b"".join([_HEADER.pack(categories, *places), *padded])


def _fingerprint(key: str) -> int:
    # A key may come from a caller, and hold anything.
    return int.from_bytes(blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def _hash(variant: str) -> int:
    return crc32(variant.encode("utf-8", "surrogatepass"))


class Lexicon:
    """The vocabulary, in `data`: bytes or a mapped file, of which only the header is read at once.

    Raises:
        ValueError: this is no such file, or its header does not fit its length.
    """

    def __init__(self, data: bytes | mmap) -> None:
        view = memoryview(data)
        if len(view) < _HEADER.size:
            raise ValueError(f"a lexicon has {_HEADER.size} bytes at least, and this has {len(view)}")
        header: tuple[int, ...] = _HEADER.unpack_from(view)
        self.categories, *places = header
        last_begin, last_length = places[-2:]
        if not 0 <= len(view) - last_begin - last_length < _ALIGNMENT:
            raise ValueError("the header of the lexicon does not fit its length")
        parts = [
            view[begin : begin + length] for begin, length in zip(places[::2], places[1::2], strict=True)
        ]
        self._keys: Sequence[int] = parts[0].cast("Q")
        self._weights: Sequence[int] = parts[1].cast("H")
        self._ends, self._postings, self._long_rows, self._heads, self._spelling_keys = (
            part.cast("I") for part in parts[2:7]
        )
        self._spellings = _Texts(parts[7].cast("I"), parts[8])
        self._variant_hashes, self._variants = (part.cast("I") for part in parts[9:11])
        self._outside = _Texts(parts[11].cast("I"), parts[12])

    def find(self, key: str) -> int | None:
        """The row of `key`, if it is known."""
        wanted = _fingerprint(key)
        row = bisect_left(self._keys, wanted)
        return row if row < len(self._keys) and self._keys[row] == wanted else None

    def weight(self, row: int) -> float:
        """How much the key in `row` tells, from 0 to 1."""
        return self._weights[row] / _FULL_WEIGHT

    def whole(self, row: int) -> bool:
        """Whether `strongest` gives all postings of the key in `row`."""
        begin, end = self._span(row)
        return end - begin <= LONGEST_READ

    def strongest(self, row: int) -> Sequence[int]:
        """The postings of the key in `row`: all of them, or if they are very many, the strongest."""
        begin, end = self._span(row)
        if end - begin <= LONGEST_READ:
            return self._postings[begin:end]
        place = bisect_left(self._long_rows, row) * HEAD
        return self._heads[place : place + HEAD]

    def posting(self, row: int, topic: int) -> int | None:
        """The posting of the key in `row` for `topic`, if there is one."""
        begin, end = self._span(row)
        place = bisect_left(self._postings, first_posting(topic), begin, end)
        if place < end and topic_of(self._postings[place]) == topic:
            return self._postings[place]
        return None

    def spelled(self, variant: str) -> Iterator[tuple[str, int]]:
        """The known spellings that `variant` may come from, each with the row of its key."""
        for place in _equal(self._variant_hashes, _hash(variant)):
            spelling = self._variants[place]
            yield self._spellings[spelling].decode("utf-8"), self._spelling_keys[spelling]

    def outside(self, topic: int) -> str:
        """The name of a topic outside the registry."""
        return self._outside[topic - self.categories].decode("utf-8")

    def _span(self, row: int) -> tuple[int, int]:
        return (self._ends[row - 1] if row else 0), self._ends[row]


class _Texts:
    """Texts that lie one behind the other."""

    def __init__(self, ends: Sequence[int], data: memoryview) -> None:
        self._ends = ends
        self._data = data

    def __getitem__(self, place: int) -> bytes:
        begin = self._ends[place - 1] if place else 0
        return bytes(self._data[begin : self._ends[place]])


def _equal(ascending: Sequence[int], wanted: int) -> Iterator[int]:
    """The places at which `wanted` stands."""
    place = bisect_left(ascending, wanted)
    while place < len(ascending) and ascending[place] == wanted:
        yield place
        place += 1
