"""The words that synthetic topics are made of: English nouns by frequency, and the lists of `words.toml`."""

import gzip
import json
import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from sources.matching.normalise import STOP_WORDS

__all__ = ["ACTIVITIES", "MODIFIERS", "OUTSIDE_ACTIVITIES", "TEMPLATES", "english", "nouns"]

_DATA: Final[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("words.toml").read_text())

MODIFIERS: Final = tuple(_DATA["modifiers"].split())
ACTIVITIES: Final = tuple(_DATA["activities"].split())
OUTSIDE_ACTIVITIES: Final = tuple(_DATA["outside_activities"].split())
TEMPLATES: Final = {name: _DATA[name] for name in ("query_patterns", "descriptions", "sources")}

_COARSE: Final = tuple(_DATA["coarse"].split())
_NOT_TOPICS: Final = {*STOP_WORDS, *_DATA["fillers"].split(), *MODIFIERS, *ACTIVITIES, *OUTSIDE_ACTIVITIES}

# A word counts as a noun if its plural is known and at least this often used beside it.
_LEAST_PLURALS: Final = 0.01
_SHORTEST: Final = 4
_LONGEST: Final = 11

# Endings of words that are seldom nouns, and of verbs, whose third person looks like a plural.
_OTHER_ENDINGS: Final = ("s", "ing", "ed", "ly", "ish")
_VERB_ENDINGS: Final = ("ing", "ed", "d", "er", "ly")


@cache
def english() -> dict[str, int]:
    """The frequency of each English word in the film subtitles that pyspellchecker's counts are from."""
    data = files("spellchecker.resources").joinpath("en.json.gz").read_bytes()
    counts: dict[str, int] = json.loads(gzip.decompress(data))
    return counts


@cache
def nouns() -> tuple[str, ...]:
    """Plausible nouns with a plural in s, the most common first."""
    found = [word for word in english() if word not in _NOT_TOPICS and _is_noun(word)]
    return tuple(sorted(found, key=lambda word: (-english()[word], word)))


def _is_noun(word: str) -> bool:
    counts = english()
    plain = word.isascii() and word.isalpha() and _SHORTEST <= len(word) <= _LONGEST
    if not plain or word.endswith(_OTHER_ENDINGS) or any(part in word for part in _COARSE):
        return False
    forms = (word, word.removesuffix("e"), word + word[-1])
    if any(form + ending in counts for form in forms for ending in _VERB_ENDINGS):
        return False
    return counts.get(word + "s", 0) >= max(1, counts[word] * _LEAST_PLURALS)
