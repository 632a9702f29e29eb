"""Warnings: what a valid registry should have beyond the rules."""

import json
from typing import Any

import pytest

from tests.support.registries import a_category, content_of, fixture
from threegood.registry.advice import warnings
from threegood.registry.faults import Fault
from threegood.registry.files import RegistryFiles
from threegood.registry.validate import validate

WORDS = {"aliases": [f"rust {n}" for n in range(5)], "keywords": [f"crate {n}" for n in range(100)]}
TOPIC = {"name": "Zig", "keywords": ["zig", "ziglang", "comptime"]}


def warned(registry: Any = None, **vocabulary: Any) -> list[Fault]:
    """The warnings about a registry of these contents; without one, about a registry that has none."""
    files = RegistryFiles(
        fixture("valid") if registry is None else json.dumps(registry, indent=2).encode(),
        {
            f"vocabulary/{name.replace('_', '-')}.json": json.dumps(content, indent=2).encode()
            for name, content in vocabulary.items()
        },
    )
    return warnings(validate(*files), files)


def places(found: list[Fault]) -> list[tuple[str, str, str]]:
    return [(warning.file, warning.pointer, warning.rule) for warning in found]


def test_a_registry_with_enough_of_everything_has_no_warning_and_needs_no_vocabulary() -> None:
    topics = [{**TOPIC, "name": f"Zig {n}"} for n in range(20)]

    assert warned() == []
    assert warned(learn_rust=WORDS, out_of_scope={"topics": topics}) == []


def test_a_warning_has_the_line_and_the_column_of_the_value() -> None:
    (warning,) = warned(learn_rust={**WORDS, "keywords": ["crate"]})

    assert warning[:5] == ("vocabulary/learn-rust.json", 9, 15, "/keywords", "few-keywords")
    assert warning.message.startswith("The keywords here are 1. ")


@pytest.mark.parametrize("why", ["Good.", "nice", "The best!", "This is the best book there is.", "很好"])
def test_a_reason_of_hardly_any_words_gets_a_warning(why: str) -> None:
    content = content_of("valid")
    content["categories"]["learn-rust"]["sources"][1]["why"] = why

    assert places(warned(content)) == [("", "/categories/learn-rust/sources/1/why", "weak-reason")]


def test_a_category_with_few_patterns_gets_a_warning() -> None:
    content = content_of("valid")
    few = a_category("Learning Rust", "rust one", "rust two", "rust three")["query_patterns"]
    content["categories"]["learn-rust"]["query_patterns"] = few

    assert places(warned(content)) == [("", "/categories/learn-rust/query_patterns", "few-patterns")]


def test_small_vocabularies_get_a_warning_and_missing_ones_none() -> None:
    found = warned(
        learn_rust={"aliases": ["rustlang"]},
        sourdough_bread={**WORDS, "aliases": []},
        out_of_scope={"topics": [TOPIC, {"name": "Ruby", "keywords": ["rails", "ruby"]}]},
    )

    assert places(found) == [
        ("vocabulary/learn-rust.json", "", "few-keywords"),
        ("vocabulary/learn-rust.json", "/aliases", "few-aliases"),
        ("vocabulary/out-of-scope.json", "/topics", "few-topics"),
        ("vocabulary/out-of-scope.json", "/topics/1/keywords", "few-topic-keywords"),
        ("vocabulary/sourdough-bread.json", "/aliases", "few-aliases"),
    ]
