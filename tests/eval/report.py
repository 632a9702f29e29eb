"""The figures as text: tables for people, and one line of JSON for programs."""

import json
from collections.abc import Iterable, Sequence
from typing import Final

from tests.eval.asking import Asked
from tests.eval.figures import Point, Shares, Style
from threegood.commands.output import printable

__all__ = ["confusions", "last_line", "style_table", "threshold_table"]

_QUERY_LENGTH: Final = 100


def style_table(rows: Iterable[Style]) -> str:
    """A line for each style. The share is of right answers, or, where nothing was in scope, of refusals."""
    head = ("style", "queries", "right", "wrong category", "refused", "falsely accepted")
    cells = (
        (printable(row.name), row.queries, _percent(row.share), row.wrong, row.refused, row.accepted)
        for row in rows
    )
    return _table([head, *cells])


def confusions(asked: Sequence[Asked], *, limit: int) -> str:
    """The wrong answers, at most `limit` of them, and their number."""
    missed = [each for each in asked if not each.right]
    summary = f"{len(missed)} of {len(asked)} queries went wrong"
    if not missed or not limit:
        return f"{summary}."
    head = ("line", "style", "expected", "answered", "score", "query")
    cells = (
        (
            each.query.line,
            printable(each.query.style),
            _expected(each),
            _answered(each),
            _score(each),
            _cut(each),
        )
        for each in missed[:limit]
    )
    shown = "" if len(missed) <= limit else f"; the first {limit} are"
    return f"{summary}{shown}:\n{_table([head, *cells])}"


def threshold_table(points: Iterable[Point]) -> str:
    """A line for each threshold."""
    cells = (
        (f"{point.threshold:.2f}", _percent(point.shares.accuracy), _percent(point.shares.false_accept))
        for point in points
    )
    return _table([("threshold", "accuracy", "false accepts"), *cells])


def last_line(total: Shares, rows: Iterable[Style], *, queries: int) -> str:
    """One JSON object on one line."""
    shares = {row.name: row.share for row in rows}
    return json.dumps({**total._asdict(), "styles": shares, "queries": queries})


def _expected(each: Asked) -> str:
    return " or ".join(each.query.fair) or "refusal"


def _answered(each: Asked) -> str:
    if each.answered is not None:
        return each.answered
    return "refused" if each.nearest is None else f"refused (nearest: {each.nearest})"


def _score(each: Asked) -> str:
    return "-" if each.score is None else f"{each.score:.2f}"


def _cut(each: Asked) -> str:
    text = each.query.text
    return printable(text if len(text) <= _QUERY_LENGTH else f"{text[:_QUERY_LENGTH]}…")


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def _table(rows: Sequence[Sequence[object]]) -> str:
    """Aligned columns."""
    texts = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    lines = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in texts)
    return "\n".join(lines)
