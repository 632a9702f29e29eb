"""The results of `make bench-matching` as JSON, as Markdown tables in docs/matching.md, and as a picture."""

from collections.abc import Iterator
from math import ceil, floor, log10
from pathlib import Path
from typing import Any, Final

from bench.markdown import head, row
from bench.matching.results import MB, REFERENCE, Results, ratios

__all__ = ["as_json", "as_markdown", "draw"]

_US_PER_MS: Final = 1000


def as_json(results: Results) -> dict[str, Any]:
    """The ratios, and all results."""
    return {
        "ratios": {ratio.name: round(ratio.value, 3) for ratio in ratios(results)},
        "strategy": results.strategy,
        "baked": [{**each._asdict(), "layer_mb": each.layer_mb} for each in results.baked],
        "measured": [each._asdict() for each in results.measured],
    }


def as_markdown(results: Results) -> str:
    """Tables of the ratios, of matching, of the worst queries and of baking."""
    return "\n\n".join(
        "\n".join(table)
        for table in (_ratios(results), _matching(results), _worst(results), _baking(results))
    )


def _ratios(results: Results) -> Iterator[str]:
    yield from head("ratio", "bound", "found")
    for ratio in ratios(results):
        bound = "" if ratio.bound is None else f"≤ {ratio.bound:g}"
        yield row(ratio.description, bound, f"{ratio.value:.2f}")


def _matching(results: Results) -> Iterator[str]:
    yield from head(
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
    for each in results.measured:
        memory, settled = each.memory_mib, each.memory_mib["settled"]
        yield row(
            f"`{each.strategy}`",
            f"{each.size:,}",
            *map(_ms, (each.load_us, each.touch_us, each.first_us, each.p50_us, each.p99_us)),
            f"{memory['opened']['all']:.1f}",
            f"{settled['all']:.1f}",
            f"{settled['own']:.1f} + {settled['files']:.1f}",
            f"{each.accuracy:.1%}",
        )


def _worst(results: Results) -> Iterator[str]:
    found = results.measured
    yield from head("worst queries, ms", *(f"`{each.strategy}` {each.size:,}" for each in found))
    for kind in found[0].worst_us:
        yield row(kind, *(_ms(each.worst_us[kind]) for each in found))


def _baking(results: Results) -> Iterator[str]:
    names = list(results.baked[0].files)
    yield from head(
        "categories", "bake, s", "peak memory, MiB", "layer, MB", *(f"`{name}`, MB" for name in names)
    )
    for each in results.baked:
        sizes = (f"{each.files[name] / MB:.2f}" for name in names)
        yield row(
            f"{each.size:,}",
            f"{each.bake_seconds:.2f}",
            f"{each.peak_mib:.0f}",
            f"{each.layer_mb:.2f}",
            *sizes,
        )


def _ms(microseconds: float) -> str:
    milliseconds = microseconds / _US_PER_MS
    return f"{milliseconds:.3g}" if milliseconds < 100 else f"{milliseconds:.0f}"


def draw(results: Results, file: Path) -> None:
    """Times of matching and of loading over the size of the registry, as a picture."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, (matching, loading) = pyplot.subplots(1, 2, figsize=(10, 4.8), layout="constrained")
    for strategy, colour in {REFERENCE: "#c2571a", results.strategy: "#0b6e99"}.items():
        found = results.of(strategy)
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
        axes.set_xticks([each.size for each in results.baked], [f"{each.size:,}" for each in results.baked])
        axes.minorticks_off()
        low, high = map(log10, axes.get_ylim())
        axes.set_ylim(10 ** floor(low), 10 ** ceil(high))
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.grid(alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=2)
    figure.savefig(file, dpi=120, metadata={"Software": None})
    pyplot.close(figure)
