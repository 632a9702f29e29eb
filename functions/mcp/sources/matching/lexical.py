"""The default score: how much of a query the vocabulary of a category explains.

Each word and phrase of the query is evidence for the topics that have it in their vocabulary: its weight
(rare words have more, generic learning words almost none) times its impact in that topic. Each position of
the query counts once, with its best evidence. For a category,

    score = logistic(BIAS + STRENGTH * ln(evidence + 0.05) + COVERAGE * coverage + LEAD * lead)

where `coverage` is the share of the query's weight that is evidence, and `lead` compares the evidence with
that for the nearest out-of-scope topic, from -1 to 1. So one threshold fits short and long queries, and a
query that an out-of-scope topic explains better is refused. A query scores 1 if it equals, word for word, the
slug, the name, an alias or a pattern of a category, or a keyword that no other topic has.
"""

from collections.abc import Iterable
from heapq import nlargest
from itertools import accumulate
from enum import IntEnum
from math import exp, log
from typing import ClassVar, Final, NamedTuple

from sources.baked.postings import field_of, impact_of, is_whole_name, names, topic_of
from sources.matching.analysis import exact_key
from sources.matching.normalise import terms
from sources.matching.parsed_query import ParsedQuery, TermMatch, parse_query
from sources.matching.strategy import (
    MAX_QUERY_LENGTH,
    Evidence,
    Index,
    Match,
    MatchSettings,
    Ranking,
    Vocabulary,
    check_threshold,
)
from sources.matching.weights import (
    BIAS,
    CLAIM_SCORES,
    COVERAGE,
    LEAD,
    MAX_EMPTY_WEIGHT,
    MIN_OUT_OF_SCOPE_COVERAGE,
    STRENGTH,
)

# How many postings a query may read, and for how many topics the terms beyond that are looked up.
_MAX_POSTINGS: Final = 8192
_MAX_LOOKUPS: Final = 32

_EPSILON: Final = 0.05
_DIGITS: Final = 6


class LexicalStrategy:
    """The strategy `lexicon` over one registry."""

    name: ClassVar[str] = "lexicon"

    def __init__(self, index: Index, settings: MatchSettings) -> None:
        check_threshold(settings)
        self._index = index
        self._settings = settings

    @property
    def threshold(self) -> float:
        """The least score of an accepted match."""
        return self._settings.threshold

    def rank(self, query: str, *, limit: int) -> Ranking:
        """The `limit` best categories with any evidence; only the query's first 1,000 characters count."""
        query = query[:MAX_QUERY_LENGTH]
        vocabulary = self._index.vocabulary()
        parsed = parse_query(query, vocabulary)
        found = weigh_query(query, parsed, vocabulary, limit=limit)
        matches = [
            Match(self._index.slug_at(topic), score(found, topic), _explanation(parsed, topic, vocabulary))
            for topic in found.evidence
        ]
        matches.sort(key=lambda match: (-match.score, match.slug))
        topic = found.out_of_scope_topic
        out_of_scope = None if topic is None else vocabulary.out_of_scope_name(topic)
        return Ranking(terms(query), tuple(matches), out_of_scope, parsed.unknown)


class Claim(IntEnum):
    """How far the content words of a query are the name of a category."""

    NONE = 0
    COMMON = 1
    """They are a whole name, but a common word: "bread"."""
    PART = 2
    """All of them are in its names, and one of them is no common word."""
    WHOLE = 3
    """They are a whole name."""


class QueryEvidence(NamedTuple):
    """The evidence of a query for the topics that it may mean.

    `evidence` holds the categories with most of it, and `exact` the topics that the query equals word for
    word. `out_of_scope_evidence` is that for the nearest out-of-scope topic, and `out_of_scope_topic` that
    topic, if it explains a good part of the query and more than every category. `total_weight` is the query's
    weight.
    """

    evidence: dict[int, float]
    exact: frozenset[int]
    claims: dict[int, Claim]
    out_of_scope_evidence: float
    out_of_scope_topic: int | None
    total_weight: float


def weigh_query(query: str, parsed: ParsedQuery, vocabulary: Vocabulary, *, limit: int) -> QueryEvidence:
    """The evidence of `query`, already parsed, for at most `limit` categories."""
    evidence = {topic: sum(row) for topic, row in _evidence_by_position(parsed, vocabulary).items()}
    exact = _exact_topics(query, vocabulary)
    claims = _claims(parsed, vocabulary)
    evidence.update((topic, 0.0) for topic in exact - evidence.keys())
    best = nlargest(
        limit,
        (topic for topic in evidence if topic < vocabulary.categories),
        key=lambda topic: (topic in exact, claims.get(topic, Claim.NONE), evidence[topic], -topic),
    )
    nearest = max(
        (topic for topic in evidence if topic >= vocabulary.categories),
        key=lambda topic: (evidence[topic], -topic),
        default=None,
    )
    against = 0.0 if nearest is None else evidence[nearest]
    total_weight = sum(parsed.weights)
    about_nearest = (
        against > max((evidence[topic] for topic in best), default=0.0)
        and against >= MIN_OUT_OF_SCOPE_COVERAGE * total_weight
        and exact.isdisjoint(best)
        and not claims
    )
    return QueryEvidence(
        {topic: evidence[topic] for topic in best},
        exact,
        claims,
        against,
        nearest if about_nearest else None,
        total_weight,
    )


