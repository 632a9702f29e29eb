"""The vocabulary that a bake makes: the topics of its keys, their impacts and weights, and spellings."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from sources.baked import Lexicon
from sources.baked.postings import field_of, impact_of, is_whole_name, topic_of
from sources.matching.analysis import analyse, exact_key, joined_key, phrase_key
from sources.matching.spelling import corrections
from sources.matching.weights import MAX_EMPTY_WEIGHT, UNKNOWN_WORD_WEIGHT
from tests.support.registries import a_category, a_registry, write_registry
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
        "composting",
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
        """The field of a key, for each topic that has it."""
        return {
            topic_of(posting): field_of(posting)
            for posting in self.lexicon.strongest_postings(self._row(key))
        }

    def impacts(self, key: str) -> dict[int, float]:
        postings = self.lexicon.strongest_postings(self._row(key))
        return {topic_of(posting): impact_of(posting) for posting in postings}

    def is_whole_name(self, key: str) -> bool:
        return any(map(is_whole_name, self.lexicon.strongest_postings(self._row(key))))

    def is_common(self, key: str) -> bool:
        return self.lexicon.is_common(self._row(key))

    def knows(self, key: str) -> bool:
        return self.lexicon.find(key) is not None

    def corrections(self, word: str) -> list[str]:
        return [correction.spelling for correction in corrections(word, self.lexicon.spellings_with)]

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
    """The vocabulary of the same categories without out-of-scope topics."""
    return Vocabulary(a_registry(CATEGORIES))


def stem(word: str) -> str:
    (only,) = analyse(word)
    return only.stem


def phrase(text: str) -> str:
    return phrase_key(analyse(text))


def test_topics_are_the_categories_by_slug_and_then_the_out_of_scope_topics(vocabulary: Vocabulary) -> None:
    assert vocabulary.lexicon.categories == 3
    assert [vocabulary.lexicon.out_of_scope_name(topic) for topic in (SNAKES, LAWN)] == [
        "Snakes",
        "Lawn care",
    ]
    assert vocabulary.fields(stem("terrarium")) == {SNAKES: "keyword", LAWN: "keyword"}


def test_a_key_has_its_topics_with_their_fields(vocabulary: Vocabulary) -> None:
    expected = {
        stem("allotment"): {GARDEN: "slug"},
        stem("zipapp"): {PYTHON: "keyword"},
        stem("generator"): {PYTHON: "pattern"},
        stem("decorator"): {PYTHON: "keyword", MACHINE: "keyword"},
        stem("readable"): {PYTHON: "description"},
        stem("ml"): {MACHINE: "alias"},
        phrase("virtual environment"): {PYTHON: "keyword"},
        phrase("gradient descent"): {MACHINE: "pattern"},
        phrase("scripts of weather"): {GARDEN: "description"},
        stem("readers"): dict.fromkeys((GARDEN, MACHINE, PYTHON), "source"),  # in the reasons
        stem("example"): {},  # it carries no topic, though it is in all addresses
    }

    assert {key: vocabulary.fields(key) for key in expected} == expected


def test_slug_name_aliases_and_patterns_are_exact_keys_and_nothing_else_is(vocabulary: Vocabulary) -> None:
    texts = ("python learning", "Learning Python", "py lang", "how to write a generator")
    others = ("decorator", "virtual environment", "Source 1", CATEGORIES["python-learning"]["description"])

    assert [vocabulary.impacts(exact_key(text)) for text in texts] == [{PYTHON: 1.0}] * len(texts)
    assert [vocabulary.knows(exact_key(text)) for text in others] == [False] * len(others)


def test_names_and_patterns_of_one_word_are_whole_names(vocabulary: Vocabulary) -> None:
    whole = ("ml", stem("yard"), phrase("machine learning"), phrase("py lang"), stem("composting"))
    parts = (stem("machine"), stem("zipapp"), phrase("random forest"), phrase("gradient descent"))

    assert [key for key in (*whole, *parts) if vocabulary.is_whole_name(key)] == list(whole)


def test_a_term_is_also_a_key_when_it_is_written_as_one_word(vocabulary: Vocabulary) -> None:
    assert joined_key(analyse("machine learning")) != phrase("machine learning")
    assert vocabulary.fields(stem("machinelearning")) == {MACHINE: "name"}
    assert vocabulary.fields(stem("pylang")) == {PYTHON: "alias"}


def test_an_alias_has_more_impact_than_a_keyword_and_that_more_than_a_word_of_the_description(
    vocabulary: Vocabulary,
) -> None:
    keys = ("ml", stem("zipapp"), stem("readable"))

    strongest = [max(vocabulary.impacts(key).values()) for key in keys]
    assert strongest == sorted(strongest, reverse=True)
    assert len(set(strongest)) == 3


def test_a_key_that_a_topic_has_twice_has_more_impact(vocabulary: Vocabulary) -> None:
    impacts = vocabulary.impacts(stem("gradient"))  # in a pattern and in a keyword

    assert impacts[MACHINE] > vocabulary.impacts(stem("descent"))[MACHINE]
    assert vocabulary.impacts(stem("python"))[PYTHON] == 1.0


def test_a_key_of_one_topic_weighs_more_than_the_same_key_of_two(
    vocabulary: Vocabulary, alone: Vocabulary
) -> None:
    # "random" is in a keyword of a category, and in one of an out-of-scope topic.
    assert vocabulary.fields(stem("random")) == {MACHINE: "keyword", LAWN: "keyword"}
    assert alone.weight(stem("random")) > vocabulary.weight(stem("random"))


def test_a_name_loses_no_weight_to_out_of_scope_topics(vocabulary: Vocabulary, alone: Vocabulary) -> None:
    assert set(vocabulary.fields(stem("python"))) == {PYTHON}
    assert vocabulary.weight(stem("python")) == alone.weight(stem("python")) >= 0.8


def test_words_for_material_and_function_words_letters_and_digits_have_almost_no_weight(
    vocabulary: Vocabulary,
) -> None:
    words = ("learn", "learning", "tutorial", "explained", "aprender", "入門", "para", "avec")

    assert [word for word in words if vocabulary.fields(stem(word))] == []
    assert [word for word in (*words, "7", "x") if vocabulary.weight(stem(word)) > MAX_EMPTY_WEIGHT] == []


def test_the_only_specific_word_of_a_text_has_almost_the_impact_of_the_whole(
    vocabulary: Vocabulary,
) -> None:
    # "Learning" in "Machine Learning" carries no topic; both words of "random forest" do.
    assert vocabulary.impacts(stem("machine"))[MACHINE] > vocabulary.impacts(stem("forest"))[MACHINE]


def test_an_alias_weighs_more_than_a_keyword_and_that_more_than_another_word(vocabulary: Vocabulary) -> None:
    # All three are everyday words: one is an alias, one a keyword, and one is in a description.
    name, keyword, other = (vocabulary.weight(stem(word)) for word in ("yard", "potato", "weather"))

    assert name > keyword > other


def test_common_words_are_known_and_weigh_less_than_unknown_words(vocabulary: Vocabulary) -> None:
    words = ("umbrella", "mother", "ferry", "falcon", "guten", "bonjour", "pero", "очень")

    assert [vocabulary.fields(stem(word)) for word in words] == [{}] * len(words)
    assert [word for word in words if not 0 < vocabulary.weight(stem(word)) < UNKNOWN_WORD_WEIGHT] == []
    assert [vocabulary.knows(stem(word)) for word in ("zymurgy", "xqzv", "e0382")] == [False] * 3
    assert [vocabulary.is_common(stem(word)) for word in ("mother", "weather", "zipapp", "falcon")] == [
        True,
        True,
        False,
        False,
    ]


def test_words_of_topics_and_common_words_are_found_when_misspelt(vocabulary: Vocabulary) -> None:
    expected = {
        "pyhton": "python",
        "machnie": "machine",
        "decoratr": "decorator",
        "terarium": "terrarium",
        "chldren": "children",
        "apprentisage": "apprentissage",
    }

    assert {word: vocabulary.corrections(word)[0] for word in expected} == expected


def test_short_words_stop_words_digits_and_unspaced_scripts_are_not_corrected(vocabulary: Vocabulary) -> None:
    words = ("入門", "7", "ml", "ray", "this")
    spellings = [[spelling for spelling, _ in vocabulary.lexicon.spellings_with(word)] for word in words]

    assert [word for word, found in zip(words, spellings, strict=True) if word in found] == []


BAKE: Final = """
import sys
from pathlib import Path
from threegood.baking.lexicon import bake_lexicon
from threegood.registry.validate import read_registry
sys.stdout.buffer.write(bake_lexicon(read_registry(Path(sys.argv[1]))))
"""


def test_the_seed_of_python_s_hashes_makes_no_difference_to_the_bytes(
    vocabulary: Vocabulary, tmp_path: Path
) -> None:
    another_seed = "1" if os.environ.get("PYTHONHASHSEED") == "0" else "0"
    paths = (".", "layers/core", "functions/mcp")

    made = subprocess.run(
        [sys.executable, "-c", BAKE, str(write_registry(tmp_path, CATEGORIES, outside=OUTSIDE))],
        env={"PYTHONPATH": ":".join(str(ROOT / path) for path in paths), "PYTHONHASHSEED": another_seed},
        capture_output=True,
        check=True,
    ).stdout

    assert made == vocabulary.data
