"""The default score: what counts as evidence, what makes a score of it, and what a ranking tells."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.baked import Lexicon
from sources.baked.lexicon import FULL_READ_LIMIT, HEAD_LENGTH
from sources.matching import Evidence, Match, MatchSettings, Ranking, Strategy, build_strategy
from sources.matching.analysis import analyse, exact_key, phrase_key
from sources.matching.lexical import QueryEvidence, score, weigh_query
from sources.matching.parsed_query import parse_query
from sources.matching.strategy import MAX_QUERY_LENGTH
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
    "falcon": Key(1.0, {FALCONRY: ("name", 1.0)}),
    "hood": Key(0.8, {FALCONRY: ("keyword", 0.9), BREAD: ("keyword", 0.3)}),
    "learn": Key(0.06),
    exact_key("learn rust"): Key(1.0, {RUST: ("slug", 1.0)}),
    exact_key("falconry hoods"): Key(1.0, {FALCONRY: ("name", 1.0)}),
    exact_key("the rest"): Key(1.0, {BREAD: ("alias", 1.0)}),
}
LEXICON = a_lexicon(VOCABULARY, out_of_scope=["Falconry"])


def lexical(lexicon: Lexicon = LEXICON, *slugs: str, settings: MatchSettings | None = None) -> Strategy:
    return build_strategy("lexicon", Words(lexicon, slugs or SLUGS), settings)


def found_in(query: str, lexicon: Lexicon = LEXICON, *, limit: int = 10) -> QueryEvidence:
    return weigh_query(query, parse_query(query, lexicon), lexicon, limit=limit)


def scores(query: str) -> dict[str, float]:
    return {match.slug: match.score for match in lexical().rank(query, limit=10).matches}


def test_a_ranking_tells_terms_scores_evidence_and_unknown_words() -> None:
    ranking = lexical().rank("How do I start with Rust on my abacus?", limit=2)

    best, second = ranking.matches
    assert ranking == Ranking(("start", "rust", "abacus"), (best, second), None, ("abacus",))
    assert best == Match(
        "learn-rust", best.score, (Evidence("rust", "name", "rust"), Evidence("start", "pattern", "start"))
    )
    assert second == Match("sourdough-bread", second.score, (Evidence("start", "keyword", "start"),))
    assert 0 < second.score < best.score < 1


@pytest.mark.parametrize("query", ["", "the", "?!", "🦀", "\x00", "\ud800"])
def test_a_query_that_says_nothing_matches_nothing(query: str) -> None:
    assert lexical().rank(query, limit=3) == Ranking((), ())


@pytest.mark.parametrize("query", ["learn rust", "Learn RUST!", " learn-rust\n", "learn  rust?"])
def test_a_query_that_is_a_text_of_the_category_word_for_word_scores_one(query: str) -> None:
    assert scores(query) == {"learn-rust": 1.0}


@pytest.mark.parametrize("query", ["rust learn", "how to learn rust", "learning rust"])
def test_almost_word_for_word_scores_less_than_one(query: str) -> None:
    assert 0.4 < scores(query)["learn-rust"] < 1


def test_a_text_of_stop_words_alone_is_found_word_for_word_although_nothing_is_left_to_compare() -> None:
    ranking = lexical().rank("the rest", limit=2)

    assert ranking.matches[0][:2] == ("sourdough-bread", 1.0)


def test_what_is_word_for_word_comes_first_though_another_has_more_evidence() -> None:
    lexicon = a_lexicon(
        {"rust": Key(1.0, {0: ("name", 0.1), 1: ("name", 1.0)}), "=rust": Key(1.0, {0: ("alias", 1.0)})}
    )

    matches = lexical(lexicon, "a", "b").rank("rust", limit=1).matches

    assert [(match.slug, match.score) for match in matches] == [("a", 1.0)]


def test_equal_scores_stand_in_the_order_of_their_slugs_within_the_limit_and_without() -> None:
    lexicon = a_lexicon({"rust": Key(0.5, dict.fromkeys((2, 0, 1), ("name", 0.5)))}, categories=3)
    strategy = lexical(lexicon, "a", "b", "c")

    assert [match.slug for match in strategy.rank("rust", limit=3).matches] == ["a", "b", "c"]
    assert [match.slug for match in strategy.rank("rust", limit=2).matches] == ["a", "b"]


def test_a_topic_outside_that_has_more_evidence_is_named_and_the_categories_score_low() -> None:
    ranking = lexical().rank("falcon hood bread", limit=2)

    assert ranking.out_of_scope == "Falconry"
    assert [match.slug for match in ranking.matches] == ["sourdough-bread"]
    assert ranking.accepted(0.4) is None
    assert scores("bread")["sourdough-bread"] > 0.4


def test_a_topic_outside_that_has_less_evidence_is_not_named_but_counts_against_a_category() -> None:
    unopposed = a_lexicon({**VOCABULARY, "hood": Key(0.8, {BREAD: ("keyword", 0.3)})})
    query = "bread with a hood"

    ranking = lexical().rank(query, limit=1)

    assert ranking.out_of_scope is None
    assert ranking.matches[0].score < lexical(unopposed).rank(query, limit=1).matches[0].score


def test_a_query_that_is_a_category_word_for_word_is_not_about_a_topic_outside() -> None:
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


def test_the_name_of_a_topic_outside_word_for_word_makes_no_category_score_one() -> None:
    ranking = lexical().rank("falconry hoods", limit=2)

    assert ranking.out_of_scope == "Falconry"
    assert [match.slug for match in ranking.matches if match.score > 0.4] == []


def test_of_equal_topics_outside_the_first_is_named() -> None:
    lexicon = a_lexicon(
        {"hood": Key(1.0, {0: ("name", 0.5), 1: ("name", 0.5)})},
        categories=0,
        out_of_scope=["Cars", "Falconry"],
    )

    assert lexical(lexicon).rank("hood", limit=1).out_of_scope == "Cars"


def test_a_place_of_the_query_counts_once_by_the_best_evidence_for_it() -> None:
    # The phrase tells 0.6 at each place, more than borrow, 0.4 times 0.5, and checker, 0.4 times 0.4.
    assert found_in("borrow checker").evidence == {RUST: pytest.approx(1.2, abs=0.01)}
    assert found_in("borrow").evidence == {RUST: pytest.approx(0.2, abs=0.01)}
    assert found_in("checker borrow").evidence == {RUST: pytest.approx(0.36, abs=0.01)}


def test_words_that_ask_for_material_hardly_change_a_score() -> None:
    assert scores("rust")["learn-rust"] == pytest.approx(scores("learning rust")["learn-rust"], abs=0.05)


def test_words_that_nobody_knows_make_a_score_smaller() -> None:
    assert scores("rust zymurgy")["learn-rust"] < scores("rust")["learn-rust"]


def test_a_slip_makes_a_score_a_little_smaller_and_is_told() -> None:
    ranking = lexical().rank("borow cheker", limit=1)

    assert ranking.matches[0].evidence == (Evidence("borow cheker", "pattern", "borrow checker"),)
    assert lexical().rank("brad", limit=1).matches[0].evidence == (Evidence("brad", "name", "bread"),)
    assert scores("brad")["sourdough-bread"] < scores("bread")["sourdough-bread"]


@given(st.lists(st.sampled_from(["borrow", "checker", "start", "rust", "bread", "brad", "hood", "abacus"])))
def test_the_evidence_that_is_told_never_overlaps(words: list[str]) -> None:
    matches = lexical().rank(" ".join(words), limit=2).matches

    told = [[word for each in match.evidence for word in each.words.split()] for match in matches]
    assert [own for own in told if len(own) != len(set(own))] == []
    assert [match for match in matches if not match.evidence] == []


def test_the_strongest_evidence_is_told_first() -> None:
    (match,) = lexical().rank("checker borrow rust", limit=1).matches

    assert [each.words for each in match.evidence] == ["rust", "borrow", "checker"]


evidence = st.floats(0, 64)
totals = st.floats(0.01, 64)


def scored(own: float, *, against: float, total: float) -> float:
    return score(QueryEvidence({0: own}, frozenset(), against, None, total), 0)


@given(evidence, evidence, evidence, totals)
def test_more_evidence_never_scores_less(one: float, other: float, against: float, total: float) -> None:
    less, more = sorted([one, other])

    assert scored(less, against=against, total=total) <= scored(more, against=against, total=total)


@given(evidence, evidence, evidence, totals)
def test_more_evidence_for_a_topic_outside_never_scores_more(
    own: float, one: float, other: float, total: float
) -> None:
    less, more = sorted([one, other])

    assert scored(own, against=less, total=total) >= scored(own, against=more, total=total)


@given(evidence, evidence, totals, totals)
def test_more_that_is_not_evidence_never_scores_more(
    own: float, against: float, one: float, other: float
) -> None:
    less, more = sorted([one, other])

    assert scored(own, against=against, total=less) >= scored(own, against=against, total=more)


@given(evidence, evidence, st.just(0.0) | totals)
def test_a_score_is_from_zero_to_one(own: float, against: float, total: float) -> None:
    assert 0 <= scored(own, against=against, total=total) <= 1


def test_a_query_is_compared_by_its_first_thousand_characters() -> None:
    strategy = lexical()
    beginning = "rust zymurgy " * 80

    assert strategy.rank(beginning[:MAX_QUERY_LENGTH] + " bread", limit=2) == strategy.rank(
        beginning[:MAX_QUERY_LENGTH], limit=2
    )
    assert strategy.rank("?" * (MAX_QUERY_LENGTH - 5) + "bread", limit=1).matches[0].slug == "sourdough-bread"
    assert strategy.rank("?" * MAX_QUERY_LENGTH + "bread", limit=1) == Ranking((), ())


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_no_more_categories_are_ranked_than_asked_for_and_they_are_the_best(limit: int) -> None:
    uses: Uses = {topic: ("name", (topic + 1) / 10) for topic in range(6)}
    strategy = lexical(a_lexicon({"rust": Key(1.0, uses)}, categories=6), *"abcdef")

    assert [match.slug for match in strategy.rank("rust", limit=limit).matches] == [*"fedcba"][:limit]


def test_the_limit_makes_no_difference_to_a_score() -> None:
    query = "start falcon bread"

    assert lexical().rank(query, limit=1).matches == lexical().rank(query, limit=9).matches[:1]


# More topics than are read of one key, all with the same common word, and a few with one of their own.
MANY = FULL_READ_LIMIT + 1
SHARED: Uses = dict.fromkeys(range(MANY), ("keyword", 0.4))


def among_many(own: Uses) -> Lexicon:
    return a_lexicon({"common": Key(0.5, SHARED), "rare": Key(1.0, own)}, categories=MANY)


def test_a_key_of_very_many_topics_is_read_by_its_strongest_postings() -> None:
    found = found_in("common", among_many({}), limit=MANY)

    assert sorted(found.evidence) == list(range(HEAD_LENGTH))


def test_a_key_of_very_many_topics_is_looked_up_for_the_topics_that_have_other_evidence() -> None:
    last = MANY - 1
    found = found_in("common rare", among_many({last: ("name", 1.0)}), limit=1)

    assert found.evidence == {last: pytest.approx(0.5 * 0.4 + 1.0, abs=0.01)}


def test_it_is_looked_up_for_the_best_of_them_and_not_for_all() -> None:
    own: Uses = {MANY - 1 - place: ("name", 1.0 - place / 200) for place in range(100)}

    found = found_in("common rare", among_many(own), limit=100).evidence

    looked_up = [told - own[topic][1] > 0.1 for topic, told in found.items()]
    assert list(found) == list(own)
    assert looked_up == sorted(looked_up, reverse=True)
    assert 10 < sum(looked_up) < 100


def test_a_query_reads_the_keys_of_the_fewest_topics_and_looks_up_the_others_for_the_best() -> None:
    keys = [f"w{number}" for number in range(12)]
    uses: Uses = {topic: ("keyword", 1.0 if topic == 7 else 0.5) for topic in range(FULL_READ_LIMIT)}
    lexicon = a_lexicon(
        {**dict.fromkeys(keys, Key(0.5, uses)), "rare": Key(0.1, {FULL_READ_LIMIT: ("name", 1.0)})},
        categories=MANY,
    )

    found = found_in(" ".join([*keys, "rare"]), lexicon, limit=MANY).evidence

    assert found[7] == pytest.approx(12 * 0.5, abs=0.01)
    assert found[FULL_READ_LIMIT] == pytest.approx(0.1, abs=0.01)
    assert found[FULL_READ_LIMIT - 1] < 12 * 0.5 * 0.5 - 0.2


def test_evidence_that_was_looked_up_is_told_too() -> None:
    slugs = [f"topic-{number:04}" for number in range(MANY)]
    strategy = lexical(among_many({MANY - 1: ("name", 1.0)}), *slugs)

    assert strategy.rank("common rare", limit=1).matches[0].evidence == (
        Evidence("rare", "name", "rare"),
        Evidence("common", "keyword", "common"),
    )