def score(found: QueryEvidence, topic: int) -> float:
    """The score of one of the categories in `found.evidence`, from 0 to 1."""
    if topic in found.exact:
        return 1.0
    strength, coverage, lead = score_features(found, topic)
    value = 1 / (1 + exp(-(BIAS + STRENGTH * strength + COVERAGE * coverage + LEAD * lead)))
    return round(max(value, CLAIM_SCORES[found.claims.get(topic, Claim.NONE)]), _DIGITS)


def score_features(found: QueryEvidence, topic: int) -> tuple[float, float, float]:
    """The features of a category's score: strength, coverage of the query, lead over out-of-scope topics."""
    evidence, against, total = found.evidence[topic], found.out_of_scope_evidence, found.total_weight
    return (
        log(evidence + _EPSILON),
        evidence / total if total else 0.0,
        (evidence - against) / (evidence + against + _EPSILON),
    )


def _evidence_by_position(parsed: ParsedQuery, vocabulary: Vocabulary) -> dict[int, list[float]]:
    """For each topic with any of the query's terms, its best evidence at each position of the query."""
    rows: dict[int, list[float]] = {}
    positions = len(parsed.weights)
    within_budget, others = _split_by_budget(parsed.term_matches, vocabulary)
    for match in within_budget:
        for posting in vocabulary.strongest_postings(match.row):
            _add_evidence(rows, match, posting, positions)
    looked_up = nlargest(_MAX_LOOKUPS, rows, key=lambda topic: sum(rows[topic])) if others else ()
    for topic in looked_up:
        for match in others:
            found = vocabulary.posting(match.row, topic)
            if found is not None:
                _add_evidence(rows, match, found, positions)
    return rows


def _claims(parsed: ParsedQuery, vocabulary: Vocabulary) -> dict[int, Claim]:
    """The categories whose names have all content words of the query."""
    content = sum(1 << at for at, weight in enumerate(parsed.weights) if weight > MAX_EMPTY_WEIGHT)
    distinctive = 0
    named: dict[int, list[int]] = {}
    for match in parsed.term_matches:
        span = (1 << match.end) - (1 << match.begin)
        if match.end - match.begin > 1 or not vocabulary.is_common(match.row):
            distinctive |= span
        for posting in vocabulary.strongest_postings(match.row):
            if (names(posting) or is_whole_name(posting)) and topic_of(posting) < vocabulary.categories:
                spans = named.setdefault(topic_of(posting), [0, 0])
                spans[0] |= span
                spans[1] |= span if is_whole_name(posting) else 0
    return {
        topic: _claim(whole, content, distinctive)
        for topic, (part, whole) in named.items()
        if content and not content & ~part and (not content & ~whole or content & distinctive)
    }


def _claim(whole: int, content: int, distinctive: int) -> Claim:
    if content & ~whole:
        return Claim.PART
    return Claim.WHOLE if content & distinctive or content.bit_count() > 1 else Claim.COMMON


def _split_by_budget(
    term_matches: Iterable[TermMatch], vocabulary: Vocabulary
) -> tuple[list[TermMatch], list[TermMatch]]:
    """The terms whose postings are read, fewest postings first; and those of which not all are read."""
    counted = sorted((len(vocabulary.strongest_postings(match.row)), match) for match in term_matches)
    totals = accumulate(count for count, _ in counted)
    within = [match for (_, match), total in zip(counted, totals, strict=True) if total <= _MAX_POSTINGS]
    beyond = [match for _, match in counted[len(within) :]]
    return within, [*(match for match in within if not vocabulary.is_complete(match.row)), *beyond]


def _add_evidence(rows: dict[int, list[float]], match: TermMatch, posting: int, positions: int) -> None:
    row = rows.setdefault(topic_of(posting), [])
    if not row:
        row.extend([0.0] * positions)
    evidence = match.weight * impact_of(posting)
    for position in range(match.begin, match.end):
        if evidence > row[position]:
            row[position] = evidence


def _exact_topics(query: str, vocabulary: Vocabulary) -> frozenset[int]:
    """The topics that have the whole query as a text of their own."""
    row = vocabulary.find(exact_key(query))
    return frozenset() if row is None else frozenset(map(topic_of, vocabulary.strongest_postings(row)))


def _explanation(parsed: ParsedQuery, topic: int, vocabulary: Vocabulary) -> tuple[Evidence, ...]:
    """The evidence for a topic, the strongest first, each word of the query in at most one of them."""
    found = []
    for match in parsed.term_matches:
        posting = vocabulary.posting(match.row, topic)
        if posting is not None:
            evidence = match.weight * impact_of(posting) * (match.end - match.begin)
            found.append((-evidence, match, field_of(posting)))
    explanation: list[Evidence] = []
    explained: set[int] = set()
    for _, match, field in sorted(found):
        positions = set(range(match.begin, match.end))
        if explained.isdisjoint(positions):
            explained |= positions
            explanation.append(Evidence(match.words, field, match.read_as))
    return tuple(explanation)
