"""Aliases, keywords and out-of-scope topics that are ambiguous to the matching, and those that are not."""

from typing import Any

import pytest

from tests.support.registries import a_category
from threegood.registry.vocabulary import ambiguous_words

Found = list[tuple[str, str]]


def breaches(categories: Any, topics: Any = None) -> Found:
    """File, path in it, joined by slashes, and rule of each breach."""
    registry, vocabulary = registry_and_vocabulary(categories, topics)
    return [
        ("/".join([file.removeprefix("vocabulary/"), *map(str, breach.at)]), breach.rule)
        for file, breach in ambiguous_words(registry, vocabulary)
    ]


def registry_and_vocabulary(categories: Any, topics: Any) -> tuple[Any, dict[str, Any]]:
    """The contents of the files; each category is in both its own and the registry's."""
    words = {f"vocabulary/{slug}.json": category for slug, category in categories.items()}
    return {"categories": categories}, {**words, "vocabulary/out-of-scope.json": {"topics": topics}}


def in_apples(**words: Any) -> Found:
    """The breaches in a vocabulary, as the only one of its registry; the paths are below the category."""
    found = breaches({"apple-growing": a_category("Growing Apples", **words)})
    return [(at.removeprefix("apple-growing.json/"), rule) for at, rule in found]


def beside_apples(*topics: Any, **words: Any) -> Found:
    """The breaches in out-of-scope topics beside one category."""
    return breaches({"apple-growing": a_category("Growing Apples", **words)}, list(topics))


def test_words_that_differ_pass() -> None:
    assert (
        in_apples(aliases=["pomology", "C", "日本"], keywords=["C++", "C#", "core", "日本語", "apple core"])
        == []
    )


@pytest.mark.parametrize("empty", ["how is it", "?!", "=>", "🍎"])
def test_words_without_content_are_refused(empty: str) -> None:
    assert in_apples(aliases=["pomology", empty], keywords=[empty]) == [
        ("aliases/1", "empty-words"),
        ("keywords/0", "empty-words"),
    ]


@pytest.mark.parametrize("again", ["café tree", "Cafe  TREE", "the café-tree!", "CAFÉ TREE"])
def test_repeated_words_of_a_category_are_refused_in_any_spelling(again: str) -> None:
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

    assert breaches(categories) == [
        ("pears.json/aliases/1", "shared-alias"),
        ("plums.json/aliases/0", "shared-alias"),
    ]


@pytest.mark.parametrize("alias", ["quinces", "Quince", "cydonia oblonga"])
def test_an_alias_that_is_the_name_or_slug_of_any_other_category_is_refused(alias: str) -> None:
    categories = {
        "apples": a_category("Apples", aliases=[alias]),
        "cydonia-oblonga": a_category("Quinces"),
    }

    assert breaches(categories) == [("apples.json/aliases/0", "shared-alias")]


def test_different_out_of_scope_topics_pass_and_may_share_words() -> None:
    assert (
        beside_apples(
            {"name": "Pears", "keywords": ["pears", "fruit", "core"]},
            {"name": "Apple computers", "keywords": ["macbook", "fruit", "growing", "C++"]},
            aliases=["pomology", "C"],
            keywords=["core"],
        )
        == []
    )


def test_repeated_and_empty_words_of_a_topic_are_refused_and_empty_ones_are_not_the_same() -> None:
    topics = [
        {"name": "???", "keywords": ["pear", "the pear", "how"]},
        {"name": "How to", "keywords": ["pear"]},
    ]
    categories = {"apples": a_category("How To Do It", aliases=["how"]), "plums": a_category("Why")}

    assert breaches(categories, topics) == [
        ("apples.json/aliases/0", "empty-words"),
        ("out-of-scope.json/topics/0/name", "empty-words"),
        ("out-of-scope.json/topics/0/keywords/1", "same-words"),
        ("out-of-scope.json/topics/0/keywords/2", "empty-words"),
        ("out-of-scope.json/topics/1/name", "empty-words"),
    ]


def test_out_of_scope_topics_have_different_names() -> None:
    topics = [{"name": name, "keywords": ["pear"]} for name in ("Pears", "Plums", "The pears!", "PEARS")]

    assert beside_apples(*topics) == [
        ("out-of-scope.json/topics/2/name", "same-outside"),
        ("out-of-scope.json/topics/3/name", "same-outside"),
    ]


@pytest.mark.parametrize(
    "words", ["pomology", "Pomologies", "growing apples", "Apple Growing", "apple-growing"]
)
def test_a_name_slug_or_alias_of_a_category_is_no_word_of_an_out_of_scope_topic(words: str) -> None:
    topics = [{"name": "Pears", "keywords": ["pear", words]}, {"name": words, "keywords": ["plum"]}]

    assert beside_apples(*topics, aliases=["pomology"]) == [
        ("out-of-scope.json/topics/0/keywords/1", "covered-outside"),
        ("out-of-scope.json/topics/1/name", "covered-outside"),
    ]


def test_a_message_names_the_other_text_and_its_owner() -> None:
    apples = a_category("Apples", aliases=["Pomologie"], keywords=["core", "the core"])
    pears = a_category("Pears", aliases=["pomologie", "apples"])
    topics = [{"name": name, "keywords": ["apple growing"]} for name in ("Plums", "plums")]
    found = ambiguous_words(*registry_and_vocabulary({"apple-growing": apples, "pears": pears}, topics))

    assert [breach.sentence.partition(". ")[0] for _, breach in found][:-1] == [
        'This repeats keyword 1, since case, accents, punctuation and words like "how" and "the" do not '
        'count: both are read as "core"',
        'An alias alone must mean its topic, but this one, read as "pomologie", is an alias of the category '
        '"apple-growing" too',
        'An alias alone must mean its topic, but this one, read as "apples", is the name of the category '
        '"apple-growing" too',
        'This is read as "apple growing", which is the slug of the category "apple-growing", and would have '
        "its queries refused",
        "Topic 1 outside the registry has this name already",
    ]


def test_blank_words_and_values_of_other_types_are_skipped() -> None:
    strange = ["", "  ", 1, None, ["pip"], {}]

    assert in_apples(aliases=strange, keywords=strange) == []
    assert in_apples(aliases="pip", keywords={"pip": 1}) == []
    assert breaches({"apples": {"name": 1, "aliases": ["apple"]}, "pears": {}}) == []
    assert beside_apples({"name": 1, "keywords": strange}, {"name": "Pears"}, None, "pears", []) == []


@pytest.mark.parametrize("strange", [None, [], {}, {"categories": []}, {"categories": {"a": 1}}, "b", 1])
def test_a_value_that_is_no_registry_and_no_vocabulary_is_skipped(strange: Any) -> None:
    files = {"vocabulary/a.json": strange, "vocabulary/out-of-scope.json": strange}

    assert list(ambiguous_words(strange, files)) == []
    assert list(ambiguous_words({"categories": {"a": a_category("Apples")}}, files)) == []
