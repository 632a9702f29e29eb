"""Postings: packing and reading."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.baked.postings import (
    FIELDS,
    MAX_TOPICS,
    field_of,
    impact_of,
    is_name,
    is_whole_name,
    lowest_posting,
    topic_of,
)
from threegood.baking.packing import pack_posting
from threegood.baking.weights import DAMPING

topics = st.integers(0, MAX_TOPICS - 1)
fields = st.sampled_from(FIELDS)
impacts = st.floats(0, 1)


@given(topics, fields, impacts, st.booleans())
def test_a_posting_is_read_as_it_was_packed_with_a_damped_impact(
    topic: int, field: str, impact: float, whole: bool
) -> None:
    posting = pack_posting(topic, field, impact, whole=whole)

    assert (topic_of(posting), field_of(posting)) == (topic, field)
    assert (is_name(posting), is_whole_name(posting)) == (field in ("slug", "name", "alias"), whole)
    assert impact_of(posting) == pytest.approx(impact**DAMPING, abs=1 / 254)
    assert lowest_posting(topic) <= posting < lowest_posting(topic + 1) <= 1 << 32
