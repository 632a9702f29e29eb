"""Registries of any size, of real words and always the same.

A topic is something that one does with a kind of thing: "antique clock restoration". Things come in families,
whose topics share the thing and some jargon. What is done, and with which kind, is drawn unevenly from lists
that all families share, so that the common words of a large registry are in thousands of topics, as
"history" is. New things and their jargon come with every family, as new words do with every real topic.
"""

from collections.abc import Iterator
from itertools import accumulate, islice
from random import Random
from typing import Final, NamedTuple

from bench.matching.words import ACTIVITIES, MODIFIERS, OUTSIDE_ACTIVITIES, nouns
from sources.answers import SourceType
from threegood.registry.records import Category, Curator, OutOfScopeTopic, Registry, Source

# The first ones are too general to be a topic, and the last are kept for names of single topics.
_HEADS_FROM: Final = 300
_NAMES: Final = 4000

_LARGEST_FAMILY: Final = 19  # ten on average
_FAMILY_JARGON: Final = 8
_ACTIVITY_JARGON: Final = 12
_SHARE_WITHOUT_MODIFIER: Final = 0.25
_SHARE_WITH_NAME: Final = 0.125

# How unevenly shared words are drawn: the n-th weighs n ** -0.7, which puts the first in one topic of 15.
_UNEVENNESS: Final = 0.7

_OUTSIDE_SHARE: Final = 20
MOST_OUTSIDE: Final = 1000

_PATTERNS: Final = (
    "getting started with {title}",
    "{activity} of {modified}s at home",
    "best books on {thing} {activity}",
    "{own} and {jargon} for {modified}s",
    "which {jargon} is right for {title}",
    "how do experts choose a {own} when it comes to {thing} {activity}",
    "common mistakes in {activity} of a {modified}",
)
_DESCRIPTIONS: Final = (
    "{activity} of the {modified}, from the first {jargon} to {own} and {compound}, with {shared}.",
    "Everything about {title}: {jargon}, {own}, {shared} and the right {compound}.",
    "How {title} is done: choosing a {jargon}, working with {own}, and why {shared} matters for {compound}.",
)
_SOURCES: Final[tuple[tuple[str, SourceType, str], ...]] = (
    ("The {title} handbook", "book", "The standard work, which treats {jargon} and {own} in order."),
    ("{thing} society", "forum", "Where people who know {compound} answer questions."),
    ("{activity} notes", "article", "Short, and the only one that explains {shared}."),
)
_CURATOR: Final = Curator(name="Benchmark", pubkey=f"ed25519:{'0' * 64}")


class Topic(NamedTuple):
    """What a category is made of. `jargon` and `shared` are words of other topics too, `own` are its own."""

    modifier: str
    thing: str
    activity: str
    jargon: tuple[str, ...]
    shared: str
    own: tuple[str, ...]
    name: str

    @property
    def title(self) -> str:
        """Its words as its name has them."""
        return " ".join(filter(None, (self.modifier, self.thing, self.activity)))

    @property
    def slug(self) -> str:
        """The title as a slug."""
        return self.title.replace(" ", "-")


def synthetic_registry(size: int) -> Registry:
    """A registry of `size` categories, and a twentieth of that of topics outside it, 1,000 at most."""
    topics = synthetic_topics(size)
    outside = max(1, min(size // _OUTSIDE_SHARE, MOST_OUTSIDE))
    return Registry.model_construct(
        version="1.0.0",
        updated="2026-01-01",
        curator=_CURATOR,
        endorsements=(),
        categories={topic.slug: _category(topic) for topic in topics},
        outside=tuple(_outside_topics(topics, outside)),
    )


def synthetic_topics(size: int) -> list[Topic]:
    """What the categories of `synthetic_registry(size)` are made of; no two have the same title.

    Raises:
        ValueError: there are not enough words for `size` categories.
    """
    topics = list(islice(_families(Random(size)), size))
    if len(topics) < size:
        raise ValueError(f"There are words for {len(topics)} categories, but not for {size}.")
    return topics


def _families(random: Random) -> Iterator[Topic]:
    heads, names = _shuffled(random, nouns()[_HEADS_FROM:-_NAMES]), iter(_shuffled(random, nouns()[-_NAMES:]))
    shared = {activity: random.sample(heads, _ACTIVITY_JARGON) for activity in ACTIVITIES}
    for thing in heads:
        jargon = random.sample(heads, _FAMILY_JARGON)
        for modifier, activity in _ways(random, random.randint(1, _LARGEST_FAMILY)):
            yield Topic(
                modifier,
                thing,
                activity,
                tuple(random.sample(jargon, 3)),
                random.choice(shared[activity]),
                tuple(random.sample(heads, 3)),
                next(names, "") if random.random() < _SHARE_WITH_NAME else "",
            )


def _shuffled(random: Random, words: tuple[str, ...]) -> list[str]:
    return random.sample(words, len(words))


def _ways(random: Random, count: int) -> dict[tuple[str, str], None]:
    """Different pairs of a modifier, or none, and an activity."""
    ways: dict[tuple[str, str], None] = {}
    while len(ways) < count:
        modifier = "" if random.random() < _SHARE_WITHOUT_MODIFIER else _drawn(random, MODIFIERS)
        ways[modifier, _drawn(random, ACTIVITIES)] = None
    return ways


def _drawn(random: Random, words: tuple[str, ...]) -> str:
    return random.choices(words, cum_weights=_WEIGHTS[: len(words)])[0]


_WEIGHTS: Final = list(
    accumulate(place**-_UNEVENNESS for place in range(1, max(len(MODIFIERS), len(ACTIVITIES)) + 1))
)


def _category(topic: Topic) -> Category:
    parts = _parts(topic)
    # Filling in what the words are drawn for anyway needs no second random source.
    turn = len(topic.title) + len(topic.own[0])
    count = 4 + turn % 3
    patterns = (_PATTERNS[(turn + step) % len(_PATTERNS)] for step in range(count))
    return Category.model_construct(
        name=_sentence(topic.title),
        description=_sentence(_DESCRIPTIONS[turn % len(_DESCRIPTIONS)].format_map(parts)),
        query_patterns=tuple(pattern.format_map(parts) for pattern in patterns),
        sources=tuple(_source(rank, topic, parts) for rank in (1, 2, 3)),
        aliases=tuple(filter(None, (f"{topic.activity} of {parts['modified']}s", topic.name))),
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
    name, kind, why = _SOURCES[rank - 1]
    return Source.model_construct(
        rank=rank,
        name=_sentence(name.format_map(parts)),
        url=f"https://example.org/{topic.slug}/{rank}",
        type=kind,
        why=why.format_map(parts),
    )


def _outside_topics(topics: list[Topic], count: int) -> Iterator[OutOfScopeTopic]:
    """Near neighbours: other things that people do with what the registry has topics on."""
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
