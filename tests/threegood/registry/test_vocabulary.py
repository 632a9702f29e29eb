"""Aliases, keywords and outside topics that would mislead the matching, and those that serve it."""

from typing import Any

import pytest

from tests.support.registries import a_category
from threegood.registry.vocabulary import ambiguous_words

Found = list[tuple[str, str]]


def breaches(registry: Any) -> Found:
    """Position, steps joined by slashes, and rule of each breach."""
    return [("/".join(map(str, breach.at)), breach.rule) for breach in ambiguous_words(registry)]


def in_apples(**words: Any) -> Found:
    """What is wrong with a vocabulary, as the only one of its registry; the places are below the category."""
    found = breaches({"categories": {"apple-growing": a_category("Growing Apples", **words)}})
    return [(at.removeprefix("categories/apple-growing/"), rule) for at, rule in found]


def beside_apples(*topics: Any, **words: Any) -> Found:
    """What is wrong with topics outside a registry of one category."""
    categories = {"apple-growing": a_category("Growing Apples", **words)}
    return breaches({"categories": categories, "outside": list(topics)})


def test_words_that_differ_pass() -> None:
    assert (
        in_apples(aliases=["pomology", "C", "日本"], keywords=["C++", "C#", "core", "日本語", "apple core"])
        == []
    )


@pytest.mark.parametrize("empty", ["how is it", "?!", "=>", "🍎"])
def test_words_of_which_nothing_is_left_are_refused(empty: str) -> None:
    assert in_apples(aliases=["pomology", empty], keywords=[empty]) == [
        ("aliases/1", "empty-words"),
        ("keywords/0", "empty-words"),
    ]


@pytest.mark.parametrize("again", ["café tree", "Cafe  TREE", "the café-tree!", "CAFÉ TREE"])
def test_words_said_before_in_the_same_category_are_refused_in_another_spelling_too(again: str) -> None:
    assert in_apples(aliases=["café tree"], keywords=["core", again]) == [("keywords/1", "same-words")]
    assert in_apples(aliases=["café tree", again]) == [("aliases/1", "same-words")]
    assert in_apples(keywords=["café tree", "core", again]) == [("keywords/2", "same-words")]


@pytest.mark.parametrize("alias", ["orchard fruit", "Orchard-Fruits", "orchardfruit", "the orchard fruit"])
def test_an_alias_of_an_earlier_category_is_refused(alias: str) -> None:
    categories = {
        "apples": a_category("Apples", aliases=["orchard fruit"]),
        "pears": a_category("Pears", aliases=["pyrus", alias]),
        "plums": a_category("Plums", aliases=["orchard fruit"]),
    }

    assert breaches({"categories": categories}) == [
        ("categories/pears/aliases/1", "shared-alias"),
        ("categories/plums/aliases/0", "shared-alias"),
    ]


@pytest.mark.parametrize("alias", ["quinces", "Quince", "cydonia oblonga"])
def test_an_alias_that_is_the_name_or_slug_of_any_other_category_is_refused(alias: str) -> None:
    categories = {
        "apples": a_category("Apples", aliases=[alias]),
        "cydonia-oblonga": a_category("Quinces"),
    }

    assert breaches({"categories": categories}) == [("categories/apples/aliases/0", "shared-alias")]


def test_topics_outside_that_differ_pass_and_may_share_words() -> None:
    assert (
        beside_apples(
            {"name": "Pears", "keywords": ["pears", "fruit", "core"]},
            {"name": "Apple computers", "keywords": ["macbook", "fruit", "growing", "C++"]},
            aliases=["pomology", "C"],
            keywords=["core"],
        )
        == []
    )


def test_words_said_before_in_the_same_outside_topic_are_refused_and_empty_ones_too() -> None:
    topics = [
        {"name": "???", "keywords": ["pear", "the pear", "how"]},
        {"name": "Plums", "keywords": ["pear"]},
    ]

    assert beside_apples(*topics) == [
        ("outside/0/name", "empty-words"),
        ("outside/0/keywords/1", "same-words"),
        ("outside/0/keywords/2", "empty-words"),
    ]


