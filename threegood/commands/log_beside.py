"""The log beside a registry file, which is continued when the registry is signed, and baked with it."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from threegood.commands.output import CannotBegin
from threegood.registry.records import Registry
from threegood.trust.entries import EntryInvalid
from threegood.trust.keys import DEMONSTRATION_KEY, PublicKey
from threegood.trust.log import Log, LogRefused, read_log, updated, write_log
from threegood.trust.log_checks import Published, verify_log
from threegood.trust.replay import replayed
from threegood.trust.signer import Signer


def log_beside(file: Path, registry: Registry) -> tuple[Log | None, str]:
    """The verified log in the folder beside `file`, and a sentence if it does not record `registry`.

    There may be no log.

    Raises:
        CannotBegin: the log has faults.
    """
    folder = file.parent / "log"
    try:
        log = read_log(folder)
    except LogRefused as error:
        raise CannotBegin(str(error)) from error
    if log is None:
        return None, ""
    published = Published(log.lines, log.checkpoint, registry=content_of(registry))
    failures = verify_log(published, now=datetime.now(UTC)).failures
    faults = [failure for failure in failures if failure.check != "registry"]
    if faults:
        raise CannotBegin(
            f"{folder}: this log has faults ({faults[0].check}: {faults[0].says}), so it is not baked. "
            "`threegood log verify` lists them; restore the files from their history."
        )
    if not failures:
        return log, ""
    return log, (
        f"{folder}: the log does not record this registry ({failures[0].says}). Before it is deployed, its "
        "curator runs `threegood sign`, or `threegood log update`."
    )


def continue_log(
    folder: Path, registry: Registry, *, signer: Signer, former: Signer | None, now: float
) -> str:
    """Log in `folder` what has changed in `registry`, and give a line that says so.

    A log of the demonstration key proves nothing: another key begins a new one.

    Raises:
        CannotBegin: the log cannot be continued; nothing was written.
    """
    moment = datetime.fromtimestamp(now, UTC)
    try:
        before = read_log(folder)
        if (
            before is not None
            and DEMONSTRATION_KEY in _keys(before, moment)
            and signer.public != DEMONSTRATION_KEY
        ):
            before = None
        after = updated(before, content_of(registry), signer=signer, now=moment, former=former)
    except (LogRefused, EntryInvalid) as error:
        raise CannotBegin(f"{folder}: {error}") from error
    write_log(folder, after)
    return f"{folder}: {len(after.lines) - (0 if before is None else len(before.lines))} added to the log"


def _keys(log: Log, now: datetime) -> set[PublicKey]:
    return replayed(log.lines, now).keys


def content_of(registry: Registry) -> dict[str, Any]:
    """What the log records of a registry, as its file states it."""
    return registry.model_dump(mode="json", exclude_unset=True, exclude={"vocabulary"})
