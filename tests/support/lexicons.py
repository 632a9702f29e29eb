"""Small vocabularies for tests, made by hand, and what a strategy needs beside one."""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from sources.baked import Lexicon
from sources.matching.spelling import MIN_LENGTH, deletion_variants
from threegood.baking.packing import Term, pack_lexicon, pack_posting
from threegood.baking.weights import DAMPING

Uses = Mapping[int, tuple[str, float]]
"""For each topic the field that a key stands in, and its impact there."""

ALONE: Final[Uses] = {}


class Key(NamedTuple):
    """The vocabulary entry of a key; whether it is a whole name of its topics, and a common word.

    Weight and impacts are those that are read; packing would damp them.
    """

    weight: float
    uses: Uses = ALONE
    whole: bool = False
    common: bool = False


class Words:
    """An index in memory: a vocabulary, and the slugs of its categories."""

    def __init__(self, lexicon: Lexicon, slugs: Iterable[str]) -> None:
        self._lexicon = lexicon
        self._slugs = tuple(slugs)

    def phrases(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Nothing: a vocabulary holds no phrases."""
        raise NotImplementedError

    def vocabulary(self) -> Lexicon:
        """The vocabulary."""
        return self._lexicon

    def slug_at(self, topic: int) -> str:
        """The slug of a topic that is a category."""
        return self._slugs[topic]


def a_lexicon(
    keys: Mapping[str, Key],
    *,
    categories: int = 2,
    out_of_scope: Iterable[str] = (),
    spellings: Mapping[str, str] | None = None,
) -> Lexicon:
    """The vocabulary of `keys`; `spellings` tells what can be misspelt, and otherwise all words can."""
    words = {key: key for key in keys if key.isalpha() and len(key) >= MIN_LENGTH}
    known = words if spellings is None else spellings
    return Lexicon(
        pack_lexicon(
            categories=categories,
            out_of_scope=out_of_scope,
            terms={
                key: Term(_undamped(own.weight), packed_postings(own.uses, whole=own.whole), own.common)
                for key, own in keys.items()
            },
            spellings=known,
            variants=[(variant, spelling) for spelling in known for variant in deletion_variants(spelling)],
        )
    )


def packed_postings(uses: Uses, *, whole: bool = False) -> list[int]:
    """The postings of a key with those uses."""
    return [
        pack_posting(topic, field, _undamped(impact), whole=whole) for topic, (field, impact) in uses.items()
    ]


def _undamped(number: float) -> float:
    return math.pow(number, 1 / DAMPING)
