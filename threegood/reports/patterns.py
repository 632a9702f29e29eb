"""Query patterns that are ambiguous: collisions between categories, and patterns that match something else.

Patterns are judged as the strategy `lexicon` parses them, without its rule for exact matches: a query that
equals a pattern finds its category in any case, which does not show how similar queries fare.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from typing import Final, NamedTuple

from sources.baked import Lexicon
from sources.matching.analysis import analyse, phrase_key
from sources.matching.claims import Claim
from sources.matching.lexical import CategoryEvidence, QueryEvidence, score, weigh_query
from sources.matching.parsed_query import parse_query
from threegood.registry.records import Category, CategoryVocabulary, Registry
from threegood.reports.score_breakdown import nearest_out_of_scope

# Sums of the same numbers in another order differ by less.
_TOLERANCE: Final = 1e-9


class RegistryText(NamedTuple):
    """A text that names its category, and the field that it is in."""

    slug: str
    field: str
    text: str


class Collision(NamedTuple):
    """Two texts of different categories that are the same to the matching; at least one is a pattern."""

    one: RegistryText
    other: RegistryText


class Misrouted(NamedTuple):
    """A pattern whose words match something else better than its own category.

    That is either the category `rival` or the topic `out_of_scope`; the other one is `None`. `score` is that
    of the pattern's own category, `rival_score` that of the rival; an out-of-scope topic has none.
    """

    slug: str
    pattern: str
    score: float
    rival: str | None = None
    rival_score: float | None = None
    out_of_scope: str | None = None


def collisions(registry: Registry) -> list[Collision]:
    """The patterns that are the same as a pattern, an alias, the name or the slug of another category."""
    same: dict[str, list[RegistryText]] = defaultdict(list)
    for slug, category in sorted(registry.categories.items()):
        for text in _naming_texts(slug, category, registry.vocabulary.of(slug)):
            same[_key(text.text)].append(text)
    pairs = {(one.slug, other.slug, key): Collision(one, other) for key, one, other in _pairs(same)}
    return list(pairs.values())


def misrouted(registry: Registry, vocabulary: Lexicon) -> Iterator[Misrouted]:
    """The patterns that match another category or an out-of-scope topic better than their own category."""
    slugs = sorted(registry.categories)
    for topic, slug in enumerate(slugs):
        for pattern in registry.categories[slug].query_patterns:
            found = _evidence_of_words(pattern, topic, vocabulary)
            own, rival = found.categories[topic].total, _best_rival(found, topic)
            result = Misrouted(slug, pattern, score(found, topic))
            if found.out_of_scope_evidence - _TOLERANCE > max(own, rival.evidence):
                yield result._replace(out_of_scope=_nearest_name(pattern, vocabulary))
            elif rival.evidence - _TOLERANCE > own:
                yield result._replace(rival=slugs[rival.topic], rival_score=score(found, rival.topic))


def _naming_texts(slug: str, category: Category, words: CategoryVocabulary) -> Iterator[RegistryText]:
    """The texts of a category that alone mean it when a query equals them."""
    yield RegistryText(slug, "slug", slug.replace("-", " "))
    yield RegistryText(slug, "name", category.name)
    yield from (RegistryText(slug, "alias", alias) for alias in words.aliases)
    yield from (RegistryText(slug, "pattern", pattern) for pattern in category.query_patterns)


def _key(text: str) -> str:
    """Equal for texts that are the same to the matching."""
    words = analyse(text)
    return phrase_key(words) if words else f"={text}"  # only stop words: equal to nothing else


def _pairs(same: dict[str, list[RegistryText]]) -> Iterator[tuple[str, RegistryText, RegistryText]]:
    for key, texts in same.items():
        for one, other in combinations(texts, 2):
            if one.slug != other.slug and "pattern" in (one.field, other.field):
                yield key, one, other


class _Rival(NamedTuple):
    topic: int
    evidence: float


def _evidence_of_words(pattern: str, topic: int, vocabulary: Lexicon) -> QueryEvidence:
    """The evidence of a pattern's words for every category, `topic` among them, without exact matches."""
    found = weigh_query(pattern, parse_query(pattern, vocabulary), vocabulary, limit=vocabulary.categories)
    nothing = CategoryEvidence(0.0, is_common_word=False, claim=Claim.NONE)
    unnamed = {each: own._replace(claim=Claim.NONE) for each, own in found.categories.items()}
    best_first = sorted({topic: nothing, **unnamed}.items(), key=lambda item: -item[1].total)
    return found._replace(categories=dict(best_first))


def _best_rival(found: QueryEvidence, topic: int) -> _Rival:
    rivals = (_Rival(other, each.total) for other, each in found.categories.items() if other != topic)
    return max(rivals, key=lambda rival: (rival.evidence, -rival.topic), default=_Rival(topic, 0.0))


def _nearest_name(query: str, vocabulary: Lexicon) -> str | None:
    nearest = nearest_out_of_scope(parse_query(query, vocabulary), vocabulary)
    return None if nearest is None else vocabulary.out_of_scope_name(nearest)
