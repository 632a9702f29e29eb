"""The threshold curve as a picture."""

from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure

from tests.eval.figures import Point

__all__ = ["draw"]


def draw(points: Sequence[Point], file: Path, *, threshold: float, title: str) -> None:
    """Writes a PNG to `file`: both shares over the threshold, and a line where the product's own is.

    The same points make the same bytes. A share that is None has no line.
    """
    figure = Figure(figsize=(8, 5), dpi=100, layout="constrained")
    axes = figure.add_subplot(
        title=title, xlabel="threshold", ylabel="share of queries", xlim=(0, 1), ylim=(0, 1.02)
    )
    values = [point.threshold for point in points]
    for label, found, colour in (
        ("accuracy, in-scope queries", [point.shares.accuracy for point in points], "tab:blue"),
        ("false accepts, other queries", [point.shares.false_accept for point in points], "tab:red"),
    ):
        drawn = [share for share in found if share is not None]
        if drawn:
            axes.plot(values, drawn, label=label, color=colour)
    axes.axvline(threshold, label=f"threshold in force: {threshold:g}", color="tab:gray", linestyle="--")
    axes.grid(alpha=0.3)
    axes.legend(loc="best")
    file.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(file, format="png", metadata={"Software": None})
