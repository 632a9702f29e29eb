"""What 32 bits say of a key."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.baked.postings import (
    FIELDS,
    MAX_TOPICS,
    field_of,
    impact_of,
    lowest_posting,
    topic_of,
)
from threegood.baking.packing import pack_posting

topics = st.integers(0, MAX_TOPICS - 1)
fields = st.sampled_from(FIELDS)
impacts = st.floats(0, 1)


@given(topics, fields, impacts)
def test_a_posting_says_what_was_packed_into_it(topic: int, field: str, impact: float) -> None:
    posting = pack_posting(topic, field, impact)

    assert (topic_of(posting), field_of(posting)) == (topic, field)
    assert impact_of(posting) == pytest.approx(impact, abs=1 / 510)


@given(topics, fields, impacts)
def test_the_postings_of_a_topic_lie_between_its_first_one_and_that_of_the_next(
    topic: int, field: str, impact: float
) -> None:
    assert lowest_posting(topic) <= pack_posting(topic, field, impact) < lowest_posting(topic + 1)


def test_no_impact_and_a_full_one_are_exact() -> None:
    assert impact_of(pack_posting(0, "slug", 0.0)) == 0
    assert impact_of(pack_posting(MAX_TOPICS - 1, "source", 1.0)) == 1
