"""Text to the keys that a vocabulary is made of and searched with: stems of words and of phrases."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, Final, NamedTuple
from unicodedata import normalize

from sources.matching.normalise import STOP_WORDS, without_accents, words

# The longest run of words with a key of its own, stop words not counted: "point in time recovery" is three.
LONGEST_PHRASE: Final = 3

# A word of this length or less is a name more often than an inflection: "aws" is no plural.
_LONGEST_WHOLE: Final = 3

# What no word begins with.
_EXACT: Final = "="

# Names that are told apart by a symbol, which would be lost with the punctuation. A version may follow, and
# on both sides a script without spaces.
_SYMBOLS: Final = re.compile(r"(?<![a-z0-9_+#])([cfgq])(\+\+|#)(?![a-z_+#])", re.IGNORECASE)
_SPELLED: Final = {"++": "pp", "#": "sharp"}

# Scripts that put no space between words, or glue particles to them: Thai to Khmer, kana, Han, Hangul.
_UNSPACED: Final = re.compile(
    "([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+)"
)


class Word(NamedTuple):
    """A word as it was written, without case and accents, and its stem."""

    text: str
    stem: str


def analyse(text: str) -> list[Word]:
    """The words of `text` without stop words, runs of unspaced script apart from what they touch."""
    kept = [word for word in _plain(text) if word not in STOP_WORDS]
    return list(map(Word, kept, _stems(kept)))


def exact_key(text: str) -> str:
    """The key of a text as a whole: equal for two texts if they have the same words in the same order."""
    return _EXACT + " ".join(_plain(text))


def is_exact(key: str) -> bool:
    """Whether a key is that of a text as a whole."""
    return key.startswith(_EXACT)


def phrase_key(run: Sequence[Word]) -> str:
    """The key of words that stand together, written apart, with hyphens or as one."""
    return _stems(["".join([*(word.stem for word in run[:-1]), run[-1].text])])[0]


def joined_key(run: Sequence[Word]) -> str:
    """The key of the same words written as one, where that has another stem than `phrase_key` would give."""
    return _stems(["".join(word.text for word in run)])[0]


def unspaced(word: str) -> bool:
    """Whether `word` is a run of a script without spaces, which may hold several words."""
    return not word.isascii() and _UNSPACED.fullmatch(word) is not None


def _plain(text: str) -> list[str]:
    """Every word of `text`, stop words among them, without accents."""
    if text.isascii():
        return words(_SYMBOLS.sub(_spelled, text))
    found = words(_SYMBOLS.sub(_spelled, normalize("NFKC", text)))
    parts = (without_accents(part) for word in found for part in _UNSPACED.split(word))
    return [part for part in parts if any(map(str.isalnum, part))]


def _stems(many: list[str]) -> list[str]:
    found = _stemmer().stemWords(many)
    return [word if len(word) <= _LONGEST_WHOLE else stem for word, stem in zip(many, found, strict=True)]


@cache
def _stemmer() -> Any:
    # It waits for the first query, since not every request has one. No cache of its own: it would only grow.
    from Stemmer import Stemmer

    return Stemmer("english", 0)


def _spelled(match: "re.Match[str]") -> str:
    return f" {match[1]}{_SPELLED[match[2]]} "
