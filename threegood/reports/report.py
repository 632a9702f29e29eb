"""What a curator should know of a valid registry: patterns that collide, and words that it lacks.

The patterns are judged as the strategy `lexicon` reads them. A query that is a pattern word for word finds
its category whatever else is in it, so that rule is left aside here: it says nothing of a query that is only
like the pattern.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any, Final, NamedTuple

from sources.baked import Lexicon
from sources.matching import Settings
from sources.matching.analysis import analyse, phrase_key
from sources.matching.lexical import Weighed, score, weigh
from sources.matching.reading import read
from threegood.baking.lexicon import lexicon
from threegood.registry.records import Category, Registry
from threegood.reports.score_breakdown import nearest_outside, nobodys

_FOLDS: Final = 3

# Sums of the same numbers in another order differ by less.
_ALIKE: Final = 1e-9


class Text(NamedTuple):
    """A text that means its category, and the field that it stands in."""

    slug: str
    field: str
    text: str


class Collision(NamedTuple):
    """Two texts of different categories that are the same to the matching; at least one is a pattern."""

    one: Text
    other: Text


class Drawn(NamedTuple):
    """A pattern whose words speak more for something else than for its own category.

    That is the category `rival` or the topic `outside`; the other of the two is `None`. `score` is how well
    the pattern's own category answers it, `rivals_score` how well the rival does; a topic outside has none.
    """

    slug: str
    pattern: str
    score: float
    rival: str | None = None
    rivals_score: float | None = None
    outside: str | None = None


class Missed(NamedTuple):
    """A pattern that does not find its category once it is left out, and which one it finds, if any."""

    pattern: str
    finds: str | None


class Unaided(NamedTuple):
    """How the patterns of a category fare that are left out of the vocabulary: how many, and which fail."""

    slug: str
    patterns: int
    missed: tuple[Missed, ...]


class Missing(NamedTuple):
    """A word that no topic has in its vocabulary, how many queries hold it, and the first of them."""

    word: str
    queries: int
    example: str


def collisions(registry: Registry) -> list[Collision]:
    """The patterns that say what another category says in a pattern, an alias, its name or its slug."""
    alike: dict[str, list[Text]] = defaultdict(list)
    for slug, category in sorted(registry.categories.items()):
        for text in _meaning(slug, category):
            alike[_key(text.text)].append(text)
    pairs = {(one.slug, other.slug, key): Collision(one, other) for key, one, other in _pairs(alike)}
    return list(pairs.values())


def drawn_away(registry: Registry, vocabulary: Lexicon) -> Iterator[Drawn]:
    """The patterns that speak more for another category, or for a topic outside, than for their own."""
    slugs = sorted(registry.categories)
    for topic, slug in enumerate(slugs):
        for pattern in registry.categories[slug].query_patterns:
            found = _by_words(pattern, topic, vocabulary)
            own, rival = found.evidence[topic], _best_of_others(found, topic)
            drawn = Drawn(slug, pattern, score(found, topic))
            if found.against - _ALIKE > max(own, rival.evidence):
                yield drawn._replace(outside=_outside(pattern, vocabulary))
            elif rival.evidence - _ALIKE > own:
                yield drawn._replace(rival=slugs[rival.topic], rivals_score=score(found, rival.topic))


def unaided(registry: Registry) -> list[Unaided]:
    """For each category, what its patterns find while they are left out, a third of all at a time."""
    slugs = sorted(registry.categories)
    missed: dict[str, list[Missed]] = {slug: [] for slug in slugs}
    for fold in range(_FOLDS):
        vocabulary = Lexicon(lexicon(_without(registry, fold)))
        for slug in slugs:
            for pattern in registry.categories[slug].query_patterns[fold::_FOLDS]:
                finds = _finds(pattern, vocabulary, slugs)
                if finds != slug:
                    missed[slug].append(Missed(pattern, finds))
    return [
        Unaided(slug, len(registry.categories[slug].query_patterns), tuple(missed[slug])) for slug in slugs
    ]


def missing_words(queries: Iterable[str], vocabulary: Lexicon) -> list[Missing]:
    """The words of `queries` that no topic has, those of most queries first; one for all its endings.

    Left out are words that tell next to nothing: "guide", "make", a number.
    """
    counts: Counter[str] = Counter()
    first: dict[str, tuple[str, str]] = {}
    for query in queries:
        for word in nobodys(read(query, vocabulary), vocabulary):
            counts[_key(word)] += 1
            first.setdefault(_key(word), (word, query))
    missing = [Missing(word, counts[key], query) for key, (word, query) in first.items()]
    return sorted(missing, key=lambda each: (-each.queries, each.word))


def logged_queries(text: str) -> list[str]:
    """The queries without a match in a log of the function, or in a list of one query a line.

    It is a log if any line begins with a JSON object, or notes a query behind a time stamp. Of a log only
    those lines count that note a query: `{"notes": {"no_match": "…"}, …}`.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    entries = [(line, entry) for line in lines if (entry := _entry(line)) is not None]
    noted = [query for _, entry in entries if (query := _noted(entry))]
    return noted if noted or any(line.startswith("{") for line, _ in entries) else lines


