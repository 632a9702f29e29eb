"""What a bake makes of a registry's words: for which topics they speak, and how much they tell."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from sources.baked import Lexicon
from sources.baked.postings import field_of, impact_of, topic_of
from sources.matching import Strategy, build_strategy
from sources.matching.analysis import analyse, exact_key, joined_key, phrase_key
from sources.matching.spelling import corrections
from tests.support.lexicons import Words
from tests.support.registries import a_category, a_registry
from threegood.baking.canonical import canonical_bytes
from threegood.baking.lexicon import bake_lexicon
from threegood.registry.records import Registry

ROOT: Final = Path(__file__).parents[3]

CATEGORIES: Final[dict[str, dict[str, Any]]] = {
    "python-learning": a_category(
        "Learning Python",
        "learn python",
        "python tutorial avec exemples",
        "how to write a generator",
        description="The programming language of readable scripts.",
        aliases=["python", "py lang", "aprender Python para todos"],
        keywords=["decorator", "virtual environment", "zipapp", "chapter 7", "x ray", "garden hose", "入門"],
    ),
    "machine-learning": a_category(
        "Machine Learning",
        "train a classifier",
        "gradient descent",
        "overfitting explained",
        aliases=["ml", "apprentissage automatique"],
        keywords=["random forest", "decorator", "gradient boosting"],
    ),
    "allotment-garden": a_category(
        "Allotment Garden",
        "grow potatoes",
        "raised bed",
        "compost heap",
        description="Vegetables on a small plot, with scripts of weather.",
        aliases=["yard"],
        keywords=["potato", "garden hose", "garden"],
    ),
}
OUTSIDE: Final = [
    {"name": "Snakes", "keywords": ["python snake", "ball python", "terrarium", "reptile vet"]},
    {"name": "Lawn care", "keywords": ["garden lawn", "random terrarium", "mower"]},
]
GARDEN, MACHINE, PYTHON, SNAKES, LAWN = range(5)


class Vocabulary:
    """A baked vocabulary, asked by words."""

    def __init__(self, registry: Registry) -> None:
        self.data = bake_lexicon(registry)
        self.lexicon = Lexicon(self.data)

    def weight(self, key: str) -> float:
        return round(self.lexicon.weight(self._row(key)), 3)

    def fields(self, key: str) -> dict[int, str]:
        """The field that a key stands in, for each topic that has it."""
        return {
            topic_of(posting): field_of(posting)
            for posting in self.lexicon.strongest_postings(self._row(key))
        }

    def impacts(self, key: str) -> dict[int, float]:
        postings = self.lexicon.strongest_postings(self._row(key))
        return {topic_of(posting): impact_of(posting) for posting in postings}

    def knows(self, key: str) -> bool:
        return self.lexicon.find(key) is not None

    def readings(self, word: str) -> list[str]:
        return [reading.spelling for reading in corrections(word, self.lexicon.spellings_with)]

    def _row(self, key: str) -> int:
        row = self.lexicon.find(key)
        assert row is not None, key
        return row


def registry_of(categories: Mapping[str, Any] = CATEGORIES) -> Registry:
    return a_registry(dict(categories), outside=OUTSIDE)


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary(registry_of())


@pytest.fixture(scope="module")
def alone() -> Vocabulary:
    """That of the same categories without topics outside."""
    return Vocabulary(a_registry(CATEGORIES))


@pytest.fixture(scope="module")
def strategy(vocabulary: Vocabulary) -> Strategy:
    return build_strategy("lexicon", Words(vocabulary.lexicon, sorted(CATEGORIES)))


def stem(word: str) -> str:
    (only,) = analyse(word)
    return only.stem


def phrase(text: str) -> str:
    return phrase_key(analyse(text))


def test_topics_are_the_categories_slugs_ascending_and_then_those_outside(vocabulary: Vocabulary) -> None:
    assert vocabulary.lexicon.categories == 3
    assert [vocabulary.lexicon.out_of_scope_name(topic) for topic in (SNAKES, LAWN)] == [
        "Snakes",
        "Lawn care",
    ]
    assert vocabulary.fields(stem("terrarium")) == {SNAKES: "keyword", LAWN: "keyword"}


@pytest.mark.parametrize(
    ("key", "fields"),
    [
        (stem("allotment"), {GARDEN: "slug"}),
        (stem("zipapp"), {PYTHON: "keyword"}),
        (stem("generator"), {PYTHON: "pattern"}),
        (stem("decorator"), {PYTHON: "keyword", MACHINE: "keyword"}),
        (stem("readable"), {PYTHON: "description"}),
        (stem("ml"), {MACHINE: "alias"}),
        (phrase("virtual environment"), {PYTHON: "keyword"}),
        (phrase("gradient descent"), {MACHINE: "pattern"}),
        (phrase("small plot"), {GARDEN: "description"}),
    ],
)
def test_words_and_phrases_speak_for_the_topics_that_have_them(
    vocabulary: Vocabulary, key: str, fields: dict[int, str]
) -> None:
    assert vocabulary.fields(key) == fields


def test_the_names_of_sources_are_words_of_their_category(vocabulary: Vocabulary) -> None:
    assert vocabulary.fields(phrase("source 2")) == dict.fromkeys((GARDEN, MACHINE, PYTHON), "source")


@pytest.mark.parametrize(
    "text",
    [
        "python learning",
        "Learning Python",
        "py lang",
        "how to write a generator",
        "aprender Python para todos",
    ],
)
def test_slug_name_aliases_and_patterns_mean_their_category_word_for_word(
    vocabulary: Vocabulary, text: str
) -> None:
    assert vocabulary.impacts(exact_key(text)) == {PYTHON: 1.0}


@pytest.mark.parametrize("text", ["decorator", "Source 1", CATEGORIES["python-learning"]["description"]])
def test_shared_keywords_descriptions_and_sources_do_not(vocabulary: Vocabulary, text: str) -> None:
    assert not vocabulary.knows(exact_key(text))


def test_a_keyword_that_no_other_topic_has_means_its_category_too(vocabulary: Vocabulary) -> None:
    assert vocabulary.fields(exact_key("virtual environment")) == {PYTHON: "keyword"}


def test_words_written_as_one_are_known_as_they_are_apart(vocabulary: Vocabulary) -> None:
    assert joined_key(analyse("machine learning")) != phrase("machine learning")
    assert vocabulary.fields(stem("machinelearning")) == {MACHINE: "name"}
    assert vocabulary.fields(stem("pylang")) == {PYTHON: "alias"}


def test_a_whole_text_speaks_more_for_its_topic_than_a_part_of_it(vocabulary: Vocabulary) -> None:
    whole, part = vocabulary.impacts(phrase("random forest")), vocabulary.impacts(stem("forest"))

    assert whole[MACHINE] > part[MACHINE] > 0


def test_an_alias_speaks_more_than_a_keyword_and_a_keyword_more_than_a_word_of_the_description(
    vocabulary: Vocabulary,
) -> None:
    keys = ("ml", stem("zipapp"), stem("readable"))

    told = [max(vocabulary.impacts(key).values()) for key in keys]
    assert told == sorted(told, reverse=True)
    assert len(set(told)) == 3


def test_a_key_that_stands_in_a_topic_twice_speaks_more_for_it(vocabulary: Vocabulary) -> None:
    impacts = vocabulary.impacts(stem("gradient"))  # in a pattern and in a keyword

    assert impacts[MACHINE] > vocabulary.impacts(stem("descent"))[MACHINE]
    assert vocabulary.impacts(stem("python"))[PYTHON] == 1.0


def test_a_key_of_one_topic_tells_more_than_the_same_key_of_two(
    vocabulary: Vocabulary, alone: Vocabulary
) -> None:
    # "random" is in a keyword of a category, and beside it in one of a topic outside.
    assert vocabulary.fields(stem("random")) == {MACHINE: "keyword", LAWN: "keyword"}
    assert alone.weight(stem("random")) > vocabulary.weight(stem("random"))


def test_a_name_is_not_diluted_by_topics_outside_the_registry(
    vocabulary: Vocabulary, alone: Vocabulary
) -> None:
    assert set(vocabulary.fields(stem("python"))) == {PYTHON}
    assert vocabulary.weight(stem("python")) == alone.weight(stem("python")) >= 0.8


@pytest.mark.parametrize("word", ["learn", "learning", "tutorial", "explained", "aprender", "入門"])
def test_words_that_ask_for_material_tell_next_to_nothing_wherever_they_stand(
    vocabulary: Vocabulary, word: str
) -> None:
    assert vocabulary.weight(stem(word)) < 0.1


@pytest.mark.parametrize("word", ["para", "avec", "7", "x"])
def test_foreign_function_words_single_letters_and_digits_tell_next_to_nothing(
    vocabulary: Vocabulary, word: str
) -> None:
    assert vocabulary.fields(word) != {}
    assert vocabulary.weight(word) < 0.1


def test_a_word_of_which_all_others_ask_for_material_speaks_almost_as_the_whole(
    vocabulary: Vocabulary,
) -> None:
    # "Learning" in "Machine Learning" asks for material, and in "random forest" no word does.
    assert vocabulary.impacts(stem("machine"))[MACHINE] > vocabulary.impacts(stem("forest"))[MACHINE]
    assert vocabulary.impacts(stem("learning"))[MACHINE] < vocabulary.impacts(stem("machine"))[MACHINE]


def test_a_curators_own_word_tells_more_than_the_same_word_elsewhere(vocabulary: Vocabulary) -> None:
    # All three are everyday words: one is an alias, one is a keyword, one only stands in a description.
    name, keyword, other = (vocabulary.weight(stem(word)) for word in ("yard", "potato", "weather"))

    assert name > keyword > other


@pytest.mark.parametrize("word", ["umbrella", "mother", "ferry", "falcon"])
def test_english_words_that_no_topic_has_are_known_and_tell_less_than_one_that_nobody_knows(
    vocabulary: Vocabulary, word: str
) -> None:
    assert vocabulary.fields(stem(word)) == {}
    assert 0 < vocabulary.weight(stem(word)) <= 0.6


@pytest.mark.parametrize("word", ["guten", "bonjour", "pero", "очень"])
def test_common_foreign_words_are_known_too(vocabulary: Vocabulary, word: str) -> None:
    assert vocabulary.fields(stem(word)) == {}
    assert vocabulary.weight(stem(word)) <= 0.4


@pytest.mark.parametrize("word", ["zymurgy", "xqzv", "e0382"])
def test_other_words_are_not_known(vocabulary: Vocabulary, word: str) -> None:
    assert not vocabulary.knows(stem(word))


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("pyhton", "python"),
        ("machnie", "machine"),
        ("decoratr", "decorator"),
        ("terarium", "terrarium"),
        ("chldren", "children"),
        ("apprentisage", "apprentissage"),
    ],
)
def test_words_of_topics_and_common_words_may_be_misspelt(
    vocabulary: Vocabulary, word: str, found: str
) -> None:
    assert vocabulary.readings(word)[0] == found


@pytest.mark.parametrize("word", ["入門", "7", "ml", "ray", "this"])
def test_short_words_stop_words_digits_and_unspaced_scripts_are_not(
    vocabulary: Vocabulary, word: str
) -> None:
    assert word not in {spelling for spelling, _ in vocabulary.lexicon.spellings_with(word)}


@pytest.mark.parametrize("query", ["my ball python needs a terrarium", "reptile vet", "lawn mower"])
def test_queries_about_topics_outside_are_refused(strategy: Strategy, query: str) -> None:
    ranking = strategy.rank(query, limit=1)

    assert ranking.accepted(strategy.threshold) is None
    assert ranking.out_of_scope in ("Snakes", "Lawn care")


BAKE: Final = """
import sys
from threegood.baking.lexicon import bake_lexicon
from threegood.registry.validate import validate
sys.stdout.buffer.write(bake_lexicon(validate(sys.stdin.buffer.read())))
"""


def test_the_seed_of_python_s_hashes_makes_no_difference_to_the_bytes(vocabulary: Vocabulary) -> None:
    another_seed = "1" if os.environ.get("PYTHONHASHSEED") == "0" else "0"
    paths = (".", "layers/core", "functions/mcp")

    made = subprocess.run(
        [sys.executable, "-c", BAKE],
        env={"PYTHONPATH": ":".join(str(ROOT / path) for path in paths), "PYTHONHASHSEED": another_seed},
        input=canonical_bytes(registry_of()),
        capture_output=True,
        check=True,
    ).stdout

    assert made == vocabulary.data
