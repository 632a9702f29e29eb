"""Synthetic registries: valid, and the same every time."""

import json
from collections import Counter

import pytest

from bench.matching.synthetic import MOST_OUTSIDE, synthetic_registry, synthetic_topics
from bench.matching.words import ACTIVITIES, MODIFIERS, english, nouns
from threegood.registry.files import RegistryFiles
from threegood.registry.records import Registry
from threegood.registry.rules import SOURCES_PER_CATEGORY
from threegood.registry.validate import validate
from threegood.trust.canonical import canonical_bytes


@pytest.mark.parametrize("size", [60, 300])
def test_a_synthetic_registry_is_valid_and_the_same_every_time(size: int) -> None:
    registry = synthetic_registry(size)

    assert validate(*files_of(registry)).model_dump() == registry.model_dump()
    assert canonical_bytes(synthetic_registry(size)) == canonical_bytes(registry)


def files_of(registry: Registry) -> RegistryFiles:
    """The files that state the registry."""
    vocabulary = registry.vocabulary.model_dump(exclude_unset=True)
    words = {**vocabulary["categories"], "out-of-scope": {"topics": vocabulary["out_of_scope"]}}
    return RegistryFiles(
        registry.model_dump_json(exclude={"vocabulary"}, exclude_unset=True).encode(),
        {f"vocabulary/{name}.json": json.dumps(each).encode() for name, each in words.items()},
    )


def test_a_synthetic_registry_has_the_requested_number_of_short_categories() -> None:
    registry = synthetic_registry(5_000)

    assert len(registry.categories) == 5_000
    assert {len(each.sources) for each in registry.categories.values()} == {SOURCES_PER_CATEGORY}
    assert {len(each.query_patterns) for each in registry.categories.values()} == {4, 5, 6}
    words = registry.vocabulary.categories.values()
    terms = {len(each.aliases) + len(each.keywords) for each in words}
    assert terms <= {6, 7, 8}


@pytest.mark.parametrize(("size", "outside"), [(5_000, 250), (MOST_OUTSIDE * 20 + 500, MOST_OUTSIDE)])
def test_a_twentieth_as_many_topics_are_outside_up_to_a_limit(size: int, outside: int) -> None:
    assert len(synthetic_registry(size).vocabulary.out_of_scope) == outside


def test_topics_of_a_family_share_a_thing_and_some_jargon() -> None:
    family = [topic for topic in synthetic_topics(19) if topic.thing == synthetic_topics(1)[0].thing]
    jargon = Counter(word for topic in synthetic_topics(19) for word in topic.jargon)

    assert len({topic.slug for topic in family}) == len(family)
    assert jargon.most_common(1)[0][1] > 1


def test_more_categories_than_there_are_words_for_are_refused() -> None:
    with pytest.raises(ValueError, match=r"There are words for \d+ categories, but not for 1000000\."):
        synthetic_topics(1_000_000)


def test_nouns_are_known_words_and_none_of_the_other_lists() -> None:
    assert english().keys() >= set(nouns())
    assert set(nouns()).isdisjoint({*MODIFIERS, *ACTIVITIES, "here", "walk"})
    assert {"lantern", "piston", "orchid"} <= set(nouns())
