"""How common words are in general, from the word counts of film subtitles that pyspellchecker ships.

They tell which words of a query say nothing of its topic, and which are words and no misspellings. Only
baking reads them; what it makes of them lies in the layer.
"""

import gzip
import json
from collections import Counter
from functools import cache
from importlib.resources import files
from math import log10
from typing import Final

from sources.matching.analysis import analyse

ENGLISH: Final = "en"
FOREIGN: Final = ("de", "es", "fr", "it", "nl", "pt", "ru")

_MOST_ENGLISH: Final = 60_000
_MOST_FOREIGN: Final = 6_000

# Zipf values: the decimal logarithm of how often a word comes in a thousand million words.
_RARE: Final = 3.0
_COMMONPLACE: Final = 5.5
_FUNCTIONAL: Final = 5.6
_LEAST: Final = 0.1


def rarity(stem: str, language: str = ENGLISH) -> float:
    """From 0.1, for the stems that every text is made of, to 1, for rare and unknown ones."""
    value = zipf_values(language).get(stem, _RARE)
    share = (value - _RARE) / (_COMMONPLACE - _RARE)
    return min(1.0, max(_LEAST, 1 - (1 - _LEAST) * share))


def functional(stem: str) -> bool:
    """Whether a foreign language makes its sentences with this stem: der, para, avec."""
    return stem in _functional()


def commonest_stems(language: str, most: int) -> list[str]:
    """The stems of a language that come most often, and first those that do."""
    values = zipf_values(language)
    return sorted(values, key=lambda stem: (-values[stem], stem))[:most]


def commonest_words(language: str, most: int) -> list[str]:
    """The words of a language that come most often, as they are spelled."""
    return [word for word, _ in _counted(language)[:most]]


@cache
def zipf_values(language: str) -> dict[str, float]:
    """How often each stem of a language comes, of those that come most often."""
    sums: Counter[str] = Counter()
    for text, count in _counted(language):
        for word in analyse(text):
            sums[word.stem] += count
    total = _total(language)
    return {stem: log10(count / total * 1e9) for stem, count in sums.items()}


@cache
def _functional() -> frozenset[str]:
    values = (item for language in FOREIGN for item in zipf_values(language).items())
    return frozenset(stem for stem, value in values if value >= _FUNCTIONAL)


@cache
def _counted(language: str) -> list[tuple[str, int]]:
    most = _MOST_ENGLISH if language == ENGLISH else _MOST_FOREIGN
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
