"""The gate: how far the figures may fall behind the record."""

from pathlib import Path

import pytest

from tests.eval.figures import Shares
from tests.eval.gate import RecordUnreadable, fallen, read_record, write_record
from tests.eval.run import RECORD

ON_RECORD = Shares(0.9, 0.05)


@pytest.mark.parametrize("now", [ON_RECORD, Shares(1.0, 0.0), Shares(0.87, 0.08)])
def test_figures_that_are_no_more_than_three_points_behind_pass(now: Shares) -> None:
    assert fallen(now, ON_RECORD) == []


def test_a_figure_that_is_on_record_must_be_measured() -> None:
    assert fallen(Shares(0.9, None), ON_RECORD) == [
        "There are no queries to measure false_accept with, which is 0.05 on record."
    ]


def test_a_figure_that_is_not_on_record_is_not_judged() -> None:
    assert fallen(Shares(0.1, 0.9), Shares(None, None)) == []


@pytest.mark.parametrize("figures", [ON_RECORD, Shares(0.3333, None)])
def test_a_record_is_read_as_it_was_written(tmp_path: Path, figures: Shares) -> None:
    write_record(tmp_path / "recorded.json", figures)
    assert read_record(tmp_path / "recorded.json") == figures


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "null",
        '{"accuracy": 0.9}',
        '{"accuracy": "0.9", "false_accept": 0}',
        '{"accuracy": true, "false_accept": 0}',
        '{"accuracy": 90, "false_accept": 0}',
        '{"accuracy": NaN, "false_accept": 0}',
    ],
)
def test_an_invalid_record_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "recorded.json").write_text(content)
    with pytest.raises(
        RecordUnreadable, match=r"recorded\.json: no figures on record .* --record writes them"
    ):
        read_record(tmp_path / "recorded.json")


def test_both_figures_of_the_unseen_half_are_on_record() -> None:
    assert None not in read_record(RECORD)
