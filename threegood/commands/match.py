"""`threegood match`: how a query is matched, and why."""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import click

from sources.baked import BakedRegistry, Lexicon, PhraseLine
from sources.baked.phrases import read_phrases
from sources.matching import (
    DEFAULT_STRATEGY,
    DEFAULT_THRESHOLDS,
    STRATEGIES,
    Index,
    MatchSettings,
    build_strategy,
)
from threegood.baking.lexicon import bake_lexicon
from threegood.baking.phrases import bake_phrases
from threegood.baking.subjects import general_words
from threegood.commands.output import remark, show
from threegood.commands.registry_file import A_PATH, default_registry, load_registry
from threegood.registry.records import Registry
from threegood.reports.explanation import ranking_lines, score_lines


class _IndexInMemory:
    """The index of a registry that is baked in memory, each part when a strategy reads it."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._slugs = sorted(registry.categories)

    def phrases(self) -> Iterator[PhraseLine]:
        return read_phrases(bake_phrases(self._registry))

    def vocabulary(self) -> Lexicon:
        return self._lexicon

    def slug_at(self, index: int) -> str:
        return self._slugs[index]

    @cached_property
    def _lexicon(self) -> Lexicon:
        return Lexicon(bake_lexicon(self._registry, general_words(self._registry)))


@click.command(epilog="Example: threegood match 'slow query in postgres' --limit 3")
@click.argument("query")
@click.option("--registry", type=A_PATH, help="A registry file, baked in memory; registry.json if none.")
@click.option("--baked", type=A_PATH, help="A baked registry instead.")
@click.option("--strategy", type=click.Choice(sorted(STRATEGIES)), default=DEFAULT_STRATEGY)
@click.option(
    "--threshold", type=float, help="The least score that is answered; if none, the strategy's own."
)
@click.option("--limit", type=click.IntRange(min=1), default=5, help="How many categories to show.")
def match(
    query: str,
    registry: Path | None,
    baked: Path | None,
    strategy: str,
    threshold: float | None,
    limit: int,
) -> None:
    """Show what a QUERY matches, and why."""
    if registry is not None and baked is not None:
        raise click.UsageError("--registry and --baked exclude each other.")
    least = DEFAULT_THRESHOLDS[strategy] if threshold is None else threshold
    index = _index_in_memory(registry or default_registry()) if baked is None else BakedRegistry.open(baked)
    try:
        matching = build_strategy(strategy, index, MatchSettings(threshold=least))
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--threshold") from error
    ranking = matching.rank(query, limit=limit)
    explained = strategy == DEFAULT_STRATEGY and ranking.terms
    show([*ranking_lines(ranking, least), *(score_lines(query, ranking, index) if explained else ())])


def _index_in_memory(file: Path) -> Index:
    registry = load_registry(file)
    remark(f"{file}: baking it in memory; the baked registry of the function does not change")
    return _IndexInMemory(registry)
