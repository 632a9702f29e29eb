"""A posting: one topic that has a key in its vocabulary, the field it is in, and its impact, in 32 bits.

    topic << 11 | field << 8 | impact

The topics are the categories, slugs ascending, and after them the out-of-scope topics. A field is an index
into `FIELDS`, an impact a number of 255ths.
"""

from typing import Final

FIELDS: Final = ("slug", "name", "alias", "keyword", "pattern", "description", "source")

TOPIC_SHIFT: Final = 11
FIELD_SHIFT: Final = 8
FULL_IMPACT: Final = 255
MAX_TOPICS: Final = 1 << 32 - TOPIC_SHIFT

_FIELD_MASK: Final = 7


def topic_of(posting: int) -> int:
    """The topic of a posting."""
    return posting >> TOPIC_SHIFT


def field_of(posting: int) -> str:
    """The field of a posting."""
    return FIELDS[posting >> FIELD_SHIFT & _FIELD_MASK]


def impact_of(posting: int) -> float:
    """The impact of a posting, from 0 to 1."""
    return (posting & FULL_IMPACT) / FULL_IMPACT


def lowest_posting(topic: int) -> int:
    """The lowest number that a posting of `topic` can have."""
    return topic << TOPIC_SHIFT
