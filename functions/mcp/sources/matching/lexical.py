"""The default score: how much of a query the vocabulary of a category explains.

Each word and phrase of the query is evidence for the topics that have it in their vocabulary: its weight
(rare words have more, words that ask for material almost none) times its impact in that topic. Each position
of the query counts once, with its best evidence. The score of a category is

    logistic(BIAS + STRENGTH * ln(evidence + 0.05) + COVERAGE * coverage + LEAD * lead + COMMON_WORD * common)

where `coverage` is the share of the query's weight that is evidence, `lead` compares the evidence with that
for the nearest out-of-scope topic, from -1 to 1, and `common` is 1 if all evidence is one common word. So one
threshold fits short and long queries. The score estimates how likely the category is right, if half of what
is asked has a category; that of a category that is not the best depends on the best one's evidence as well.
Categories that the query names come before all others (`sources.matching.claims`).
"""

from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest
from itertools import accumulate
from math import exp, log
from typing import ClassVar, Final, NamedTuple

from sources.baked.postings import field_of, impact_of, topic_of
from sources.matching.claims import Claim, distinctive_positions, find_claims
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
    BEST_SHARE,
    BIAS,
    CLAIM_SCORES,
    COMMON_WORD,
    COVERAGE,
    LEAD,
    LEAD_OF_EQUALS,
    LEAD_WITHOUT_TOPICS,
    MIN_OUT_OF_SCOPE_COVERAGE,
    MIN_SUPPORT,
    STRENGTH,
)

# How many postings a query may read, and for how many topics the terms beyond that are looked up.
_MAX_POSTINGS: Final = 8192
_MAX_LOOKUPS: Final = 32

_EPSILON: Final = 0.05
_DIGITS: Final = 6


class CategoryEvidence(NamedTuple):
    """The evidence of a query for a category, and its claim; whether one common word is all of it."""

    total: float
    is_common_word: bool
    claim: Claim


class QueryEvidence(NamedTuple):
    """The evidence of a query for the topics that it may mean.

    `categories` are those that it may mean most, the best first. `out_of_scope_evidence` is that for the
    nearest out-of-scope topic, and `out_of_scope_topic` that topic, if it explains a good part of the query
    and more than every category. `total_weight` is the query's weight, and `has_out_of_scope` is whether the
    registry has out-of-scope topics at all.
    """

    categories: dict[int, CategoryEvidence]
    out_of_scope_evidence: float
    out_of_scope_topic: int | None
    total_weight: float
    has_out_of_scope: bool


class ScoreFeatures(NamedTuple):
    """The features of a category's score; see the module."""

    strength: float
    coverage: float
    lead: float
    common: float


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
            for topic in found.categories
        ]
        matches.sort(key=lambda match: -match.score)  # equal ones stay in the order of claims and evidence
        topic = found.out_of_scope_topic
        out_of_scope = None if topic is None else vocabulary.out_of_scope_name(topic)
        return Ranking(terms(query), tuple(matches), out_of_scope, parsed.unknown)


def weigh_query(query: str, parsed: ParsedQuery, vocabulary: Vocabulary, *, limit: int) -> QueryEvidence:
    """The evidence of `query`, already parsed, for at most `limit` categories."""
    rows = _evidence_by_position(parsed, vocabulary)
    evidence = {topic: sum(row) for topic, row in rows.items()}
    claims = find_claims(query, parsed, vocabulary)
    best = nlargest(
        limit,
        {topic for topic in (*evidence, *claims) if topic < vocabulary.categories},
        key=lambda topic: (claims.get(topic, Claim.NONE), evidence.get(topic, 0.0), -topic),
    )
    nearest = _nearest_out_of_scope(evidence, vocabulary)
    against = 0.0 if nearest is None else evidence[nearest]
    total_weight = sum(parsed.weights)
    distinctive = distinctive_positions(parsed, vocabulary)
    about_nearest = (
        nearest is not None
        and against > max((evidence.get(topic, 0.0) for topic in best), default=0.0)
        and against >= MIN_OUT_OF_SCOPE_COVERAGE * total_weight
        and not _category_evidence(rows[nearest], distinctive, Claim.NONE).is_common_word
        and not claims
    )
    return QueryEvidence(
        {
            topic: _category_evidence(rows.get(topic, ()), distinctive, claims.get(topic, Claim.NONE))
            for topic in best
        },
        against,
        nearest if about_nearest else None,
        total_weight,
        vocabulary.has_out_of_scope,
    )


def _nearest_out_of_scope(evidence: Mapping[int, float], vocabulary: Vocabulary) -> int | None:
    return max(
        (topic for topic in evidence if topic >= vocabulary.categories),
        key=lambda topic: (evidence[topic], -topic),
        default=None,
    )


def score(found: QueryEvidence, topic: int) -> float:
    """The score of one of the categories in `found`, from 0 to 1."""
    category = found.categories[topic]
    if category.claim is Claim.EXACT:
        return 1.0
    strength, coverage, lead, common = score_features(found, topic)
    total = BIAS + STRENGTH * strength + COVERAGE * coverage + LEAD * lead + COMMON_WORD * common
    value = 1 / (1 + exp(-total))
    return round(max(value, CLAIM_SCORES[category.claim]) if _is_equal(category, found) else value, _DIGITS)


def score_features(found: QueryEvidence, topic: int) -> ScoreFeatures:
    """The features of the score of one of the categories in `found`."""
    category, total = found.categories[topic], found.total_weight
    lead = (
        _lead(category.total, found.out_of_scope_evidence) if found.has_out_of_scope else LEAD_WITHOUT_TOPICS
    )
    best = next(iter(found.categories.values()))
    if category is not best:
        equals = LEAD_OF_EQUALS if _is_equal(category, found) else 0.0
        lead = min(lead, equals + BEST_SHARE * _lead(category.total, best.total))
    return ScoreFeatures(
        log(category.total + _EPSILON),
        category.total / total if total else 0.0,
        lead,
        float(category.is_common_word),
    )


def _is_equal(category: CategoryEvidence, found: QueryEvidence) -> bool:
    """Whether the claim of a category is as great as that of the best one."""
    return category.claim is next(iter(found.categories.values())).claim


def _lead(evidence: float, against: float) -> float:
    """How far `evidence` leads, from -1 to 1."""
    return (evidence - against) / (evidence + against + _EPSILON)


def _category_evidence(row: Sequence[float], distinctive: int, claim: Claim) -> CategoryEvidence:
    support = [position for position, evidence in enumerate(row) if evidence >= MIN_SUPPORT]
    is_common_word = len(support) == 1 and not distinctive >> support[0] & 1
    return CategoryEvidence(sum(row), is_common_word, claim)


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
