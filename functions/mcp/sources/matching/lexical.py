"""The default score: how much of what a query says the vocabulary of a category explains.

Each word and phrase of the query is evidence for the topics that have it in their vocabulary: what it tells
(rare words tell more, words that ask for material next to nothing) times how much it speaks for that topic. A
place of the query counts once, by the best evidence for it. Then, for a category,

    score = logistic(BIAS + STRENGTH * ln(evidence + 0.05) + COVERAGE * covered + LEAD * lead)

where `covered` is the share of the query's weight that is evidence, and `lead` compares the evidence with
that for the nearest topic outside the registry, from -1 to 1. So one threshold means the same for a short and
for a long query, and a query that another topic explains better is refused. A query that is the slug, the
name, an alias or a pattern of a category, word for word, or a keyword that no other topic has, scores 1.
"""

from collections.abc import Iterable
from heapq import nlargest
from itertools import accumulate
from math import exp, log
from typing import ClassVar, Final, NamedTuple

from sources.baked.postings import field_of, impact_of, topic_of
from sources.matching.analysis import exact_key
from sources.matching.normalise import terms
from sources.matching.reading import Clue, Reading, read
from sources.matching.strategy import (
    LONGEST_QUERY,
    Evidence,
    Index,
    Lexicon,
    Match,
    Ranking,
    Settings,
    check_threshold,
)

# Fitted by `python -m tests.eval.calibrate`, then moved so that 0.4 is the threshold; see docs/matching.md.
BIAS: Final = -3.6
STRENGTH: Final = 2.9
COVERAGE: Final = 3.1
LEAD: Final = 2.9

# How many postings a query may read, and how many topics are looked up in the keys that were not read whole.
_MOST_POSTINGS: Final = 8192
_LOOKED_UP: Final = 32

# The share of a query that a topic outside must explain before the query is said to be about it.
_WORTH_NAMING: Final = 0.4

_EPSILON: Final = 0.05
_DIGITS: Final = 6


class Lexical:
    """The strategy `lexicon` over one registry."""

    name: ClassVar[str] = "lexicon"

    def __init__(self, index: Index, settings: Settings) -> None:
        check_threshold(settings)
        self._index = index
        self._settings = settings

    @property
    def threshold(self) -> float:
        """The score from which a match is accepted."""
        return self._settings.threshold

    def rank(self, query: str, *, limit: int) -> Ranking:
        """The `limit` best categories that share anything with `query`; its first 1,000 characters count."""
        query = query[:LONGEST_QUERY]
        lexicon = self._index.lexicon()
        reading = read(query, lexicon)
        found = weigh(query, reading, lexicon, limit=limit)
        matches = [
            Match(self._index.slug_at(topic), score(found, topic), _explained(reading.clues, topic, lexicon))
            for topic in found.evidence
        ]
        matches.sort(key=lambda match: (-match.score, match.slug))
        outside = None if found.nearer is None else lexicon.outside(found.nearer)
        return Ranking(terms(query), tuple(matches), outside, reading.unknown)


class Weighed(NamedTuple):
    """What a query tells.

    `evidence` is that for the categories that have most of it, `exact` are the topics that the query is word
    for word, `against` is the evidence for the nearest topic outside, `nearer` that topic if it explains a
    good part of the query, and more than any category, and `total` the weight of the whole query.
    """

    evidence: dict[int, float]
    exact: frozenset[int]
    against: float
    nearer: int | None
    total: float


def weigh(query: str, reading: Reading, lexicon: Lexicon, *, limit: int) -> Weighed:
    """The evidence in `query`, read as `reading`, for at most `limit` categories."""
    evidence = _evidence(reading, lexicon)
    exact = _exact(query, lexicon)
    evidence.update((topic, 0.0) for topic in exact - evidence.keys())
    inside = nlargest(
        limit,
        (topic for topic in evidence if topic < lexicon.categories),
        key=lambda topic: (topic in exact, evidence[topic], -topic),
    )
    outside = max(
        (topic for topic in evidence if topic >= lexicon.categories),
        key=lambda topic: (evidence[topic], -topic),
        default=None,
    )
    against = 0.0 if outside is None else evidence[outside]
    total = sum(reading.weights)
    best = max((evidence[topic] for topic in inside), default=0.0)
    nearer = against > best and against >= _WORTH_NAMING * total and exact.isdisjoint(inside)
    return Weighed(
        {topic: evidence[topic] for topic in inside}, exact, against, outside if nearer else None, total
    )


