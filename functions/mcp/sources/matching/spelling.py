"""Slips of the pen. A word and its misspelling have a variant in common, made by leaving letters out.

The method is Garbe's symmetric deletion: the variants of all known spellings are made when the vocabulary is,
those of a word when it is read, and only spellings that share one are measured.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import Final, NamedTuple

# A shorter word is as near to another word as to its own misspelling.
SHORTEST: Final = 4
_TWO_SLIPS_FROM: Final = 7

# Letters after these stay out of the variants, which bounds how many a word has: 29.
_HEAD: Final = 7

# What makes a reading likelier than another with as many slips, in slips.
_ONLY_MOVED: Final = -0.5
_OTHER_FIRST_LETTER: Final = 0.5
_LETTER_MISSING: Final = -0.1
_AS_LIKELY: Final = 0.2
_MOST_READINGS: Final = 4


class Reading(NamedTuple):
    """A known word that a misspelt one may be: how unlike they are, the slips between them, its key's row."""

    unlikeness: float
    slips: int
    spelling: str
    row: int


def variants(word: str) -> set[str]:
    """The beginning of `word`, and what is left of it without one letter, or in a longer word without two."""
    head = word[:_HEAD]
    found = {head}
    for count in range(1, _most_slips(word) + 1):
        found.update(map("".join, combinations(head, len(head) - count)))
    return found


def readings(word: str, spelled: Callable[[str], Iterable[tuple[str, int]]]) -> list[Reading]:
    """The likeliest readings of a word that is not known, at most four; none if it is near to no known word.

    `spelled` gives the known spellings, with the rows of their keys, that have a variant.
    """
    if len(word) < SHORTEST or not word.isalpha():
        return []
    near = {spelling: row for variant in variants(word) for spelling, row in spelled(variant)}
    if not near:
        return []
    found = sorted(_measured(word, near.items()))
    return [reading for reading in found if reading.unlikeness <= found[0].unlikeness + _AS_LIKELY][
        :_MOST_READINGS
    ]


def _measured(word: str, near: Iterable[tuple[str, int]]) -> Iterator[Reading]:
    from rapidfuzz.distance import OSA  # only a misspelt query pays for it

    for spelling, row in near:
        slips = OSA.distance(word, spelling, score_cutoff=2)
        if slips <= min(_most_slips(word), _most_slips(spelling)) and _likely(word, spelling):
            yield Reading(slips + _unlikeness(word, spelling), slips, spelling, row)


def _unlikeness(word: str, spelling: str) -> float:
    return (
        _ONLY_MOVED * (sorted(word) == sorted(spelling))
        + _OTHER_FIRST_LETTER * (word[0] != spelling[0])
        + _LETTER_MISSING * (len(spelling) == len(word) + 1)
    )


def _likely(word: str, spelling: str) -> bool:
    """A short word keeps its first letter, unless its letters have only changed places."""
    return (
        min(len(word), len(spelling)) > SHORTEST or word[0] == spelling[0] or sorted(word) == sorted(spelling)
    )


def _most_slips(word: str) -> int:
    return 2 if len(word) >= _TWO_SLIPS_FROM else 1
