"""From text to the keys of a vocabulary: stems of words and of phrases. Baking and queries share it."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, Final, NamedTuple
from unicodedata import normalize

from sources.matching.normalise import STOP_WORDS, without_accents, words

# The words of the longest phrase with a key, stop words not counted: "point in time recovery" has three.
MAX_PHRASE_WORDS: Final = 3

# Words up to this length are not stemmed: "aws" is a name and no plural.
_MAX_UNSTEMMED: Final = 3

# Prefix of the key of a whole text; no word begins with it.
_EXACT: Final = "="

# Names that differ in a symbol only (C, C++, C#), which would be lost with the punctuation. A version may
# follow, and unspaced script may stand on both sides.
_SYMBOLS: Final = re.compile(r"(?<![a-z0-9_+#])([cfgq])(\+\+|#)(?![a-z_+#])", re.IGNORECASE)
_SPELLED: Final = {"++": "pp", "#": "sharp"}

# Scripts that put no space between words, or glue particles to them: Thai to Khmer, kana, Han, Hangul.
_UNSPACED: Final = re.compile(
    "([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+)"
)


# "VPNs", which English rules leave as it is for want of a vowel.
_PLURAL_ABBREVIATION: Final = re.compile("[b-df-hj-np-tv-xz]+s")

_LATIN: Final = "english"
_SCRIPTS: Final = (
    (re.compile("[\u0400-\u052f]"), "russian"),
    (re.compile("[\u0370-\u03ff]"), "greek"),
    (re.compile("[\u0600-\u06ff]"), "arabic"),
    (re.compile("[\u0900-\u097f]"), "hindi"),
)


class Word(NamedTuple):
    """A word as it was written, without case and accents, and its stem."""

    text: str
    stem: str


def analyse(text: str) -> list[Word]:
    """The words of `text` without stop words; runs of unspaced script are words of their own."""
    content = [word for word in _all_words(text) if word not in STOP_WORDS]
    return list(map(Word, content, _stems(content)))


def exact_key(text: str) -> str:
    """The key of a whole text: equal for two texts if they have the same words in the same order."""
    return _EXACT + " ".join(_all_words(text))


def is_exact(key: str) -> bool:
    """Whether `key` is the key of a whole text."""
    return key.startswith(_EXACT)


def phrase_key(run: Sequence[Word]) -> str:
    """The key of a phrase: the same whether its words are written apart, with hyphens or joined."""
    return _stems(["".join([*(word.stem for word in run[:-1]), run[-1].text])])[0]


def joined_key(run: Sequence[Word]) -> str:
    """The key of a phrase written as one word, whose stem may differ from what `phrase_key` gives."""
    return _stems(["".join(word.text for word in run)])[0]


def is_unspaced(word: str) -> bool:
    """Whether `word` is a run of a script without spaces, which may hold several words."""
    return not word.isascii() and _UNSPACED.fullmatch(word) is not None


def _all_words(text: str) -> list[str]:
    """Every word of `text`, stop words included, without accents."""
    if text.isascii():
        return words(_SYMBOLS.sub(_spelled, text))
    found = words(_SYMBOLS.sub(_spelled, normalize("NFKC", text)))
    parts = (without_accents(part) for word in found for part in _UNSPACED.split(word))
    return [part for part in parts if any(map(str.isalnum, part))]


def _stems(many: list[str]) -> list[str]:
    return [_stem(word) for word in many]


def _stem(word: str) -> str:
    if len(word) <= _MAX_UNSTEMMED:
        return word
    if _PLURAL_ABBREVIATION.fullmatch(word):
        return word[:-1]
    return _stemmer(_language(word)).stemWord(word) or word  # of όταν, Greek rules leave nothing


def _language(word: str) -> str:
    """The language by whose rules `word` is stemmed, which its script decides."""
    if word.isascii():
        return _LATIN
    return next((language for script, language in _SCRIPTS if script.match(word)), _LATIN)


@cache
def _stemmer(language: str) -> Any:
    # Imported at the first query, since not every request has one. Its own cache is off: it would only grow.
    from Stemmer import Stemmer

    return Stemmer(language, 0)


def _spelled(match: "re.Match[str]") -> str:
    return f" {match[1]}{_SPELLED[match[2]]} "
