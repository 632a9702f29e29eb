"""Text to words and terms. Index and query both come through here; there is no second version of it."""

import re
import unicodedata
from typing import Final

# Words that carry a question but not its topic. English, as the registry is; without apostrophes, which are
# gone before a word is looked up.
_FILLING: Final = """
    a an the this that these those
    i im ive me my mine myself we our ours you youre your yours
    he him his she her hers it its they them their theirs
    am is are was were be been being isnt arent wasnt werent
    do does did doing done dont doesnt didnt has have had having havent hasnt
    can cant cannot could couldnt will wont would wouldnt shall should shouldnt might must
    and or but nor so if then than because as while
    of at by for from in into on onto to with without about after before between during through
    over under up down out off again further
    what whats which who whom whose when where why how
    all any both each few more most other some such no not only own same too very just also there here please
"""
STOP_WORDS: Final = frozenset(_FILLING.split())

# Apostrophes, straight and curly: "don't" is one word, where any other mark separates two.
_JOINING: Final = frozenset("'\u2019\u02bc")

# Accents over Latin, Greek and Cyrillic letters. The marks of other scripts make other letters, and stay.
_ACCENTS: Final = re.compile("[\u0300-\u036f]+")


def normalise(text: str) -> str:
    """The terms of `text` with single spaces between: lower-case, no punctuation, no stop words."""
    return " ".join(terms(text))


def terms(text: str) -> tuple[str, ...]:
    """The words of `text` that say what it is about, in their order; none if nothing but filling is left."""
    return tuple(word for word in words(text) if word not in STOP_WORDS)


def words(text: str) -> list[str]:
    """The words of `text` in their order, stop words among them.

    Unicode spellings of the same thing are one (NFKC and case folding), punctuation and symbols separate
    words, and letters, marks and numbers of every script are kept.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    if not folded.isascii():
        folded = "".join(map(_readable, folded))
        return [word for word in folded.split() if any(map(str.isalnum, word))]
    return _ASCII_WORD.findall(folded.replace("'", ""))


def without_accents(word: str) -> str:
    """`word` without the accents that people leave out: é is e, ü is u, й is и."""
    if word.isascii():
        return word
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", word)))


def _readable(char: str) -> str:
    """What `char` becomes: itself if words are made of it, nothing if it hides in one, else a space."""
    category = unicodedata.category(char)
    if category[0] in "LNM":
        return char
    return "" if category == "Cf" or char in _JOINING else " "


_ASCII_WORD: Final = re.compile("[a-z0-9]+")
