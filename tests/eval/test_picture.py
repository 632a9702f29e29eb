"""The picture of the threshold curve."""

from pathlib import Path
from typing import Final

import pytest

from tests.eval.figures import Point, Shares
from tests.eval.picture import draw

PNG: Final = b"\x89PNG\r\n\x1a\n"
FALLING: Final = [Point(0.0, Shares(0.9, 0.5)), Point(0.5, Shares(0.8, 0.1)), Point(1.0, Shares(0.0, 0.0))]


def drawn(file: Path, points: list[Point], threshold: float = 0.4) -> bytes:
    draw(points, file, threshold=threshold, title="A title")
    return file.read_bytes()


def test_it_is_a_png_in_a_folder_that_is_made(tmp_path: Path) -> None:
    assert drawn(tmp_path / "new" / "curve.png", FALLING).startswith(PNG)


def test_the_same_points_make_the_same_bytes(tmp_path: Path) -> None:
    assert drawn(tmp_path / "one.png", FALLING) == drawn(tmp_path / "two.png", FALLING)


@pytest.mark.parametrize("shares", [Shares(None, 0.5), Shares(0.5, None)])
def test_a_figure_that_is_not_there_has_no_line(tmp_path: Path, shares: Shares) -> None:
    points = [Point(0.0, shares), Point(1.0, shares)]
    assert drawn(tmp_path / "curve.png", points).startswith(PNG)
