"""The tools, called as the plain methods that they are."""

import hashlib
import json
from pathlib import Path

import pytest

from baking.canonical import canonical_bytes
from baking.sign import verified
from baking.validate import validate
from mcpcore import Context, Given, ToolError
from mcpcore.envelope import Envelope
from mcpcore.sessions import SessionId
from mcpcore.versions import STATELESS_VERSIONS, Era
from sources.baked import BakedRegistry
from sources.matching import Match, Ranking, Settings, build_strategy
from sources.tools import RegistryTools
from tests.support.registries import CURATORS_KEY, a_category, a_registry, baked, content_of, fixture

REGISTRY = validate(fixture("valid"))


def a_context() -> Context:
    """What a tool is handed with a request of a client that can do nothing special."""
    envelope = Envelope(Era.MODERN, STATELESS_VERSIONS[-1], "test", "1", {}, {}, None, None)
    return Context(envelope, Given(now=0, new_session_id=lambda: SessionId("none"), session_ttl_seconds=60))


def tools_over(registry: BakedRegistry, settings: Settings | None = None) -> RegistryTools:
    return RegistryTools(registry, build_strategy("reference", registry, settings))


@pytest.fixture
def registry(tmp_path: Path) -> BakedRegistry:
    return baked(tmp_path, REGISTRY, key=CURATORS_KEY)


@pytest.fixture
def tools(registry: BakedRegistry) -> RegistryTools:
    return tools_over(registry)


@pytest.fixture
def context() -> Context:
    return a_context()


def refusal_of(tools: RegistryTools, query: str, threshold: float | None = None) -> str:
    with pytest.raises(ToolError) as refusal:
        tools.get_sources(query, threshold, context=a_context())
    return str(refusal.value)


def test_a_query_is_answered_with_the_category_its_three_sources_and_why_it_matched(
    tools: RegistryTools, context: Context
) -> None:
    content = content_of("valid")["categories"]["learn-rust"]

    result = tools.get_sources("How do I learn Rust?", context=context)

    assert result.structured == {
        "category": {
            "slug": "learn-rust",
            "name": "Learning Rust",
            "description": "The Rust language, from the first program on.",
        },
        "sources": content["sources"],
        "match": {"score": 1.0, "strategy": "reference", "phrase": "learn rust", "terms": ["learn", "rust"]},
    }


def test_the_text_says_the_same_in_words(tools: RegistryTools, context: Context) -> None:
    assert tools.get_sources("learn rust", context=context).text == (
        "Learning Rust\n"
        "The Rust language, from the first program on.\n"
        "\n"
        "1. The Book (book)\n"
        "   https://rust.example/book/\n"
        "   Why: Starts at the beginning and leaves nothing out.\n"
        "\n"
        "2. Exercises (repo)\n"
        "   https://rust.example/exercises/\n"
        "   Why: Practice for what the book explains.\n"
        "\n"
        "3. Forum (forum)\n"
        "   https://forum.rust.example/\n"
        "   Why: People answer beginners kindly."
    )


def test_a_match_is_counted(tools: RegistryTools, context: Context) -> None:
    tools.get_sources("learn rust", context=context)

    assert context.counts == {"matches": 1}


def test_a_query_without_a_match_is_counted(tools: RegistryTools, context: Context) -> None:
    with pytest.raises(ToolError):
        tools.get_sources("quantum supercollider", context=context)

    assert context.counts == {"no_matches": 1}


def test_a_query_of_nothing_but_stop_words_is_counted_as_no_match(
    tools: RegistryTools, context: Context
) -> None:
    with pytest.raises(ToolError):
        tools.get_sources("how do I do it?", context=context)

    assert context.counts == {"no_matches": 1}


def test_no_match_names_the_closest_categories_with_their_scores_and_says_how_to_go_on(
    tools: RegistryTools,
) -> None:
    assert refusal_of(tools, "xylophone") == (
        "No category matches this query: none reaches the score of 0.40. The closest are:\n"
        "- Sourdough Bread (sourdough-bread): 0.14\n"
        "- Learning Rust (learn-rust): 0.11\n"
        "If one of them is meant, ask again with its name. Otherwise rephrase: name only the topic, in two "
        "to four words. list_categories shows all there is; if the topic is not there, this registry has no "
        "sources for it."
    )


