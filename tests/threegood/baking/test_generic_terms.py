"""Words that ask for material, whatever the topic."""

import pytest

from sources.matching.analysis import analyse
from threegood.baking.generic_terms import generic_stems


@pytest.mark.parametrize(
    "query",
    [
        "what are the best books to learn",
        "Looking for recommended beginner tutorials, thanks!",
        "please explain the basics step by step",
        "Anleitung für Anfänger",
        "cours pour débutants",
        "aprender: curso, libro, guía",
        "corso, manuale: iniziare",
        "учебник, курс, основы",
        "教程 入门",
    ],
)
def test_nothing_but_the_asking_is_in_these(query: str) -> None:
    functional = {"fur", "pour"}  # which are light for what they are, see common_words

    assert {word.stem for word in analyse(query)} - functional <= generic_stems()


@pytest.mark.parametrize(
    "word",
    [
        "rust",
        "security",
        "kubernetes",
        "bread",
        "network",
        "language",
        "server",
        "git",
        "go",
        "c",
        "sql",
        "node",
    ],
)
def test_a_topic_is_no_asking(word: str) -> None:
    assert {found.stem for found in analyse(word)}.isdisjoint(generic_stems())
