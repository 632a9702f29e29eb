"""A parsed query: its words with weights, and the vocabulary terms they match."""

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import Final, NamedTuple

from sources.baked.postings import is_whole_name
from sources.matching.analysis import MAX_PHRASE_WORDS, Word, analyse, is_unspaced, phrase_key
from sources.matching.spelling import corrections, is_spelling
from sources.matching.strategy import Vocabulary
from sources.matching.weights import (
    EDIT_DISCOUNTS,
    MAX_EMPTY_WEIGHT,
    PHRASE_DISCOUNT,
    UNKNOWN_LETTER_WEIGHT,
    UNKNOWN_NUMBER_WEIGHT,
    UNKNOWN_UNSPACED_WEIGHT,
    UNKNOWN_WORD_WEIGHT,
)

# Only the first words of a longer query count.
_MAX_WORDS: Final = 64
_MAX_UNSPACED_LENGTH: Final = 8

# Only in a short query with an unknown word are known words taken for slips too, and only of whole names.
_MAX_REREAD_WORDS: Final = 6
_MAX_RUN_READINGS: Final = 25
# A shorter word that carries no topic is nothing that a slip is corrected to.
_MIN_EMPTY_LENGTH: Final = 6
_MAX_REREAD_COST: Final = 0.8


class TermMatch(NamedTuple):
    """A vocabulary term that matches the query's words from position `begin` to before `end`.

    `row` is the term's row in the vocabulary, `weight` its weight at each of these positions. `words` are the
    words of the query, and `read_as` the spelling that was matched, which differs after a correction.
    """

    row: int
    begin: int
    end: int
    weight: float
    words: str
    read_as: str


class ParsedQuery(NamedTuple):
    """The weight of each position of a query, the terms it matches, and its words outside the vocabulary."""

    weights: tuple[float, ...]
    term_matches: tuple[TermMatch, ...]
    unknown: tuple[str, ...]


def parse_query(query: str, vocabulary: Vocabulary) -> ParsedQuery:
    """`query` parsed with `vocabulary`; a repeated word counts once, at its first position."""
    words = list(dict.fromkeys(_query_words(query, vocabulary)))[:_MAX_WORDS]
    find = _short_query_matches if len(words) <= _MAX_REREAD_WORDS else _word_matches
    single = [list(find(word, position, vocabulary)) for position, word in enumerate(words)]
    # Phrases are looked up after correction: "pyton decoratr" matches "python decorator".
    corrected = [_corrected(word, own) for word, own in zip(words, single, strict=True)]
    phrases = list(_phrase_matches(words, corrected, vocabulary))
    if find is _short_query_matches and any(vocabulary.find(word.stem) is None for word in words):
        readings = [_readings(word, own, vocabulary) for word, own in zip(words, corrected, strict=True)]
        phrases += _misspelt_names(words, readings, vocabulary)
    term_matches = (*(match for own in single for match in own), *phrases)
    weights = [0.0 if own else _unknown_weight(word.text) for word, own in zip(words, single, strict=True)]
    for match in term_matches:
        for position in range(match.begin, match.end):
            weights[position] = max(weights[position], match.weight)
    unknown = tuple(word.text for word, own in zip(words, single, strict=True) if not own)
    return ParsedQuery(tuple(weights), term_matches, unknown)


def _query_words(query: str, vocabulary: Vocabulary) -> Iterator[Word]:
    for word in analyse(query):
        if is_unspaced(word.text):
            yield from _segments(word.text, vocabulary)
        else:
            yield word


def _segments(run: str, vocabulary: Vocabulary) -> Iterator[Word]:
    """The known words in a run of unspaced script, the longest first at each offset, and what is between.

    A single character between them is left out: it is a particle, or part of a word that is not known.
    """
    offset = known = 0
    while offset < len(run):
        ends = range(min(len(run), offset + _MAX_UNSPACED_LENGTH), offset + 1, -1)
        end = next((end for end in ends if vocabulary.find(run[offset:end]) is not None), None)
        if end is None:
            offset += 1
            continue
        if offset - known > 1:
            yield Word(run[known:offset], run[known:offset])
        yield Word(run[offset:end], run[offset:end])
        offset = known = end
    if len(run) - known > 1 or known == 0:
        yield Word(run[known:], run[known:])


