"""Postings: packing and reading."""

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
def test_a_posting_is_read_as_it_was_packed(topic: int, field: str, impact: float) -> None:
    posting = pack_posting(topic, field, impact)

    assert (topic_of(posting), field_of(posting)) == (topic, field)
    assert impact_of(posting) == pytest.approx(impact, abs=1 / 510)
    assert lowest_posting(topic) <= posting < lowest_posting(topic + 1) <= 1 << 32
