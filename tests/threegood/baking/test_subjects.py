"""General words: which categories and registries get them, and what they change."""

import json
from importlib.resources import files

import pytest

from sources.baked import Lexicon
from sources.matching.lexical import score, weigh_query
from sources.matching.parsed_query import parse_query
from sources.matching.strategy import MatchSettings
from tests.support.registries import a_category, a_registry
from threegood.baking.lexicon import bake_lexicon
from threegood.baking.subjects import NO_GENERAL_WORDS, general_words
from threegood.registry.records import CategoryVocabulary, OutOfScopeTopic, Registry, Vocabulary

BARE = a_registry(
    {
        "coffee": a_category(
            "Coffee brewing", "how do I brew coffee", "espresso at home", "which grinder for filter coffee"
        ),
        "keepsakes": a_category("Zorbian keepsakes"),
    }
)


def found(query: str, registry: Registry, *, general: bool = True) -> str:
    """The slug that a query finds, or the name of the topic outside that it is about, or nothing."""
    words = general_words(registry) if general else NO_GENERAL_WORDS
    lexicon = Lexicon(bake_lexicon(registry, words))
    evidence = weigh_query(query, parse_query(query, lexicon), lexicon, limit=1)
    for topic in evidence.categories:
        if score(evidence, topic) >= MatchSettings().threshold:
            return sorted(registry.categories)[topic]
    outside = evidence.out_of_scope_topic
    return "" if outside is None else f"outside: {lexicon.out_of_scope_name(outside)}"


@pytest.mark.parametrize(
    ("query", "without", "answer"),
    [
        ("grind size for french press", "", "coffee"),
        ("my sourdough starter smells", "", "outside: sourdough"),
        ("eigenvectors of a symmetric matrix", "", "outside: linear algebra"),
    ],
)
def test_a_registry_without_vocabulary_knows_the_words_of_its_subjects_and_of_others(
    query: str, without: str, answer: str
) -> None:
    assert (found(query, BARE, general=False), found(query, BARE)) == (without, answer)


def test_a_category_gets_words_of_the_subjects_that_its_texts_resemble_alone() -> None:
    words = general_words(BARE)

    assert "latte art" in words.categories["coffee"]
    assert "keepsakes" not in words.categories
    assert not any("coffee" in subject.names for subject in words.out_of_scope)


def test_who_has_enough_words_of_their_own_gets_no_others() -> None:
    many = tuple(f"word{number}" for number in range(300))
    topics = tuple(OutOfScopeTopic(name=word, keywords=(f"{word}s",)) for word in many)
    vocabulary = Vocabulary(categories={"coffee": CategoryVocabulary(keywords=many)}, out_of_scope=topics)

    words = general_words(BARE.model_copy(update={"vocabulary": vocabulary}))

    assert words == NO_GENERAL_WORDS


def test_each_subject_is_listed_once_in_order_with_names_and_words_in_lower_case() -> None:
    text = files("threegood.baking").joinpath("subjects.jsonl").read_text(encoding="utf-8")
    subjects = [json.loads(line) for line in text.splitlines()]
    names = [subject["names"][0] for subject in subjects]

    assert names == sorted(set(names))
    for subject in subjects:
        texts = [*subject["names"], *subject["words"]]
        assert len(subject["words"]) >= 10, subject
        assert texts == [each.lower().strip() for each in dict.fromkeys(texts)], subject["names"]
