"""Planted and worst queries: labelled by the words they are made of, and as long as they may be."""

from random import Random

import pytest

from bench.matching.planted import Planted, misspell, planted_queries
from bench.matching.synthetic import Topic, synthetic_registry, synthetic_topics
from bench.matching.words import english
from bench.matching.worst import LONGEST, UNCUT, worst_queries
from sources.matching.normalise import terms
from threegood.registry.records import Registry

SIZE = 300


@pytest.fixture(scope="module")
def registry() -> Registry:
    return synthetic_registry(SIZE)


@pytest.fixture(scope="module")
def topics() -> list[Topic]:
    return synthetic_topics(SIZE)


@pytest.fixture(scope="module")
def planted(registry: Registry, topics: list[Topic]) -> list[Planted]:
    return planted_queries(registry, topics)


def vocabulary(registry: Registry, slug: str) -> set[str]:
    category = registry.categories[slug]
    texts = (category.name, *category.aliases, *category.keywords, *category.query_patterns)
    return set(" ".join(texts).lower().split())


def test_planted_queries_are_the_same_every_time(
    registry: Registry, topics: list[Topic], planted: list[Planted]
) -> None:
    assert planted_queries(registry, topics) == planted


def test_every_kind_of_planted_query_has_its_share(planted: list[Planted]) -> None:
    kinds = [each.kind for each in planted]

    assert {kind: kinds.count(kind) for kind in kinds} == {"reordered": 150, "misspelt": 75, "plural": 75}


def test_a_small_registry_gets_as_many_planted_queries_as_a_large_one(planted: list[Planted]) -> None:
    assert len(planted_queries(synthetic_registry(7), synthetic_topics(7))) == len(planted)


def test_a_planted_query_is_labelled_with_all_categories_that_have_its_words_and_no_other(
    registry: Registry, planted: list[Planted]
) -> None:
    vocabularies = {slug: vocabulary(registry, slug) for slug in registry.categories}
    known = set().union(*vocabularies.values())
    reordered = [each for each in planted if each.kind == "reordered"]

    held = {
        each.query: tuple(
            slug
            for slug, words in sorted(vocabularies.items())
            if words >= (set(terms(each.query)) & known) - FRAMING
        )
        for each in reordered
    }

    assert held == {each.query: each.expected for each in reordered}


# What the frames of planted queries say that is no stop word; patterns may say it too.
FRAMING = {"know", "like", "read", "help", "would", "involved"}


def test_some_planted_queries_have_one_fair_answer_and_some_have_several(planted: list[Planted]) -> None:
    counts = {len(each.expected) for each in planted}

    assert min(counts) == 1
    assert max(counts) > 1


def test_most_misspelt_queries_hold_a_word_that_is_none(planted: list[Planted]) -> None:
    misspelt = [each.query for each in planted if each.kind == "misspelt"]
    strange = [query for query in misspelt if not english().keys() >= set(terms(query))]

    assert len(strange) > 0.9 * len(misspelt)


@pytest.mark.parametrize("seed", range(20))
def test_a_slip_leaves_a_word_that_is_not_known_and_nearly_the_same(seed: int) -> None:
    slip = misspell(Random(seed), "restoration")

    assert slip not in english()
    assert slip[0] == "r"
    assert abs(len(slip) - len("restoration")) <= 1


def test_a_short_word_is_not_misspelt() -> None:
    assert misspell(Random(0), "clock") == "clock"


def test_worst_queries_are_as_long_as_a_tool_allows_or_not_cut_at_all(registry: Registry) -> None:
    lengths = {kind: len(query) for kind, query in worst_queries(registry).items()}

    uncut = {kind: length for kind, length in lengths.items() if kind.startswith("10,000")}
    assert all(UNCUT - 20 <= length <= UNCUT for length in uncut.values())
    assert all(LONGEST - 20 <= lengths[kind] <= LONGEST for kind in lengths.keys() - uncut.keys())


def test_worst_queries_are_of_the_words_that_they_are_named_for(registry: Registry) -> None:
    worst = worst_queries(registry)
    held = set().union(*(vocabulary(registry, slug) for slug in registry.categories))

    assert held.isdisjoint(worst["unknown words"].split()[:-1])
    assert set(worst["common words"].split()[:-1]) <= held
    assert len(set(worst["one common word"].split()[:-1])) == 1
