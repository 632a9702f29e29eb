"""The gate: the bounds of the figures, and how far they may fall behind those on record."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from tests.eval.figures import DIGITS, Shares

__all__ = [
    "BARE",
    "BOUNDS",
    "COMMON_WORDS",
    "NONE",
    "SCORED_HIGH",
    "RecordUnreadable",
    "failures",
    "read_record",
    "unmet",
    "write_record",
]

NONE: Final = Shares(None, None)
BARE: Final = "bare"
COMMON_WORDS: Final = "common words"
SCORED_HIGH: Final = "score from 0.9"

BOUNDS: Final[Mapping[str, Shares]] = {
    "unseen": Shares(0.95, None),
    "outside": Shares(None, 0.03),
    "wishes": Shares(0.92, 0.02),
    "second": Shares(0.85, 0.06),
    "sealed": Shares(0.92, 0.03),
    BARE: Shares(0.80, 0.05),
    COMMON_WORDS: Shares(None, 0.008),  # 40 of 5,000
    SCORED_HIGH: Shares(0.90, None),
}
"""The least accuracy and the greatest share of false accepts; None if any will do."""

_ALLOWED: Final = 0.03  # how much worse a figure may be than the record
_WORSE: Final = (-1, 1)  # less accuracy, more false accepts


class RecordUnreadable(Exception):
    """The record is missing or invalid; the message has the file and the remedy."""


def read_record(file: Path) -> dict[str, Shares]:
    """The figures on record in `file`, by the name of the set.

    Raises:
        RecordUnreadable: the file is missing or invalid.
    """
    try:
        content: Any = json.loads(file.read_bytes())
        return {
            name: Shares(_figure(found["accuracy"]), _figure(found["false_accept"]))
            for name, found in content.items()
        }
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise RecordUnreadable(
            f"{file}: no figures on record ({error}); make eval RECORD=1 writes them."
        ) from error


def write_record(file: Path, figures: Mapping[str, Shares]) -> None:
    """Write the figures to `file`."""
    content = {name: shares._asdict() for name, shares in figures.items()}
    file.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def unmet(name: str, now: Shares, bounds: Shares) -> list[str]:
    """A sentence for each figure of a set that is missing or beyond its bound."""
    return [
        f"{name}: {figure} is {value}, its bound is {bound}."
        for figure, value, bound in _worse(now, bounds, allowed=0)
    ]


def failures(now: Mapping[str, Shares], record: Mapping[str, Shares]) -> list[str]:
    """A sentence for each figure that is missing, beyond its bound, or too far behind the record."""
    beyond = [
        sentence for name, bounds in BOUNDS.items() for sentence in unmet(name, now.get(name, NONE), bounds)
    ]
    fallen = [
        f"{name}: {figure} is {value}, more than {_ALLOWED} worse than the {recorded} on record."
        for name, shares in record.items()
        for figure, value, recorded in _worse(now.get(name, NONE), shares, allowed=_ALLOWED)
    ]
    return [*beyond, *fallen]


def _worse(now: Shares, limits: Shares, *, allowed: float) -> Iterator[tuple[str, float | None, float]]:
    for figure, value, limit, sign in zip(Shares._fields, now, limits, _WORSE, strict=True):
        if limit is not None and (value is None or round((value - limit) * sign, DIGITS) > allowed):
            yield figure, value, limit


def _figure(value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError(f"{value!r} is no share")
    return value
