"""The weights of words and phrases in the vocabulary; a score's are in `sources/matching/weights.py`."""

from typing import Final, NamedTuple


class Impact(NamedTuple):
    """The impact of a field's texts on their topic: of a text as a whole, and of one word of several."""

    whole: float
    word: float


IMPACTS: Final = {
    "slug": Impact(0.9, 0.5),
    "name": Impact(1.0, 0.5),
    "alias": Impact(1.0, 0.5),
    "keyword": Impact(0.85, 0.35),
    "pattern": Impact(0.8, 0.55),
    "description": Impact(0.7, 0.55),
    "source": Impact(0.6, 0.4),
    "subject": Impact(0.4, 0.25),  # general words; see `threegood.baking.subjects`
}

# Shares of the impact of a whole text: of a phrase in a longer text, and of the only word of a text that is
# not empty ("learn rust").
PHRASE_SHARE: Final = 0.7
ONLY_SPECIFIC_SHARE: Final = 0.8
EMPTY_SHARE: Final = 0.3  # of the impact of one word of several, for an empty word
OUTSIDE_SHARE: Final = 0.75  # of the impact of general words, for a topic outside the registry
REPEATED_SHARE: Final = 0.25  # of the lesser impact, for a key that a topic has twice

# The least rarity of a key, by the field that has it.
NAME_RARITY: Final = 0.8
KEYWORD_RARITY: Final = 0.6
OTHER_RARITY: Final = 0.3
PHRASE_RARITY: Final = 0.3  # what a phrase is rarer than its words on average

# Weights and impacts are stored to this power, so that many small pieces of evidence outweigh a large one.
DAMPING: Final = 0.75

# Weights that do not depend on which topics have a word.
EMPTY_WEIGHT: Final = 0.03
LETTER_WEIGHT: Final = 0.08
ENGLISH_FACTOR: Final = 0.6  # times the rarity of an English word that no topic has
FOREIGN_FACTOR: Final = 0.4  # the same for a foreign word
