"""Claims: categories whose name a query is, whatever else its words match."""

from collections.abc import Iterator
from enum import IntEnum

from sources.baked.postings import is_name, is_whole_name, topic_of
from sources.matching.analysis import exact_key
from sources.matching.parsed_query import ParsedQuery, TermMatch
from sources.matching.strategy import Vocabulary
from sources.matching.weights import MAX_EMPTY_WEIGHT


class Claim(IntEnum):
    """How far the content words of a query are a name of a category; the greatest comes first.

    Content words are those that carry a topic: neither function words nor words that ask for material.
    """

    NONE = 0
    COMMON_WORD = 1
    """They are a whole name, which is one common word: "bread"."""
    PART = 2
    """All of them stand in the names of the category, and one is no common word."""
    WHOLE = 3
    """They are a whole name."""
    EXACT = 4
    """The whole query is a name or a pattern of the category, word for word, and no single common word."""


def find_claims(query: str, parsed: ParsedQuery, vocabulary: Vocabulary) -> dict[int, Claim]:
    """The categories that `query` names, each with its greatest claim.

    An out-of-scope topic with a claim as great leaves only those categories that the query names exactly.
    """
    content = sum(1 << at for at, weight in enumerate(parsed.weights) if weight > MAX_EMPTY_WEIGHT)
    distinctive = distinctive_positions(parsed, vocabulary)
    named: dict[int, tuple[int, int]] = {}
    for match in parsed.term_matches:
        for topic, is_whole in _named_topics(match, vocabulary):
            part, whole = named.get(topic, (0, 0))
            positions = _positions(match)
            named[topic] = (part | positions, whole | positions if is_whole else whole)
    claims = {topic: _claim(content, part, whole, distinctive) for topic, (part, whole) in named.items()}
    outside = max((claim for topic, claim in claims.items() if topic >= vocabulary.categories), default=Claim.NONE)
    greater = {
        topic: claim for topic, claim in claims.items() if topic < vocabulary.categories and claim > outside
    }
    return {**greater, **dict.fromkeys(_exact_topics(query, vocabulary), Claim.EXACT)}


def distinctive_positions(parsed: ParsedQuery, vocabulary: Vocabulary) -> int:
    """The positions of the query, as bits, that are no common word by themselves, or part of a phrase."""
    return _union(
        _positions(match)
        for match in parsed.term_matches
        if match.end - match.begin > 1 or not vocabulary.is_common(match.row)
    )


def _named_topics(match: TermMatch, vocabulary: Vocabulary) -> Iterator[tuple[int, bool]]:
    for posting in vocabulary.strongest_postings(match.row):
        whole = is_whole_name(posting)
        if whole or is_name(posting):
            yield topic_of(posting), whole


def _claim(content: int, part: int, whole: int, distinctive: int) -> Claim:
    if not content or content & ~part:
        return Claim.NONE
    if content & ~whole:
        return Claim.PART if content & distinctive else Claim.NONE
    return Claim.WHOLE if content & distinctive or content.bit_count() > 1 else Claim.COMMON_WORD


def _exact_topics(query: str, vocabulary: Vocabulary) -> Iterator[int]:
    """The categories that have the whole query as a text of their own."""
    row = vocabulary.find(exact_key(query))
    if row is not None:
        topics = map(topic_of, vocabulary.strongest_postings(row))
        yield from (topic for topic in topics if topic < vocabulary.categories)


def _positions(match: TermMatch) -> int:
    return (1 << match.end) - (1 << match.begin)


def _union(positions: Iterator[int]) -> int:
    union = 0
    for each in positions:
        union |= each
    return union
