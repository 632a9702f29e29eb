"""The score breakdown of a query: what each of its words contributes to the evidence for one topic."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from sources.baked.postings import field_of, impact_of, topic_of
from sources.matching.parsed_query import ParsedQuery, TermMatch
from sources.matching.strategy import Vocabulary

# A word with no more weight decides nothing: a generic word, a number, or a very common word.
NEGLIGIBLE_WEIGHT: Final = 0.18


class WordScore(NamedTuple):
    """A word of a query, its weight, and its evidence for a topic.

    `words` are the word, or the phrase around it, that match the topic, `read_as` the spelling that was
    matched, and `field` the field of the topic that has it. All three are empty without evidence.
    """

    word: str
    weight: float
    evidence: float
    words: str = ""
    read_as: str = ""
    field: str = ""


def score_breakdown(parsed: ParsedQuery, topic: int, vocabulary: Vocabulary) -> list[WordScore]:
    """Each word of a query with its evidence for `topic`, in the order of the query."""
    row = [WordScore(word, weight, 0.0) for word, weight in zip(_words(parsed), parsed.weights, strict=True)]
    for match in parsed.term_matches:
        posting = vocabulary.posting(match.row, topic)
        if posting is None:
            continue
        evidence = match.weight * impact_of(posting)
        for position in range(match.begin, match.end):
            if evidence > row[position].evidence:
                row[position] = row[position]._replace(
                    evidence=evidence, words=match.words, read_as=match.read_as, field=field_of(posting)
                )
    return row


def nearest_out_of_scope(parsed: ParsedQuery, vocabulary: Vocabulary) -> int | None:
    """The out-of-scope topic with the most evidence; `None` if there is evidence for none."""
    topics = {topic for match in parsed.term_matches for topic in _topics(match, vocabulary)}
    return max(
        (topic for topic in topics if topic >= vocabulary.categories),
        key=lambda topic: (sum(each.evidence for each in score_breakdown(parsed, topic, vocabulary)), -topic),
        default=None,
    )


def uncovered_words(parsed: ParsedQuery, vocabulary: Vocabulary) -> list[str]:
    """The words of a query that no topic has, except those with negligible weight."""
    covered = {
        position
        for match in parsed.term_matches
        if next(_topics(match, vocabulary), None) is not None
        for position in range(match.begin, match.end)
    }
    return [
        word
        for position, (word, weight) in enumerate(zip(_words(parsed), parsed.weights, strict=True))
        if position not in covered and weight > NEGLIGIBLE_WEIGHT
    ]


def _topics(match: TermMatch, vocabulary: Vocabulary) -> Iterator[int]:
    return map(topic_of, vocabulary.strongest_postings(match.row))


def _words(parsed: ParsedQuery) -> list[str]:
    """The word at each position: term matches have the known words, and the unknown ones are in order."""
    known = {match.begin: match.words for match in parsed.term_matches if match.end == match.begin + 1}
    unknown = iter(parsed.unknown)
    return [known[at] if at in known else next(unknown) for at in range(len(parsed.weights))]
