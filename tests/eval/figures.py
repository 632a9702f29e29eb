"""The figures of the answers: shares, styles, and the shares at every threshold."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from tests.eval.asking import Asked

__all__ = ["DIGITS", "Point", "Shares", "Style", "curve", "shares", "styles"]

DIGITS: Final = 4


class Shares(NamedTuple):
    """The two figures. Each is None if there was no query of its kind.

    `accuracy` is the share of the queries in scope that got a fair category, `false_accept` the share of the
    other queries that were answered.
    """

    accuracy: float | None
    false_accept: float | None


class Style(NamedTuple):
    """The queries of one style: their number, the share of right ones, and the kinds of wrong ones.

    In-scope queries got the `wrong` category or were `refused`; the others were `accepted`.
    """

    name: str
    queries: int
    share: float
    wrong: int
    refused: int
    accepted: int


class Point(NamedTuple):
    """The shares at a threshold."""

    threshold: float
    shares: Shares


def shares(asked: Sequence[Asked]) -> Shares:
    """The two figures of all these answers."""
    return Shares(
        _share([each.right for each in asked if each.query.fair]),
        _share([not each.right for each in asked if not each.query.fair]),
    )


def styles(asked: Iterable[Asked]) -> list[Style]:
    """A row for each style, in the order of their names."""
    found: dict[str, list[Asked]] = {}
    for each in asked:
        found.setdefault(each.query.style, []).append(each)
    return [_style(name, found[name]) for name in sorted(found)]


def curve(asked: Sequence[Asked], *, steps: int) -> list[Point]:
    """The shares at the thresholds from 0 to 1, in so many steps."""
    thresholds = (step / steps for step in range(steps + 1))
    return [Point(value, shares([each.at(value) for each in asked])) for value in thresholds]


def _style(name: str, asked: Sequence[Asked]) -> Style:
    missed = [each for each in asked if not each.right]
    return Style(
        name,
        len(asked),
        round(1 - len(missed) / len(asked), DIGITS),
        wrong=sum(bool(each.query.fair) and each.answered is not None for each in missed),
        refused=sum(each.answered is None for each in missed),
        accepted=sum(not each.query.fair for each in missed),
    )


def _share(found: Sequence[bool]) -> float | None:
    return round(sum(found) / len(found), DIGITS) if found else None
