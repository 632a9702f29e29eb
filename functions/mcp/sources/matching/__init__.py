"""Which category a query means. What a strategy needs of the registry comes in as data."""

from sources.matching.normalise import normalise
from sources.matching.strategies import STRATEGIES, build_strategy
from sources.matching.strategy import Evidence, Index, Match, Ranking, Settings, Strategy

__all__ = [
    "STRATEGIES",
    "Evidence",
    "Index",
    "Match",
    "Ranking",
    "Settings",
    "Strategy",
    "build_strategy",
    "normalise",
]
