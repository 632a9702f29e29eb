"""The figures of the answers: shares, styles, shares at every threshold, and reliability of the scores."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from tests.eval.asking import Asked

__all__ = [
    "DIGITS",
    "Band",
    "Measured",
    "Point",
    "Shares",
    "Style",
    "curve",
    "measure",
    "reliability",
    "shares",
    "styles",
]

DIGITS: Final = 4
_BANDS: Final = 10


class Shares(NamedTuple):
    """The two figures. Each is None if there was no query of its kind.

    `accuracy` is the share of the queries in scope that got a fair category, `false_accept` the share of the
    other queries that were answered.
    """

    accuracy: float | None
    false_accept: float | None


class Measured(NamedTuple):
    """The figures of a set, and how many of its queries are in scope and outside."""

    in_scope: int
    outside: int
    shares: Shares


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


class Band(NamedTuple):
    """The answers with a score from `low` on, 0.1 wide: how many, how many of them right, and their share.

    `share` is that of the right ones, weighted so that half of what is asked is in scope, half outside.
    """

    low: float
    answers: int
    right: int
    share: float


def measure(asked: Sequence[Asked]) -> Measured:
    """The figures of all these answers."""
    in_scope = sum(bool(each.query.fair) for each in asked)
    return Measured(in_scope, len(asked) - in_scope, shares(asked))


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


def reliability(asked: Sequence[Asked]) -> list[Band]:
    """A row for each band of scores that has answers, the lowest first."""
    in_scope, outside, _ = measure(asked)
    found: dict[int, list[Asked]] = {}
    for each in asked:
        if each.answered is not None and each.score is not None:
            found.setdefault(min(int(each.score * _BANDS), _BANDS - 1), []).append(each)
    return [_band(number, found[number], outside=outside, in_scope=in_scope) for number in sorted(found)]


def _band(number: int, answers: Sequence[Asked], *, in_scope: int, outside: int) -> Band:
    # Each query in scope weighs as much as there are queries outside, and the other way round.
    weights = [(outside or 1) if each.query.fair else (in_scope or 1) for each in answers]
    right = sum(weight for weight, each in zip(weights, answers, strict=True) if each.right)
    return Band(
        number / _BANDS,
        len(answers),
        sum(each.right for each in answers),
        round(right / sum(weights), DIGITS),
    )


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
