"""The tools, called as the plain methods that they are."""

from pathlib import Path
from typing import Final

import pytest

from mcpcore import Context, RequestEnvironment, ToolError
from mcpcore.protocol.jsonrpc import encode
from mcpcore.protocol.versions import STATELESS_VERSIONS, Era
from mcpcore.request.envelope import Envelope
from mcpcore.request.run import HandlerRun
from mcpcore.sessions.ids import SessionId
from sources.baked import BakedRegistry
from sources.matching import Evidence, Match, MatchSettings, Ranking, build_strategy
from sources.tools import RegistryTools
from tests.support.registries import CURATORS_KEY, a_category, a_registry, baked, content_of, fixture
from threegood.baking.canonical import canonical_bytes
from threegood.baking.sign import verified
from threegood.registry.validate import validate

REGISTRY = validate(fixture("valid"))


def a_run() -> HandlerRun:
    """A run of a tool for a client without special capabilities."""
    envelope = Envelope(Era.MODERN, STATELESS_VERSIONS[-1], "test", "1", {}, {}, None, None)
    environment = RequestEnvironment(0, lambda: SessionId("none"), session_ttl_seconds=60)
    return HandlerRun(1, envelope, environment)


def a_context() -> Context:
    return Context(a_run())


def tools_over(registry: BakedRegistry, settings: MatchSettings | None = None) -> RegistryTools:
    return RegistryTools(registry, build_strategy("reference", registry, settings))


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> BakedRegistry:
    return baked(tmp_path_factory.mktemp("valid"), REGISTRY, key=CURATORS_KEY)


@pytest.fixture
def tools(registry: BakedRegistry) -> RegistryTools:
    return tools_over(registry)


def test_the_words_of_a_query_without_a_match_are_noted_if_the_operator_wants_them(
    registry: BakedRegistry,
) -> None:
    strategy = build_strategy("reference", registry)
    noting, silent = a_run(), a_run()
    for note, run in ((True, noting), (False, silent)):
        with pytest.raises(ToolError):
            RegistryTools(registry, strategy, log_no_matches=note).get_sources(
                "How do I train a Zebra?", context=Context(run)
            )

    assert noting.log_fields == {"no_match": "train zebra"}
    assert silent.log_fields == {}


@pytest.fixture
def run() -> HandlerRun:
    return a_run()


@pytest.fixture
def context(run: HandlerRun) -> Context:
    return Context(run)


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
        "match": {
            "score": 1.0,
            "strategy": "reference",
            "terms": [
                {"words": "learn rust", "field": "phrase"},
                {"words": "learn", "field": "slug"},
                {"words": "rust", "field": "slug"},
            ],
            "runner_up": {"slug": "sourdough-bread", "name": "Sourdough Bread", "score": 0.254545},
        },
        "alternatives": [],
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
        "   Why: People answer beginners kindly.\n"
        "\n"
        'Matched with a score of 1.00, by the phrase "learn rust", "learn" (slug), "rust" (slug).'
    )


def test_a_query_of_nothing_but_stop_words_is_counted_as_no_match(
    tools: RegistryTools, context: Context, run: HandlerRun
) -> None:
    with pytest.raises(ToolError):
        tools.get_sources("how do I do it?", context=context)

    assert run.counts == {"no_matches": 1}


def test_no_match_names_the_closest_categories_with_their_scores_and_says_how_to_go_on(
    tools: RegistryTools,
) -> None:
    assert refusal_of(tools, "xylophone") == (
        "No category matches this query: none reaches the score of 0.4. The closest are:\n"
        "- Sourdough Bread (sourdough-bread): 0.14\n"
        "- Learning Rust (learn-rust): 0.11\n"
        "If one of them is meant, ask again with its slug or its name as the query: that finds it. Otherwise "
        "rephrase: name only the topic, in two to four words. search_categories shows what else is near, "
        "list_categories all there is; if the topic is not there, this registry has no sources for it."
    )


def test_no_match_that_is_like_nothing_names_no_category(tools: RegistryTools) -> None:
    assert refusal_of(tools, "日本語") == (
        "No category matches this query: none has anything in common with it.\n"
        "Rephrase: name only the topic, in two to four words. search_categories shows what else is near, "
        "list_categories all there is; if the topic is not there, this registry has no sources for it."
    )


def test_no_more_than_three_categories_are_named(five: BakedRegistry) -> None:
    assert refusal_of(tools_over(five), "xylophone").count("\n- ") == 3


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


def test_endorsements_are_listed(tools: RegistryTools) -> None:
    result = tools.get_endorsements()

    assert result.structured == {"count": 1, "endorsements": content_of("valid")["endorsements"]}
    assert "We read every one of these." in result.text


