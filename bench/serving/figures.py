"""Numbers of many repetitions as the few that are told, and figures as ratios."""

from collections.abc import Mapping, Sequence
from math import ceil
from statistics import median
from typing import Any, Final, NamedTuple

from bench.serving.events import CALL, CONSTANT, HANDSHAKE, INITIALIZE, LEGACY_CALL
from bench.serving.targets import (
    AGED,
    FEW_TOOLS,
    FLOOR,
    FLOOR_WITH_TOOL,
    FRESH,
    MANY_TOOLS,
    OURS,
    QUIETED,
    SDK,
)

__all__ = ["BOUNDS", "PAIRED", "Figures", "Spread", "paired", "percentile", "ratios", "spread"]

Figures = Mapping[str, Any]

PAIRED: Final = (FLOOR_WITH_TOOL, OURS, QUIETED)
"""The targets whose turns are held against each other."""

# What issue and documentation promise; a ratio that is not here has no bound.
BOUNDS: Final[Mapping[str, float]] = {
    "cold_tools_call_vs_floor": 2.7,
    "cold_initialize_vs_floor": 6,
    "cold_initialize_vs_sdk": 0.3,
    "warm_constant_vs_floor_with_tool": 3,
    "warm_tools_call_less_match_vs_floor_with_tool": 2.5,
    "warm_observed_constant_vs_quiet": 2,
    "warm_observed_tools_call_vs_quiet": 2,
    "warm_p99_vs_p50": 5,
    "peak_rss_mb": 40,
    "unzipped_mb": 30,
    "growth_blocks_of_requests": 1.01,
    "growth_own_memory_of_second_half": 1.05,
    "growth_p50_of_requests": 1.1,
    "growth_p50_of_tools": 1.1,
}


class Spread(NamedTuple):
    """The middle of some repetitions, and how far they lie apart: the quarters, and the extremes."""

    median: float
    low: float
    high: float
    least: float
    most: float
    repeats: int


def percentile(values: Sequence[float], share: float) -> float:
    """The least of `values` that at least `share` of them do not exceed (nearest rank); 0 < share <= 1."""
    return sorted(values)[max(0, ceil(share * len(values)) - 1)]


def spread(values: Sequence[float]) -> Spread:
    """`values`, of which there is at least one, in a few numbers."""
    return Spread(
        median(values),
        percentile(values, 0.25),
        percentile(values, 0.75),
        min(values),
        max(values),
        len(values),
    )


class Timed(NamedTuple):
    """What has a median in every turn: one part of a kind of request, and who answered it."""

    target: str
    kind: str
    part: str = "whole"


def _named(kind: str) -> str:
    return kind.split()[1].replace("/", "_")


# A constant of the floor is its own tools/list: the other two have next to nothing in them there. What they
# come to against their own kind has no bound.
_CONSTANTS: Final = {
    _named(kind): (Timed(QUIETED, kind), Timed(FLOOR_WITH_TOOL, CONSTANT[0])) for kind in CONSTANT
}
_WARM: Final[Mapping[str, Sequence[tuple[Timed, Timed]]]] = {
    "warm_constant_vs_floor_with_tool": list(_CONSTANTS.values()),
    **{f"warm_{name}_vs_floor_with_tool": [pair] for name, pair in _CONSTANTS.items()},
    **{
        f"warm_{_named(kind)}_vs_floor_with_tool_same_kind": [
            (Timed(QUIETED, kind), Timed(FLOOR_WITH_TOOL, kind))
        ]
        for kind in CONSTANT[1:]
    },
    "warm_tools_call_less_match_vs_floor_with_tool": [
        (Timed(QUIETED, CALL, "less_match"), Timed(FLOOR_WITH_TOOL, CALL))
    ],
    "warm_observed_constant_vs_quiet": [(Timed(OURS, kind), Timed(QUIETED, kind)) for kind in CONSTANT],
    "warm_observed_tools_call_vs_quiet": [(Timed(OURS, CALL), Timed(QUIETED, CALL))],
}
_GROWTH: Final[Mapping[str, Sequence[tuple[Timed, Timed]]]] = {
    "growth_p50_of_requests": [(Timed(AGED, kind), Timed(FRESH, kind)) for kind in (*CONSTANT, CALL)],
}
_TOOLS: Final[Mapping[str, Sequence[tuple[Timed, Timed]]]] = {
    "growth_p50_of_tools": [(Timed(MANY_TOOLS, CALL), Timed(FEW_TOOLS, CALL))],
}


