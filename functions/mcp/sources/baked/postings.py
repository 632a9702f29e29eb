"""A posting: one topic that has a key in its vocabulary, the field it is in, and its impact, in 32 bits.

    topic << 11 | field << 8 | whole << 7 | impact

The topics are the categories, slugs ascending, and after them the out-of-scope topics. A field is an index
into `FIELDS`, an impact a number of 127ths. `whole` is 1 if the key is a whole name of the topic.
"""

from typing import Final

FIELDS: Final = ("slug", "name", "alias", "keyword", "pattern", "description", "source", "subject")
NAMING_FIELDS: Final = 3  # the first fields of these name their topic

TOPIC_SHIFT: Final = 11
FIELD_SHIFT: Final = 8
FULL_IMPACT: Final = 127
WHOLE: Final = 128
MAX_TOPICS: Final = 1 << 32 - TOPIC_SHIFT

_FIELD_MASK: Final = 7


def topic_of(posting: int) -> int:
    """The topic of a posting."""
    return posting >> TOPIC_SHIFT


def field_of(posting: int) -> str:
    """The field of a posting."""
    return FIELDS[posting >> FIELD_SHIFT & _FIELD_MASK]


def is_name(posting: int) -> bool:
    """Whether the key of a posting is part of a name of its topic."""
    return posting >> FIELD_SHIFT & _FIELD_MASK < NAMING_FIELDS


def is_whole_name(posting: int) -> bool:
    """Whether the key of a posting is a whole name of its topic."""
    return posting & WHOLE != 0


def impact_of(posting: int) -> float:
    """The impact of a posting, from 0 to 1."""
    return (posting & FULL_IMPACT) / FULL_IMPACT


def lowest_posting(topic: int) -> int:
    """The lowest number that a posting of `topic` can have."""
    return topic << TOPIC_SHIFT