def _meaning(slug: str, category: Category) -> Iterator[Text]:
    """The texts of a category that a query may say to mean it, and nothing else."""
    yield Text(slug, "slug", slug.replace("-", " "))
    yield Text(slug, "name", category.name)
    yield from (Text(slug, "alias", alias) for alias in category.aliases)
    yield from (Text(slug, "pattern", pattern) for pattern in category.query_patterns)


def _key(text: str) -> str:
    """Equal for texts that are the same to the matching."""
    words = analyse(text)
    return phrase_key(words) if words else f"={text}"  # nothing else is like words that do not count


def _pairs(alike: dict[str, list[Text]]) -> Iterator[tuple[str, Text, Text]]:
    for key, same in alike.items():
        for one, other in combinations(same, 2):
            if one.slug != other.slug and "pattern" in (one.field, other.field):
                yield key, one, other


class _Rival(NamedTuple):
    topic: int
    evidence: float


def _by_words(pattern: str, topic: int, vocabulary: Lexicon) -> Weighed:
    """What the words of a pattern tell for every category, `topic` among them, whatever it is as a whole."""
    found = weigh(pattern, read(pattern, vocabulary), vocabulary, limit=vocabulary.categories)
    return found._replace(evidence={topic: 0.0, **found.evidence}, exact=frozenset())


def _best_of_others(found: Weighed, topic: int) -> _Rival:
    others = (_Rival(*each) for each in found.evidence.items() if each[0] != topic)
    return max(others, key=lambda rival: (rival.evidence, -rival.topic), default=_Rival(topic, 0.0))


def _outside(query: str, vocabulary: Lexicon) -> str | None:
    """The topic outside that a query is nearest to."""
    nearest = nearest_outside(read(query, vocabulary), vocabulary)
    return None if nearest is None else vocabulary.outside(nearest)


def _finds(query: str, vocabulary: Lexicon, slugs: Sequence[str]) -> str | None:
    """The category that a query is answered with, if any, at the threshold that is usual."""
    found = weigh(query, read(query, vocabulary), vocabulary, limit=1)
    answered = (slugs[topic] for topic in found.evidence if score(found, topic) >= Settings().threshold)
    return next(answered, None)


def _without(registry: Registry, fold: int) -> Registry:
    """The registry without a part of the patterns of each category."""
    categories = {
        slug: category.model_copy(update={"query_patterns": _others(category.query_patterns, fold)})
        for slug, category in registry.categories.items()
    }
    return registry.model_copy(update={"categories": categories})


def _others(patterns: Sequence[str], fold: int) -> tuple[str, ...]:
    return tuple(pattern for place, pattern in enumerate(patterns) if place % _FOLDS != fold)


def _entry(line: str) -> dict[str, Any] | None:
    """The JSON object that `line` ends with, if it does."""
    try:
        found = json.loads(line[line.index("{") :])
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _noted(entry: dict[str, Any]) -> str:
    """The query that a line of the log notes, or nothing."""
    notes = entry.get("notes")
    query = notes.get("no_match") if isinstance(notes, dict) else None
    return query if isinstance(query, str) else ""
