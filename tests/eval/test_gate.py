"""The gate: what it demands of each figure, and how far one may fall behind the record."""

from pathlib import Path

import pytest

from tests.eval.figures import Shares
from tests.eval.gate import BOUNDS, NONE, RecordUnreadable, failures, read_record, write_record
from tests.eval.run import RECORD

MET = {name: Shares(1.0, 0.0) for name in BOUNDS}


def test_figures_at_their_bounds_pass() -> None:
    assert failures({**MET, **BOUNDS}, {}) == []


def test_a_figure_beyond_its_bound_is_named_with_the_bound() -> None:
    assert failures({**MET, "wishes": Shares(0.9199, 0.0201)}, {}) == [
        "wishes: accuracy is 0.9199, its bound is 0.92.",
        "wishes: false_accept is 0.0201, its bound is 0.02.",
    ]


def test_a_figure_that_has_a_bound_must_be_measured() -> None:
    measured = {name: shares for name, shares in MET.items() if name != "unseen"}
    assert failures(measured, {}) == ["unseen: accuracy is None, its bound is 0.95."]


@pytest.mark.parametrize("now", [Shares(0.9, 0.03), Shares(1.0, 0.0), Shares(0.87, 0.06)])
def test_figures_that_are_no_more_than_three_points_behind_the_record_pass(now: Shares) -> None:
    assert failures({**MET, "another set": now}, {"another set": Shares(0.9, 0.03)}) == []


def test_a_figure_that_is_farther_behind_or_is_not_measured_any_more_is_named() -> None:
    record = {"another set": Shares(0.9, None), "a third": Shares(None, 0.05)}
    assert failures({**MET, "another set": Shares(0.8699, 0.05)}, record) == [
        "another set: accuracy is 0.8699, more than 0.03 worse than the 0.9 on record.",
        "a third: false_accept is None, more than 0.03 worse than the 0.05 on record.",
    ]


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    figures = {"unseen": Shares(0.3333, None), "sealed": Shares(0.9, 0.05), "bare": NONE}
    write_record(tmp_path / "recorded.json", figures)
    assert read_record(tmp_path / "recorded.json") == figures


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "null",
        '{"accuracy": 0.9, "false_accept": 0}',
        '{"unseen": {"accuracy": 0.9}}',
        '{"unseen": {"accuracy": "0.9", "false_accept": 0}}',
        '{"unseen": {"accuracy": true, "false_accept": 0}}',
        '{"unseen": {"accuracy": 90, "false_accept": 0}}',
        '{"unseen": {"accuracy": NaN, "false_accept": 0}}',
    ],
)
def test_an_invalid_record_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "recorded.json").write_text(content)
    with pytest.raises(
        RecordUnreadable, match=r"recorded\.json: no figures on record .* RECORD=1 writes them"
    ):
        read_record(tmp_path / "recorded.json")


def test_every_set_is_on_record() -> None:
    assert set(read_record(RECORD)) == set(BOUNDS)
