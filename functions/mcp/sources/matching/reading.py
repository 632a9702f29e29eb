"""A query as it is compared: how much each of its words tells, and what the vocabulary knows of them."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from sources.matching.analysis import LONGEST_PHRASE, Word, analyse, phrase_key, unspaced
from sources.matching.spelling import readings
from sources.matching.strategy import Lexicon

# What a word tells that no vocabulary knows: it is about something, and not about what is here.
_UNKNOWN: Final = 0.7
_UNKNOWN_NUMBER: Final = 0.1
_UNKNOWN_LETTER: Final = 0.08
_UNKNOWN_UNSPACED: Final = 0.05

# What remains of a word's weight after a slip or two, and of a phrase's on each of its words.
_AFTER_SLIPS: Final = (1.0, 0.9, 0.75)
_IN_PHRASE: Final = 0.6

# A longer query is read by its beginning.
_MOST_WORDS: Final = 64
_LONGEST_UNSPACED: Final = 8


class Clue(NamedTuple):
    """Words of the query from place `begin` to before `end` that are the key in `row`.

    `weight` is what they tell at each of their places; `read_as` is what they were taken for.
    """

    row: int
    begin: int
    end: int
    weight: float
    words: str
    read_as: str


class Reading(NamedTuple):
    """What is compared of a query: the weight of each place, the clues, and the words that nobody knows."""

    weights: tuple[float, ...]
    clues: tuple[Clue, ...]
    unknown: tuple[str, ...]


def read(query: str, lexicon: Lexicon) -> Reading:
    """`query` read with the vocabulary of `lexicon`; each word counts once, at its first place."""
    words = list(dict.fromkeys(_apart(query, lexicon)))[:_MOST_WORDS]
    single = [list(_clues(word, place, lexicon)) for place, word in enumerate(words)]
    # A phrase is made of what its words were taken for.
    taken = [_read_as(word, own) for word, own in zip(words, single, strict=True)]
    phrases = _phrases(words, taken, lexicon)
    clues = (*(clue for own in single for clue in own), *phrases)
    weights = [0.0 if own else _unknown(word.text) for word, own in zip(words, single, strict=True)]
    for clue in clues:
        for place in range(clue.begin, clue.end):
            weights[place] = max(weights[place], clue.weight)
    unknown = tuple(word.text for word, own in zip(words, single, strict=True) if not own)
    return Reading(tuple(weights), clues, unknown)


def _apart(query: str, lexicon: Lexicon) -> Iterator[Word]:
    for word in analyse(query):
        if unspaced(word.text):
            yield from _segments(word.text, lexicon)
        else:
            yield word


def _segments(run: str, lexicon: Lexicon) -> Iterator[Word]:
    """The known words in a run of unspaced script, the longest first at each place; else the run itself."""
    place, found = 0, False
    while place < len(run):
        ends = range(min(len(run), place + _LONGEST_UNSPACED), place + 1, -1)
        end = next((end for end in ends if lexicon.find(run[place:end]) is not None), None)
        if end is None:
            place += 1
            continue
        yield Word(run[place:end], run[place:end])
        place, found = end, True
    if not found:
        yield Word(run, run)


def _clues(word: Word, place: int, lexicon: Lexicon) -> Iterator[Clue]:
    """What the vocabulary knows of one word, the likeliest reading first; nothing if it does not know it."""
    row = lexicon.find(word.stem)
    if row is not None:
        yield Clue(row, place, place + 1, lexicon.weight(row), word.text, word.text)
        return
    for reading in readings(word.text, lexicon.spelled):
        weight = lexicon.weight(reading.row) * _AFTER_SLIPS[reading.slips]
        yield Clue(reading.row, place, place + 1, weight, word.text, reading.spelling)


def _read_as(word: Word, clues: Sequence[Clue]) -> Word:
    return word if not clues or clues[0].read_as == word.text else analyse(clues[0].read_as)[0]


def _phrases(words: Sequence[Word], taken: Sequence[Word], lexicon: Lexicon) -> Iterator[Clue]:
    """The known phrases in `words`, which were taken for the words in `taken`."""
    for length in range(2, LONGEST_PHRASE + 1):
        for begin in range(len(words) - length + 1):
            end = begin + length
            row = lexicon.find(phrase_key(taken[begin:end]))
            if row is not None:
                weight = lexicon.weight(row) * _IN_PHRASE
                yield Clue(row, begin, end, weight, _text(words[begin:end]), _text(taken[begin:end]))


def _text(run: Sequence[Word]) -> str:
    return " ".join(word.text for word in run)


def _unknown(word: str) -> float:
    if word.isdigit():
        return _UNKNOWN_NUMBER
    if len(word) == 1:
        return _UNKNOWN_LETTER
    return _UNKNOWN_UNSPACED if unspaced(word) else _UNKNOWN
