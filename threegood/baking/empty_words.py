"""Empty words: those of a query that carry no topic, in fifteen languages.

They are function words ("para", "für", "の"), which come from the package stopwordsiso, those of English from
`sources.matching.normalise`; and words that ask for material ("tutorial", "aprender"), which stand in
`material_words.toml`.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Final

from stopwordsiso import stopwords

from sources.matching.analysis import Word, analyse
from sources.matching.normalise import without_accents
from threegood.baking import common_words

_LANGUAGES: Final = ("es", "fr", "de", "it", "pt", "nl", "pl", "sv", "ru", "el", "zh", "ja", "ar", "hi")

# A function word of one language may be a word with content in English: "men", "door". It counts as one if
# it is ten times as frequent in its own language; where that is not known, if it is rare in English.
_MIN_EXCESS: Final = 1.0
_MAX_ENGLISH: Final = 4.5


def is_empty(stem: str) -> bool:
    """Whether the stem carries no topic."""
    return stem in empty_stems()


@cache
def empty_stems() -> frozenset[str]:
    """The stems of all words that carry no topic."""
    return material_stems() | _function_stems()


@cache
def material_stems() -> frozenset[str]:
    """The stems of words that ask for material."""
    languages = (common_words.ENGLISH, *_LANGUAGES)
    texts = (text for language in languages for text in material_words(language))
    return frozenset(word.stem for text in texts for word in analyse(text))


def material_words(language: str) -> list[str]:
    """The words of a language that ask for material, as they are written."""
    return _material_words()[language]


@cache
def _material_words() -> dict[str, list[str]]:
    data = files("threegood.baking").joinpath("material_words.toml").read_text(encoding="utf-8")
    words: dict[str, list[str]] = tomllib.loads(data)["words"]
    return words


@cache
def _function_stems() -> frozenset[str]:
    return frozenset(
        word.stem
        for language in _LANGUAGES
        for text in stopwords(language)
        for word in _single(text)
        if _is_function_word(word, language, accented=without_accents(text) != text)
    )


def _single(text: str) -> list[Word]:
    words = analyse(text)
    return words if len(words) == 1 else []


def _is_function_word(word: Word, language: str, *, accented: bool) -> bool:
    if len(word.stem) == 1 and word.stem.isascii():
        return False  # it may be a name: C, R
    english = common_words.zipf_values(common_words.ENGLISH).get(word.stem)
    if english is None:
        return True
    if language not in common_words.FOREIGN:
        return english < _MAX_ENGLISH and not accented
    return common_words.zipf_values(language).get(word.stem, 0.0) - english >= _MIN_EXCESS
