"""The prompts: researching a topic from its three sources, or finding out which topic it is."""

from typing import Final

import pytest

from sources.baked import BakedRegistry
from sources.matching import build_strategy
from sources.prompts import RegistryPrompts
from tests.support.registries import a_category, a_registry, baked, fixture
from threegood.registry.validate import validate

REGISTRY: Final = validate(fixture("valid"))


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> BakedRegistry:
    return baked(tmp_path_factory.mktemp("valid"), REGISTRY)


@pytest.fixture
def prompts(registry: BakedRegistry) -> RegistryPrompts:
    return RegistryPrompts(registry, build_strategy("reference", registry))


def test_a_topic_is_one_text_the_task_and_the_sources_of_its_category(
    prompts: RegistryPrompts, registry: BakedRegistry
) -> None:
    text = prompts.research_topic("how do I learn rust")
    answer = registry.answer("learn-rust")
    assert answer is not None
    assert text.startswith("Research this topic for me: how do I learn rust\n\nA curator has picked three")
    assert 'sources for "Learning Rust"' in text
    assert text.endswith(f"\n\n{answer.text}")


@pytest.mark.parametrize("topic", ["xylophone", "the", "", "\x00", "日本語"])
def test_a_topic_without_sources_says_so_and_how_to_go_on(prompts: RegistryPrompts, topic: str) -> None:
    words = prompts.research_topic(topic)
    assert words.startswith(f"I want to research this topic: {topic}\n\nNo category matches this query")
    assert "list_categories" in words


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> BakedRegistry:
    named = {slug: a_category(slug) for slug in ("rust-web", "learn-rust", "bread-rye")}
    return baked(tmp_path_factory.mktemp("three"), a_registry(named))


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("", ["bread rye", "learn rust", "rust web"]),
        ("rust", ["rust web", "learn rust"]),
        ("Learn R", ["learn rust"]),
        ("learn-rust", []),
    ],
)
def test_a_topic_is_completed_in_words(three: BakedRegistry, typed: str, expected: list[str]) -> None:
    prompts = RegistryPrompts(three, build_strategy("reference", three))
    assert prompts.complete_topic(typed, {}) == expected
