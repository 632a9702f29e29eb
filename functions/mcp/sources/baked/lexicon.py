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
from struct import Struct, calcsize
from typing import Final, Literal
from zlib import crc32

from sources.baked.checked import BLOCK_SHIFT, CheckedFile
from sources.baked.postings import lowest_posting, topic_of

# A query reads only the strongest postings of a key that has more than this, so that no word makes it slow.
FULL_READ_LIMIT: Final = 1024
HEAD_LENGTH: Final = 256

SECTIONS: Final = 13
HEADER: Final = Struct(f"<{1 + 2 * SECTIONS}Q")
ALIGNMENT: Final = 8
FULL_WEIGHT: Final = 32767

_TypeCode = Literal["Q", "H", "I", "B"]
_TYPE_CODES: Final[tuple[_TypeCode, ...]] = ("Q", "H", *5 * "I", "I", "B", "I", "I", "I", "B")


def fingerprint(key: str) -> int:
    """The fingerprint of `key`: the number under which the file has it."""
    # A key may come from a client, and hold any character.
    return int.from_bytes(blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def variant_hash(variant: str) -> int:
    """The hash of a deletion variant: the number under which the file has it."""
    return crc32(variant.encode("utf-8", "surrogatepass"))


class Lexicon:
    """The vocabulary in `data`, of which the constructor reads only the header; plain bytes are trusted.

    What an answer depends on is checked when `find` or `spellings_with` give its row, which the other methods
    take. A bisection is right if the two numbers where it ends are intact: it compared the key with both.

    Raises:
        ValueError: `data` is no lexicon, or its header does not fit its length.
        RecordDamaged: what is read is not as it was baked; every method may raise it.
    """

    def __init__(self, data: bytes | CheckedFile) -> None:
        self._file = CheckedFile.trusted(data) if isinstance(data, bytes) else data
        self.categories, spans = _read_header(self._file)
        numbers = [_Numbers(self._file, *span, code) for span, code in zip(spans, _TYPE_CODES, strict=True)]
        self._keys, self._weights, self._ends, self._postings, self._long_rows, self._heads = numbers[:6]
        self._spelling_keys, spelling_ends, _, self._variant_hashes, self._variants = numbers[6:11]
        self._spellings = _Texts(self._file, spelling_ends, spans[8])
        self._topic_names = _Texts(self._file, numbers[11], spans[12])
        self._checked_rows = bytearray(len(self._keys.values))
        self._checked_spellings = bytearray(len(self._spellings))

    @property
    def has_out_of_scope(self) -> bool:
        """Whether there are topics out of scope."""
        return len(self._topic_names) > 0

    def find(self, key: str) -> int | None:
        """The row of `key`; `None` if the vocabulary does not have it."""
        wanted, keys = fingerprint(key), self._keys.values
        row = bisect_left(keys, wanted)
        self._keys.check_end(row)
        if row == len(keys) or keys[row] != wanted:
            return None
        if not self._checked_rows[row]:
            self._check_row(row)
        return row

    def weight(self, row: int) -> float:
        """The weight of the key in `row`, from 0 to 1."""
        return (self._weights.values[row] >> 1) / FULL_WEIGHT

    def is_common(self, row: int) -> bool:
        """Whether the key in `row` is a common word."""
        return self._weights.values[row] & 1 == 1

    def is_complete(self, row: int) -> bool:
        """Whether `strongest_postings` gives all postings of the key in `row`."""
        begin, end = self._span(row)
        return end - begin <= FULL_READ_LIMIT

    def strongest_postings(self, row: int) -> Sequence[int]:
        """All postings of the key in `row`, or only the strongest if there are more than can be read."""
        begin, end = self._span(row)
        if end - begin <= FULL_READ_LIMIT:
            return self._postings.values[begin:end]
        head = self._head(row)
        return self._heads.values[head : head + HEAD_LENGTH]

    def posting(self, row: int, topic: int) -> int | None:
        """The posting of the key in `row` for `topic`, if there is one."""
        begin, end = self._span(row)
        postings = self._postings.values
        index = bisect_left(postings, lowest_posting(topic), begin, end)
        if end - begin > FULL_READ_LIMIT:  # only the heads of these are checked with their row
            self._postings.check_end(index)
        if index < end and topic_of(postings[index]) == topic:
            return postings[index]
        return None

    def spellings_with(self, variant: str) -> Iterator[tuple[str, int]]:
        """The known spellings with this deletion variant, each with the row of its key."""
        wanted, hashes = variant_hash(variant), self._variant_hashes.values
        index = bisect_left(hashes, wanted)
        self._variant_hashes.check_end(index)
        while index < len(hashes) and hashes[index] == wanted:
            self._variants.check_end(index)
            yield self._spelling(self._variants.values[index])
            index += 1
            self._variant_hashes.check_end(index)

    def out_of_scope_name(self, topic: int) -> str:
        """The name of an out-of-scope topic."""
        self._topic_names.check(topic - self.categories)
        return self._topic_names[topic - self.categories].decode("utf-8")

    def _span(self, row: int) -> tuple[int, int]:
        ends = self._ends.values
        return (ends[row - 1] if row else 0), ends[row]

    def _head(self, row: int) -> int:
        return bisect_left(self._long_rows.values, row) * HEAD_LENGTH

    def _spelling(self, index: int) -> tuple[str, int]:
        """The known spelling at `index`, and the row of its key."""
        if not self._checked_spellings[index]:
            self._check_spelling(index)
        return self._spellings[index].decode("utf-8"), self._spelling_keys.values[index]

    def _check_spelling(self, index: int) -> None:
        self._spelling_keys.check_end(index)
        self._spellings.check(index)
        row = self._spelling_keys.values[index]
        if not self._checked_rows[row]:
            self._check_row(row)
        self._checked_spellings[index] = 1

    def _check_row(self, row: int) -> None:
        """Check weight and postings of the key in `row`; of many postings, only the strongest."""
        self._weights.check(row, row + 1)
        self._ends.check_end(row)
        begin, end = self._span(row)
        if end - begin <= FULL_READ_LIMIT:
            self._postings.check(begin, end)
        else:
            head = self._head(row)
            self._long_rows.check_end(head // HEAD_LENGTH)
            self._heads.check(head, head + HEAD_LENGTH)
        self._checked_rows[row] = 1


class _Numbers:
    """A section of numbers. `values` are not checked; the methods check those that they name."""

    def __init__(self, file: CheckedFile, begin: int, length: int, type_code: _TypeCode) -> None:
        self.values: Sequence[int] = file.content[begin : begin + length].cast(type_code)
        self._file = file
        self._begin = begin
        self._size = calcsize(type_code)
        self._checked = file.checked

    def check(self, begin: int, end: int) -> None:
        """Check the numbers from `begin` to before `end`."""
        self._file.check(self._begin + self._size * begin, self._begin + self._size * end)

    def check_end(self, index: int) -> None:
        """Check the numbers before and at `index`, where a bisection has ended."""
        size, checked = self._size, self._checked
        at = self._begin + size * index
        if not (checked[at >> BLOCK_SHIFT] and checked[at - size >> BLOCK_SHIFT]):
            self._file.check(at - size, at + size)


class _Texts:
    """Texts of a file, stored one after the other in `span`, and where each one ends."""

    def __init__(self, file: CheckedFile, ends: _Numbers, span: tuple[int, int]) -> None:
        self._file = file
        self._ends = ends
        self._begin = span[0]
        self._texts = file.content[span[0] : sum(span)]

    def __len__(self) -> int:
        return len(self._ends.values)

    def __getitem__(self, index: int) -> bytes:
        begin, end = self._span(index)
        return bytes(self._texts[begin:end])

    def check(self, index: int) -> None:
        """Check the text at `index`."""
        self._ends.check_end(index)
        begin, end = self._span(index)
        self._file.check(self._begin + begin, self._begin + end)

    def _span(self, index: int) -> tuple[int, int]:
        ends = self._ends.values
        return (ends[index - 1] if index else 0), ends[index]


def _read_header(file: CheckedFile) -> tuple[int, list[tuple[int, int]]]:
    """The number of categories, and where each section begins and how long it is."""
    if len(file.content) < HEADER.size:
        raise ValueError(f"a lexicon has {HEADER.size} bytes at least, and this has {len(file.content)}")
    categories, *numbers = HEADER.unpack(file[: HEADER.size])
    if not 0 <= len(file.content) - sum(numbers[-2:]) < ALIGNMENT:
        raise ValueError("the header of the lexicon does not fit its length")
    return categories, list(zip(numbers[::2], numbers[1::2], strict=True))
