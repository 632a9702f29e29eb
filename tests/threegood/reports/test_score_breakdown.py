"""The score breakdown of a query, compared with the evidence that the strategy finds."""

import pytest

from sources.baked import Lexicon
from sources.matching.lexical import weigh_query
from sources.matching.parsed_query import parse_query
from tests.support.registries import a_category, a_registry
from threegood.baking.lexicon import bake_lexicon
from threegood.reports.score_breakdown import (
    WordScore,
    nearest_out_of_scope,
    score_breakdown,
    uncovered_words,
)

PASTA = 1
IRON = 2


@pytest.fixture(scope="module")
def vocabulary() -> Lexicon:
    """Two categories, chess (0) and pasta (1), and two out-of-scope topics, iron (2) and sewing (3)."""
    categories = {
        "chess": a_category("Chess", keywords=["endgame", "silver plate"]),
        "pasta": a_category("Pasta", keywords=["tagliatelle", "durum wheat semolina", "silver plate"]),
    }
    outside = [
        {"name": "Iron Work", "keywords": ["anvil", "silver plate"]},
        {"name": "Sewing", "keywords": ["bobbin", "tagliatelle"]},
    ]
    return Lexicon(bake_lexicon(a_registry(categories, outside=outside)))


@pytest.mark.parametrize(
    "query",
    [
        "pasta",
        "how do i make tagliatelle of durum wheat semolina",
        "pasta pasta taglitelle",
        "zqxwv semolina",
        "a silver plate for chess",
        "パスタ pasta",
    ],
)
def test_the_evidence_of_the_words_adds_up_to_that_of_the_strategy(query: str, vocabulary: Lexicon) -> None:
    parsed = parse_query(query, vocabulary)
    found = weigh_query(query, parsed, vocabulary, limit=vocabulary.categories)
    nearest = nearest_out_of_scope(parsed, vocabulary)
    rows = {topic: score_breakdown(parsed, topic, vocabulary) for topic in range(4)}
    sums = {topic: sum(each.evidence for each in row) for topic, row in rows.items()}

    totals = {topic: each.total for topic, each in found.categories.items()}
    assert {topic: sums[topic] for topic in totals} == pytest.approx(totals)
    assert (0.0 if nearest is None else sums[nearest]) == pytest.approx(found.out_of_scope_evidence)
    assert sum(each.weight for each in rows[PASTA]) == pytest.approx(found.total_weight)


def test_each_word_has_its_best_evidence_for_the_topic(vocabulary: Lexicon) -> None:
    words = score_breakdown(parse_query("zqxwv taglitelle silver plates", vocabulary), PASTA, vocabulary)

    assert [each._replace(weight=0, evidence=0) for each in words] == [
        WordScore("zqxwv", 0, 0),
        WordScore("taglitelle", 0, 0, "taglitelle", "tagliatelle", "keyword"),
        WordScore("silver", 0, 0, "silver plates", "silver plates", "keyword"),
        WordScore("plates", 0, 0, "silver plates", "silver plates", "keyword"),
    ]
    assert [each.evidence > 0 for each in words] == [False, True, True, True]
    assert all(each.evidence <= each.weight for each in words)


def test_the_nearest_out_of_scope_topic_has_the_most_evidence_and_else_the_lowest_number(
    vocabulary: Lexicon,
) -> None:
    nearest = [
        nearest_out_of_scope(parse_query(query, vocabulary), vocabulary)
        for query in ("anvil bobbin iron", "bobbin", "anvil bobbin", "chess")
    ]

    assert nearest == [IRON, IRON + 1, IRON, None]


def test_uncovered_words_have_some_weight_and_no_topic(
    vocabulary: Lexicon,
) -> None:
    query = "best guide to zqxwv chess anvil endgames for 7 giraffes"

    assert uncovered_words(parse_query(query, vocabulary), vocabulary) == ["zqxwv", "giraffes"]
