"""Patterns that add nothing to what a query is compared with, and those that do."""

from typing import Any

import pytest

from threegood.registry.patterns import redundant_patterns


def idle(patterns: Any, *, slug: str = "rust-learning", name: Any = "Learning Rust") -> list[tuple[Any, str]]:
    """Index and rule of each breach in a category with those patterns."""
    breaches = list(redundant_patterns({"categories": {slug: {"name": name, "query_patterns": patterns}}}))
    assert [breach.at[:-1] for breach in breaches] == [("categories", slug, "query_patterns")] * len(breaches)
    return [(breach.at[-1], breach.rule) for breach in breaches]


@pytest.mark.parametrize(
    "again", ["learn rust", "Learn  RUST", "learn rust!", "how do i learn rust?", "learn-rust"]
)
def test_a_pattern_that_is_another_one_to_the_matching_is_refused(again: str) -> None:
    assert idle(["learn rust", "rust book", again]) == [(2, "same-pattern")]


@pytest.mark.parametrize("known", ["learning rust", "Rust Learning", "learning: rust!", "rust-learning"])
def test_a_pattern_that_is_the_name_or_the_slug_is_refused(known: str) -> None:
    assert idle([known, "rust"]) == [(0, "known-pattern")]


@pytest.mark.parametrize("empty", ["how is it done", "?!", "🦀"])
def test_a_pattern_of_which_nothing_is_left_is_refused(empty: str) -> None:
    assert idle(["rust", empty]) == [(1, "empty-pattern")]


def test_the_sentences_say_what_the_pattern_repeats() -> None:
    patterns = ["rust learning", "learning rust", "rust", "the rust"]
    registry = {"categories": {"rust-learning": {"name": "Learning Rust", "query_patterns": patterns}}}

    assert [breach.sentence.partition(",")[0] for breach in redundant_patterns(registry)] == [
        "This pattern says what the category's slug says already",
        "This pattern says what the category's name says already",
        "This repeats pattern 3",
    ]


def test_blank_patterns_and_other_values_are_left_to_other_rules() -> None:
    assert idle(["", "  ", 1, None, ["rust"], {}]) == []
    assert idle(["rust"], name=1) == []


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
def test_what_is_no_registry_has_no_patterns(registry: Any) -> None:
    assert list(redundant_patterns(registry)) == []