class Dreamer:
    """A strategy that has made up its mind before it is asked."""

    name = "dreamer"
    threshold = 0.5

    def __init__(self, *matches: Match, outside: str | None = None, unknown: tuple[str, ...] = ()) -> None:
        self._ranking = Ranking(("words",), matches, outside, unknown)

    def rank(self, query: str, *, limit: int) -> Ranking:
        del query
        return self._ranking._replace(matches=self._ranking.matches[:limit])


FIVE: Final = ("Apples", "Bees", "Cats", "Dogs", "Eels")


@pytest.fixture(scope="module")
def five(tmp_path_factory: pytest.TempPathFactory) -> BakedRegistry:
    return baked(
        tmp_path_factory.mktemp("five"), a_registry({name.lower(): a_category(name) for name in FIVE})
    )


def scored(*scores: float) -> list[Match]:
    """A match of that score for each of the five, in their order."""
    return [Match(name.lower(), score, ()) for name, score in zip(FIVE, scores, strict=False)]


def test_an_index_that_names_a_category_without_an_answer_is_a_mistake_of_ours(
    registry: BakedRegistry,
) -> None:
    with pytest.raises(LookupError, match="unheard-of"):
        RegistryTools(registry, Dreamer(Match("unheard-of", 1.0, ()))).get_sources(
            "anything", context=a_context()
        )


def test_a_match_says_which_words_were_found_where_and_what_they_were_read_as(five: BakedRegistry) -> None:
    evidence = (
        Evidence("bees", "slug", "bees"),
        Evidence("bees", "name", "bees"),
        Evidence("hunney", "keyword", "honey"),
        Evidence("hive", "alias", "hive"),
        Evidence("wax", "source", "wax"),
    )

    result = RegistryTools(five, Dreamer(Match("bees", 0.9, evidence))).get_sources("q", context=a_context())

    assert result.structured["match"] == {
        "score": 0.9,
        "strategy": "dreamer",
        "terms": [
            {"words": "bees", "field": "slug"},
            {"words": "bees", "field": "name"},
            {"words": "hunney", "field": "keyword", "read_as": "honey"},
            {"words": "hive", "field": "alias"},
            {"words": "wax", "field": "source"},
        ],
        "runner_up": None,
    }
    assert str(result.text).splitlines()[-1] == (
        'Matched with a score of 0.90, by "bees" (slug, name), "hunney" read as "honey" (keyword), '
        '"hive" (alias).'
    )


def test_no_more_than_eight_terms_are_told(five: BakedRegistry) -> None:
    evidence = tuple(Evidence(f"word{number}", "keyword", f"word{number}") for number in range(9))

    found = RegistryTools(five, Dreamer(Match("bees", 0.9, evidence))).get_sources("q", context=a_context())

    assert [term["words"] for term in found.structured["match"]["terms"]] == [
        f"word{number}" for number in range(8)
    ]


def test_long_words_are_repeated_in_part(five: BakedRegistry) -> None:
    match = Match("bees", 0.9, (Evidence("b" * 61, "keyword", "c" * 60),))

    found = RegistryTools(five, Dreamer(match)).get_sources("q", context=a_context())

    assert str(found.text).endswith(f', by "{"b" * 60}…" read as "{"c" * 60}" (keyword).')


def test_alternatives_are_named_in_both_forms_best_first(five: BakedRegistry) -> None:
    tools = RegistryTools(five, Dreamer(*scored(0.9, 0.8, 0.7, 0.6, 0.5)))

    found = tools.get_sources("q", alternatives=2, context=a_context())

    assert found.structured["match"]["runner_up"] == {"slug": "bees", "name": "Bees", "score": 0.8}
    assert found.structured["alternatives"] == [
        {"slug": "bees", "name": "Bees", "description": "All about Bees.", "score": 0.8},
        {"slug": "cats", "name": "Cats", "description": "All about Cats.", "score": 0.7},
    ]
    assert str(found.text).endswith(
        "\n\nSee also (ask for one by its slug):\n- Bees (bees): 0.80\n- Cats (cats): 0.70"
    )


@pytest.mark.parametrize(("asked", "named"), [(0, 0), (1, 1), (3, 3), (10, 4)])
def test_as_many_alternatives_are_named_as_were_asked_for_and_are_there(
    five: BakedRegistry, asked: int, named: int
) -> None:
    tools = RegistryTools(five, Dreamer(*scored(0.9, 0.8, 0.7, 0.6, 0.5)))

    found = tools.get_sources("q", alternatives=asked, context=a_context())

    assert len(found.structured["alternatives"]) == named
    assert str(found.text).count("\n- ") == named


def test_a_category_that_nothing_speaks_for_is_neither_runner_up_nor_alternative(five: BakedRegistry) -> None:
    found = RegistryTools(five, Dreamer(*scored(0.9, 0.0))).get_sources(
        "q", alternatives=3, context=a_context()
    )

    assert (found.structured["match"]["runner_up"], found.structured["alternatives"]) == (None, [])
    assert "See also" not in str(found.text)


