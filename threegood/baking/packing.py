"""Writes the files that `sources.baked` reads; the layouts are described there."""

import math
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Final, NamedTuple
from zlib import compress, crc32

from sources.baked import PhraseLine
from sources.baked import lexicon as layout
from sources.baked.checked import BLOCK, seed_of
from sources.baked.postings import FIELD_SHIFT, FIELDS, FULL_IMPACT, TOPIC_SHIFT, WHOLE, impact_of
from sources.baked.table import HEADER as TABLE_HEADER
from sources.baked.table import OFFSET
from threegood.baking.weights import DAMPING

# A larger table is compressed. A smaller one answers faster uncompressed.
MAX_PLAIN_TABLE_BYTES: Final = 32_000_000


class Term(NamedTuple):
    """The vocabulary entry of a key: its weight, from 0 to 1, and its postings, in any order."""

    weight: float
    postings: Sequence[int]
    is_common: bool = False


def pack_posting(topic: int, field: str, impact: float, *, whole: bool = False) -> int:
    """The posting of a key in `field` of `topic`, with an impact from 0 to 1 (`sources.baked.postings`)."""
    flags = FIELDS.index(field) << FIELD_SHIFT | (WHOLE if whole else 0)
    return topic << TOPIC_SHIFT | flags | round(math.pow(impact, DAMPING) * FULL_IMPACT)


def pack_phrases(lines: Iterable[PhraseLine]) -> bytes:
    """The file of phrases (`sources.baked.phrases`)."""
    return "".join("\t".join((line.slug, *line.phrases)) + "\n" for line in lines).encode("utf-8")


def pack_table(
    entries: Iterable[tuple[str, bytes, str]], *, max_plain_bytes: int = MAX_PLAIN_TABLE_BYTES
) -> bytes:
    """The table of these keys, structured contents and texts (`sources.baked.table`)."""
    rows = sorted(
        (key.encode("utf-8"), structured, text.encode("utf-8")) for key, structured, text in entries
    )
    compressed = sum(len(part) for row in rows for part in row) > max_plain_bytes
    if compressed:
        rows = [(key, compress(structured, 9), compress(text, 9)) for key, structured, text in rows]
    parts = [part for row in rows for part in row]
    begin = TABLE_HEADER.size + OFFSET.size * (len(parts) + 1)
    offsets = accumulate((len(part) for part in parts), initial=begin)
    return b"".join([TABLE_HEADER.pack(len(rows), compressed), *map(OFFSET.pack, offsets), *parts])


def with_checksums(name: str, content: bytes, digest: str) -> bytes:
    """The file `name` of the registry with that digest: `content`, then checksums (see `checked`)."""
    seed = seed_of(digest, name)
    blocks = (content[begin : begin + BLOCK] for begin in range(0, len(content), BLOCK))
    return content + _numbers(crc32(block, seed) for block in blocks)


def pack_lexicon(
    *,
    categories: int,
    out_of_scope: Iterable[str],
    terms: Mapping[str, Term],
    spellings: Mapping[str, str],
    variants: Iterable[tuple[str, str]],
) -> bytes:
    """The file of a vocabulary (`sources.baked.lexicon`).

    `out_of_scope` are the names of the out-of-scope topics, `spellings` has the key of each known spelling,
    and `variants` are pairs of a deletion variant and its spelling.
    """
    keys = sorted(terms, key=layout.fingerprint)
    rows = {key: row for row, key in enumerate(keys)}
    known = sorted(spellings)
    sections = (
        _numbers(map(layout.fingerprint, keys), "Q"),
        _numbers((_packed_weight(terms[key]) for key in keys), "H"),
        *_postings([sorted(terms[key].postings) for key in keys]),
        _numbers(rows[spellings[spelling]] for spelling in known),
        *_texts(known),
        *_variants(variants, known),
        *_texts(out_of_scope),
    )
    return _with_header(categories, sections)


def _packed_weight(term: Term) -> int:
    return round(math.pow(term.weight, DAMPING) * layout.FULL_WEIGHT) << 1 | term.is_common


def _postings(postings: Sequence[Sequence[int]]) -> Iterator[bytes]:
    """Four sections: where the postings of each key end, all postings, the long keys, and their heads."""
    long_rows = [row for row, own in enumerate(postings) if len(own) > layout.FULL_READ_LIMIT]
    yield _numbers(accumulate(map(len, postings)))
    yield _numbers(posting for own in postings for posting in own)
    yield _numbers(long_rows)
    yield _numbers(posting for row in long_rows for posting in _head(postings[row]))


def _variants(variants: Iterable[tuple[str, str]], known: Sequence[str]) -> tuple[bytes, bytes]:
    """Two sections: the hashes of the deletion variants, and the spelling that each comes from."""
    indexes = {spelling: index for index, spelling in enumerate(known)}
    hashed = sorted({(layout.variant_hash(variant), indexes[spelling]) for variant, spelling in variants})
    return _numbers(number for number, _ in hashed), _numbers(index for _, index in hashed)


def _head(postings: Iterable[int]) -> list[int]:
    """The strongest postings of a key that has too many to be read."""
    return sorted(postings, key=lambda posting: (-impact_of(posting), posting))[: layout.HEAD_LENGTH]


def _texts(texts: Iterable[str]) -> tuple[bytes, bytes]:
    """Two sections: where each text ends, and the texts."""
    encoded = [text.encode("utf-8") for text in texts]
    return _numbers(accumulate(map(len, encoded))), b"".join(encoded)


def _numbers(numbers: Iterable[int], type_code: str = "I") -> bytes:
    return array(type_code, numbers).tobytes()


def _with_header(categories: int, sections: Sequence[bytes]) -> bytes:
    padded = [section + bytes(-len(section) % layout.ALIGNMENT) for section in sections]
    begins = accumulate(map(len, padded), initial=layout.HEADER.size)
    spans = (
        number for begin, section in zip(begins, sections, strict=False) for number in (begin, len(section))
    )
    return b"".join([layout.HEADER.pack(categories, *spans), *padded])
