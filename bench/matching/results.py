"""The results of one run of `make bench-matching`, and the ratios with their bounds."""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any, Final, NamedTuple

__all__ = ["MB", "REFERENCE", "Baked", "Measured", "Ratio", "Results", "median_of_rounds", "ratios"]

REFERENCE: Final = "reference"
MB: Final = 1_000_000

_LAYER_LIMIT_MB: Final = 250


class Baked(NamedTuple):
    """The cost of baking a registry of `size` categories; `peak_mib` includes the registry itself."""

    size: int
    outside: int
    bake_seconds: float
    registry_mib: float
    peak_mib: float
    files: Mapping[str, int]

    @property
    def layer_mb(self) -> float:
        """All files of the layer, in millions of bytes."""
        return sum(self.files.values()) / MB


class Measured(NamedTuple):
    """The cost of a strategy at a size. Times are in microseconds, memory in MiB: all, own, files.

    `load_us` is for opening a registry with a query of one unknown word, `touch_us` with a query of the mix,
    which reads pages of the files; neither includes the query itself. `first_us` is the first query of a
    process, whose files are not in memory.
    """

    size: int
    strategy: str
    load_us: float
    touch_us: float
    first_us: float
    p50_us: float
    p99_us: float
    worst_us: Mapping[str, float]
    accuracy: float
    queries: int
    memory_mib: Mapping[str, Mapping[str, float]]

    @property
    def longest_us(self) -> float:
        """The duration of the worst query that took longest."""
        return max(self.worst_us.values())


class Results(NamedTuple):
    """Everything measured in one run, sizes ascending; the bounds are on `strategy`."""

    strategy: str
    baked: Sequence[Baked]
    measured: Sequence[Measured]

    def of(self, strategy: str) -> list[Measured]:
        """The measurements of a strategy, sizes ascending."""
        return [each for each in self.measured if each.strategy == strategy]


class Ratio(NamedTuple):
    """A ratio, its description, and its bound if it has one."""

    name: str
    description: str
    value: float
    bound: float | None


def median_of_rounds(rounds: Sequence[Any]) -> Any:
    """The median of each number in several results of the same shape; other values are those of the first."""
    first = rounds[0]
    if isinstance(first, dict):
        return {key: median_of_rounds([each[key] for each in rounds]) for key in first}
    return median(rounds) if isinstance(first, int | float) else first


def ratios(results: Results) -> list[Ratio]:
    """The largest size compared with the smallest, and the smallest with the reference strategy."""
    found = results.of(results.strategy)
    small, large = found[0], found[-1]
    reference = next(each for each in results.of(REFERENCE) if each.size == small.size)
    at = f"at {large.size:,}"
    return [
        Ratio("p50_growth", f"p50 {at} ÷ p50 at {small.size:,}", large.p50_us / small.p50_us, 10),
        Ratio(
            "p50_to_reference",
            f"p50 at {small.size:,} ÷ p50 of `{REFERENCE}` at {small.size:,}",
            small.p50_us / reference.p50_us,
            2,
        ),
        Ratio("load_growth", f"load {at} ÷ load at {small.size:,}", large.load_us / small.load_us, 5),
        Ratio("worst_to_p50", f"worst query ÷ p50, {at}", large.longest_us / large.p50_us, None),
        Ratio("layer_mb", f"registry layer {at}, MB", results.baked[-1].layer_mb, _LAYER_LIMIT_MB),
    ]
