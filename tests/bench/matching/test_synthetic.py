"""Synthetic registries: real enough to be a registry, and always the same."""

from collections import Counter

import pytest

from bench.matching.synthetic import MOST_OUTSIDE, synthetic_registry, synthetic_topics
from bench.matching.words import ACTIVITIES, MODIFIERS, english, nouns
from threegood.baking.canonical import canonical_bytes
from threegood.registry.rules import SOURCES_PER_CATEGORY
from threegood.registry.validate import validate


@pytest.mark.parametrize("size", [60, 300])
def test_a_synthetic_registry_breaks_no_rule_of_the_curators_file(size: int) -> None:
    registry = synthetic_registry(size)

    assert validate(canonical_bytes(registry)).model_dump() == registry.model_dump()


def test_a_synthetic_registry_is_the_same_every_time() -> None:
    assert canonical_bytes(synthetic_registry(200)) == canonical_bytes(synthetic_registry(200))


def test_a_synthetic_registry_has_as_many_categories_as_asked_for() -> None:
    registry = synthetic_registry(5_000)

    assert len(registry.categories) == 5_000
    assert len(registry.outside) == 250
    assert {len(each.sources) for each in registry.categories.values()} == {SOURCES_PER_CATEGORY}


def test_topics_outside_a_large_registry_are_bounded() -> None:
    assert len(synthetic_registry(MOST_OUTSIDE * 20 + 500).outside) == MOST_OUTSIDE


def test_categories_have_as_much_vocabulary_as_a_short_entry() -> None:
    categories = synthetic_registry(300).categories.values()

    assert {len(each.query_patterns) for each in categories} == {4, 5, 6}
    assert {len(each.aliases) + len(each.keywords) for each in categories} <= {6, 7, 8}


def test_topics_of_a_family_share_its_thing_and_some_of_its_jargon() -> None:
    family = [topic for topic in synthetic_topics(19) if topic.thing == synthetic_topics(1)[0].thing]
    jargon = Counter(word for topic in synthetic_topics(19) for word in topic.jargon)

    assert len({topic.slug for topic in family}) == len(family)
    assert jargon.most_common(1)[0][1] > 1


def test_more_categories_than_there_are_words_for_are_refused() -> None:
    with pytest.raises(ValueError, match=r"There are words for \d+ categories, but not for 1000000\."):
        synthetic_topics(1_000_000)


def test_nouns_are_known_words_and_nothing_else_that_topics_are_made_of() -> None:
    assert english().keys() >= set(nouns())
    assert set(nouns()).isdisjoint({*MODIFIERS, *ACTIVITIES, "here", "walk"})
    assert {"lantern", "piston", "orchid"} <= set(nouns())
