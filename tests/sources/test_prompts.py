"""The prompts: researching a topic from its three sources, or finding out which topic it is."""

import json
from typing import Final

import pytest

from mcpcore import EmbeddedResource, PromptMessage, Text
from sources.baked import BakedRegistry
from sources.matching import build_strategy
from sources.prompts import RegistryPrompts
from sources.resources import RegistryResources
from tests.support.registries import a_category, a_registry, baked, fixture
from threegood.registry.validate import validate

REGISTRY: Final = validate(fixture("valid"))


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> BakedRegistry:
    return baked(tmp_path_factory.mktemp("valid"), REGISTRY)


@pytest.fixture
def prompts(registry: BakedRegistry) -> RegistryPrompts:
    return RegistryPrompts(registry, build_strategy("reference", registry))


def words_of(message: PromptMessage) -> str:
    assert message.role == "user"
    assert isinstance(message.content, Text)
    return message.content.text


def test_a_topic_is_a_task_with_the_resource_of_its_category(
    prompts: RegistryPrompts, registry: BakedRegistry
) -> None:
    task, attached = prompts.research_topic("how do I learn rust")
    assert "Research this topic for me: how do I learn rust" in words_of(task)
    assert '"Learning Rust"' in words_of(task)
    assert isinstance(attached.content, EmbeddedResource)
    contents = attached.content.resource
    assert (contents.uri, contents.mime_type) == ("registry://categories/learn-rust", "application/json")
    assert contents.content == RegistryResources(registry).category("learn-rust")
    assert [source["rank"] for source in json.loads(contents.content)["sources"]] == [1, 2, 3]


@pytest.mark.parametrize("topic", ["xylophone", "the", "", "\x00", "日本語"])
def test_a_topic_without_sources_says_so_and_how_to_go_on(prompts: RegistryPrompts, topic: str) -> None:
    (only,) = prompts.research_topic(topic)
    words = words_of(only)
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
