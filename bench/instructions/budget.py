"""Ratios of instruction counts to the bare handler with a tool, and which of them are over the budget.

Absolute counts depend on the build of Python and the C library. The bare handler runs under the same Python
and decodes and encodes JSON as the product does, so most of that cancels out of the ratio.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from bench.markdown import head, row
from bench.serving.events import CALL, CONSTANT
from bench.serving.ratios import BOUNDS
from bench.serving.targets import FLOOR_WITH_TOOL, OURS, QUIET

__all__ = ["MATCH", "TOLERANCE", "as_markdown", "bounded_ratios", "budget_mismatch", "over_budget", "ratios"]

TOLERANCE: Final = 0.08
MATCH: Final = "match"

Counts = Mapping[str, Mapping[str, int]]
"""Instructions of one request, by target and by kind."""


def ratios(counts: Counts) -> dict[str, float]:
    """Every count of another target than the bare handler, as a multiple of the bare handler's request."""
    units = counts.get(FLOOR_WITH_TOOL, {})
    return {
        f"{name}: {kind}": count / units[_unit(kind)]
        for name, kinds in counts.items()
        for kind, count in kinds.items()
        if name != FLOOR_WITH_TOOL and _unit(kind) in units
    }


def _unit(kind: str) -> str:
    """The request to the bare handler that `kind` is compared with, as in the bounds on the warm path.

    A call is compared with a call. A constant is compared with the bare handler's `tools/list`, since its
    other lists are nearly empty.
    """
    return CALL if kind.endswith("tools/call") else CONSTANT[0]


def bounded_ratios(counts: Counts) -> dict[str, float]:
    """The ratios of the warm path that have a bound, in instructions instead of time."""
    quiet, observed, floor = (counts[name] for name in (QUIET, OURS, FLOOR_WITH_TOOL))
    less_match = quiet[CALL] - counts[MATCH][CALL]
    return {
        "warm_constant_vs_floor_with_tool": max(quiet[kind] for kind in CONSTANT) / floor[CONSTANT[0]],
        "warm_tools_call_less_match_vs_floor_with_tool": less_match / floor[CALL],
        "warm_observed_constant_vs_quiet": max(observed[kind] / quiet[kind] for kind in CONSTANT),
        "warm_observed_tools_call_vs_quiet": observed[CALL] / quiet[CALL],
    }


def over_budget(counts: Counts, budget: Counts) -> list[str]:
    """A sentence for each ratio that exceeds its budget by more than the tolerance, or has no budget."""
    stored = ratios(budget)
    sentences = []
    for name, ratio in ratios(counts).items():
        if name not in stored:
            sentences.append(f"{name} has no budget; make bench-instructions RECORD=1 stores one.")
        elif ratio > stored[name] * (1 + TOLERANCE):
            sentences.append(
                f"{name} takes {ratio:.2f} times the instructions of the bare handler with a tool, "
                f"{ratio / stored[name] - 1:.0%} more than the {stored[name]:.2f} of the budget (tolerance "
                f"{TOLERANCE:.0%}). Make it cheaper, or store the new counts with "
                "make bench-instructions RECORD=1 and say in the commit what needs them."
            )
    return sentences


def budget_mismatch(machine: Mapping[str, str], budget: Mapping[str, Any]) -> str:
    """The differences of this machine from the one of the budget, as text; empty if they are comparable.

    Patch releases of Python are comparable: their differences cancel out of the ratios.
    """
    here, there = (version.rpartition(".")[0] for version in (machine["python"], budget["python"]))
    if here != there:
        return f"the budget is for Python {there}, and this is {here}"
    if machine["architecture"] != budget["architecture"]:
        return f"the budget is for {budget['architecture']}, and this is {machine['architecture']}"
    return ""


def as_markdown(counts: Counts, budget: Counts) -> str:
    """All counts and ratios beside those of the budget, and below them the ratios that have a bound."""
    return "\n".join((*_count_table(counts, budget), "", *_bound_table(counts)))


def _count_table(counts: Counts, budget: Counts) -> Iterator[str]:
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


def _bound_table(counts: Counts) -> Iterator[str]:
    yield from head("ratio of instructions", "bound", "found")
    for name, value in bounded_ratios(counts).items():
        yield row(f"`{name}`", f"≤ {BOUNDS[name]:g}", f"{value:.2f}")
