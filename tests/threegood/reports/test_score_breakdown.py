"""What each word of a query tells for a topic, against what the strategy weighs."""

import pytest

from sources.baked import Lexicon
from sources.matching.lexical import weigh
from sources.matching.reading import read
from tests.support.registries import a_category, a_registry
from threegood.baking.lexicon import lexicon
from threegood.reports.score_breakdown import Told, nearest_outside, nobodys, told

PASTA = 1
IRON = 2


@pytest.fixture(scope="module")
def vocabulary() -> Lexicon:
    """Two categories, chess (0) and pasta (1), and two topics outside, iron (2) and sewing (3)."""
    categories = {
        "chess": a_category("Chess", keywords=["endgame", "silver plate"]),
        "pasta": a_category("Pasta", keywords=["tagliatelle", "durum wheat semolina", "silver plate"]),
    }
    outside = [
        {"name": "Iron Work", "keywords": ["anvil", "silver plate"]},
        {"name": "Sewing", "keywords": ["bobbin", "tagliatelle"]},
    ]
    return Lexicon(lexicon(a_registry(categories, outside=outside)))


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
def test_what_the_words_tell_adds_up_to_what_the_strategy_weighs(query: str, vocabulary: Lexicon) -> None:
    reading = read(query, vocabulary)
    found = weigh(query, reading, vocabulary, limit=vocabulary.categories)
    nearest = nearest_outside(reading, vocabulary)
    sums = {topic: sum(each.evidence for each in told(reading, topic, vocabulary)) for topic in range(4)}

    assert {topic: sums[topic] for topic in found.evidence} == pytest.approx(found.evidence)
    assert (0.0 if nearest is None else sums[nearest]) == pytest.approx(found.against)
    assert sum(each.weight for each in told(reading, PASTA, vocabulary)) == pytest.approx(found.total)


def test_each_word_is_told_with_what_speaks_for_the_topic_best(vocabulary: Lexicon) -> None:
    words = told(read("zqxwv taglitelle silver plates", vocabulary), PASTA, vocabulary)

    assert [each._replace(weight=0, evidence=0) for each in words] == [
        Told("zqxwv", 0, 0),
        Told("taglitelle", 0, 0, "taglitelle", "tagliatelle", "keyword"),
        Told("silver", 0, 0, "silver plates", "silver plates", "keyword"),
        Told("plates", 0, 0, "silver plates", "silver plates", "keyword"),
    ]
    assert [each.evidence > 0 for each in words] == [False, True, True, True]
    assert all(each.evidence <= each.weight for each in words)


def test_the_nearest_topic_outside_is_the_one_with_most_evidence_and_else_the_first(
    vocabulary: Lexicon,
) -> None:
    nearest = [
        nearest_outside(read(query, vocabulary), vocabulary)
        for query in ("anvil bobbin iron", "bobbin", "anvil bobbin", "chess")
    ]

    assert nearest == [IRON, IRON + 1, IRON, None]


def test_the_words_of_no_topic_are_those_that_tell_something_and_that_nobody_has(
    vocabulary: Lexicon,
) -> None:
    query = "best guide to zqxwv chess anvil endgames for 7 giraffes"

    assert nobodys(read(query, vocabulary), vocabulary) == ["zqxwv", "giraffes"]
