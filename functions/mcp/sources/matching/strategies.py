"""The strategies by name."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from sources.matching.lexical import LexicalStrategy
from sources.matching.reference import ReferenceStrategy
from sources.matching.strategy import Index, MatchSettings, Strategy

STRATEGIES: Final[Mapping[str, Callable[[Index, MatchSettings], Strategy]]] = MappingProxyType(
    {
        LexicalStrategy.name: LexicalStrategy,
        ReferenceStrategy.name: ReferenceStrategy,
    }
)
DEFAULT_STRATEGY: Final = LexicalStrategy.name

DEFAULT_THRESHOLDS: Final[Mapping[str, float]] = MappingProxyType(
    {LexicalStrategy.name: MatchSettings().threshold, ReferenceStrategy.name: 0.4}
)
"""The least score of an accepted match, by the name of the strategy, if nobody sets another."""


def build_strategy(name: str, index: Index, settings: MatchSettings | None = None) -> Strategy:
    """The strategy called `name`, with default settings if none are given.

    Raises:
        ValueError: there is no such strategy, or the settings are invalid for it.
    """
    strategy = STRATEGIES.get(name)
    if strategy is None:
        raise ValueError(
            f'There is no matching strategy "{name}". There are: {", ".join(sorted(STRATEGIES))}.'
        )
    return strategy(index, settings or MatchSettings())
