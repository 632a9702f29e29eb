"""Matching: from a query to the categories it means. What a strategy reads of the registry is passed in."""

from sources.matching.normalise import normalise
from sources.matching.strategies import (
    DEFAULT_STRATEGY,
    DEFAULT_THRESHOLDS,
    STRATEGIES,
    build_strategy,
)
from sources.matching.strategy import Evidence, Index, Match, MatchSettings, Ranking, Strategy

__all__ = [
    "DEFAULT_STRATEGY",
    "DEFAULT_THRESHOLDS",
    "STRATEGIES",
    "Evidence",
    "Index",
    "Match",
    "MatchSettings",
    "Ranking",
    "Strategy",
    "build_strategy",
    "normalise",
]
