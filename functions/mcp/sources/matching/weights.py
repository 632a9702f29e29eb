"""The weights of matching, in one table. `threegood/baking/weights.py` has those of words in the vocabulary.

See docs/matching.md for how they were chosen.
"""

from typing import Final

# The score of a category: BIAS to LEAD are fitted by `python -m tests.eval.calibrate`. COMMON_WORD is set so
# that a common word by itself is never an answer, unless it is a name.
BIAS: Final = -4.0
STRENGTH: Final = 1.6
COVERAGE: Final = 2.7
LEAD: Final = 7.0
COMMON_WORD: Final = -8.0
LEAD_WITHOUT_TOPICS: Final = 0.41  # the lead in a registry without out-of-scope topics
LEAD_OF_EQUALS: Final = 0.4  # that of a category with the evidence and the claim of the best
BEST_SHARE: Final = 0.5  # of its lead over the best, which is negative

# A position of the query with less evidence does not count as one with evidence.
MIN_SUPPORT: Final = 0.1

# The least score of a category by its claim: none, a common word, one of several names, part of a name, a
# whole name, the whole query.
CLAIM_SCORES: Final = (0.0, 0.5, 0.5, 0.85, 0.95, 1.0)

# Words of a query with no more weight carry no topic.
MAX_EMPTY_WEIGHT: Final = 0.18

# The share of a query's weight that an out-of-scope topic must explain for the query to be about it.
MIN_OUT_OF_SCOPE_COVERAGE: Final = 0.4

# Words outside the vocabulary: evidence that the query is about another topic.
UNKNOWN_WORD_WEIGHT: Final = 0.77
UNKNOWN_NUMBER_WEIGHT: Final = 0.18
UNKNOWN_LETTER_WEIGHT: Final = 0.15
UNKNOWN_UNSPACED_WEIGHT: Final = 0.2

# The share of a term's weight that counts after no, one or two edits, and on each word of a phrase.
EDIT_DISCOUNTS: Final = (1.0, 0.92, 0.7)
PHRASE_DISCOUNT: Final = 0.68

# Added to the number of edits, so that of two corrections with as many edits the likelier is cheaper.
SAME_LETTERS_COST: Final = -0.5
OTHER_FIRST_LETTER_COST: Final = 0.5
ONE_LETTER_MISSING_COST: Final = -0.1
MAX_EXTRA_COST: Final = 0.2
