"""Generic learning words, and words that are topics."""

import pytest

from sources.matching.analysis import analyse
from threegood.baking.generic_terms import generic_stems

GENERIC = (
    "what are the best books to learn",
    "Looking for recommended beginner tutorials, thanks!",
    "please explain the basics step by step",
    "Anleitung Anfänger / cours débutants / aprender: curso, libro, guía / corso, manuale: iniziare",
    "учебник, курс, основы",
    "教程 入门",
)


@pytest.mark.parametrize("query", GENERIC)
def test_words_that_fit_any_topic_are_generic(query: str) -> None:
    assert {word.stem for word in analyse(query)} <= generic_stems()


def test_topics_are_not_generic() -> None:
    topics = analyse("rust security kubernetes bread network language server git go c sql node")

    assert {word.stem for word in topics}.isdisjoint(generic_stems())
