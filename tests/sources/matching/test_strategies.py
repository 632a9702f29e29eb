"""The table of strategies, and what every one of them must do."""

from pathlib import Path

import pytest

from sources.baked import BakedRegistry
from sources.matching import STRATEGIES, build_strategy
from tests.support.registries import a_category, a_registry, baked


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> BakedRegistry:
    categories = {"learn-rust": a_category("Learning Rust"), "sourdough-bread": a_category("Sourdough Bread")}
    return baked(Path(tmp_path_factory.mktemp("two")), a_registry(categories))


def test_a_strategy_of_another_name_is_refused_with_the_names_there_are(index: BakedRegistry) -> None:
    with pytest.raises(ValueError, match="no matching strategy") as refusal:
        build_strategy("best", index)

    assert str(refusal.value) == (
        f'There is no matching strategy "best". There are: {", ".join(sorted(STRATEGIES))}.'
    )


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_strategy_finds_a_phrase_that_is_there(index: BakedRegistry, name: str) -> None:
    strategy = build_strategy(name, index)

    match = strategy.rank("Sourdough bread?", limit=3).accepted(strategy.threshold)

    assert match is not None
    assert match.slug == "sourdough-bread"
    assert "sourdough" in " ".join(evidence.words for evidence in match.evidence)


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("query", ["", "the", "🦀", "\x00", "x" * 10_000, "日本語", "rust " * 2_000])
def test_a_strategy_ranks_any_query_with_scores_from_zero_to_one_best_first(
    index: BakedRegistry, name: str, query: str
) -> None:
    scores = [match.score for match in build_strategy(name, index).rank(query, limit=3).matches]

    assert scores == sorted(scores, reverse=True)
    assert [score for score in scores if not 0 <= score <= 1] == []
