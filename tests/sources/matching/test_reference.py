"""The reference score and its settings."""

from collections.abc import Iterator

import pytest

from sources.matching import STRATEGIES, Evidence, Match, MatchSettings, Ranking, Strategy, build_strategy
from sources.matching.strategy import MAX_QUERY_LENGTH, Vocabulary

RUST = ("learn-rust", ("learn rust", "learning rust", "rust borrow checker"))
BREAD = ("sourdough-bread", ("sourdough bread", "bake sourdough", "sourdough starter"))
NOTHING = ("how-to", ("", "rest"))


class Phrases:
    """An index in memory; it counts how often it was read."""

    def __init__(self, *lines: tuple[str, tuple[str, ...]]) -> None:
        self._lines = lines
        self.readings = 0

    def phrases(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        self.readings += 1
        return iter(self._lines)

    def vocabulary(self) -> Vocabulary:
        raise NotImplementedError  # the reference score is made of phrases alone

    def slug_at(self, topic: int) -> str:
        raise NotImplementedError


def reference(*lines: tuple[str, tuple[str, ...]], settings: MatchSettings | None = None) -> Strategy:
    return build_strategy("reference", Phrases(*lines), settings)


def test_an_exact_phrase_with_all_terms_of_the_slug_scores_one() -> None:
    assert reference(RUST, BREAD).rank("How do I learn Rust?", limit=1) == Ranking(
        terms=("learn", "rust"),
        matches=(
            Match(
                "learn-rust",
                1.0,
                (
                    Evidence("learn rust", "phrase", "learn rust"),
                    Evidence("learn", "slug", "learn"),
                    Evidence("rust", "slug", "rust"),
                ),
            ),
        ),
    )


def test_the_score_is_seven_tenths_spelling_and_three_tenths_words() -> None:
    # It is 11 edits from "rust borrow checker" of 19 characters, 7 from "sourdough starter" of 17.
    ranking = reference(RUST, BREAD).rank("rust starter", limit=2)

    assert ranking.matches == (
        Match(
            "learn-rust",
            round(0.7 * (1 - 11 / 19) + 0.3 * (1 / 2), 6),
            (Evidence("rust starter", "phrase", "rust borrow checker"), Evidence("rust", "slug", "rust")),
        ),
        Match(
            "sourdough-bread",
            round(0.7 * (1 - 7 / 17), 6),
            (Evidence("rust starter", "phrase", "sourdough starter"),),
        ),
    )


def test_the_weights_are_settings() -> None:
    by_words = reference(RUST, BREAD, settings=MatchSettings(fuzzy_weight=0.0, keyword_weight=1.0))
    by_spelling = reference(RUST, BREAD, settings=MatchSettings(fuzzy_weight=1.0, keyword_weight=0.0))

    assert by_words.rank("bread", limit=1).matches[0].score == 0.5
    assert by_spelling.rank("bread", limit=1).matches[0].score == round(1 - 10 / 15, 6)


def test_the_threshold_is_a_setting_and_a_score_that_equals_it_is_accepted() -> None:
    strategy = reference(RUST, settings=MatchSettings(threshold=0.25))
    ranking = Ranking(("x",), (Match("a", 0.4, ()),))

    assert strategy.threshold == 0.25
    assert ranking.accepted(0.4) == ranking.matches[0]
    assert ranking.accepted(0.400001) is None


def test_rounding_lets_a_score_reach_the_threshold() -> None:
    # 0.7 * 4/7 is 0.39999999999999997 in floating point.
    ranking = reference(("zzz", ("zzz", "abcdxyz"))).rank("abcdefg", limit=1)

    assert ranking.matches[0].score == 0.4
    assert ranking.accepted(0.4) is not None


def test_equal_scores_are_in_the_order_of_their_slugs() -> None:
    lines = [(slug, ("same words",)) for slug in ("c", "a", "b")]

    ranking = reference(*lines).rank("same words", limit=3)

    assert [match.slug for match in ranking.matches] == ["a", "b", "c"]


def test_a_category_without_terms_in_its_slug_is_matched_by_its_phrases() -> None:
    ranking = reference(NOTHING).rank("rest", limit=1)

    assert ranking.matches == (Match("how-to", 0.7, (Evidence("rest", "phrase", "rest"),)),)


@pytest.mark.parametrize("query", ["", "   ", "the a an", "🦀🦀", "?!", "\x00\x1b", "\u200b"])
def test_a_query_without_words_matches_nothing_even_at_threshold_zero(query: str) -> None:
    ranking = reference(RUST, BREAD).rank(query, limit=3)

    assert ranking == Ranking((), ())
    assert ranking.accepted(0.0) is None


def test_only_the_beginning_of_a_long_query_counts() -> None:
    strategy = reference(RUST, BREAD)
    beginning = "rust " * (MAX_QUERY_LENGTH // 5)

    assert strategy.rank(beginning + "bread " * 10_000, limit=2) == strategy.rank(beginning, limit=2)


def test_the_index_is_read_at_the_first_query_and_only_then() -> None:
    index = Phrases(RUST, BREAD)
    strategy = build_strategy("reference", index)
    before = index.readings

    strategy.rank("rust", limit=1)
    strategy.rank("bread", limit=1)

    assert (before, index.readings) == (0, 1)


@pytest.mark.parametrize("threshold", [1.1, -0.1, float("nan")])
@pytest.mark.parametrize("name", STRATEGIES)
def test_an_invalid_threshold_is_refused(name: str, threshold: float) -> None:
    with pytest.raises(ValueError, match=f"^The threshold is {threshold}; it must be from 0 to 1.$"):
        build_strategy(name, Phrases(RUST), MatchSettings(threshold))


@pytest.mark.parametrize(("fuzzy", "keyword"), [(0.7, 0.4), (1.5, -0.5)])
def test_weights_that_do_not_add_up_are_refused(fuzzy: float, keyword: float) -> None:
    with pytest.raises(ValueError, match="they must not be negative, and add up to 1") as refusal:
        reference(RUST, settings=MatchSettings(0.4, fuzzy, keyword))

    assert str(refusal.value).startswith(f"The weights are {fuzzy} and {keyword}; ")
