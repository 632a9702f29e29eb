"""Remembers the heads of the logs that were verified, one file for each place."""

import json
import os
from hashlib import sha256
from pathlib import Path

from threegood.trust.log_checks import Seen


def default_folder() -> Path:
    """Where state is kept (XDG Base Directory Specification)."""
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "threegood" / "logs"


def seen_at(folder: Path, place: str) -> Seen | None:
    """What was remembered of the log at `place`; None if that is nothing.

    Raises:
        ValueError: the file is damaged.
        OSError: it cannot be read.
    """
    file = _file(folder, place)
    if not file.exists():
        return None
    try:
        content = json.loads(file.read_bytes())
        return Seen(*(content[name] for name in Seen._fields))
    except (ValueError, LookupError, TypeError):
        raise ValueError(
            f"{file}: this file, which remembers the log of {place}, is damaged. Restore or remove it."
        ) from None


def remember(folder: Path, place: str, head: Seen) -> None:
    """Remember `head` of the log at `place`."""
    file = _file(folder, place)
    file.parent.mkdir(parents=True, exist_ok=True)
    scratch = file.with_suffix(".new")
    scratch.write_text(
        json.dumps({"place": _name(place), **head._asdict()}, indent=2) + "\n", encoding="utf-8"
    )
    os.replace(scratch, file)


def _file(folder: Path, place: str) -> Path:
    return folder / f"{sha256(_name(place).encode()).hexdigest()[:32]}.json"


def _name(place: str) -> str:
    if place.startswith(("http://", "https://")):
        return place.rstrip("/").removesuffix("/mcp")
    return str(Path(place).resolve())
