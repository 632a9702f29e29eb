"""Numbers of many repetitions as the few that are told, and figures as ratios."""

from collections.abc import Mapping, Sequence
from math import ceil
from statistics import median
from typing import Any, Final, NamedTuple

from bench.serving.events import CALL, CONSTANT, HANDSHAKE, INITIALIZE, LEGACY_CALL
from bench.serving.targets import FLOOR, FLOOR_WITH_TOOL, OURS, SDK

__all__ = ["BOUNDS", "Figures", "Spread", "percentile", "ratios", "spread"]

Figures = Mapping[str, Any]

OBSERVED: Final = "ours"
QUIETED: Final = "ours, quiet"

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


def ratios(figures: Figures) -> dict[str, float]:
    """Every ratio that the figures allow; what was not measured is left out."""
    found = {**_cold(figures), **_warm(figures), **_memory(figures), **_growth(figures)}
    return {name: round(value, 3) for name, value in found.items()}


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
    warm = figures.get("warm", {})
    quiet, observed, floor = (warm.get(name) for name in (QUIETED, OBSERVED, FLOOR_WITH_TOOL))
    if not (quiet and observed and floor):
        return {}
    # A constant of the floor is its own tools/list: the other two have next to nothing in them there.
    constant_us = floor[CONSTANT[0]]["p50_us"]
    return {
        "warm_constant_vs_floor_with_tool": max(quiet[kind]["p50_us"] for kind in CONSTANT) / constant_us,
        **{
            f"warm_{_named(kind)}_vs_floor_with_tool": quiet[kind]["p50_us"] / constant_us
            for kind in CONSTANT
        },
        "warm_tools_call_less_match_vs_floor_with_tool": quiet[CALL]["less_match_p50_us"]
        / floor[CALL]["p50_us"],
        "warm_observed_constant_vs_quiet": max(
            observed[kind]["p50_us"] / quiet[kind]["p50_us"] for kind in CONSTANT
        ),
        "warm_observed_tools_call_vs_quiet": observed[CALL]["p50_us"] / quiet[CALL]["p50_us"],
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


def _named(kind: str) -> str:
    return kind.split()[1].replace("/", "_")


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
        found["growth_p50_of_requests"] = served["end_p50_us"] / served["begin_p50_us"]
    if tools := figures.get("tools"):
        few, many = min(tools, key=int), max(tools, key=int)
        found["growth_p50_of_tools"] = tools[many]["p50_us"] / tools[few]["p50_us"]
    return found
