"""Ratios of the figures, the bounds on them, and the statistics that they are made of.

`figures` is what `make bench` measured: the content of `docs/performance/figures.json`.
"""

from collections.abc import Mapping, Sequence
from math import ceil
from statistics import median
from typing import Any, Final, NamedTuple

from bench.serving.events import CALL, CONSTANT, INITIALIZE, LEGACY, LEGACY_CALL
from bench.serving.targets import (
    AWSLABS,
    FASTMCP,
    FLOOR,
    FLOOR_WITH_TOOL,
    OURS,
    OURS_AUTHORIZED,
    QUIET,
    SDK,
    SDK_AUTHORIZED,
)

__all__ = [
    "AGED",
    "BOUNDS",
    "FEW_TOOLS",
    "FRESH",
    "MANY_TOOLS",
    "PAIRED",
    "Figures",
    "Spread",
    "paired_ratios",
    "percentile",
    "ratios",
    "spread",
]

Figures = Mapping[str, Any]

PAIRED: Final = (FLOOR_WITH_TOOL, OURS, QUIET)
"""The targets whose turns are compared one by one."""

AGED: Final = "aged"
"""The product after many requests."""
FRESH: Final = "fresh"
"""The product after few requests."""
FEW_TOOLS: Final = "4"
MANY_TOOLS: Final = "200"

BOUNDS: Final[Mapping[str, float]] = {
    "cold_tools_call_vs_floor": 2.5,
    "cold_initialize_vs_floor": 6,
    "cold_initialize_vs_sdk": 0.3,
    "cold_authorized_tools_call_vs_sdk": 0.35,
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
"""The highest permitted value of a ratio; the other ratios are informative."""


class Spread(NamedTuple):
    """The median of some repetitions, their quartiles and their extremes."""

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
    """The spread of `values`, of which there is at least one."""
    low, high = percentile(values, 0.25), percentile(values, 0.75)
    return Spread(median(values), low, high, min(values), max(values), len(values))


class _Timed(NamedTuple):
    """A series with a median in every turn: a part of a kind of request to a target."""

    target: str
    kind: str
    part: str = "whole"


_Pairs = Mapping[str, Sequence[tuple[_Timed, _Timed]]]
"""By ratio, what is divided by what; of several kinds the highest ratio counts."""


_WARM: Final[_Pairs] = {
    # The floor's other lists are nearly empty: every constant is compared with its tools/list.
    "warm_constant_vs_floor_with_tool": [
        (_Timed(QUIET, kind), _Timed(FLOOR_WITH_TOOL, CONSTANT[0])) for kind in CONSTANT
    ],
    "warm_tools_call_less_match_vs_floor_with_tool": [
        (_Timed(QUIET, CALL, "less_match"), _Timed(FLOOR_WITH_TOOL, CALL))
    ],
    "warm_observed_constant_vs_quiet": [(_Timed(OURS, kind), _Timed(QUIET, kind)) for kind in CONSTANT],
    "warm_observed_tools_call_vs_quiet": [(_Timed(OURS, CALL), _Timed(QUIET, CALL))],
}
_GROWTH: Final[_Pairs] = {
    "growth_p50_of_requests": [(_Timed(AGED, kind), _Timed(FRESH, kind)) for kind in (*CONSTANT, CALL)],
}
_TOOLS: Final[_Pairs] = {
    "growth_p50_of_tools": [(_Timed(MANY_TOOLS, CALL), _Timed(FEW_TOOLS, CALL))],
}


def ratios(figures: Figures) -> dict[str, float]:
    """Every ratio whose figures were measured."""
    paired = {name: found.median for name, found in paired_ratios(figures).items()}
    found = {
        **_cold(figures),
        **{name: paired[name] for name in _WARM if name in paired},
        **_warm(figures),
        **_memory(figures),
        **_growth(figures),
        **{name: paired[name] for name in (*_GROWTH, *_TOOLS) if name in paired},
    }
    return {name: round(value, 3) for name, value in found.items()}


def paired_ratios(figures: Figures) -> dict[str, Spread]:
    """The ratios of two subjects that took turns, as a spread over all turns.

    Each quotient is of two medians of the same turn, so a machine that is slow for a while does not change
    it.
    """
    turns = figures.get("turns", {})
    found: dict[str, Spread] = {}
    for name, pairs in {"warm": _WARM, "growth": _GROWTH, "tools": _TOOLS}.items():
        found |= _spreads(turns.get(name, {}), pairs)
    return found


def _spreads(turns: Mapping[str, Any], wanted: _Pairs) -> dict[str, Spread]:
    found = {name: [_quotients(turns, *pair) for pair in pairs] for name, pairs in wanted.items()}
    return {
        name: max(map(spread, each), key=lambda one: one.median) for name, each in found.items() if all(each)
    }


def _quotients(turns: Mapping[str, Any], over: _Timed, under: _Timed) -> list[float]:
    first, second = (turns.get(each.target, {}).get(each.kind, {}).get(each.part) for each in (over, under))
    return [one / other for one, other in zip(first, second, strict=True)] if first and second else []


def _cold(figures: Figures) -> dict[str, float]:
    pairs = {
        "cold_tools_call_vs_floor": (OURS, CALL, FLOOR, CALL),
        "cold_initialize_vs_floor": (OURS, INITIALIZE, FLOOR, INITIALIZE),
        "cold_tools_call_vs_sdk": (OURS, CALL, SDK, CALL),
        "cold_initialize_vs_sdk": (OURS, INITIALIZE, SDK, INITIALIZE),
        "cold_tools_call_vs_awslabs": (OURS, CALL, AWSLABS, LEGACY_CALL),
        "cold_tools_call_vs_fastmcp": (OURS, CALL, FASTMCP, CALL),
        "cold_authorized_tools_call_vs_sdk": (OURS_AUTHORIZED, CALL, SDK_AUTHORIZED, CALL),
    }
    cold = figures.get("cold", {})
    found: dict[str, float] = {}
    for name, (our, kind, other, other_kind) in pairs.items():
        ours, theirs = cold.get(our, {}).get(kind), cold.get(other, {}).get(other_kind)
        if ours and theirs:
            found[name] = ours["whole_ms"]["median"] / theirs["whole_ms"]["median"]
    return found


def _warm(figures: Figures) -> dict[str, float]:
    quiet = figures.get("warm", {}).get(QUIET)
    if not quiet:
        return {}
    sessions = {
        f"warm_session_{kind.removeprefix('2025 ').replace('/', '_')}_less_store_vs_2026": (
            quiet[kind]["less_store_p50_us"] / quiet[kind.replace("2025", "2026")]["p50_us"]
        )
        for kind in LEGACY
        if "less_store_p50_us" in quiet.get(kind, {})
    }
    # A turn has too few calls for a p99 of its own.
    p99_vs_p50 = max(quiet[kind]["p99_us"] / quiet[kind]["p50_us"] for kind in (*CONSTANT, CALL))
    return {"warm_p99_vs_p50": p99_vs_p50, **sessions}


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
        # The heap grows at first by gaps between blocks, so only the second half shows a leak.
        found["growth_own_memory_of_second_half"] = served["end_own_mb"] / served["middle_own_mb"]
        found["growth_blocks_of_requests"] = served["end_blocks"] / served["begin_blocks"]
    if tools := figures.get("tools"):
        found["growth_rss_of_tools"] = tools[MANY_TOOLS]["rss_mb"] / tools[FEW_TOOLS]["rss_mb"]
    return found
