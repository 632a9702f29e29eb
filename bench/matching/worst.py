"""The queries that may take longest: as long as a tool allows, and each of another kind."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import cycle
from random import Random
from typing import Final

from bench.matching.planted import misspell
from bench.matching.words import english, nouns
from threegood.registry.records import Registry

# What the tools allow, and a text that nobody has cut.
LONGEST: Final = 500
UNCUT: Final = 10_000

_DIFFERENT: Final = 200
_SYLLABLES: Final = (
    "zor",
    "blat",
    "quim",
    "vesk",
    "dral",
    "nux",
    "fyr",
    "gost",
    "plim",
    "trev",
    "aska",
    "omu",
)


def worst_queries(registry: Registry) -> Mapping[str, str]:
    """A query of each kind, by the name of the kind."""
    common, random = _common(registry), Random(0)
    misspelt = [misspell(random, word) for word in nouns()[:: len(nouns()) // _DIFFERENT]]
    return {
        "unknown words": _filled(_unknown(random), LONGEST),
        "misspelt words": _filled(misspelt, LONGEST),
        "common words": _filled(common, LONGEST),
        "one common word": _filled(common[:1], LONGEST),
        "one long word": "restoration" * (LONGEST // len("restoration")),
        "10,000 characters": _filled(common + misspelt, UNCUT),
        "10,000 characters, one word": "a" * UNCUT,
    }


def _common(registry: Registry) -> list[str]:
    """The nouns, modifiers and activities of most categories, the most common first."""
    uses = Counter(word for slug in registry.categories for word in slug.split("-"))
    return [word for word, _ in uses.most_common(_DIFFERENT)]


def _unknown(random: Random) -> Iterator[str]:
    while True:
        word = "".join(random.sample(_SYLLABLES, random.randint(2, 3)))
        if word not in english():
            yield word


def _filled(words: Iterable[str], length: int) -> str:
    """The words over and over, cut at `length`."""
    text = ""
    for word in cycle(words):
        text += f"{word} "
        if len(text) > length:
            break
    return text[:length].strip()
