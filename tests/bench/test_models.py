"""The models are written beside the figures that they are computed from."""

from pathlib import Path
from typing import Any, Final

from bench.models import write
from bench.serving.events import CALL, INITIALIZE, LEGACY_CALL

COLD = {"whole_ms": {"median": 100}}
FIGURES: Final[dict[str, Any]] = {
    "warm": {
        "ours": {
            CALL: {"p50_us": 1000},
            LEGACY_CALL: {"p50_us": 9000, "less_store_p50_us": 1000, "store_p50_us": 8000},
        }
    },
    "cold": {"ours": {CALL: COLD, INITIALIZE: COLD}},
}


def test_each_model_has_its_file_and_cold_starts_a_picture(tmp_path: Path) -> None:
    write(FIGURES, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "cold-share.md",
        "cold-share.png",
        "cost.md",
        "scaling.md",
    ]
    assert (tmp_path / "cold-share.md").read_text().startswith("| cold starts, share of requests | 0.01/s |")


def test_figures_without_the_product_make_no_models(tmp_path: Path) -> None:
    write({"warm": {"floor": FIGURES["warm"]["ours"]}, "cold": {}}, tmp_path)
    assert list(tmp_path.iterdir()) == []
