"""Queries whose right answer is known, because they are made of a category's own words."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import cycle, islice
from random import Random
from typing import Final, NamedTuple

from bench.matching.synthetic import Topic
from bench.matching.words import english
from threegood.registry.records import Category, Registry

PLANTED: Final = 300

_FRAMES: Final = (
    "{0} {1}",
    "how do i {0} with {1}",
    "where can i read about {0} and {1}",
    "i would like to know more about the {0} when {1} is involved",
    "please what should i do for {0}, {1}",
    "can you help me with {0} or {1} here",
)
_LONG_ENOUGH: Final = 6  # for a slip that leaves the word recognisable


class Planted(NamedTuple):
    """A query, and the slugs of all categories that have every one of its words."""

    query: str
    expected: tuple[str, ...]
    kind: str


def planted_queries(registry: Registry, topics: list[Topic], count: int = PLANTED) -> list[Planted]:
    """`count` queries, for a sample of categories or, if there are fewer, for each of them in turn.

    Half have the words as they are, a quarter have one of them misspelt, a quarter have them in plural.
    """
    random = Random(len(topics))
    sample = list(islice(cycle(random.sample(topics, min(count, len(topics)))), count))
    chosen = [_chosen(random, topic) for topic in sample]
    holders = _holders(registry.categories, {word for words in chosen for word in words})
    planted = []
    for number, words in enumerate(chosen):
        kind = ("reordered", "misspelt", "reordered", "plural")[number % 4]
        written = _misspelt(random, words) if kind == "misspelt" else words
        written = _in_plural(written) if kind == "plural" else written
        expected = set.intersection(*(holders[word] for word in words))
        planted.append(Planted(_framed(random, written), tuple(sorted(expected)), kind))
    return planted


def _chosen(random: Random, topic: Topic) -> list[str]:
    """The thing of a topic and one or two more of its words, in an order of their own."""
    others = [word for word in (topic.modifier, topic.activity, topic.jargon[0], topic.own[0]) if word]
    words = [topic.thing, *random.sample(others, random.randint(1, 2))]
    random.shuffle(words)
    return list(dict.fromkeys(words))


def _holders(categories: Mapping[str, Category], wanted: set[str]) -> dict[str, set[str]]:
    holders: dict[str, set[str]] = defaultdict(set)
    for slug, category in categories.items():
        for word in wanted.intersection(_words(category)):
            holders[word].add(slug)
    return holders


def _words(category: Category) -> Iterable[str]:
    texts = (category.name, *category.aliases, *category.keywords, *category.query_patterns)
    return " ".join(texts).lower().split()


def _framed(random: Random, words: list[str]) -> str:
    first, *rest = words
    return random.choice(_FRAMES).format(first, " ".join(rest))


def _in_plural(words: list[str]) -> list[str]:
    return [f"{word}s" if f"{word}s" in english() else word for word in words]


def _misspelt(random: Random, words: list[str]) -> list[str]:
    """The words with one slip in the longest of them."""
    longest = max(words, key=len)
    return [misspell(random, word) if word == longest else word for word in words]


def misspell(random: Random, word: str) -> str:
    """`word` with two letters swapped, one left out or one twice; as it is if it is too short for that."""
    if len(word) < _LONG_ENOUGH:
        return word
    at = random.randrange(1, len(word) - 2)
    slips = [
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        word[:at] + word[at + 1 :],
        word[: at + 1] + word[at:],
    ]
    random.shuffle(slips)
    return next((slip for slip in slips if slip != word and slip not in english()), word)
