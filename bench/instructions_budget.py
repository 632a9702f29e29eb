"""What counts of instructions say: ratios to the bare handler with a tool, and which of them are too high.

Absolute counts belong to one build of Python and one C library: on another machine all of them differ. The
bare handler runs under the same Python and decodes and encodes JSON as the product does, so most of that
cancels out of a ratio to it, and a rise of the ratio is a rise of our code.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from bench.serving.events import CALL, CONSTANT
from bench.serving.figures import BOUNDS
from bench.serving.targets import FLOOR_WITH_TOOL
from bench.tables import head, row

__all__ = ["MATCH", "OBSERVED", "QUIETED", "TOLERANCE", "bounded", "different", "judged", "ratios", "tables"]

TOLERANCE: Final = 0.08

OBSERVED: Final = "ours"
QUIETED: Final = "ours, quiet"
MATCH: Final = "match"

Counts = Mapping[str, Mapping[str, int]]
"""Instructions of one request, by who answers it and by kind."""


def ratios(counts: Counts) -> dict[str, float]:
    """Every count that is not the bare handler's own, as a multiple of what a request like it takes there."""
    units = counts.get(FLOOR_WITH_TOOL, {})
    return {
        f"{name}: {kind}": count / units[_unit(kind)]
        for name, kinds in counts.items()
        for kind, count in kinds.items()
        if name != FLOOR_WITH_TOOL and _unit(kind) in units
    }


def _unit(kind: str) -> str:
    """The request to the bare handler that `kind` is held against, as in the bounds on the warm path.

    Calls are held against a call, in which the tool works and its result is encoded; constants against the
    bare handler's `tools/list`, since its other lists have next to nothing in them.
    """
    return CALL if kind.endswith("tools/call") else CONSTANT[0]


def bounded(counts: Counts) -> dict[str, float]:
    """The ratios of the warm path that have a bound, in instructions instead of time."""
    quiet, observed, floor = (counts[name] for name in (QUIETED, OBSERVED, FLOOR_WITH_TOOL))
    less_match = quiet[CALL] - counts[MATCH][CALL]
    return {
        "warm_constant_vs_floor_with_tool": max(quiet[kind] for kind in CONSTANT) / floor[CONSTANT[0]],
        "warm_tools_call_less_match_vs_floor_with_tool": less_match / floor[CALL],
        "warm_observed_constant_vs_quiet": max(observed[kind] / quiet[kind] for kind in CONSTANT),
        "warm_observed_tools_call_vs_quiet": observed[CALL] / quiet[CALL],
    }


def judged(counts: Counts, budget: Counts) -> list[str]:
    """A sentence for each ratio that is over its budget by more than the tolerance, or has none."""
    stored = ratios(budget)
    told = []
    for name, ratio in ratios(counts).items():
        if name not in stored:
            told.append(f"{name} has no budget; make bench-instructions RECORD=1 stores one.")
        elif ratio > stored[name] * (1 + TOLERANCE):
            told.append(
                f"{name} takes {ratio:.2f} times the instructions of the bare handler with a tool, "
                f"{ratio / stored[name] - 1:.0%} more than the {stored[name]:.2f} of the budget (tolerance "
                f"{TOLERANCE:.0%}). Make it cheaper, or store what it takes now with "
                "make bench-instructions RECORD=1 and say in the commit what it is spent on."
            )
    return told


def different(where: Mapping[str, str], budget: Mapping[str, Any]) -> str:
    """In which way the budget was counted elsewhere, in words; empty if it was not.

    Patch releases of Python are taken to be alike: what differs between them cancels out of the ratios.
    """
    here, there = _minor(where["python"]), _minor(budget["python"])
    if here != there:
        return f"the budget is for Python {there}, and this is {here}"
    if where["architecture"] != budget["architecture"]:
        return f"the budget is for {budget['architecture']}, and this is {where['architecture']}"
    return ""


def _minor(version: str) -> str:
    return ".".join(version.split(".")[:2])


def tables(counts: Counts, budget: Counts) -> str:
    """All counts and ratios beside those of the budget, and below them the ratios that have a bound."""
    return "\n".join((*_counted(counts, budget), "", *_bounds(counts)))


def _counted(counts: Counts, budget: Counts) -> Iterator[str]:
    yield from head("a warm request", "instructions", "budget", "÷ floor-with-tool", "budget", "change")
    found, stored = ratios(counts), ratios(budget)
    for name, kinds in counts.items():
        for kind, count in kinds.items():
            key = f"{name}: {kind}"
            before = budget.get(name, {}).get(kind)
            yield row(
                key,
                f"{count:,}",
                "" if before is None else f"{before:,}",
                f"{found[key]:.2f}" if key in found else "",
                f"{stored[key]:.2f}" if key in stored else "",
                f"{found[key] / stored[key] - 1:+.1%}" if key in found and key in stored else "",
            )


def _bounds(counts: Counts) -> Iterator[str]:
    yield from head("ratio of instructions", "bound", "found")
    for name, value in bounded(counts).items():
        yield row(f"`{name}`", f"≤ {BOUNDS[name]:g}", f"{value:.2f}")
