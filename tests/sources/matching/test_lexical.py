"""The default score: what counts as evidence, how the score follows from it, and what a ranking contains."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.baked import Lexicon
from sources.baked.lexicon import FULL_READ_LIMIT, HEAD_LENGTH
from sources.matching import Evidence, Match, Ranking, Strategy, build_strategy
from sources.matching.analysis import analyse, exact_key, phrase_key
from sources.matching.claims import Claim
from sources.matching.lexical import CategoryEvidence, QueryEvidence, score, weigh_query
from sources.matching.parsed_query import parse_query
from sources.matching.strategy import MAX_QUERY_LENGTH
from sources.matching.weights import PHRASE_DISCOUNT
from tests.support.lexicons import Key, Uses, Words, a_lexicon

SLUGS = ("learn-rust", "sourdough-bread")
RUST, BREAD, FALCONRY = range(3)


def phrase(text: str) -> str:
    return phrase_key(analyse(text))


VOCABULARY: Mapping[str, Key] = {
    "rust": Key(0.9, {RUST: ("name", 1.0)}),
    "bread": Key(0.9, {BREAD: ("name", 1.0)}),
    "borrow": Key(0.4, {RUST: ("keyword", 0.5)}),
    "checker": Key(0.4, {RUST: ("keyword", 0.4)}),
    phrase("borrow checker"): Key(1.0, {RUST: ("pattern", 1.0)}),
    "start": Key(0.5, {RUST: ("pattern", 0.2), BREAD: ("keyword", 0.6)}),
    "falcon": Key(1.0, {FALCONRY: ("name", 1.0)}, whole=True),
    "hood": Key(0.8, {FALCONRY: ("keyword", 0.9), BREAD: ("keyword", 0.3)}),
    "learn": Key(0.06),
    exact_key("learn rust"): Key(1.0, {RUST: ("slug", 1.0)}),
    exact_key("falconry hoods"): Key(1.0, {FALCONRY: ("name", 1.0)}),
    exact_key("the rest"): Key(1.0, {BREAD: ("alias", 1.0)}),
}
LEXICON = a_lexicon(VOCABULARY, out_of_scope=["Falconry"])


def lexical(lexicon: Lexicon = LEXICON, *slugs: str) -> Strategy:
    return build_strategy("lexicon", Words(lexicon, slugs or SLUGS))


def found_in(query: str, lexicon: Lexicon = LEXICON, *, limit: int = 10) -> QueryEvidence:
    return weigh_query(query, parse_query(query, lexicon), lexicon, limit=limit)


def totals_in(query: str, lexicon: Lexicon = LEXICON, *, limit: int = 10) -> dict[int, float]:
    """The evidence of a query for each category."""
    return {topic: each.total for topic, each in found_in(query, lexicon, limit=limit).categories.items()}


def scores(query: str) -> dict[str, float]:
    return {match.slug: match.score for match in lexical().rank(query, limit=10).matches}


def test_a_ranking_has_terms_scores_evidence_and_unknown_words() -> None:
    ranking = lexical().rank("How do I start with Rust on my abacus?", limit=2)

    best, second = ranking.matches
    assert ranking == Ranking(("start", "rust", "abacus"), (best, second), None, ("abacus",))
    assert best == Match(
        "learn-rust", best.score, (Evidence("rust", "name", "rust"), Evidence("start", "pattern", "start"))
    )
    assert second == Match("sourdough-bread", second.score, (Evidence("start", "keyword", "start"),))
    assert 0 < second.score < best.score < 1


@pytest.mark.parametrize("query", ["", "the", "?!", "🦀", "\x00", "\ud800"])
def test_a_query_without_words_matches_nothing(query: str) -> None:
    assert lexical().rank(query, limit=3) == Ranking((), ())


@pytest.mark.parametrize("query", ["learn rust", "Learn RUST!", " learn-rust\n", "learn  rust?"])
def test_a_query_that_equals_a_text_of_the_category_scores_one(query: str) -> None:
    assert scores(query) == {"learn-rust": 1.0}


@pytest.mark.parametrize("query", ["rust learn", "how to learn rust", "learning rust"])
def test_a_query_that_almost_equals_a_text_scores_less_than_one(query: str) -> None:
    assert 0.5 < scores(query)["learn-rust"] < 1


def test_a_text_of_stop_words_is_matched_exactly_though_no_term_is_left() -> None:
    assert lexical().rank("the rest", limit=2).matches[0][:2] == ("sourdough-bread", 1.0)


def test_a_common_word_that_is_no_name_is_no_answer_by_itself() -> None:
    uses: Uses = {RUST: ("keyword", 1.0)}
    lexicon = a_lexicon({"box": Key(0.6, uses, common=True), "cargo": Key(0.6, uses)}, out_of_scope=["Cars"])

    alone, rare, both = (lexical(lexicon).rank(query, limit=1) for query in ("box", "cargo", "cargo box"))

    assert alone.accepted(0.5) is None
    assert [ranking.accepted(0.5) is None for ranking in (rare, both)] == [False, False]


def test_a_query_that_shares_one_common_word_with_an_out_of_scope_topic_is_not_about_it() -> None:
    uses: Uses = {FALCONRY: ("keyword", 1.0)}
    lexicon = a_lexicon(
        {"camera": Key(0.6, uses, common=True), "hood": Key(0.6, uses)}, out_of_scope=["Cars"]
    )

    rankings = [lexical(lexicon).rank(query, limit=1) for query in ("camera", "hood", "camera hood")]

    assert [ranking.out_of_scope for ranking in rankings] == [None, "Cars", "Cars"]


def test_an_exact_match_comes_first_though_another_category_has_more_evidence() -> None:
    lexicon = a_lexicon(
        {"rust": Key(1.0, {0: ("name", 0.1), 1: ("name", 1.0)}), "=rust": Key(1.0, {0: ("alias", 1.0)})}
    )

    matches = lexical(lexicon, "a", "b").rank("rust", limit=1).matches

    assert [(match.slug, match.score) for match in matches] == [("a", 1.0)]


@pytest.mark.parametrize("limit", [2, 3])
def test_equal_scores_are_in_the_order_of_their_slugs(limit: int) -> None:
    lexicon = a_lexicon({"rust": Key(0.5, dict.fromkeys((2, 0, 1), ("name", 0.5)))}, categories=3)

    matches = lexical(lexicon, "a", "b", "c").rank("rust", limit=limit).matches

    assert [match.slug for match in matches] == ["a", "b", "c"][:limit]


def test_an_out_of_scope_topic_with_more_evidence_is_named_and_lowers_the_scores() -> None:
    ranking = lexical().rank("falcon hood bread", limit=2)

    assert ranking.out_of_scope == "Falconry"
    assert [match.slug for match in ranking.matches] == ["sourdough-bread"]
    assert ranking.accepted(0.5) is None
    assert scores("bread")["sourdough-bread"] > 0.5
    assert lexical().rank("falcon", limit=2) == Ranking(("falcon",), (), "Falconry")


def test_an_out_of_scope_topic_with_less_evidence_is_not_named_but_lowers_the_score() -> None:
    unopposed = a_lexicon({**VOCABULARY, "hood": Key(0.8, {BREAD: ("keyword", 0.3)})})
    query = "bread with a hood"

    ranking = lexical().rank(query, limit=1)

    assert ranking.out_of_scope is None
    assert ranking.matches[0].score < lexical(unopposed).rank(query, limit=1).matches[0].score


def test_a_query_that_equals_a_text_of_a_category_is_in_scope() -> None:
    lexicon = a_lexicon(
        {
            "rust": Key(1.0, {0: ("name", 0.2), 1: ("name", 1.0)}),
            "=rust": Key(1.0, {0: ("alias", 1.0), 1: ("name", 1.0)}),
        },
        categories=1,
        out_of_scope=["Car rust"],
    )

    ranking = lexical(lexicon, "a").rank("rust", limit=1)

    assert (ranking.out_of_scope, ranking.matches[0].score) == (None, 1.0)


def test_a_query_that_equals_the_name_of_an_out_of_scope_topic_is_refused() -> None:
    ranking = lexical().rank("falconry hoods", limit=2)

    assert ranking.out_of_scope == "Falconry"
    assert [match.slug for match in ranking.matches if match.score >= 0.05] == []


def test_of_equal_out_of_scope_topics_the_first_is_named() -> None:
    uses: Uses = {0: ("name", 0.5), 1: ("name", 0.5)}
    lexicon = a_lexicon({"hood": Key(1.0, uses)}, categories=0, out_of_scope=["Cars", "Falconry"])

    assert lexical(lexicon).rank("hood", limit=1).out_of_scope == "Cars"


def test_a_position_of_the_query_counts_once_with_its_best_evidence() -> None:
    # A phrase is evidence at each position, more than borrow, 0.4 times 0.5, and checker, 0.4 times 0.4.
    assert totals_in("borrow checker") == {RUST: pytest.approx(2 * PHRASE_DISCOUNT, abs=0.01)}
    assert totals_in("borrow") == {RUST: pytest.approx(0.2, abs=0.01)}
    assert totals_in("checker borrow") == {RUST: pytest.approx(0.36, abs=0.01)}


def test_unknown_words_lower_a_score_and_generic_words_hardly_change_it() -> None:
    assert scores("rust zymurgy")["learn-rust"] < scores("rust")["learn-rust"]
    assert scores("learning rust")["learn-rust"] == pytest.approx(scores("rust")["learn-rust"], abs=0.05)


def test_a_misspelling_lowers_a_score_and_is_part_of_the_evidence() -> None:
    ranking = lexical().rank("borow cheker", limit=1)

    assert ranking.matches[0].evidence == (Evidence("borow cheker", "pattern", "borrow checker"),)
    assert lexical().rank("brad", limit=1).matches[0].evidence == (Evidence("brad", "name", "bread"),)
    assert scores("brad")["sourdough-bread"] < scores("bread")["sourdough-bread"]


@given(st.lists(st.sampled_from(["borrow", "checker", "start", "rust", "bread", "brad", "hood", "abacus"])))
def test_a_word_is_in_at_most_one_piece_of_evidence(words: list[str]) -> None:
    matches = lexical().rank(" ".join(words), limit=2).matches

    evidence = [[word for each in match.evidence for word in each.words.split()] for match in matches]
    assert [own for own in evidence if len(own) != len(set(own))] == []
    assert [match for match in matches if not match.evidence] == []


def test_the_strongest_evidence_comes_first() -> None:
    (match,) = lexical().rank("checker borrow rust", limit=1).matches

    assert [each.words for each in match.evidence] == ["rust", "borrow", "checker"]


def test_a_registry_without_out_of_scope_topics_has_a_lead_as_if_there_were_some_far_away() -> None:
    words = {"crab": Key(0.8, {RUST: ("keyword", 0.9)})}

    bare, whole = (lexical(a_lexicon(words, out_of_scope=topics)) for topics in ([], ["Falconry"]))

    assert 0.5 < bare.rank("crab", limit=1).matches[0].score < whole.rank("crab", limit=1).matches[0].score


evidence = st.floats(0, 64)
totals = st.floats(0.01, 64)


def scored(own: float, *, against: float, total: float) -> float:
    category = CategoryEvidence(own, is_common_word=False, claim=Claim.NONE)
    return score(QueryEvidence({0: category}, against, None, total, has_out_of_scope=True), 0)


@given(evidence, evidence, evidence, totals)
def test_a_score_never_falls_with_evidence_and_never_rises_with_that_of_an_out_of_scope_topic(
    one: float, other: float, fixed: float, total: float
) -> None:
    less, more = sorted([one, other])

    assert scored(less, against=fixed, total=total) <= scored(more, against=fixed, total=total)
    assert scored(fixed, against=less, total=total) >= scored(fixed, against=more, total=total)


@given(evidence, evidence, totals, totals)
def test_a_score_never_rises_with_weight_that_is_no_evidence(
    own: float, against: float, one: float, other: float
) -> None:
    less, more = sorted([one, other])

    assert scored(own, against=against, total=less) >= scored(own, against=against, total=more)


@given(evidence, evidence, st.just(0.0) | totals)
def test_a_score_is_from_zero_to_one(own: float, against: float, total: float) -> None:
    assert 0 <= scored(own, against=against, total=total) <= 1


def test_only_the_first_thousand_characters_of_a_query_count() -> None:
    strategy = lexical()
    beginning = ("rust zymurgy " * 80)[:MAX_QUERY_LENGTH]

    assert strategy.rank(beginning + " bread", limit=2) == strategy.rank(beginning, limit=2)
    assert strategy.rank("?" * (MAX_QUERY_LENGTH - 5) + "bread", limit=1).matches[0].slug == "sourdough-bread"
    assert strategy.rank("?" * MAX_QUERY_LENGTH + "bread", limit=1) == Ranking((), ())


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_the_best_categories_are_ranked_up_to_the_limit(limit: int) -> None:
    uses: Uses = {topic: ("keyword", (topic + 1) / 10) for topic in range(6)}
    strategy = lexical(a_lexicon({"rust": Key(1.0, uses)}, categories=6), *"abcdef")

    matches = strategy.rank("rust", limit=limit).matches

    assert [match.slug for match in matches] == [*"fedcba"][:limit]
    assert matches == strategy.rank("rust", limit=9).matches[:limit]


# One topic more than are read of a key: all have the same common word, and some have a rare one.
MANY = FULL_READ_LIMIT + 1
SHARED: Uses = dict.fromkeys(range(MANY), ("keyword", 0.4))


def among_many(own: Uses) -> Lexicon:
    return a_lexicon({"common": Key(0.5, SHARED), "rare": Key(1.0, own)}, categories=MANY)


def test_of_a_key_with_too_many_topics_only_the_strongest_postings_are_read() -> None:
    found = totals_in("common", among_many({}), limit=MANY)

    assert sorted(found) == list(range(HEAD_LENGTH))


def test_a_key_with_too_many_topics_is_looked_up_for_the_best_topics_with_other_evidence() -> None:
    own: Uses = {MANY - 1 - rank: ("keyword", 1.0 - rank / 127) for rank in range(100)}

    found = totals_in("common rare", among_many(own), limit=100)

    looked_up = [total - own[topic][1] > 0.1 for topic, total in found.items()]
    assert list(found) == list(own)
    assert looked_up == sorted(looked_up, reverse=True)
    assert 10 < sum(looked_up) < 100


def test_the_keys_with_the_fewest_topics_are_read_and_the_others_looked_up_for_the_best() -> None:
    keys = [f"w{number}" for number in range(12)]
    uses: Uses = {topic: ("keyword", 1.0 if topic == 7 else 0.5) for topic in range(FULL_READ_LIMIT)}
    lexicon = a_lexicon(
        {**dict.fromkeys(keys, Key(0.5, uses)), "rare": Key(0.1, {FULL_READ_LIMIT: ("name", 1.0)})},
        categories=MANY,
    )

    found = totals_in(" ".join([*keys, "rare"]), lexicon, limit=MANY)

    assert found[7] == pytest.approx(12 * 0.5, abs=0.01)
    assert found[FULL_READ_LIMIT] == pytest.approx(0.1, abs=0.01)
    assert found[FULL_READ_LIMIT - 1] < 12 * 0.5 * 0.5 - 0.2


def test_evidence_that_was_looked_up_is_part_of_the_explanation() -> None:
    slugs = [f"topic-{number:04}" for number in range(MANY)]
    strategy = lexical(among_many({MANY - 1: ("name", 1.0)}), *slugs)

    assert strategy.rank("common rare", limit=1).matches[0].evidence == (
        Evidence("rare", "name", "rare"),
        Evidence("common", "keyword", "common"),
    )
