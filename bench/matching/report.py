"""The measurement as tables, as ratios, as a block of the page about matching, and as a picture."""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, floor, log10
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

REFERENCE: Final = "reference"

BEGIN: Final = "<!-- scale:begin -->"
END: Final = "<!-- scale:end -->"

_MB: Final = 1_000_000
_US_PER_MS: Final = 1000
_LAYER_LIMIT_MB: Final = 250


class Baked(NamedTuple):
    """What baking a registry of `size` categories took. Memory is its peak with the registry in it."""

    size: int
    outside: int
    bake_seconds: float
    registry_mib: float
    peak_mib: float
    files: Mapping[str, int]

    @property
    def layer_mb(self) -> float:
        """All files of the layer, in millions of bytes."""
        return sum(self.files.values()) / _MB


class Measured(NamedTuple):
    """What a strategy took at a size. Times are in microseconds, memory in MiB: all, own, files.

    `load_us` is for opening a registry up to a first word, that nobody knows, `touch_us` up to a first query
    of the mix, which brings in the pages that it reads; neither holds the query itself. `first_us` is the
    first query of a process, whose files are not in memory.
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
    def worst(self) -> tuple[str, float]:
        """The kind of query that took longest, and how long."""
        return max(self.worst_us.items(), key=lambda item: item[1])


class Scale(NamedTuple):
    """All that was measured in one run, sizes ascending; `strategy` is the one that is held to the bounds."""

    strategy: str
    baked: Sequence[Baked]
    measured: Sequence[Measured]

    def of(self, strategy: str) -> list[Measured]:
        """What was measured of a strategy, sizes ascending."""
        return [each for each in self.measured if each.strategy == strategy]


class Ratio(NamedTuple):
    """A figure that has a bound, or none, and what it says."""

    name: str
    sentence: str
    value: float
    bound: float | None


def middle(rounds: Sequence[Any]) -> Any:
    """The median of each number in several results of the same shape; what is no number is the first's."""
    first = rounds[0]
    if isinstance(first, dict):
        return {key: middle([each[key] for each in rounds]) for key in first}
    return median(rounds) if isinstance(first, int | float) else first


def ratios(scale: Scale) -> list[Ratio]:
    """What the largest size takes beside the smallest, and the smallest beside the reference."""
    found = scale.of(scale.strategy)
    small, large = found[0], found[-1]
    reference = next(each for each in scale.of(REFERENCE) if each.size == small.size)
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
        Ratio("worst_to_p50", f"worst query ÷ p50, {at}", large.worst[1] / large.p50_us, None),
        Ratio("layer_mb", f"registry layer {at}, MB", scale.baked[-1].layer_mb, _LAYER_LIMIT_MB),
    ]


def as_json(scale: Scale) -> dict[str, Any]:
    """The ratios, and every figure that they are made of."""
    return {
        "ratios": {ratio.name: round(ratio.value, 3) for ratio in ratios(scale)},
        "strategy": scale.strategy,
        "baked": [{**each._asdict(), "layer_mb": each.layer_mb} for each in scale.baked],
        "measured": [each._asdict() for each in scale.measured],
    }


def as_markdown(scale: Scale) -> str:
    """Tables of the ratios, of matching, of the worst queries and of baking."""
    return "\n\n".join(
        "\n".join(table) for table in (_ratios(scale), _matching(scale), _worst(scale), _baking(scale))
    )


def _ratios(scale: Scale) -> Iterator[str]:
    yield from _head("ratio", "bound", "found")
    for ratio in ratios(scale):
        bound = "" if ratio.bound is None else f"≤ {ratio.bound:g}"
        yield _row(ratio.sentence, bound, f"{ratio.value:.2f}")


def _matching(scale: Scale) -> Iterator[str]:
    yield from _head(
        "strategy",
        "categories",
        "load, ms",
        "load with its pages, ms",
        "first query, cold, ms",
        "p50, ms",
        "p99, ms",
        "memory opened, MiB",
        "after 300 queries, MiB",
        "of it own + files",
        "accuracy@1",
    )
    for each in scale.measured:
        memory, settled = each.memory_mib, each.memory_mib["settled"]
        yield _row(
            f"`{each.strategy}`",
            f"{each.size:,}",
            *map(_ms, (each.load_us, each.touch_us, each.first_us, each.p50_us, each.p99_us)),
            f"{memory['opened']['all']:.1f}",
            f"{settled['all']:.1f}",
            f"{settled['own']:.1f} + {settled['files']:.1f}",
            f"{each.accuracy:.1%}",
        )


def _worst(scale: Scale) -> Iterator[str]:
    found = scale.measured
    yield from _head("worst queries, ms", *(f"`{each.strategy}` {each.size:,}" for each in found))
    for kind in found[0].worst_us:
        yield _row(kind, *(_ms(each.worst_us[kind]) for each in found))


def _baking(scale: Scale) -> Iterator[str]:
    names = list(scale.baked[0].files)
    yield from _head(
        "categories", "bake, s", "peak memory, MiB", "layer, MB", *(f"`{name}`, MB" for name in names)
    )
    for each in scale.baked:
        sizes = (f"{each.files[name] / _MB:.2f}" for name in names)
        yield _row(
            f"{each.size:,}",
            f"{each.bake_seconds:.2f}",
            f"{each.peak_mib:.0f}",
            f"{each.layer_mb:.2f}",
            *sizes,
        )


def _head(first: str, *others: str) -> Iterator[str]:
    yield _row(first, *others)
    yield _row("---", *("---:" for _ in others))


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _ms(microseconds: float) -> str:
    milliseconds = microseconds / _US_PER_MS
    return f"{milliseconds:.3g}" if milliseconds < 100 else f"{milliseconds:.0f}"


def with_block(page: str, block: str) -> str:
    """The page with `block` between its marks, which are put at its end if it has none."""
    if BEGIN not in page:
        page = f"{page.rstrip()}\n\n{BEGIN}\n{END}\n"
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{block}\n{END}{after}"


def draw(scale: Scale, file: Path) -> None:
    """Times of matching and of loading over the size of the registry, as a picture."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, (matching, loading) = pyplot.subplots(1, 2, figsize=(10, 4.8), layout="constrained")
    for strategy, colour in {REFERENCE: "#c2571a", scale.strategy: "#0b6e99"}.items():
        found = scale.of(strategy)
        sizes = [each.size for each in found]
        for axes, style, name, times in (
            (matching, "-o", "p50", [each.p50_us for each in found]),
            (matching, "--o", "p99", [each.p99_us for each in found]),
            (loading, "-o", "load", [each.load_us for each in found]),
        ):
            milliseconds = [time / _US_PER_MS for time in times]
            axes.plot(sizes, milliseconds, style, color=colour, markersize=4, label=f"{strategy}, {name}")
    for axes, title in ((matching, "Matching one query"), (loading, "Opening the registry")):
        axes.set(xscale="log", yscale="log", title=title, xlabel="categories", ylabel="milliseconds")
        axes.set_xticks([each.size for each in scale.baked], [f"{each.size:,}" for each in scale.baked])
        axes.minorticks_off()
        low, high = map(log10, axes.get_ylim())
        axes.set_ylim(10 ** floor(low), 10 ** ceil(high))
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.grid(alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=2)
    figure.savefig(file, dpi=120, metadata={"Software": None})
    pyplot.close(figure)