def test_a_topic_outside_the_registry_is_named_and_the_closest_are_still_told(five: BakedRegistry) -> None:
    tools = RegistryTools(five, Dreamer(*scored(0.3, 0.2), outside="Ruby on Rails"))

    assert refusal_of(tools, "q").splitlines()[:3] == [
        "No category matches this query. It seems to be about Ruby on Rails, a topic that this registry has "
        "no sources for: say so, and do not make them up. The closest are:",
        "- Apples (apples): 0.30",
        "- Bees (bees): 0.20",
    ]


@pytest.mark.parametrize(
    ("unknown", "told"),
    [
        (("qqq",), "Not in the vocabulary: qqq. "),
        (tuple("abcde"), "Not in the vocabulary: a, b, c, d, e. "),
        (tuple("abcdef"), "Not in the vocabulary: a, b, c, d, e, …. "),
        (("x" * 61,), f"Not in the vocabulary: {'x' * 60}…. "),
    ],
)
def test_words_that_nobody_knows_are_told_some_of_them(
    five: BakedRegistry, unknown: tuple[str, ...], told: str
) -> None:
    tools = RegistryTools(five, Dreamer(*scored(0.3), unknown=unknown))

    assert f"none reaches the score of 0.5. {told}The closest are:" in refusal_of(tools, "q")


def test_a_score_below_the_threshold_never_looks_as_if_it_reached_it(five: BakedRegistry) -> None:
    refusal = refusal_of(RegistryTools(five, Dreamer(*scored(0.499999, 0.29))), "q")

    assert "- Apples (apples): 0.49\n- Bees (bees): 0.29\n" in refusal


def test_a_search_ranks_the_categories_that_anything_speaks_for(five: BakedRegistry) -> None:
    evidence = (Evidence("fruit", "keyword", "fruit"),)
    strategy = Dreamer(Match("apples", 0.6, evidence), Match("bees", 0.1, ()), Match("cats", 0.0, ()))

    result = RegistryTools(five, strategy).search_categories("q")

    assert result.structured == {
        "categories": [
            {
                "slug": "apples",
                "name": "Apples",
                "description": "All about Apples.",
                "score": 0.6,
                "terms": [{"words": "fruit", "field": "keyword"}],
            },
            {"slug": "bees", "name": "Bees", "description": "All about Bees.", "score": 0.1, "terms": []},
        ],
        "threshold": 0.5,
    }
    assert result.text == (
        "2 near this query, best first; get_sources answers from 0.5 on:\n"
        '- Apples (apples): 0.60, by "fruit" (keyword)\n'
        "  All about Apples.\n"
        "- Bees (bees): 0.10\n"
        "  All about Bees."
    )


def test_a_search_lists_no_more_than_was_asked_for(five: BakedRegistry) -> None:
    tools = RegistryTools(five, Dreamer(*scored(0.9, 0.8, 0.7, 0.6, 0.5)))

    assert [each["slug"] for each in tools.search_categories("q", 2).structured["categories"]] == [
        "apples",
        "bees",
    ]


def test_a_search_that_finds_nothing_is_an_answer(five: BakedRegistry) -> None:
    result = RegistryTools(five, Dreamer(unknown=("zzz",))).search_categories("q")

    assert result.structured == {"categories": [], "threshold": 0.5}
    assert result.text == (
        "Not in the vocabulary: zzz.\n"
        "No category has anything in common with this query. Try other words for the topic; "
        "list_categories shows all there is."
    )


def test_a_search_names_the_topic_outside_the_registry(five: BakedRegistry) -> None:
    result = RegistryTools(five, Dreamer(*scored(0.2), outside="Beer Brewing")).search_categories("q")

    assert result.structured["outside"] == "Beer Brewing"
    assert str(result.text).splitlines()[0] == (
        "It seems to be about Beer Brewing, a topic that this registry has no sources for: say so, and do "
        "not make them up."
    )


def test_a_search_for_nothing_is_refused_as_a_question_is(tools: RegistryTools) -> None:
    with pytest.raises(ToolError) as refusal:
        tools.search_categories("how do I do it?")

    assert str(refusal.value) == refusal_of(tools, "how do I do it?")


def test_no_call_changes_what_the_next_one_finds(tmp_path: Path) -> None:
    registry = baked(tmp_path, REGISTRY)
    tools, slugs = tools_over(registry), list(registry.slugs())

    for query in slugs:
        encode(tools.get_sources(query, alternatives=10, context=a_context()).structured)
        encode(tools.search_categories(query).structured)

    untouched = BakedRegistry.open(tmp_path / "registry")
    assert [registry.answer(slug) for slug in slugs] == [untouched.answer(slug) for slug in slugs]
