"""The figures as text: tables for people, for the documentation, and values for one line of JSON."""

from collections.abc import Iterable, Mapping, Sequence
from textwrap import fill
from typing import Any, Final

from bench.markdown import head, row
from tests.eval.asking import Asked
from tests.eval.figures import Band, Measured, Point, Shares, Style
from tests.eval.gate import NONE, unmet
from threegood.commands.output import printable

__all__ = [
    "BANDS_NOTE",
    "Rows",
    "answered_words",
    "as_json",
    "as_markdown",
    "as_text",
    "band_rows",
    "common_words",
    "confusions",
    "set_rows",
    "style_table",
    "threshold_table",
]

Rows = Sequence[Sequence[object]]
"""A table: its head, then its lines."""

BANDS_NOTE: Final = """\
Answers to the sets unseen, outside, wishes and second by score. In the share of right ones, all queries
in scope weigh as much as all queries outside."""

_QUERY_LENGTH: Final = 100
_LINE_LENGTH: Final = 110
_MOST_WORDS: Final = 60


def set_rows(figures: Mapping[str, Measured], bounds: Mapping[str, Shares]) -> Rows:
    """A line for each set that has bounds; one that was not asked has these alone."""
    title = ("set", "queries", "right", "at least", "falsely accepted", "at most", "met")
    return [title, *(_set_row(name, figures.get(name), bound) for name, bound in bounds.items())]


def band_rows(bands: Iterable[Band]) -> Rows:
    """A line for each band of scores."""
    cells = (
        (f"{band.low:.1f} to {band.low + 0.1:.1f}", band.answers, band.right, _percent(band.share))
        for band in bands
    )
    return [("score", "answers", "right", "share right"), *cells]


def answered_words(asked: Iterable[Asked]) -> list[str]:
    """The words that are answered, the commonest first, but not all if they are many."""
    return [each.query.text for each in asked if not each.right][:_MOST_WORDS]


def common_words(asked: Sequence[Asked]) -> str:
    """How many of the common words are answered, and which."""
    words, answered = answered_words(asked), sum(not each.right for each in asked)
    which = ", ".join(words) + (" …" if answered > len(words) else "")
    return fill(f"Of {len(asked)} common words {answered} are answered: {which or 'none'}", _LINE_LENGTH)


def as_json(figures: Measured) -> dict[str, Any]:
    """The number of queries and the shares."""
    return {"queries": figures.in_scope + figures.outside, **figures.shares._asdict()}


def as_markdown(rows: Rows) -> str:
    """The table, the first column to the left."""
    title, *lines = [[str(cell) for cell in cells] for cells in rows]
    return "\n".join([*head(title[0], *title[1:]), *(row(*cells) for cells in lines)])


def as_text(rows: Rows) -> str:
    """The table in aligned columns."""
    texts = [[str(cell) for cell in cells] for cells in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    lines = ("  ".join(map(str.ljust, cells, widths)).rstrip() for cells in texts)
    return "\n".join(lines)


def style_table(rows: Iterable[Style]) -> str:
    """A line for each style. The share is of right answers, or, where nothing was in scope, of refusals."""
    title = ("style", "queries", "right", "wrong category", "refused", "falsely accepted")
    cells = (
        (printable(row.name), row.queries, _percent(row.share), row.wrong, row.refused, row.accepted)
        for row in rows
    )
    return as_text([title, *cells])


def confusions(asked: Sequence[Asked], *, limit: int) -> str:
    """The wrong answers, at most `limit` of them, and their number."""
    missed = [each for each in asked if not each.right]
    summary = f"{len(missed)} of {len(asked)} queries went wrong"
    if not missed or not limit:
        return f"{summary}."
    title = ("line", "style", "expected", "answered", "score", "query")
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
    return f"{summary}{shown}:\n{as_text([title, *cells])}"


def threshold_table(points: Iterable[Point]) -> str:
    """A line for each threshold."""
    cells = (
        (f"{point.threshold:.2f}", _percent(point.shares.accuracy), _percent(point.shares.false_accept))
        for point in points
    )
    return as_text([("threshold", "accuracy", "false accepts"), *cells])


def _set_row(name: str, found: Measured | None, bound: Shares) -> tuple[object, ...]:
    at_least, at_most = map(_percent, bound)
    if found is None:
        return name, "-", "-", at_least, "-", at_most, "not asked"
    return (
        name,
        found.in_scope + found.outside,
        _of(found.shares.accuracy, found.in_scope),
        at_least,
        _of(found.shares.false_accept, found.outside),
        at_most,
        _met(name, found.shares, bound),
    )


def _of(share: float | None, number: int) -> str:
    return "-" if share is None else f"{share:.1%} of {number}"


def _met(name: str, found: Shares, bound: Shares) -> str:
    if bound == NONE:
        return "-"
    return "no" if unmet(name, found, bound) else "yes"


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
