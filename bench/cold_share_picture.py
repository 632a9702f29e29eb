"""The simulated shares of cold starts as a picture."""

from collections.abc import Mapping
from pathlib import Path

__all__ = ["draw"]


def draw(simulated: Mapping[tuple[str, float], Mapping[float, float]], file: Path) -> None:
    """Share by rate: a colour for each time that environments are kept, bursty traffic dashed."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 4), layout="constrained")
    kept = sorted({minutes for _, minutes in simulated})
    for (kind, minutes), found in simulated.items():
        # What no request of the simulation met has no place on a logarithmic axis.
        points = [(rate, share * 100) for rate, share in found.items() if share]
        axes.plot(
            [rate for rate, _ in points],
            [share for _, share in points],
            color=f"C{kept.index(minutes)}",
            linestyle="--" if kind == "bursty" else "-",
            marker=".",
            label=f"{kind}, kept {minutes:g} minutes",
        )
    axes.set(
        title="Cold starts", xlabel="requests per second", ylabel="% of requests", xscale="log", yscale="log"
    )
    axes.legend(fontsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(file, dpi=120, metadata={"Software": None})
    pyplot.close(figure)