def test_no_more_than_three_categories_are_named(tmp_path: Path) -> None:
    names = ("Apples", "Bees", "Cats", "Dogs", "Eels")
    registry = baked(tmp_path, a_registry({name.lower(): a_category(name) for name in names}))

    assert refusal_of(tools_over(registry), "xylophone").count("\n- ") == 3


@pytest.mark.parametrize("query", ["how do I do it?", "🦀", "?!", "\x00", "\u200b\ufe0f"])
def test_a_query_with_nothing_to_match_is_told_so(tools: RegistryTools, query: str) -> None:
    assert refusal_of(tools, query, 0.0) == (
        "No category matches this query: without stop words, punctuation and symbols nothing is left of it. "
        "Name the topic in two to four words, such as learn rust. list_categories shows all there is."
    )


def test_a_threshold_of_the_callers_stands_before_that_of_the_server(tools: RegistryTools) -> None:
    found = tools.get_sources("rust oven", 0.1, context=a_context())

    assert found.structured["category"]["slug"] == "learn-rust"
    assert "none reaches the score of 0.99" in refusal_of(tools, "rust oven", 0.99)


def test_a_threshold_of_zero_takes_the_best_there_is(tools: RegistryTools) -> None:
    assert tools.get_sources("日本語", 0.0, context=a_context()).structured["match"]["score"] == 0


def test_the_servers_own_threshold_is_that_of_the_strategy(registry: BakedRegistry) -> None:
    strict = tools_over(registry, Settings(threshold=1.0))

    assert "none reaches the score of 1.00" in refusal_of(strict, "rust")


@pytest.mark.parametrize("query", ["learn rust " * 1000, "learn rust \x1b[31m\x00", "學 learn rust 🦀"])
def test_odd_queries_are_answered_or_refused_and_never_crash(tools: RegistryTools, query: str) -> None:
    assert tools.get_sources(query, 0.0, context=a_context()).structured["category"]["slug"] == "learn-rust"


def test_all_categories_are_listed(tools: RegistryTools) -> None:
    content = content_of("valid")["categories"]

    result = tools.list_categories()

    assert result.structured == {
        "count": 2,
        "categories": [
            {"slug": slug, "name": category["name"], "description": category["description"]}
            for slug, category in content.items()
        ],
    }
    assert str(result.text).splitlines()[0] == "2 categories:"


def test_provenance_can_be_verified_with_what_it_says(tools: RegistryTools) -> None:
    found = tools.get_provenance().structured
    signature = found["signature"]

    assert found["curator"] == content_of("valid")["curator"]
    assert signature is not None
    assert verified(canonical_bytes(REGISTRY), signature, pubkey=found["curator"]["pubkey"])


def test_the_digest_is_that_of_the_file_in_canonical_form_however_it_is_made(tools: RegistryTools) -> None:
    content = json.loads(fixture("valid"))
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8")

    assert tools.get_provenance().structured["digest"] == f"sha256:{hashlib.sha256(canonical).hexdigest()}"


def test_provenance_of_an_unsigned_registry_has_no_signature(tmp_path: Path) -> None:
    result = tools_over(baked(tmp_path, REGISTRY)).get_provenance()

    assert result.structured["signature"] is None
    assert "Signature: none" in result.text


def test_endorsements_are_listed(tools: RegistryTools) -> None:
    result = tools.get_endorsements()

    assert result.structured == {"count": 1, "endorsements": content_of("valid")["endorsements"]}
    assert "We read every one of these." in result.text


def test_no_endorsements_are_said_to_be_none(tmp_path: Path) -> None:
    result = tools_over(baked(tmp_path, a_registry({"a": a_category("Apples")}))).get_endorsements()

    assert result.structured == {"count": 0, "endorsements": []}
    assert result.text == "Nobody has endorsed the registry of Ada Example yet."


class Dreamer:
    """A strategy that names a category which is not in the registry."""

    name = "dreamer"
    threshold = 0.0

    def rank(self, query: str, *, limit: int) -> Ranking:
        return Ranking((query,), (Match("unheard-of", 1.0, query, ()),)[:limit])


def test_an_index_that_names_a_category_without_an_answer_is_a_mistake_of_ours(
    registry: BakedRegistry,
) -> None:
    with pytest.raises(LookupError, match="unheard-of"):
        RegistryTools(registry, Dreamer()).get_sources("anything", context=a_context())
