"""Words to make topics of: English nouns by how common they are, what is done with things, and with which."""

import gzip
import json
from functools import cache
from importlib.resources import files
from typing import Final

from sources.matching.normalise import STOP_WORDS

# A word counts as a noun if its plural is known and used at least this often beside it.
_LEAST_PLURALS: Final = 0.01
_SHORTEST: Final = 4
_LONGEST: Final = 11

# Endings of what is seldom a noun, and of verbs, whose third person would pass for a plural.
_OTHER_ENDINGS: Final = ("s", "ing", "ed", "ly", "ish")
_VERB_ENDINGS: Final = ("ing", "ed", "d", "er", "ly")

# Film dialogue is coarse; a word with one of these in it is no topic.
_COARSE_TEXT: Final = """
    arse ass bitch boob cock coon crap cunt dick dyke fag fuck jerk nigg piss poof prick puss shag shit
    slut spic tit turd twat wank wog whor
"""
_COARSE: Final = tuple(_COARSE_TEXT.split())

# Common words that a planted query is filled up with; a topic of that name would make its label unfair.
_FILLING_TEXT: Final = """
    something anything someone material question resource evening
"""
_FILLING: Final = frozenset(_FILLING_TEXT.split())

_MODIFIERS_TEXT: Final = """
    antique alpine ancient arctic artisan automatic baroque basic beginner budget casual celtic ceramic
    classic coastal colonial commercial compact competitive contemporary copper cordless cotton creative
    decorative desert digital domestic edible electric emergency experimental folk foreign formal
    freehand freshwater garden georgian glass gothic granite handmade heavy hidden historic homemade
    hydraulic imperial indoor industrial iron japanese junior leather linen local lunar magnetic marble
    maritime mechanical medieval miniature mobile modern modular monastic mountain municipal native
    natural nautical nocturnal nordic oak offshore optical organic oriental outdoor ornamental pastoral
    pedestrian polar portable pottery practical precision primitive professional provincial public radical
    rare recycled regional remote renaissance retro roman romantic royal rural rustic sacred satellite
    seasonal senior silent silver solar stone suburban surgical sustainable tactical technical temperate
    thermal traditional tropical underground underwater urban vegan venetian vertical victorian village
    vintage virtual volcanic wedding wild wireless wooden woolen
"""
MODIFIERS: Final = tuple(_MODIFIERS_TEXT.split())

_ACTIVITIES_TEXT: Final = """
    restoration photography history repair design conservation cultivation collecting breeding cooking
    engineering maintenance painting navigation carving education research construction analysis
    identification training medicine law architecture economics psychology weaving forecasting survival
    therapy safety recycling storage transport modelling chemistry physics statistics journalism
    translation theology ethics archaeology geology botany zoology astronomy cartography calligraphy
    typography sculpture embroidery knitting brewing baking fermentation smoking foraging hunting fishing
    sailing rowing climbing caving diving racing juggling wrestling fencing archery dancing singing
    composition percussion acoustics recording broadcasting animation storytelling poetry criticism
    lighting plumbing wiring welding casting forging tanning dyeing printing bookbinding upholstery
    joinery roofing paving drainage irrigation composting pruning grafting harvesting milling packaging
    logistics auditing taxation accounting budgeting marketing negotiation mediation policing firefighting
    rescue nursing dentistry nutrition hygiene genetics immunology toxicology optics robotics telemetry
    cryptography simulation calibration inspection certification insulation ventilation heating demolition
    excavation surveying meteorology hydrology
"""
ACTIVITIES: Final = tuple(_ACTIVITIES_TEXT.split())

# What people ask about the same things, and a registry of good sources has nothing on.
_OUTSIDE_ACTIVITIES_TEXT: Final = """
    rental insurance auctions jobs gossip lottery vouchers shipping celebrities franchise wholesale
"""
OUTSIDE_ACTIVITIES: Final = tuple(_OUTSIDE_ACTIVITIES_TEXT.split())


@cache
def english() -> dict[str, int]:
    """How often each English word stands in the film subtitles that pyspellchecker's counts are from."""
    data = files("spellchecker.resources").joinpath("en.json.gz").read_bytes()
    counts: dict[str, int] = json.loads(gzip.decompress(data))
    return counts


@cache
def nouns() -> tuple[str, ...]:
    """Plausible nouns with a plural in s, the most common first."""
    taken = {*STOP_WORDS, *_FILLING, *MODIFIERS, *ACTIVITIES, *OUTSIDE_ACTIVITIES}
    found = [word for word in english() if word not in taken and _is_noun(word)]
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
