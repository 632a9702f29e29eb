"""Synthetic registries of any size, made of real words and the same every time.

A topic is an activity with a kind of thing: "antique clock restoration". The topics of a family share the
thing and some jargon. Activities and kinds are drawn unevenly from lists that all families share, so the
common words of a large registry occur in thousands of topics. Every family adds new things and jargon, as
real topics do.
"""

from collections.abc import Iterator
from itertools import accumulate, islice
from random import Random
from typing import Final, NamedTuple

from bench.matching.words import ACTIVITIES, MODIFIERS, OUTSIDE_ACTIVITIES, TEMPLATES, nouns
from threegood.registry.records import (
    Category,
    CategoryVocabulary,
    Curator,
    OutOfScopeTopic,
    Registry,
    Source,
    Vocabulary,
)

__all__ = ["MOST_OUTSIDE", "Topic", "synthetic_registry", "synthetic_topics"]

# The first nouns are too general for a topic; the last are reserved for names of single topics.
_HEADS_FROM: Final = 300
_NAMES: Final = 4000

_LARGEST_FAMILY: Final = 19  # ten on average
_FAMILY_JARGON: Final = 8
_ACTIVITY_JARGON: Final = 12
_SHARE_WITHOUT_MODIFIER: Final = 0.25
_SHARE_WITH_NAME: Final = 0.125

_OUTSIDE_SHARE: Final = 20
MOST_OUTSIDE: Final = 1000

# The n-th word of a list is drawn with weight n ** -0.7, which puts the first in one topic of 15.
_WEIGHTS: Final = list(
    accumulate(place**-0.7 for place in range(1, max(len(MODIFIERS), len(ACTIVITIES)) + 1))
)


class Topic(NamedTuple):
    """The words of a category. `jargon` and `shared` occur in other topics too, `own` in this one only."""

    modifier: str
    thing: str
    activity: str
    jargon: tuple[str, ...]
    shared: str
    own: tuple[str, ...]
    name: str

    @property
    def title(self) -> str:
        """The words of its name."""
        return " ".join(filter(None, (self.modifier, self.thing, self.activity)))

    @property
    def slug(self) -> str:
        """The title as a slug."""
        return self.title.replace(" ", "-")


def synthetic_registry(size: int) -> Registry:
    """A registry of `size` categories, and a twentieth as many topics outside it, at most 1,000."""
    topics = synthetic_topics(size)
    outside = max(1, min(size // _OUTSIDE_SHARE, MOST_OUTSIDE))
    return Registry.model_construct(
        version="1.0.0",
        updated="2026-01-01",
        curator=Curator(name="Benchmark", pubkey=f"ed25519:{'0' * 64}"),
        endorsements=(),
        categories={topic.slug: _category(topic) for topic in topics},
        vocabulary=Vocabulary.model_construct(
            categories={topic.slug: _category_vocabulary(topic) for topic in topics},
            out_of_scope=tuple(_outside_topics(topics, outside)),
        ),
    )


def synthetic_topics(size: int) -> list[Topic]:
    """The topics of the categories of `synthetic_registry(size)`, no two with the same title.

    Raises:
        ValueError: there are not enough words for `size` categories.
    """
    topics = list(islice(_families(Random(size)), size))
    if len(topics) < size:
        raise ValueError(f"There are words for {len(topics)} categories, but not for {size}.")
    return topics


def _families(random: Random) -> Iterator[Topic]:
    heads, names = (
        random.sample(words, len(words)) for words in (nouns()[_HEADS_FROM:-_NAMES], nouns()[-_NAMES:])
    )
    names_left = iter(names)
    shared = {activity: random.sample(heads, _ACTIVITY_JARGON) for activity in ACTIVITIES}
    for thing in heads:
        jargon = random.sample(heads, _FAMILY_JARGON)
        for modifier, activity in _modifiers_and_activities(random, random.randint(1, _LARGEST_FAMILY)):
            yield Topic(
                modifier,
                thing,
                activity,
                tuple(random.sample(jargon, 3)),
                random.choice(shared[activity]),
                tuple(random.sample(heads, 3)),
                next(names_left, "") if random.random() < _SHARE_WITH_NAME else "",
            )


def _modifiers_and_activities(random: Random, count: int) -> dict[tuple[str, str], None]:
    """Different pairs of a modifier, or none, and an activity."""
    pairs: dict[tuple[str, str], None] = {}
    while len(pairs) < count:
        modifier = "" if random.random() < _SHARE_WITHOUT_MODIFIER else _drawn(random, MODIFIERS)
        pairs[modifier, _drawn(random, ACTIVITIES)] = None
    return pairs


def _drawn(random: Random, words: tuple[str, ...]) -> str:
    return random.choices(words, cum_weights=_WEIGHTS[: len(words)])[0]


def _category(topic: Topic) -> Category:
    parts = _parts(topic)
    number = len(topic.title) + len(topic.own[0])  # selects templates; no second random source is needed
    patterns, descriptions = TEMPLATES["query_patterns"], TEMPLATES["descriptions"]
    chosen = (patterns[(number + step) % len(patterns)] for step in range(4 + number % 3))
    return Category.model_construct(
        name=_sentence(topic.title),
        description=_sentence(descriptions[number % len(descriptions)].format_map(parts)),
        query_patterns=tuple(pattern.format_map(parts) for pattern in chosen),
        sources=tuple(_source(rank, topic, parts) for rank in (1, 2, 3)),
    )


def _category_vocabulary(topic: Topic) -> CategoryVocabulary:
    return CategoryVocabulary.model_construct(
        aliases=tuple(filter(None, (f"{topic.activity} of {_parts(topic)['modified']}s", topic.name))),
        keywords=tuple(dict.fromkeys((*topic.jargon, topic.shared, topic.own[0], " ".join(topic.own[1:])))),
    )


def _parts(topic: Topic) -> dict[str, str]:
    return {
        "title": topic.title,
        "thing": topic.thing,
        "activity": topic.activity,
        "modified": f"{topic.modifier} {topic.thing}".strip(),
        "jargon": topic.jargon[0],
        "shared": topic.shared,
        "own": topic.own[0],
        "compound": " ".join(topic.own[1:]),
    }


def _source(rank: int, topic: Topic, parts: dict[str, str]) -> Source:
    name, kind, why = TEMPLATES["sources"][rank - 1]
    return Source.model_construct(
        rank=rank,
        name=_sentence(name.format_map(parts)),
        url=f"https://example.org/{topic.slug}/{rank}",
        type=kind,
        why=why.format_map(parts),
    )


def _outside_topics(topics: list[Topic], count: int) -> Iterator[OutOfScopeTopic]:
    """Near neighbours: other activities with the things of the registry."""
    things = dict.fromkeys(topic.thing for topic in topics)
    neighbours = ((thing, activity) for activity in OUTSIDE_ACTIVITIES for thing in things)
    for thing, activity in islice(neighbours, count):
        yield OutOfScopeTopic.model_construct(
            name=_sentence(f"{thing} {activity}"),
            keywords=(
                f"{thing} {activity}",
                f"{activity} of {thing}s",
                f"cheap {thing} {activity}",
                f"{thing} {activity} near me",
                f"{thing} price comparison",
                f"buy a {thing}",
            ),
        )


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]