def _word_matches(word: Word, position: int, vocabulary: Vocabulary) -> Iterator[TermMatch]:
    """The term that a word is, or else the terms it may be a misspelling of, the likeliest first."""
    row = vocabulary.find(word.stem)
    if row is not None:
        yield TermMatch(row, position, position + 1, vocabulary.weight(row), word.text, word.text)
        return
    for correction in corrections(word.text, vocabulary.spellings_with):
        weight = vocabulary.weight(correction.row)
        if weight > MAX_EMPTY_WEIGHT or len(correction.spelling) >= _MIN_EMPTY_LENGTH:
            weight *= EDIT_DISCOUNTS[correction.edits]
            yield TermMatch(correction.row, position, position + 1, weight, word.text, correction.spelling)


def _short_query_matches(word: Word, position: int, vocabulary: Vocabulary) -> Iterator[TermMatch]:
    """The same; a word may also be a slip of a word that asks for material, although its stem is known."""
    if not is_spelling(word.text, vocabulary.spellings_with):
        for each in corrections(word.text, vocabulary.spellings_with):
            weight = vocabulary.weight(each.row)
            if weight <= MAX_EMPTY_WEIGHT and len(each.spelling) >= _MIN_EMPTY_LENGTH:
                yield TermMatch(each.row, position, position + 1, weight, word.text, each.spelling)
                return
    yield from _word_matches(word, position, vocabulary)


def _corrected(word: Word, matches: Sequence[TermMatch]) -> Word:
    return word if not matches or matches[0].read_as == word.text else analyse(matches[0].read_as)[0]


def _phrase_matches(
    words: Sequence[Word], corrected: Sequence[Word], vocabulary: Vocabulary
) -> Iterator[TermMatch]:
    """The phrases in `corrected`, which are `words` after correction, that the vocabulary has."""
    for begin, end in _runs(len(words), shortest=2):
        row = vocabulary.find(phrase_key(corrected[begin:end]))
        if row is not None and vocabulary.strongest_postings(row):
            yield _phrase_match(row, begin, words[begin:end], corrected[begin:end], vocabulary)


def _readings(word: Word, corrected: Word, vocabulary: Vocabulary) -> list[Word]:
    """What a word may be meant as, even if it is known: "manger" may be a slip of "manager"."""
    row = vocabulary.find(word.stem)
    if row is not None and (vocabulary.is_common(row) or vocabulary.weight(row) <= MAX_EMPTY_WEIGHT):
        return [corrected]
    found = corrections(word.text, vocabulary.spellings_with, max_extra_cost=_MAX_REREAD_COST)
    return list(dict.fromkeys([corrected, *(analyse(each.spelling)[0] for each in found)]))


def _misspelt_names(
    words: Sequence[Word], readings: Sequence[Sequence[Word]], vocabulary: Vocabulary
) -> Iterator[TermMatch]:
    """The whole names of categories that runs of words may be meant as, each in its likeliest reading."""
    for begin, end in _runs(len(words), shortest=1):
        if end - begin == 1 and vocabulary.find(words[begin].stem) is not None:
            continue  # a known word alone is no slip
        runs = islice(product(*readings[begin:end]), 1, _MAX_RUN_READINGS)  # the first is no other reading
        for run in runs:
            row = vocabulary.find(phrase_key(run))
            if row is not None and any(map(is_whole_name, vocabulary.strongest_postings(row))):
                yield _phrase_match(row, begin, words[begin:end], run, vocabulary)
                break


def _runs(count: int, *, shortest: int) -> Iterator[tuple[int, int]]:
    """The bounds of the runs of words that may be a phrase."""
    for length in range(shortest, MAX_PHRASE_WORDS + 1):
        yield from ((begin, begin + length) for begin in range(count - length + 1))


def _phrase_match(
    row: int, begin: int, words: Sequence[Word], read_as: Sequence[Word], vocabulary: Vocabulary
) -> TermMatch:
    weight = vocabulary.weight(row) * (PHRASE_DISCOUNT if len(words) > 1 else EDIT_DISCOUNTS[-1])
    return TermMatch(row, begin, begin + len(words), weight, _text(words), _text(read_as))


def _text(run: Sequence[Word]) -> str:
    return " ".join(word.text for word in run)


def _unknown_weight(word: str) -> float:
    if word.isdigit():
        return UNKNOWN_NUMBER_WEIGHT
    if len(word) == 1:
        return UNKNOWN_LETTER_WEIGHT
    return UNKNOWN_UNSPACED_WEIGHT if is_unspaced(word) else UNKNOWN_WORD_WEIGHT
