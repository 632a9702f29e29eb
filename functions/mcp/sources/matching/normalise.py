"""From text to words and terms. Baking and queries share it, so both compare the same form."""

import re
import unicodedata
from typing import Final

# Words that carry no topic. English, as the registry is; without apostrophes, which are removed before a word
# is looked up.
_STOP_WORDS: Final = """
    a an the this that these those
    i im ive me my mine myself we our ours you youre your yours
    he him his she her hers it its they them their theirs
    am is are was were be been being isnt arent wasnt werent
    do does did doing done dont doesnt didnt has have had having havent hasnt
    can cant cannot could couldnt will wont would wouldnt shall should shouldnt might must
    and or but nor so if then than because as while
    of at by for from in into on onto to with without about after before between during through
    over under up down out off again further
    vs versus what whats which who whom whose when where why how
    all any both each few more most other some such no not only own same too very just also there here please
"""
STOP_WORDS: Final = frozenset(_STOP_WORDS.split())

# Straight and curly: "don't" is one word. All other punctuation separates words.
_APOSTROPHES: Final = frozenset("'\u2019\u02bc")

# Accents of Latin, Greek and Cyrillic letters. In other scripts, marks make other letters, and stay, as
# the breve of й does, which is a letter of its own.
_ACCENTS: Final = re.compile("[\u0300-\u0305\u0307-\u036f]|(?<!\u0438)\u0306")


def normalise(text: str) -> str:
    """The terms of `text` with single spaces between: lower-case, no punctuation, no stop words."""
    return " ".join(terms(text))


def terms(text: str) -> tuple[str, ...]:
    """The words of `text` in their order, without stop words."""
    return tuple(word for word in words(text) if word not in STOP_WORDS)


def words(text: str) -> list[str]:
    """The words of `text` in their order, stop words included.

    Equivalent Unicode spellings become the same (NFKC and case folding), punctuation and symbols separate
    words, and letters, marks and numbers of every script stay.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    if not folded.isascii():
        folded = "".join(map(_word_character, folded))
        return [word for word in folded.split() if any(map(str.isalnum, word))]
    return _ASCII_WORD.findall(folded.replace("'", ""))


def without_accents(word: str) -> str:
    """`word` without accents: é becomes e, ü becomes u; й, which is a letter of its own, stays."""
    if word.isascii():
        return word
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", word)))


def _word_character(char: str) -> str:
    """`char` if it is part of words, nothing if it is invisible or an apostrophe, else a space."""
    category = unicodedata.category(char)
    if category[0] in "LNM":
        return char
    return "" if category == "Cf" or char in _APOSTROPHES else " "


_ASCII_WORD: Final = re.compile("[a-z0-9]+")
