"""`python -m bench.models`: what is computed from figures alone, beside them: cost, quotas, cold starts."""

import argparse
import json
import sys
from pathlib import Path

from bench import cold_share, cost, scaling
from bench.cold_share_picture import draw
from bench.serving.events import CALL, LEGACY_CALL
from bench.serving.figures import Figures
from bench.serving.targets import OURS
from bench.works import FIGURES

__all__ = ["write"]


def write(figures: Figures, folder: Path) -> None:
    """Put the tables of every model into `folder`, and a picture; nothing if the product was not measured."""
    if not _suffice(figures):
        return
    simulated = cold_share.simulated(figures)
    texts = {
        "cost.md": cost.as_markdown(figures),
        "scaling.md": scaling.as_markdown(figures),
        "cold-share.md": cold_share.as_markdown(simulated),
    }
    for name, text in texts.items():
        (folder / name).write_text(f"{text}\n")
    draw(simulated, folder / "cold-share.png")


def _suffice(figures: Figures) -> bool:
    """Whether the product was measured, warm and cold, in both eras."""
    warm = figures.get("warm", {}).get(OURS, {})
    return {CALL, LEGACY_CALL} <= warm.keys() and OURS in figures.get("cold", {})


def main() -> int:
    """Compute every model anew from the figures in docs/performance, and keep the tables beside them."""
    parser = argparse.ArgumentParser(prog="python -m bench.models", description=main.__doc__)
    parser.add_argument("--figures", type=Path, default=FIGURES)
    arguments = parser.parse_args()
    write(json.loads(arguments.figures.read_text()), arguments.figures.parent)
    return 0


if __name__ == "__main__":
    sys.exit(main())
