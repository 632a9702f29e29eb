"""The reference score: spelling distance to the nearest phrase, and words shared with the slug.

    score = fuzzy_weight * fuzzy + keyword_weight * keyword

`fuzzy` is the best normalised Levenshtein similarity between the query and a phrase of the category,
`keyword` the share of the slug's terms that the query has. Simple and predictable, but weak on word order and
synonyms.
"""

from collections.abc import Callable
from functools import cached_property
from heapq import nsmallest
from math import isclose
from typing import ClassVar, Final, NamedTuple

from sources.matching.normalise import terms
from sources.matching.strategy import (
    MAX_QUERY_LENGTH,
    Evidence,
    Index,
    Match,
    MatchSettings,
    Ranking,
    check_threshold,
)

# Rounding hides the error of floating-point sums, so that a score equal to the threshold reaches it.
_DIGITS: Final = 6

Similarity = Callable[[str, str], float]


class _Entry(NamedTuple):
    slug: str
    terms: tuple[str, ...]
    phrases: tuple[str, ...]


class ReferenceStrategy:
    """The reference strategy over one registry."""

    name: ClassVar[str] = "reference"

    def __init__(self, index: Index, settings: MatchSettings) -> None:
        _check_settings(settings)
        self._index = index
        self._settings = settings

    @property
    def threshold(self) -> float:
        """The least score of an accepted match."""
        return self._settings.threshold

    def rank(self, query: str, *, limit: int) -> Ranking:
        """The `limit` best categories; only the query's first 1,000 characters count."""
        wanted = terms(query[:MAX_QUERY_LENGTH])
        if not wanted:
            return Ranking((), ())
        text, present, similarity = " ".join(wanted), frozenset(wanted), _similarity()
        scored = ((-self._score(entry, text, present, similarity), entry) for entry in self._entries)
        best = nsmallest(limit, scored)  # slugs differ, so they order equal scores
        return Ranking(
            wanted, tuple(_match(entry, -score, text, present, similarity) for score, entry in best)
        )

    @cached_property
    def _entries(self) -> tuple[_Entry, ...]:
        return tuple(
            _Entry(slug, tuple(phrases[0].split()), phrases) for slug, phrases in self._index.phrases()
        )

    def _score(self, entry: _Entry, text: str, present: frozenset[str], similarity: Similarity) -> float:
        fuzzy = max(similarity(text, phrase) for phrase in entry.phrases)
        keyword = len(_shared(entry, present)) / len(entry.terms) if entry.terms else 0.0
        return round(self._settings.fuzzy_weight * fuzzy + self._settings.keyword_weight * keyword, _DIGITS)


def _similarity() -> Similarity:
    # Imported at the first query: it costs a quarter of a cold start.
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.normalized_similarity


def _match(entry: _Entry, score: float, text: str, present: frozenset[str], similarity: Similarity) -> Match:
    nearest = max(entry.phrases, key=lambda phrase: similarity(text, phrase))
    shared = (Evidence(term, "slug", term) for term in _shared(entry, present))
    return Match(entry.slug, score, (Evidence(text, "phrase", nearest), *shared))


def _shared(entry: _Entry, present: frozenset[str]) -> tuple[str, ...]:
    return tuple(term for term in entry.terms if term in present)


def _check_settings(settings: MatchSettings) -> None:
    check_threshold(settings)
    weights = (settings.fuzzy_weight, settings.keyword_weight)
    if min(weights) < 0 or not isclose(sum(weights), 1):
        raise ValueError(
            f"The weights are {weights[0]} and {weights[1]}; they must not be negative, and add up to 1."
        )
