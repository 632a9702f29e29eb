"""The tools, called as plain methods."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from mcpcore import Context, RequestEnvironment, ToolError
from mcpcore.protocol.jsonrpc import encode
from mcpcore.protocol.versions import STATELESS_VERSIONS, Era
from mcpcore.request.envelope import Envelope
from mcpcore.request.run import HandlerRun
from mcpcore.sessions.ids import SessionId
from sources.baked import BakedRegistry, RecordDamaged
from sources.matching import Evidence, Match, Ranking, build_strategy
from sources.tools import RegistryTools
from tests.support.registries import (
    CURATOR,
    SIGNED_AT,
    a_category,
    a_registry,
    baked,
    content_of,
    fixture,
    signing_by,
)
from threegood.registry.validate import validate
from threegood.trust.checks import check_signature
from threegood.trust.statement import RegistrySignature, Signed

REGISTRY = validate(fixture("valid"))


def a_run() -> HandlerRun:
    """A run of a tool for a client without capabilities."""
    envelope = Envelope(Era.MODERN, STATELESS_VERSIONS[-1], "test", "1", {}, {}, None, None)
    return HandlerRun(1, envelope, RequestEnvironment(0, lambda: SessionId("none"), session_ttl_seconds=60))


def a_context() -> Context:
    return Context(a_run())


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> BakedRegistry:
    return baked(tmp_path_factory.mktemp("valid"), REGISTRY, signing_by(CURATOR, REGISTRY))


@pytest.fixture
def tools(registry: BakedRegistry) -> RegistryTools:
    return RegistryTools(registry, build_strategy("reference", registry))


def refusal_of(tools: RegistryTools, query: str, threshold: float | None = None) -> str:
    with pytest.raises(ToolError) as refusal:
        tools.get_sources(query, threshold, context=a_context())
    return str(refusal.value)


@pytest.mark.parametrize(("log_no_matches", "log_fields"), [(True, {"no_match": "train zebra"}), (False, {})])
def test_a_query_without_a_match_is_counted_and_on_request_logged(
    registry: BakedRegistry, log_no_matches: bool, log_fields: dict[str, str]
) -> None:
    strategy, run = build_strategy("reference", registry), a_run()
    tools = RegistryTools(registry, strategy, log_no_matches=log_no_matches)

    with pytest.raises(ToolError):
        tools.get_sources("How do I train a Zebra?", context=Context(run))

    assert (run.counts, run.log_fields) == ({"no_matches": 1}, log_fields)


def test_a_query_is_answered_with_the_category_its_three_sources_and_why_it_matched(
    tools: RegistryTools,
) -> None:
    content, run = content_of("valid")["categories"]["learn-rust"], a_run()

    result = tools.get_sources("How do I learn Rust?", context=Context(run))

    assert run.counts == {"matches": 1}
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
    assert str(result.text).startswith("Learning Rust\nThe Rust language, from the first program on.\n\n1. ")
    assert str(result.text).endswith(
        '\n\nMatched with a score of 1.00, by the phrase "learn rust", "learn" (slug), "rust" (slug).'
    )


def test_a_refusal_names_the_closest_categories_and_what_to_do_next(tools: RegistryTools) -> None:
    assert refusal_of(tools, "xylophone") == (
        "No category matches this query: none reaches the score of 0.5. The closest are:\n"
        "- Sourdough Bread (sourdough-bread): 0.14\n"
        "- Learning Rust (learn-rust): 0.11\n"
        "If one of them is meant, ask again with its slug or its name as the query: that finds it. Otherwise "
        "rephrase: name only the topic, in two to four words. search_categories shows what else is near, "
        "list_categories all there is; if the topic is not there, this registry has no sources for it."
    )


def test_a_query_that_is_like_nothing_names_no_category(tools: RegistryTools) -> None:
    assert refusal_of(tools, "日本語") == (
        "No category matches this query: none is near it.\n"
        "Rephrase: name only the topic, in two to four words. search_categories shows what else is near, "
        "list_categories all there is; if the topic is not there, this registry has no sources for it."
    )


@pytest.mark.parametrize("query", ["how do I do it?", "🦀", "?!", "\x00", "\u200b\ufe0f"])
def test_a_query_without_words_is_refused_at_any_threshold_and_by_the_search_too(
    tools: RegistryTools, query: str
) -> None:
    with pytest.raises(ToolError) as refusal:
        tools.search_categories(query)

    assert str(refusal.value) == refusal_of(tools, query, 0.0)
    assert str(refusal.value) == (
        "No category matches this query: without stop words, punctuation and symbols nothing is left of it. "
        "Name the topic in two to four words, such as learn rust. list_categories shows all there is."
    )


def test_the_callers_threshold_replaces_that_of_the_strategy(tools: RegistryTools) -> None:
    found = tools.get_sources("rust oven", 0.1, context=a_context())

    assert found.structured["category"]["slug"] == "learn-rust"
    assert "none reaches the score of 0.99" in refusal_of(tools, "rust oven", 0.99)
    assert tools.get_sources("日本語", 0.0, context=a_context()).structured["match"]["score"] == 0


def test_the_pages_of_the_registry_are_answered_as_they_were_baked(tools: RegistryTools) -> None:
    categories, endorsements = tools.list_categories(), tools.get_endorsements()

    assert [each["slug"] for each in categories.structured["categories"]] == list(REGISTRY.categories)
    assert str(categories.text).startswith("2 categories:\n")
    assert endorsements.structured == {"count": 1, "endorsements": content_of("valid")["endorsements"]}
    assert "We read every one of these." in str(endorsements.text)


def test_provenance_can_be_verified(tools: RegistryTools) -> None:
    found = tools.get_provenance().structured
    statement, signature, curator = found["statement"], found["signature"], found["curator"]
    assert (statement is None, signature is None) == (False, False)
    signed = RegistrySignature(Signed(str(statement), curator["pubkey"], str(signature)))

    assert (found["status"], found["demonstration"]) == ("signed", False)
    assert all(each.ok for each in check_signature(REGISTRY, found["digest"], signed, now=SIGNED_AT))
    assert (signed.statement.signed_at, signed.statement.root) == (found["signed_at"], found["root"])


def test_provenance_says_that_a_signature_has_expired(tmp_path: Path) -> None:
    signing = signing_by(CURATOR, REGISTRY, now=0, valid_seconds=86_400)
    expired = baked(tmp_path, REGISTRY, signing)
    answer = RegistryTools(expired, build_strategy("reference", expired)).get_provenance()

    assert (answer.structured["status"], answer.structured["expires_at"]) == (
        "expired",
        "1970-01-02T00:00:00Z",
    )
    assert str(answer.text).startswith("The signature has expired, and the curator has not renewed it")


class FixedRanking:
    """A strategy with the same ranking for every query."""

    name = "fixed"
    threshold = 0.5

    def __init__(
        self, *matches: Match, out_of_scope: str | None = None, unknown: tuple[str, ...] = ()
    ) -> None:
        self._ranking = Ranking(("words",), matches, out_of_scope, unknown)

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
    """A match with that score for each of the five, in their order."""
    return [Match(name.lower(), score, ()) for name, score in zip(FIVE, scores, strict=False)]


def answer_of(five: BakedRegistry, *matches: Match, alternatives: int = 0) -> tuple[dict[str, Any], str]:
    """Structured content and text of an answer."""
    result = RegistryTools(five, FixedRanking(*matches)).get_sources(
        "q", alternatives=alternatives, context=a_context()
    )
    return {**result.structured}, str(result.text)


def test_an_index_with_a_category_that_was_not_baked_is_an_error(registry: BakedRegistry) -> None:
    with pytest.raises(LookupError, match="unheard-of"):
        RegistryTools(registry, FixedRanking(Match("unheard-of", 1.0, ()))).search_categories("anything")


def test_an_answer_has_the_words_the_fields_and_the_spellings_that_matched(five: BakedRegistry) -> None:
    evidence = (
        Evidence("bees", "slug", "bees"),
        Evidence("bees", "name", "bees"),
        Evidence("hunney", "keyword", "honey"),
        Evidence("hive", "alias", "hive"),
        Evidence("wax", "source", "wax"),
    )

    structured, text = answer_of(five, Match("bees", 0.9, evidence))

    assert structured["match"] == {
        "score": 0.9,
        "strategy": "fixed",
        "terms": [
            {"words": "bees", "field": "slug"},
            {"words": "bees", "field": "name"},
            {"words": "hunney", "field": "keyword", "read_as": "honey"},
            {"words": "hive", "field": "alias"},
            {"words": "wax", "field": "source"},
        ],
        "runner_up": None,
    }
    assert text.splitlines()[-1] == (
        'Matched with a score of 0.90, by "bees" (slug, name), "hunney" read as "honey" (keyword), '
        '"hive" (alias).'
    )


def test_an_answer_has_at_most_eight_terms_and_shortens_long_words(five: BakedRegistry) -> None:
    many = tuple(Evidence(f"word{number}", "keyword", f"word{number}") for number in range(9))
    long = (Evidence("b" * 61, "keyword", "c" * 60),)

    structured, _ = answer_of(five, Match("bees", 0.9, many))
    _, text = answer_of(five, Match("bees", 0.9, long))

    assert [term["words"] for term in structured["match"]["terms"]] == [
        f"word{number}" for number in range(8)
    ]
    assert text.endswith(f', by "{"b" * 60}…" read as "{"c" * 60}" (keyword).')


@pytest.mark.parametrize(("asked", "named"), [(0, 0), (1, 1), (2, 2), (10, 3)])
def test_alternatives_are_the_next_categories_that_are_near_the_query(
    five: BakedRegistry, asked: int, named: int
) -> None:
    structured, text = answer_of(five, *scored(0.9, 0.8, 0.7, 0.6, 0.009), alternatives=asked)
    following = [("bees", "Bees", 0.8), ("cats", "Cats", 0.7), ("dogs", "Dogs", 0.6)][:named]

    assert structured["match"]["runner_up"] == {"slug": "bees", "name": "Bees", "score": 0.8}
    assert structured["alternatives"] == [
        {"slug": slug, "name": name, "description": f"All about {name}.", "score": score}
        for slug, name, score in following
    ]
    assert text.partition("\n\nSee also (ask for one by its slug):\n")[2].splitlines() == [
        f"- {name} ({slug}): {score:.2f}" for slug, name, score in following
    ]


def test_a_category_that_is_hardly_near_is_no_runner_up(five: BakedRegistry) -> None:
    structured, text = answer_of(five, *scored(0.756, 0.009), alternatives=3)

    assert (structured["match"]["runner_up"], structured["alternatives"]) == (None, [])
    assert text.splitlines()[-1] == "Matched with a score of 0.75."


def test_a_refusal_names_the_out_of_scope_topic_and_at_most_three_categories_that_are_near(
    five: BakedRegistry,
) -> None:
    tools = RegistryTools(five, FixedRanking(*scored(0.4999, 0.29, 0.01, 0.01), out_of_scope="Ruby on Rails"))

    assert refusal_of(tools, "q").splitlines()[:-1] == [
        "No category matches this query. It seems to be about Ruby on Rails, a topic that this registry has "
        "no sources for: say so, and do not make them up. The closest are:",
        "- Apples (apples): 0.49",
        "- Bees (bees): 0.29",
        "- Cats (cats): 0.01",
    ]
    far = RegistryTools(five, FixedRanking(*scored(0.009), out_of_scope="Ruby on Rails"))
    assert refusal_of(far, "q").splitlines()[0].endswith("say so, and do not make them up.")
    assert "Apples" not in refusal_of(far, "q")


def test_an_answer_that_a_low_threshold_let_pass_says_what_the_query_rather_is_about(
    five: BakedRegistry,
) -> None:
    tools = RegistryTools(five, FixedRanking(*scored(0.3), out_of_scope="Ruby on Rails"))

    result = tools.get_sources("q", 0.2, context=a_context())

    assert result.structured["match"]["outside"] == "Ruby on Rails"
    assert str(result.text).splitlines()[-1] == (
        "The query rather seems to be about Ruby on Rails, a topic that this registry has no sources for: "
        "a low threshold let this match pass."
    )


@pytest.mark.parametrize(
    ("unknown", "hint"),
    [
        (("qqq",), "Not in the vocabulary: qqq. "),
        (tuple("abcde"), "Not in the vocabulary: a, b, c, d, e. "),
        (tuple("abcdef"), "Not in the vocabulary: a, b, c, d, e, …. "),
        (("x" * 61,), f"Not in the vocabulary: {'x' * 60}…. "),
    ],
)
def test_a_refusal_lists_the_first_unknown_words(
    five: BakedRegistry, unknown: tuple[str, ...], hint: str
) -> None:
    tools = RegistryTools(five, FixedRanking(*scored(0.3), unknown=unknown))

    assert f"none reaches the score of 0.5. {hint}The closest are:" in refusal_of(tools, "q")


def test_a_search_ranks_the_categories_that_are_near(five: BakedRegistry) -> None:
    evidence = (Evidence("fruit", "keyword", "fruit"),)
    strategy = FixedRanking(Match("apples", 0.6, evidence), Match("bees", 0.01, ()), Match("cats", 0.009, ()))

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
            {"slug": "bees", "name": "Bees", "description": "All about Bees.", "score": 0.01, "terms": []},
        ],
        "threshold": 0.5,
    }
    assert result.text == (
        "2 near this query, best first; get_sources answers from 0.5 on:\n"
        '- Apples (apples): 0.60, by "fruit" (keyword)\n'
        "  All about Apples.\n"
        "- Bees (bees): 0.01\n"
        "  All about Bees."
    )


def test_a_search_has_a_limit_and_names_the_out_of_scope_topic(five: BakedRegistry) -> None:
    strategy = FixedRanking(*scored(0.4, 0.3, 0.2), out_of_scope="Beer Brewing")

    result = RegistryTools(five, strategy).search_categories("q", 2)

    assert [each["slug"] for each in result.structured["categories"]] == ["apples", "bees"]
    assert result.structured["outside"] == "Beer Brewing"
    assert str(result.text).splitlines()[0] == (
        "It seems to be about Beer Brewing, a topic that this registry has no sources for: say so, and do "
        "not make them up."
    )


def test_a_search_without_results_is_an_answer(five: BakedRegistry) -> None:
    result = RegistryTools(five, FixedRanking(unknown=("zzz",))).search_categories("q")

    assert result.structured == {"categories": [], "threshold": 0.5}
    assert result.text == (
        "Not in the vocabulary: zzz.\n"
        "No category is near this query. Try other words for the topic; "
        "list_categories shows all there is."
    )


def test_calls_do_not_change_the_answers_they_share(tmp_path: Path) -> None:
    registry = baked(tmp_path, REGISTRY)
    tools, slugs = RegistryTools(registry, build_strategy("reference", registry)), list(registry.slugs())

    for query in slugs:
        encode(tools.get_sources(query, alternatives=10, context=a_context()).structured)
        encode(tools.search_categories(query).structured)

    untouched = BakedRegistry.open(tmp_path / "registry")
    assert [registry.answer(slug) for slug in slugs] == [untouched.answer(slug) for slug in slugs]


def test_every_answer_says_which_registry_it_was_made_from(
    tools: RegistryTools, registry: BakedRegistry
) -> None:
    with pytest.raises(ToolError) as refusal:
        tools.get_sources("zebras", context=a_context())
    found = [
        tools.get_sources("learn rust", context=a_context()).meta,
        tools.search_categories("learn rust").meta,
        tools.list_categories().meta,
        tools.get_provenance().meta,
        tools.get_endorsements().meta,
        refusal.value.meta,
    ]

    facts = {"version": content_of("valid")["version"], "digest": registry.manifest.digest}
    assert found == [{"three-good-sources/registry": facts}] * 6


def test_an_answer_with_a_proof_is_the_answer_without_it_and_the_baked_proof(
    tools: RegistryTools, registry: BakedRegistry
) -> None:
    plain = tools.get_sources("learn rust", context=a_context())
    proven = tools.get_sources("learn rust", proof=True, context=a_context())

    proof = registry.proof("learn-rust")
    assert proven.structured == {**plain.structured, "proof": proof}
    assert json.loads(proof["category"]) == {
        "slug": "learn-rust",
        **content_of("valid")["categories"]["learn-rust"],
    }


def test_nothing_of_the_proofs_is_read_unless_one_is_asked_for(tmp_path: Path) -> None:
    registry = baked(tmp_path, REGISTRY)
    file = tmp_path / "registry" / "proofs.bin"
    file.write_bytes(bytes(file.stat().st_size))
    tools = RegistryTools(registry, build_strategy("reference", registry))

    assert "proof" not in tools.get_sources("learn rust", context=a_context()).structured
    with pytest.raises(RecordDamaged):
        tools.get_sources("learn rust", proof=True, context=a_context())
