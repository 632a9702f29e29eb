"""Claims: categories that a query names, whatever else its words match."""

from collections.abc import Iterator
from enum import IntEnum
from typing import Final

from sources.baked.postings import is_name, is_whole_name, topic_of
from sources.matching.analysis import exact_key
from sources.matching.parsed_query import ParsedQuery, TermMatch
from sources.matching.strategy import Vocabulary
from sources.matching.weights import MAX_EMPTY_WEIGHT

# A longer query is not read as names of several categories, which bounds the postings that are read for it.
_MAX_WORDS_OF_SEVERAL: Final = 8


class Claim(IntEnum):
    """How far the content words of a query are a name of a category; the greatest comes first.

    Content words are those that carry a topic: neither function words nor words that ask for material.
    """

    NONE = 0
    COMMON_WORD = 1
    """One common or empty word, which is a whole name in this very spelling: "bread", "docs"."""
    SEVERAL = 2
    """They are whole names of several categories, this one among them, and one is no common word."""
    PART = 3
    """All of them stand in the names of the category, and they are more than one common word."""
    WHOLE = 4
    """They are a whole name."""
    EXACT = 5
    """The whole query is a name or a pattern of the category, word for word, and no common word alone."""


def find_claims(query: str, parsed: ParsedQuery, vocabulary: Vocabulary) -> dict[int, Claim]:
    """The categories that `query` names, each with its greatest claim.

    An out-of-scope topic with a claim as great leaves only those categories that the query names exactly.
    """
    content = sum(1 << at for at, weight in enumerate(parsed.weights) if weight > MAX_EMPTY_WEIGHT)
    named = dict.fromkeys(_topics_named(query, vocabulary), Claim.EXACT)
    if content.bit_count() < 2 and not content & distinctive_positions(parsed, vocabulary):
        is_one_word = len(parsed.weights) == 1
        if named and not is_one_word:
            return named
        word = _word_at(1 if is_one_word else content, parsed)
        return dict.fromkeys(_topics_named(word, vocabulary), Claim.COMMON_WORD)
    claims = _claims_of_words(content, parsed, vocabulary)
    outside = max((claim for topic, claim in claims.items() if topic >= vocabulary.categories), default=0)
    greater = {
        topic: claim for topic, claim in claims.items() if topic < vocabulary.categories and claim > outside
    }
    return {**(greater or _several_named(content, parsed, vocabulary, outside)), **named}


def distinctive_positions(parsed: ParsedQuery, vocabulary: Vocabulary) -> int:
    """The positions of the query, as bits, that are no common word by themselves, or part of a phrase."""
    positions = 0
    for match in parsed.term_matches:
        if match.end - match.begin > 1 or not vocabulary.is_common(match.row):
            positions |= _positions(match)
    return positions


def _claims_of_words(content: int, parsed: ParsedQuery, vocabulary: Vocabulary) -> dict[int, Claim]:
    """The claims of all topics whose names have the content words, in any order and form."""
    claims = {}
    for topic in _topics_with_rarest(content, parsed, vocabulary):
        part = whole = 0
        for match in parsed.term_matches:
            posting = vocabulary.posting(match.row, topic)
            if posting is not None and _may_claim(posting, match):
                part |= _positions(match)
                whole |= _positions(match) if is_whole_name(posting) else 0
        if not content & ~whole:
            claims[topic] = Claim.WHOLE
        elif not content & ~part:
            claims[topic] = Claim.PART
    return claims


def _several_named(
    content: int, parsed: ParsedQuery, vocabulary: Vocabulary, outside: int
) -> dict[int, Claim]:
    """The categories whose whole names are the content words; none if an out-of-scope topic claims them."""
    if outside or content.bit_count() > _MAX_WORDS_OF_SEVERAL:
        return {}
    if not content & distinctive_positions(parsed, vocabulary):
        return {}
    claims, positions = {}, 0
    for match in parsed.term_matches:
        for posting in vocabulary.strongest_postings(match.row):
            if is_whole_name(posting) and topic_of(posting) < vocabulary.categories:
                claims[topic_of(posting)] = Claim.SEVERAL
                positions |= _positions(match)
    return {} if content & ~positions else claims


def _topics_with_rarest(content: int, parsed: ParsedQuery, vocabulary: Vocabulary) -> set[int]:
    """The topics whose names have the content word that the fewest topics have."""
    matches: dict[int, list[TermMatch]] = {
        1 << at: [] for at in range(len(parsed.weights)) if content >> at & 1
    }
    for match in parsed.term_matches:
        for position in matches:
            if _positions(match) & position:
                matches[position].append(match)
    rarest = min(
        matches.values(),
        key=lambda own: sum(len(vocabulary.strongest_postings(match.row)) for match in own),
    )
    return {
        topic_of(posting)
        for match in rarest
        for posting in vocabulary.strongest_postings(match.row)
        if _may_claim(posting, match)
    }


def _may_claim(posting: int, match: TermMatch) -> bool:
    """Whether a term is a whole name of its topic, or a part of one that was not corrected."""
    return is_whole_name(posting) or (is_name(posting) and match.read_as == match.words)


def _topics_named(text: str, vocabulary: Vocabulary) -> Iterator[int]:
    """The categories with a name or pattern that is `text` word for word."""
    row = vocabulary.find(exact_key(text))
    if row is not None:
        topics = map(topic_of, vocabulary.strongest_postings(row))
        yield from (topic for topic in topics if topic < vocabulary.categories)


def _word_at(position: int, parsed: ParsedQuery) -> str:
    """The word at a position, given as its bit."""
    return next((match.words for match in parsed.term_matches if _positions(match) == position), "")


def _positions(match: TermMatch) -> int:
    return (1 << match.end) - (1 << match.begin)
