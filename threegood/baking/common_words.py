"""Word frequencies in general, from the word counts of film subtitles that pyspellchecker ships.

They show which words of a query carry no topic, and which are known words and no misspellings. Only baking
reads them; the weights that it makes of them are in the layer.
"""

import gzip
import json
from collections import Counter
from functools import cache
from importlib.resources import files
from itertools import islice
from math import log10
from typing import Final

from sources.matching.analysis import analyse

ENGLISH: Final = "en"
FOREIGN: Final = ("de", "es", "fr", "it", "nl", "pt", "ru")

COMMON_WORDS: Final = 5_000

_MAX_ENGLISH: Final = 60_000
_MAX_FOREIGN: Final = 6_000

# Zipf values: the decimal logarithm of how often a word occurs in a thousand million words.
_RARE: Final = 3.0
_VERY_COMMON: Final = 5.5
LEAST_RARITY: Final = 0.1


def rarity(stem: str) -> float:
    """From 0.1 for the most common stems to 1 for rare and unknown ones, in English or else any language."""
    if stem in zipf_values(ENGLISH):
        return rarity_in(ENGLISH, stem)
    return min(rarity_in(language, stem) for language in FOREIGN)


def rarity_in(language: str, stem: str) -> float:
    """The same in one language."""
    value = zipf_values(language).get(stem, _RARE)
    share = (value - _RARE) / (_VERY_COMMON - _RARE)
    return min(1.0, max(LEAST_RARITY, 1 - (1 - LEAST_RARITY) * share))


def is_common(stem: str) -> bool:
    """Whether the stem is that of one of the 5,000 commonest English words of three letters or more."""
    return stem in _common_stems()


@cache
def _common_stems() -> frozenset[str]:
    words = (word for word, _ in _counted(ENGLISH) if len(word) >= 3 and word.isalpha())
    return frozenset(word.stem for text in islice(words, COMMON_WORDS) for word in analyse(text))


def commonest_stems(language: str, count: int) -> list[str]:
    """The `count` most common stems of a language, the most common first."""
    values = zipf_values(language)
    return sorted(values, key=lambda stem: (-values[stem], stem))[:count]


def commonest_words(language: str, count: int) -> list[str]:
    """The `count` most common words of a language, as they are spelled."""
    return [word for word, _ in _counted(language)[:count]]


@cache
def zipf_values(language: str) -> dict[str, float]:
    """The Zipf value of each of the most common stems of a language."""
    sums: Counter[str] = Counter()
    for text, count in _counted(language):
        for word in analyse(text):
            sums[word.stem] += count
    total = _total(language)
    return {stem: log10(count / total * 1e9) for stem, count in sums.items()}


@cache
def _counted(language: str) -> list[tuple[str, int]]:
    most = _MAX_ENGLISH if language == ENGLISH else _MAX_FOREIGN
    counts = _counts(language)
    # Nearly all words are rarer than the last of these, and sorting them too would take three times as long.
    least = max(1, sorted(counts.values(), reverse=True)[:most][-1])
    common = [(word, count) for word, count in counts.items() if count >= least]
    return sorted(common, key=lambda counted: (-counted[1], counted[0]))[:most]


@cache
def _total(language: str) -> int:
    return sum(_counts(language).values())


@cache
def _counts(language: str) -> dict[str, int]:
    data = files("spellchecker.resources").joinpath(f"{language}.json.gz").read_bytes()
    counts: dict[str, int] = json.loads(gzip.decompress(data))
    return counts
