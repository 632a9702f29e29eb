"""What a vocabulary says of a key, in 32 bits: for which topic it speaks, where it stands there, how much.

    topic << 11 | field << 8 | impact

The topics are the categories, slugs ascending, and after them the topics outside the registry. A field is a
place in `FIELDS`, an impact a number of 255ths.
"""

from typing import Final

FIELDS: Final = ("slug", "name", "alias", "keyword", "pattern", "description", "source")

_TOPIC_SHIFT: Final = 11
_FIELD_SHIFT: Final = 8
_FIELD_MASK: Final = 7
_FULL_IMPACT: Final = 255

MOST_TOPICS: Final = 1 << 32 - _TOPIC_SHIFT


def pack_posting(topic: int, field: str, impact: float) -> int:
    """The posting of a key that stands in `field` of `topic` and speaks for it with `impact`, from 0 to 1."""
    return topic << _TOPIC_SHIFT | FIELDS.index(field) << _FIELD_SHIFT | round(impact * _FULL_IMPACT)


def topic_of(posting: int) -> int:
    """The topic of a posting."""
    return posting >> _TOPIC_SHIFT


def field_of(posting: int) -> str:
    """The field of a posting."""
    return FIELDS[posting >> _FIELD_SHIFT & _FIELD_MASK]


def impact_of(posting: int) -> float:
    """The impact of a posting, from 0 to 1."""
    return (posting & _FULL_IMPACT) / _FULL_IMPACT


def first_posting(topic: int) -> int:
    """What no posting of `topic` is less than, and every posting of a topic before it is."""
    return topic << _TOPIC_SHIFT
