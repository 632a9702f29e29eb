"""The log beside a registry file, which is baked with it."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from threegood.commands.output import CannotBegin, remark
from threegood.registry.records import Registry
from threegood.trust.log import Log, LogRefused, read_log
from threegood.trust.log_checks import Published, verify_log


def log_beside(file: Path, registry: Registry) -> Log | None:
    """The verified log in the folder beside `file`; None if there is none.

    A remark says if the log does not record what `registry` states.

    Raises:
        CannotBegin: the log has faults.
    """
    folder = file.parent / "log"
    try:
        log = read_log(folder)
    except LogRefused as error:
        raise CannotBegin(str(error)) from error
    if log is None:
        return None
    published = Published(log.lines, log.checkpoint, registry=content_of(registry))
    failures = verify_log(published, now=datetime.now(UTC)).failures
    faults = [failure for failure in failures if failure.check != "registry"]
    if faults:
        raise CannotBegin(
            f"{folder}: this log has faults ({faults[0].check}: {faults[0].says}), so it is not baked. "
            "`threegood log verify` lists them; restore the files from their history."
        )
    if failures:
        remark(
            f"{folder}: the log does not record this registry ({failures[0].says}). Before it is "
            "deployed, its curator runs `threegood log update`."
        )
    return log


def content_of(registry: Registry) -> dict[str, Any]:
    """What the log records of a registry, as its file states it."""
    return registry.model_dump(mode="json", exclude_unset=True, exclude={"vocabulary"})
