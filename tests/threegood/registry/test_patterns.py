"""Patterns that add nothing to the phrases of their category."""

from typing import Any

import pytest

from threegood.registry.patterns import redundant_patterns


def redundant(
    patterns: Any, *, slug: str = "rust-learning", name: Any = "Learning Rust"
) -> list[tuple[Any, str]]:
    """Index and rule of each breach in a category with those patterns."""
    breaches = list(redundant_patterns({"categories": {slug: {"name": name, "query_patterns": patterns}}}))
    assert [breach.at[:-1] for breach in breaches] == [("categories", slug, "query_patterns")] * len(breaches)
    return [(breach.at[-1], breach.rule) for breach in breaches]


@pytest.mark.parametrize(
    "again", ["learn rust", "Learn  RUST", "learn rust!", "how do i learn rust?", "learn-rust"]
)
def test_a_pattern_with_the_same_words_as_another_is_refused(again: str) -> None:
    assert redundant(["learn rust", "rust book", again]) == [(2, "same-pattern")]


@pytest.mark.parametrize("known", ["learning rust", "Rust Learning", "learning: rust!", "rust-learning"])
def test_a_pattern_with_the_words_of_the_name_or_the_slug_is_refused(known: str) -> None:
    assert redundant([known, "rust"]) == [(0, "known-pattern")]


@pytest.mark.parametrize("empty", ["how is it done", "?!", "🦀"])
def test_a_pattern_without_content_is_refused(empty: str) -> None:
    assert redundant(["rust", empty]) == [(1, "empty-pattern")]


def test_a_message_names_the_text_that_is_repeated() -> None:
    patterns = ["rust learning", "learning rust", "rust", "the rust"]
    registry = {"categories": {"rust-learning": {"name": "Learning Rust", "query_patterns": patterns}}}

    assert [breach.sentence.partition(",")[0] for breach in redundant_patterns(registry)] == [
        "This pattern has the same words as the category's slug",
        "This pattern has the same words as the category's name",
        "This repeats pattern 3",
    ]


def test_blank_patterns_and_values_of_other_types_are_skipped() -> None:
    assert redundant(["", "  ", 1, None, ["rust"], {}]) == []
    assert redundant(["rust"], name=1) == []


@pytest.mark.parametrize(
    "registry",
    [
        None,
        [],
        {},
        {"categories": []},
        {"categories": {"a": 1}},
        {"categories": {"a": {"query_patterns": "b"}}},
    ],
)
def test_a_value_that_is_no_registry_is_skipped(registry: Any) -> None:
    assert list(redundant_patterns(registry)) == []