def test_names_of_which_nothing_is_left_are_not_taken_for_one_another() -> None:
    topics = [{"name": name, "keywords": ["plum"]} for name in ("???", "How to")]
    categories = {"apples": a_category("How To Do It", aliases=["how"]), "pears": a_category("Why")}

    assert breaches({"categories": categories, "outside": topics}) == [
        ("categories/apples/aliases/0", "empty-words"),
        ("outside/0/name", "empty-words"),
        ("outside/1/name", "empty-words"),
    ]


def test_topics_outside_have_different_names() -> None:
    topics = [{"name": name, "keywords": ["pear"]} for name in ("Pears", "Plums", "The pears!", "PEARS")]

    assert beside_apples(*topics) == [("outside/2/name", "same-outside"), ("outside/3/name", "same-outside")]


@pytest.mark.parametrize(
    "words", ["pomology", "Pomologies", "growing apples", "Apple Growing", "apple-growing"]
)
def test_what_a_category_goes_by_is_no_word_of_an_outside_topic(words: str) -> None:
    topics = [{"name": "Pears", "keywords": ["pear", words]}, {"name": words, "keywords": ["plum"]}]

    assert beside_apples(*topics, aliases=["pomology"]) == [
        ("outside/0/keywords/1", "covered-outside"),
        ("outside/1/name", "covered-outside"),
    ]


def test_the_sentences_say_what_the_words_are_taken_for() -> None:
    apples = a_category("Apples", aliases=["Pomologie", "fruit"], keywords=["core", "the core", "FRUIT"])
    pears = a_category("Pears", aliases=["pomologie", "apples"])
    registry = {
        "categories": {"apple-growing": apples, "pears": pears},
        "outside": [
            {"name": "Own fruit", "keywords": ["apple growing", "pear"]},
            {"name": "own fruit", "keywords": []},
        ],
    }

    assert [breach.sentence.partition(". ")[0] for breach in ambiguous_words(registry)] == [
        'This repeats keyword 1, since case, accents, punctuation and words like "how" and "the" do not '
        'count: both are read as "core"',
        'This repeats alias 2, since case, accents, punctuation and words like "how" and "the" do not '
        'count: both are read as "fruit"',
        'An alias alone must mean its topic, but this one, read as "pomologie", is an alias of the category '
        '"apple-growing" too',
        'An alias alone must mean its topic, but this one, read as "apples", is the name of the category '
        '"apple-growing" too',
        'This is read as "fruit", which is an alias of the category "apple-growing", and would have its '
        "queries refused",
        'This is read as "apple growing", which is the slug of the category "apple-growing", and would have '
        "its queries refused",
        'This is read as "pear", which is the name of the category "pears", and would have its '
        "queries refused",
        "Topic 1 outside the registry has this name already",
        'This is read as "fruit", which is an alias of the category "apple-growing", and would have its '
        "queries refused",
    ]


def test_blank_words_and_other_values_are_left_to_other_rules() -> None:
    strange = ["", "  ", 1, None, ["pip"], {}]

    assert in_apples(aliases=strange, keywords=strange) == []
    assert in_apples(aliases="pip", keywords={"pip": 1}) == []
    assert breaches({"categories": {"apples": {"name": 1, "aliases": ["apple"]}, "pears": {}}}) == []
    assert beside_apples({"name": 1, "keywords": strange}, {"name": "Pears"}, None, "pears", []) == []


@pytest.mark.parametrize(
    "registry",
    [
        None,
        [],
        {},
        {"categories": [], "outside": {}},
        {"categories": {"a": 1}, "outside": "b"},
        {"categories": None, "outside": None},
    ],
)
def test_what_is_no_registry_has_no_vocabulary(registry: Any) -> None:
    assert breaches(registry) == []