def score(found: Weighed, topic: int) -> float:
    """How well a category answers what was weighed, from 0 to 1."""
    if topic in found.exact:
        return 1.0
    evidence, against = found.evidence[topic], found.against
    strength, covered, lead = measures(evidence, against=against, total=found.total)
    return round(1 / (1 + exp(-(BIAS + STRENGTH * strength + COVERAGE * covered + LEAD * lead))), _DIGITS)


def measures(evidence: float, *, against: float, total: float) -> tuple[float, float, float]:
    """What a score is made of: strength, share of the query covered, and lead over the topics outside."""
    return (
        log(evidence + _EPSILON),
        evidence / total if total else 0.0,
        (evidence - against) / (evidence + against + _EPSILON),
    )


def _evidence(reading: Reading, lexicon: Lexicon) -> dict[int, float]:
    told = _told(reading.clues, lexicon, places=len(reading.weights))
    return {topic: sum(row) for topic, row in told.items()}


def _told(clues: Iterable[Clue], lexicon: Lexicon, *, places: int) -> dict[int, list[float]]:
    """What each place of a query tells for each topic that has any of its words."""
    told: dict[int, list[float]] = {}
    affordable, others = _affordable(clues, lexicon)
    for clue in affordable:
        for posting in lexicon.strongest(clue.row):
            _tell(told, clue, posting, places)
    looked_up = nlargest(_LOOKED_UP, told, key=lambda topic: sum(told[topic])) if others else ()
    for topic in looked_up:
        for clue in others:
            found = lexicon.posting(clue.row, topic)
            if found is not None:
                _tell(told, clue, found, places)
    return told


def _affordable(clues: Iterable[Clue], lexicon: Lexicon) -> tuple[list[Clue], list[Clue]]:
    """The clues whose postings are read, those with fewest first; and those of which not all are."""
    counted = sorted((len(lexicon.strongest(clue.row)), clue) for clue in clues)
    totals = accumulate(count for count, _ in counted)
    affordable = [clue for (_, clue), total in zip(counted, totals, strict=True) if total <= _MOST_POSTINGS]
    left = [clue for _, clue in counted[len(affordable) :]]
    return affordable, [*(clue for clue in affordable if not lexicon.whole(clue.row)), *left]


def _tell(told: dict[int, list[float]], clue: Clue, posting: int, places: int) -> None:
    row = told.setdefault(topic_of(posting), [])
    if not row:
        row.extend([0.0] * places)
    evidence = clue.weight * impact_of(posting)
    for place in range(clue.begin, clue.end):
        if evidence > row[place]:
            row[place] = evidence


def _exact(query: str, lexicon: Lexicon) -> frozenset[int]:
    """The topics that the query means word for word."""
    row = lexicon.find(exact_key(query))
    return frozenset() if row is None else frozenset(map(topic_of, lexicon.strongest(row)))


def _explained(clues: Iterable[Clue], topic: int, lexicon: Lexicon) -> tuple[Evidence, ...]:
    """The clues that speak for a topic, the strongest first, each word in one of them."""
    found = []
    for clue in clues:
        posting = lexicon.posting(clue.row, topic)
        if posting is not None:
            told = clue.weight * impact_of(posting) * (clue.end - clue.begin)
            found.append((-told, clue, field_of(posting)))
    explained: list[Evidence] = []
    taken: set[int] = set()
    for _, clue, field in sorted(found):
        places = set(range(clue.begin, clue.end))
        if not places & taken:
            taken |= places
            explained.append(Evidence(clue.words, field, clue.read_as))
    return tuple(explained)
