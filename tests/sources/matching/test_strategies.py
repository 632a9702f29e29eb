"""The table of strategies, and what every one of them must do."""

from collections.abc import Iterator

import pytest

from sources.matching import STRATEGIES, Settings, build_strategy


class TwoCategories:
    """An index in memory."""

    def phrases(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        return iter([("learn-rust", ("learn rust",)), ("sourdough-bread", ("sourdough bread",))])


def test_a_strategy_of_another_name_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(ValueError, match="no matching strategy") as refusal:
        build_strategy("best", TwoCategories())

    assert str(refusal.value) == (
        f'There is no matching strategy "best". There are: {", ".join(sorted(STRATEGIES))}.'
    )


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_strategy_knows_its_name_in_the_table(name: str) -> None:
    assert build_strategy(name, TwoCategories()).name == name


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_strategy_takes_its_threshold_from_the_settings(name: str) -> None:
    assert build_strategy(name, TwoCategories(), Settings(threshold=0.75)).threshold == 0.75


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_strategy_finds_a_phrase_that_is_there(name: str) -> None:
    strategy = build_strategy(name, TwoCategories())

    match = strategy.rank("Sourdough bread?", limit=3).accepted(strategy.threshold)

    assert match is not None
    assert match.slug == "sourdough-bread"
    assert match.phrase == "sourdough bread"


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("query", ["", "the", "🦀", "\x00", "x" * 10_000, "日本語", "rust " * 2_000])
def test_a_strategy_ranks_any_query_with_scores_from_zero_to_one_best_first(name: str, query: str) -> None:
    scores = [match.score for match in build_strategy(name, TwoCategories()).rank(query, limit=3).matches]

    assert scores == sorted(scores, reverse=True)
    assert [score for score in scores if not 0 <= score <= 1] == []
