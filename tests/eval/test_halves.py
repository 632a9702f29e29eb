"""The project's own labelled queries. Tests name their lines, so that no message shows what they say."""

from pathlib import Path
from typing import Final

import pytest

from tests.eval.queries import Query, read_queries
from tests.eval.run import UNSEEN
from tests.support.published import CATEGORIES

TUNING: Final = UNSEEN.with_name("tuning.jsonl")


def queries_of(file: Path) -> list[Query]:
    return read_queries(file, frozenset(CATEGORIES))


def texts_of(file: Path) -> dict[str, int]:
    """The queries, whatever their case and spaces, and the line of each; of the same ones, the last."""
    return {" ".join(query.text.casefold().split()): query.line for query in queries_of(file)}


@pytest.mark.parametrize("file", [TUNING, UNSEEN], ids=["tuning", "unseen"])
def test_no_query_is_in_a_half_twice(file: Path) -> None:
    lines = {query.line for query in queries_of(file)}
    assert lines - set(texts_of(file).values()) == set()


def test_no_query_of_the_unseen_half_is_in_the_other() -> None:
    tuning, unseen = texts_of(TUNING), texts_of(UNSEEN)
    assert [(tuning[text], line) for text, line in unseen.items() if text in tuning] == []


def test_both_halves_have_every_style() -> None:
    assert {query.style for query in queries_of(TUNING)} == {query.style for query in queries_of(UNSEEN)}


@pytest.mark.parametrize("file", [TUNING, UNSEEN], ids=["tuning", "unseen"])
def test_a_half_asks_for_every_category_and_for_refusals(file: Path) -> None:
    asked_for = {slug for query in queries_of(file) for slug in query.fair}
    assert asked_for == set(CATEGORIES)
    assert any(not query.fair for query in queries_of(file))
