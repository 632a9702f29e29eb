"""Queries for a synthetic registry: planted ones with a known answer, and worst cases of matching time."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import cycle, islice
from random import Random
from typing import Final, NamedTuple

from bench.matching.synthetic import Topic
from bench.matching.words import english, nouns
from threegood.registry.records import Registry

__all__ = ["LONGEST", "UNCUT", "PlantedQuery", "misspell", "planted_queries", "worst_queries"]

LONGEST: Final = 500
"""Characters that the tools accept in a query."""
UNCUT: Final = 10_000
"""Characters of a query that was not truncated."""

_PLANTED: Final = 300
_FRAMES: Final = (
    "{0} {1}",
    "how do i {0} with {1}",
    "where can i read about {0} and {1}",
    "i would like to know more about the {0} when {1} is involved",
    "please what should i do for {0}, {1}",
    "can you help me with {0} or {1} here",
)
_SHORTEST_MISSPELT: Final = 6  # a shorter word would not be recognisable

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


class PlantedQuery(NamedTuple):
    """A query, and the slugs of all categories that contain every one of its words."""

    query: str
    expected: tuple[str, ...]
    kind: str


def planted_queries(registry: Registry, topics: list[Topic], count: int = _PLANTED) -> list[PlantedQuery]:
    """`count` queries, for a sample of the categories or, if there are fewer, for each of them in turn.

    In a quarter of them one word is misspelt, and in a quarter the words are in plural.
    """
    random = Random(len(topics))
    sample = list(islice(cycle(random.sample(topics, min(count, len(topics)))), count))
    chosen = [_chosen_words(random, topic) for topic in sample]
    holders = _holders(registry, {word for words in chosen for word in words})
    planted = []
    for number, words in enumerate(chosen):
        kind = ("reordered", "misspelt", "reordered", "plural")[number % 4]
        written = _misspelt(random, words) if kind == "misspelt" else words
        written = _in_plural(written) if kind == "plural" else written
        expected = set.intersection(*(holders[word] for word in words))
        planted.append(PlantedQuery(_framed(random, written), tuple(sorted(expected)), kind))
    return planted


def _chosen_words(random: Random, topic: Topic) -> list[str]:
    """The thing of a topic and one or two more of its words, in random order."""
    others = [word for word in (topic.modifier, topic.activity, topic.jargon[0], topic.own[0]) if word]
    words = [topic.thing, *random.sample(others, random.randint(1, 2))]
    random.shuffle(words)
    return list(dict.fromkeys(words))


def _holders(registry: Registry, wanted: set[str]) -> dict[str, set[str]]:
    """By word, the slugs of the categories that contain it."""
    holders: dict[str, set[str]] = defaultdict(set)
    for slug, category in registry.categories.items():
        vocabulary = registry.vocabulary.of(slug)
        texts = (category.name, *vocabulary.aliases, *vocabulary.keywords, *category.query_patterns)
        for word in wanted.intersection(" ".join(texts).lower().split()):
            holders[word].add(slug)
    return holders


def _framed(random: Random, words: list[str]) -> str:
    first, *rest = words
    return random.choice(_FRAMES).format(first, " ".join(rest))


def _in_plural(words: list[str]) -> list[str]:
    return [f"{word}s" if f"{word}s" in english() else word for word in words]


def _misspelt(random: Random, words: list[str]) -> list[str]:
    """The words with one misspelling in the longest of them."""
    longest = max(words, key=len)
    return [misspell(random, word) if word == longest else word for word in words]


def misspell(random: Random, word: str) -> str:
    """`word` with two letters swapped, one omitted or one doubled; a short word is unchanged."""
    if len(word) < _SHORTEST_MISSPELT:
        return word
    at = random.randrange(1, len(word) - 2)
    candidates = [
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        word[:at] + word[at + 1 :],
        word[: at + 1] + word[at:],
    ]
    random.shuffle(candidates)
    return next((each for each in candidates if each != word and each not in english()), word)


def worst_queries(registry: Registry) -> dict[str, str]:
    """The queries that may take longest, by what they consist of."""
    random = Random(0)
    uses = Counter(word for slug in registry.categories for word in slug.split("-"))
    common = [word for word, _ in uses.most_common(_DIFFERENT)]
    misspelt = [misspell(random, word) for word in nouns()[:: len(nouns()) // _DIFFERENT]]
    return {
        "unknown words": _repeated(_unknown_words(random), LONGEST),
        "misspelt words": _repeated(misspelt, LONGEST),
        "common words": _repeated(common, LONGEST),
        "one common word": _repeated(common[:1], LONGEST),
        "one long word": "restoration" * (LONGEST // len("restoration")),
        "10,000 characters": _repeated(common + misspelt, UNCUT),
        "10,000 characters, one word": "a" * UNCUT,
    }


def _unknown_words(random: Random) -> Iterator[str]:
    while True:
        word = "".join(random.sample(_SYLLABLES, random.randint(2, 3)))
        if word not in english():
            yield word


def _repeated(words: Iterable[str], length: int) -> str:
    """The words, repeated and cut at `length` characters."""
    text = ""
    for word in cycle(words):
        text += f"{word} "
        if len(text) > length:
            break
    return text[:length].strip()
