"""What each word of a query tells for one topic: the sum behind a score, taken apart for a curator."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from sources.baked.postings import field_of, impact_of, topic_of
from sources.matching.reading import Clue, Reading
from sources.matching.strategy import Lexicon

# A word with no more weight decides nothing: it asks for material, is a number, or is in every other text.
NEXT_TO_NOTHING: Final = 0.1


class Told(NamedTuple):
    """A word of a query, what it weighs, and what of that it tells for a topic.

    `words` is what speaks for the topic at this place, the word or a phrase around it, `read_as` what that
    was taken for, and `field` where the topic has it. All three are empty if nothing does.
    """

    word: str
    weight: float
    evidence: float
    words: str = ""
    read_as: str = ""
    field: str = ""


def told(reading: Reading, topic: int, lexicon: Lexicon) -> list[Told]:
    """Each word of a query with what it tells for `topic`, in the order of the query."""
    row = [Told(word, weight, 0.0) for word, weight in zip(_words(reading), reading.weights, strict=True)]
    for clue in reading.clues:
        posting = lexicon.posting(clue.row, topic)
        if posting is None:
            continue
        evidence = clue.weight * impact_of(posting)
        for place in range(clue.begin, clue.end):
            if evidence > row[place].evidence:
                row[place] = row[place]._replace(
                    evidence=evidence, words=clue.words, read_as=clue.read_as, field=field_of(posting)
                )
    return row


def nearest_outside(reading: Reading, lexicon: Lexicon) -> int | None:
    """The topic outside the registry that the query tells most for, if it tells anything for one."""
    outside = {topic for clue in reading.clues for topic in _topics(clue, lexicon)}
    return max(
        (topic for topic in outside if topic >= lexicon.categories),
        key=lambda topic: (sum(each.evidence for each in told(reading, topic, lexicon)), -topic),
        default=None,
    )


def nobodys(reading: Reading, lexicon: Lexicon) -> list[str]:
    """The words of a query that no topic has in its vocabulary, but for those that tell next to nothing."""
    claimed = {
        place
        for clue in reading.clues
        if next(_topics(clue, lexicon), None) is not None
        for place in range(clue.begin, clue.end)
    }
    return [
        word
        for place, (word, weight) in enumerate(zip(_words(reading), reading.weights, strict=True))
        if place not in claimed and weight > NEXT_TO_NOTHING
    ]


def _topics(clue: Clue, lexicon: Lexicon) -> Iterator[int]:
    return map(topic_of, lexicon.strongest(clue.row))


def _words(reading: Reading) -> list[str]:
    """The word at each place of a query: what is known of it says so, and the others come in their order."""
    known = {clue.begin: clue.words for clue in reading.clues if clue.end == clue.begin + 1}
    unknown = iter(reading.unknown)
    return [known[place] if place in known else next(unknown) for place in range(len(reading.weights))]
