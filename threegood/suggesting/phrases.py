"""The words and phrases of a text that could be keywords, as the matching reads them."""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from sources.matching.analysis import MAX_PHRASE_WORDS, analyse, is_unspaced, phrase_key
from sources.matching.normalise import words as normalised_words
from threegood.baking import common_words
from threegood.baking.empty_words import is_empty

_MIN_LETTERS: Final = 3
_MAX_LETTERS: Final = 30
_MAX_UNSPACED: Final = 8
_EMPTY_STEMS: Final = 200
# Function words that may stand inside a phrase: "bill of materials", "point in time recovery".
_JOINING: Final = frozenset({"of", "in"})

_BREAKS: Final = re.compile(
    r"[.,;:!?…]+(?=\s|$)|[()\[\]{}<>\"“”«»„|•·→\u2013—]|\s[-/&*=]\s|(?<!\S)\d[\d.,:%°]*(?=\s|$)"
)
_NO_WORD: Final = re.compile(r"[/@=\\_~^$]|::|\.\w+\.")
_EDGES: Final = re.compile(r"^[^\w]+|[^\w+#]+$")


class Phrase(NamedTuple):
    """One to three words, as they are written but for case; `key` is equal if the matching reads the same."""

    text: str
    key: str
    stems: tuple[str, ...]


def phrases(text: str) -> Iterator[Phrase]:
    """The words and phrases of `text`, each as often as it occurs.

    None begins or ends with a function word or a generic word, and none spans a break between two phrases.
    """
    for run in _runs(text):
        for begin in range(len(run)):
            yield from _from(run, begin)


def has_common_words_only(phrase: Phrase) -> bool:
    """Whether each of its words is common in general, so that none is a keyword alone."""
    return all(map(common_words.is_common, phrase.stems))


def phrase_of(text: str) -> Phrase | None:
    """`text` as a whole; `None` if it has no words that count."""
    words = analyse(text)
    return Phrase(text, phrase_key(words), tuple(word.stem for word in words)) if words else None


def general_frequency(phrase: Phrase) -> float:
    """How frequent it is in general, as the decimal logarithm of a count in a thousand million words.

    Of a phrase only its words are counted, so its own frequency is estimated: one in a hundred occurrences of
    its rarest word, for each further word.
    """
    values = common_words.zipf_values(common_words.ENGLISH)
    return min(values.get(stem, _RAREST) for stem in phrase.stems) - 2 * (len(phrase.stems) - 1)


# About the frequency of the rarest words that are counted.
_RAREST: Final = 1.5


class _Token(NamedTuple):
    """A written word: its stems, none for a function word, and whether a phrase may begin or end with it."""

    text: str
    stems: tuple[str, ...]
    is_edge: bool


def _runs(text: str) -> Iterator[list[_Token]]:
    """The written words between two breaks."""
    for segment in _BREAKS.split(text):
        run: list[_Token] = []
        for written in segment.split():
            token = _token(_EDGES.sub("", written.casefold()))
            if token is None:
                yield run
                run = []
            else:
                run.append(token)
        yield run


def _from(run: Sequence[_Token], begin: int) -> Iterator[Phrase]:
    """The phrases that begin with this word."""
    if not run[begin].is_edge:
        return
    for end in range(begin + 1, min(len(run), begin + MAX_PHRASE_WORDS) + 1):
        part = run[begin:end]
        if not part[-1].stems and part[-1].text not in _JOINING:
            return
        stems = tuple(stem for token in part for stem in token.stems)
        if len(stems) > MAX_PHRASE_WORDS:
            return
        phrase = phrase_of(" ".join(token.text for token in part)) if part[-1].is_edge else None
        if phrase is not None and (len(stems) > 1 or len(phrase.text) >= _MIN_LETTERS):
            yield phrase


@lru_cache(maxsize=50_000)
def _token(written: str) -> _Token | None:
    """The written word; `None` if no phrase can have it: an address, a number, a run of unspaced script."""
    if not written or len(written) > _MAX_LETTERS or _NO_WORD.search(written):
        return None
    words = analyse(written)
    if any(len(word.text) > _MAX_UNSPACED and is_unspaced(word.text) for word in words):
        return None
    stems = tuple(word.stem for word in words)
    if stems and not any(char.isalpha() for char in written):
        return None
    # "under-extraction" is read without "under", so a phrase with it would say less than it seems.
    is_whole = len(stems) == len(normalised_words(written))
    return _Token(written, stems, bool(stems) and is_whole and not any(map(_is_empty, stems)))


def _is_empty(stem: str) -> bool:
    return is_empty(stem) or stem in _commonest_stems() or len(stem) == 1


@cache
def _commonest_stems() -> frozenset[str]:
    return frozenset(common_words.commonest_stems(common_words.ENGLISH, _EMPTY_STEMS))
