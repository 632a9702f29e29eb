"""Words that carry no topic, in fifteen languages, and words that are topics."""

import pytest

from sources.matching.analysis import analyse
from threegood.baking.empty_words import empty_stems, material_stems

ASKING_FOR_MATERIAL = (
    "what are the best books to learn",
    "Looking for recommended beginner tutorials, thanks!",
    "please explain the basics step by step",
    "Anleitung Anfänger / cours débutants / aprender: curso, libro, guía / corso, manuale: iniziare",
    "учебник, курс, основы",
    "教程 入门",
)

FUNCTION_WORDS = {
    "es": "para cómo una con",
    "fr": "avec pour dans les",
    "de": "und für ich nicht",
    "it": "della per gli sono",
    "pt": "não uma você com",
    "nl": "voor het een niet",
    "pl": "dla jak się jest",
    "sv": "och att jag inte",
    "ru": "как для это что",
    "el": "όπως πώς είναι",
    "zh": "我们 怎么 的",
    "ja": "これ から の",
    "ar": "في على كيف",
    "hi": "के लिए में",
}


def stems(text: str) -> set[str]:
    return {word.stem for word in analyse(text)}


@pytest.mark.parametrize("query", ASKING_FOR_MATERIAL)
def test_words_that_ask_for_material_carry_no_topic(query: str) -> None:
    assert stems(query) <= empty_stems()
    assert stems("books learn beginner tutorials") <= material_stems()


@pytest.mark.parametrize("language", FUNCTION_WORDS)
def test_function_words_carry_no_topic(language: str) -> None:
    assert stems(FUNCTION_WORDS[language]) <= empty_stems()


def test_topics_are_not_empty_words() -> None:
    topics = "rust security kubernetes bread network language server git go sql node door men garten пароль"

    assert stems(topics).isdisjoint(empty_stems())
