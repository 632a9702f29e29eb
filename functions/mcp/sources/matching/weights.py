"""The weights of matching, in one table. `threegood/baking/weights.py` has those of words in the vocabulary.

See docs/matching.md for how they were chosen.
"""

from typing import Final, NamedTuple


class ScoreWeights(NamedTuple):
    """The weights of the features of a score (`ScoreFeatures`), and what is added to their sum."""

    bias: float
    strength: float
    coverage: float
    lead: float
    support: float
    lone: float


# Fitted by `python -m tests.eval.calibrate`: for a registry without out-of-scope topics, and for one with them.
SCORES: Final = (
    ScoreWeights(bias=-2.55, strength=1.28, coverage=2.96, lead=-1.26, support=3.3, lone=0.0),
    ScoreWeights(bias=-2.98, strength=3.11, coverage=2.38, lead=4.53, support=-0.41, lone=-1.5),
)

# A position of the query with less evidence does not count as support.
MIN_SUPPORT: Final = 0.1

# The least score of a category whose name a query is: not, with a common word, in part, or wholly.
CLAIM_SCORES: Final = (0.0, 0.5, 0.85, 0.95, 1.0)

# Words of a query with no more weight carry no topic.
MAX_EMPTY_WEIGHT: Final = 0.18

# The share of a query's weight that an out-of-scope topic must explain for the query to be about it.
MIN_OUT_OF_SCOPE_COVERAGE: Final = 0.4

# Words outside the vocabulary: evidence that the query is about another topic.
UNKNOWN_WORD_WEIGHT: Final = 0.77
UNKNOWN_NUMBER_WEIGHT: Final = 0.18
UNKNOWN_LETTER_WEIGHT: Final = 0.15
UNKNOWN_UNSPACED_WEIGHT: Final = 0.11

# The share of a term's weight that counts after no, one or two edits, and on each word of a phrase.
EDIT_DISCOUNTS: Final = (1.0, 0.92, 0.81)
PHRASE_DISCOUNT: Final = 0.68

# Added to the number of edits, so that of two corrections with as many edits the likelier is cheaper.
SAME_LETTERS_COST: Final = -0.5
OTHER_FIRST_LETTER_COST: Final = 0.5
ONE_LETTER_MISSING_COST: Final = -0.1
MAX_EXTRA_COST: Final = 0.2
