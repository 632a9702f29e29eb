"""Spelling correction by symmetric deletion (Garbe).

A word and its misspelling share a deletion variant: what is left of both when letters are left out. The
variants of all known spellings are made at build time, those of a word when it is parsed, and only spellings
that share one are compared.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import Final, NamedTuple

from sources.matching.weights import (
    MAX_EXTRA_COST,
    ONE_LETTER_MISSING_COST,
    OTHER_FIRST_LETTER_COST,
    SAME_LETTERS_COST,
)

# A shorter word is as near to another word as to its own misspelling.
MIN_LENGTH: Final = 4
_TWO_EDITS_FROM: Final = 7

# Words of other scripts are shorter: one letter makes another word of them.
_MIN_OTHER_LENGTH: Final = 7

# Letters after these are not part of the variants, so a word has at most 29.
_VARIANT_PREFIX: Final = 7

_MAX_CORRECTIONS: Final = 4


class Correction(NamedTuple):
    """A known spelling that a misspelt word may mean, the edits between them, and its key's row."""

    cost: float
    edits: int
    spelling: str
    row: int


def deletion_variants(word: str) -> set[str]:
    """The prefix of `word`, and what is left of it without one letter, or two if the word is long."""
    prefix = word[:_VARIANT_PREFIX]
    variants = {prefix}
    for count in range(1, _max_edits(word) + 1):
        variants.update(map("".join, combinations(prefix, len(prefix) - count)))
    return variants


def corrections(
    word: str,
    spellings_with: Callable[[str], Iterable[tuple[str, int]]],
    *,
    max_extra_cost: float = MAX_EXTRA_COST,
) -> list[Correction]:
    """The likeliest corrections of a word, cheapest first, at most four; none if nothing is near.

    `spellings_with` gives the known spellings that have a deletion variant, with the rows of their keys.
    Those that cost more than the cheapest by `max_extra_cost` are left out.
    """
    if len(word) < (MIN_LENGTH if word.isascii() else _MIN_OTHER_LENGTH) or not word.isalpha():
        return []
    candidates = {
        spelling: row
        for variant in deletion_variants(word)
        for spelling, row in spellings_with(variant)
        if spelling != word
    }
    if not candidates:
        return []
    found = sorted(_measured(word, candidates.items()))
    if not found:
        return []
    likely = [each for each in found if each.cost <= found[0].cost + max_extra_cost]
    return likely[:_MAX_CORRECTIONS]


def is_spelling(word: str, spellings_with: Callable[[str], Iterable[tuple[str, int]]]) -> bool:
    """Whether `word` is a known spelling."""
    return any(spelling == word for spelling, _ in spellings_with(word[:_VARIANT_PREFIX]))


def _measured(word: str, candidates: Iterable[tuple[str, int]]) -> Iterator[Correction]:
    from rapidfuzz.distance import OSA  # imported late: only a query with an unknown spelling pays for it

    for spelling, row in candidates:
        edits = OSA.distance(word, spelling, score_cutoff=2)
        if edits <= min(_max_edits(word), _max_edits(spelling)) and _plausible(word, spelling):
            yield Correction(edits + _adjustment(word, spelling), edits, spelling, row)


def _adjustment(word: str, spelling: str) -> float:
    adjustment = 0.0
    if sorted(word) == sorted(spelling):
        adjustment += SAME_LETTERS_COST
    if word[0] != spelling[0]:
        adjustment += OTHER_FIRST_LETTER_COST
    if len(spelling) == len(word) + 1:
        adjustment += ONE_LETTER_MISSING_COST
    return adjustment


def _plausible(word: str, spelling: str) -> bool:
    """A short word keeps its first letter, unless its letters are only in another order."""
    return (
        min(len(word), len(spelling)) > MIN_LENGTH
        or word[0] == spelling[0]
        or sorted(word) == sorted(spelling)
    )


def _max_edits(word: str) -> int:
    return 2 if len(word) >= _TWO_EDITS_FROM and word.isascii() else 1