def ratios(figures: Figures) -> dict[str, float]:
    """Every ratio that the figures allow; what was not measured is left out."""
    pairs = {name: found.median for name, found in paired(figures).items()}
    found = {
        **_cold(figures),
        **{name: pairs[name] for name in _WARM if name in pairs},
        **_warm(figures),
        **_memory(figures),
        **_growth(figures),
        **{name: pairs[name] for name in (*_GROWTH, *_TOOLS) if name in pairs},
    }
    return {name: round(value, 3) for name, value in found.items()}


def paired(figures: Figures) -> dict[str, Spread]:
    """The ratios of two that took turns, as they spread over all turns; of several kinds the highest one.

    One median is divided by the other of the same turn, so a machine that is slow for a while does not move
    them. The turns are those of several processes: what is peculiar to one of them is in its turns alone.
    """
    turns = figures.get("turns", {})
    return {
        **_spreads(turns.get("warm", {}), _WARM),
        **_spreads(turns.get("growth", {}), _GROWTH),
        **_spreads(turns.get("tools", {}), _TOOLS),
    }


def _spreads(
    turns: Mapping[str, Any], wanted: Mapping[str, Sequence[tuple[Timed, Timed]]]
) -> dict[str, Spread]:
    found = {name: [_quotients(turns, *pair) for pair in pairs] for name, pairs in wanted.items()}
    return {
        name: max(map(spread, each), key=lambda one: one.median) for name, each in found.items() if all(each)
    }


def _quotients(turns: Mapping[str, Any], over: Timed, under: Timed) -> list[float]:
    mine, theirs = (turns.get(each.target, {}).get(each.kind, {}).get(each.part) for each in (over, under))
    return [one / other for one, other in zip(mine, theirs, strict=True)] if mine and theirs else []


def _cold(figures: Figures) -> dict[str, float]:
    pairs = {
        "cold_tools_call_vs_floor": ((OURS, CALL), (FLOOR, CALL)),
        "cold_initialize_vs_floor": ((OURS, INITIALIZE), (FLOOR, INITIALIZE)),
        "cold_tools_call_vs_sdk": ((OURS, CALL), (SDK, CALL)),
        "cold_initialize_vs_sdk": ((OURS, INITIALIZE), (SDK, INITIALIZE)),
        "cold_tools_call_vs_awslabs": ((OURS, CALL), ("awslabs", LEGACY_CALL)),
        "cold_tools_call_vs_fastmcp": ((OURS, CALL), ("fastmcp", CALL)),
    }
    cold = figures.get("cold", {})
    found: dict[str, float] = {}
    for name, (ours, other) in pairs.items():
        mine, theirs = (cold.get(target, {}).get(kind) for target, kind in (ours, other))
        if mine and theirs:
            found[name] = mine["whole_ms"]["median"] / theirs["whole_ms"]["median"]
    return found


def _warm(figures: Figures) -> dict[str, float]:
    quiet = figures.get("warm", {}).get(QUIETED)
    if not quiet:
        return {}
    return {
        # A turn has too few calls for a p99 of its own.
        "warm_p99_vs_p50": max(quiet[kind]["p99_us"] / quiet[kind]["p50_us"] for kind in (*CONSTANT, CALL)),
        **_session(quiet),
    }


def _session(quiet: Mapping[str, Any]) -> dict[str, float]:
    """A request of the handshake era, its store taken off, beside the same of 2026."""
    return {
        f"warm_session_{_named(kind)}_less_store_vs_2026": quiet[kind]["less_store_p50_us"]
        / quiet[kind.replace("2025", "2026")]["p50_us"]
        for kind in HANDSHAKE
        if "less_store_p50_us" in quiet.get(kind, {})
    }


def _memory(figures: Figures) -> dict[str, float]:
    found: dict[str, float] = {}
    if peak := figures.get("rss", {}).get(OURS):
        found["peak_rss_mb"] = max(peak["first_mb"], peak.get("after_mb", 0))
    if size := figures.get("unzipped_mb", {}).get(OURS):
        found["unzipped_mb"] = size
    return found


def _growth(figures: Figures) -> dict[str, float]:
    found: dict[str, float] = {}
    if served := figures.get("growth"):
        found["growth_rss_of_requests"] = served["end_rss_mb"] / served["begin_rss_mb"]
        # The heap takes on the gaps between blocks of many sizes, until there are enough.
        found["growth_own_memory_of_second_half"] = served["end_own_mb"] / served["middle_own_mb"]
        found["growth_blocks_of_requests"] = served["end_blocks"] / served["begin_blocks"]
    rss = {number: each["rss_mb"] for number, each in figures.get("tools", {}).items() if "rss_mb" in each}
    if rss:
        found["growth_rss_of_tools"] = rss[MANY_TOOLS] / rss[FEW_TOOLS]
    return found
