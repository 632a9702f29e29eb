"""Planted and worst-case queries of a synthetic registry."""

from collections import Counter
from random import Random

import pytest

from bench.matching.queries import LONGEST, UNCUT, PlantedQuery, misspell, planted_queries, worst_queries
from bench.matching.synthetic import Topic, synthetic_registry, synthetic_topics
from bench.matching.words import english
from sources.matching.normalise import terms
from threegood.registry.records import Registry

SIZE = 300
# Words of the frames of planted queries that are no stop words; patterns may contain them too.
FRAMING = {"know", "like", "read", "help", "would", "involved"}


@pytest.fixture(scope="module")
def registry() -> Registry:
    return synthetic_registry(SIZE)


@pytest.fixture(scope="module")
def topics() -> list[Topic]:
    return synthetic_topics(SIZE)


@pytest.fixture(scope="module")
def planted(registry: Registry, topics: list[Topic]) -> list[PlantedQuery]:
    return planted_queries(registry, topics)


def vocabulary(registry: Registry, slug: str) -> set[str]:
    category = registry.categories[slug]
    words = registry.vocabulary.of(slug)
    texts = (category.name, *words.aliases, *words.keywords, *category.query_patterns)
    return set(" ".join(texts).lower().split())


def test_planted_queries_are_the_same_every_time_and_as_many_for_a_small_registry(
    registry: Registry, topics: list[Topic], planted: list[PlantedQuery]
) -> None:
    assert planted_queries(registry, topics) == planted
    assert len(planted_queries(synthetic_registry(7), synthetic_topics(7))) == len(planted)
    assert Counter(each.kind for each in planted) == {"reordered": 150, "misspelt": 75, "plural": 75}


def test_a_planted_query_is_labelled_with_all_categories_that_have_its_words_and_no_other(
    registry: Registry, planted: list[PlantedQuery]
) -> None:
    vocabularies = {slug: vocabulary(registry, slug) for slug in registry.categories}
    known = set().union(*vocabularies.values())
    reordered = [each for each in planted if each.kind == "reordered"]

    found = {
        each.query: tuple(
            slug
            for slug, words in sorted(vocabularies.items())
            if words >= (set(terms(each.query)) & known) - FRAMING
        )
        for each in reordered
    }

    assert found == {each.query: each.expected for each in reordered}
    assert min(map(len, found.values())) == 1 < max(map(len, found.values()))


@pytest.mark.parametrize("seed", range(5))
def test_a_misspelt_word_is_unknown_and_nearly_the_same(seed: int) -> None:
    misspelt = misspell(Random(seed), "restoration")

    assert misspelt not in english()
    assert misspelt[0] == "r"
    assert abs(len(misspelt) - len("restoration")) <= 1


def test_a_short_word_is_not_misspelt() -> None:
    assert misspell(Random(0), "clock") == "clock"


def test_worst_queries_are_as_long_as_a_tool_accepts_or_not_truncated_at_all(registry: Registry) -> None:
    lengths = {kind: len(query) for kind, query in worst_queries(registry).items()}

    uncut = {kind: length for kind, length in lengths.items() if kind.startswith("10,000")}
    assert all(UNCUT - 20 <= length <= UNCUT for length in uncut.values())
    assert all(LONGEST - 20 <= lengths[kind] <= LONGEST for kind in lengths.keys() - uncut.keys())


def test_worst_queries_consist_of_the_words_that_they_are_named_after(registry: Registry) -> None:
    worst = worst_queries(registry)
    known = set().union(*(vocabulary(registry, slug) for slug in registry.categories))

    assert known.isdisjoint(worst["unknown words"].split()[:-1])
    assert set(worst["common words"].split()[:-1]) <= known
    assert len(set(worst["one common word"].split()[:-1])) == 1
