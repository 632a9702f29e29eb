"""The gate: the figures must not fall far behind those on record."""

import json
from pathlib import Path
from typing import Any, Final

from tests.eval.figures import DIGITS, Shares

__all__ = ["RecordUnreadable", "fallen", "read_record", "write_record"]

_ALLOWED: Final = 0.03  # how much worse a figure may be than the record


class RecordUnreadable(Exception):
    """The record is missing or invalid; the message has the file and the remedy."""


def read_record(file: Path) -> Shares:
    """The figures on record in `file`.

    Raises:
        RecordUnreadable: the file is missing or invalid.
    """
    try:
        content: Any = json.loads(file.read_bytes())
        return Shares(_figure(content["accuracy"]), _figure(content["false_accept"]))
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise RecordUnreadable(
            f"{file}: no figures on record ({error}); python -m tests.eval.run --record writes them."
        ) from error


def write_record(file: Path, shares: Shares) -> None:
    """Write the figures to `file`."""
    file.write_text(json.dumps(shares._asdict(), indent=2) + "\n", encoding="utf-8")


def fallen(now: Shares, record: Shares) -> list[str]:
    """A sentence for each figure that is missing, or too far behind the record."""
    sentences = (
        _behind("accuracy", now.accuracy, record.accuracy, worse_by=-1),
        _behind("false_accept", now.false_accept, record.false_accept, worse_by=1),
    )
    return [sentence for sentence in sentences if sentence]


def _behind(name: str, now: float | None, record: float | None, *, worse_by: int) -> str:
    if record is None:
        return ""
    if now is None:
        return f"There are no queries to measure {name} with, which is {record} on record."
    lost = round((now - record) * worse_by, DIGITS)
    if lost <= _ALLOWED:
        return ""
    return f"{name} is {now}, {lost:.4f} worse than the {record} on record; {_ALLOWED} is allowed."


def _figure(value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError(f"{value!r} is no share")
    return value
