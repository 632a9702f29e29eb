"""The entries of the transparency log that are asked for, in parts that fit into an answer."""

from typing import Final, NamedTuple, cast

from sources.answers import AuditEntry, InclusionProof
from sources.baked.log import BakedLog

NO_SUCH_TIME: Final = "since is no time: write a day or an RFC 3339 time, such as 2026-02-03T00:00:00Z"


class AuditFilter(NamedTuple):
    """Which entries are meant; None and 0 leave none out. `since` is a time or day, `start` an index."""

    since: str | None = None
    category: str | None = None
    action: str | None = None
    start: int = 0


class AuditPart(NamedTuple):
    """Some of the entries that are meant, the oldest first.

    `matching` is how many there are from `start` on, `next` the index of the next one, None if these are all.
    """

    entries: list[AuditEntry]
    matching: int
    next: int | None


def audit_part(
    log: BakedLog, wanted: AuditFilter, *, limit: int, limit_bytes: int, proof: bool = False
) -> AuditPart:
    """The first of the `wanted` entries: at most `limit`, of so many bytes, and at least one if there is one.

    Raises:
        ValueError: `since` is no time.
    """
    indexes = _matching(log, wanted)
    entries: list[AuditEntry] = []
    size_bytes = 0
    for index in indexes[:limit]:
        logged = log.entry(index)
        size_bytes += logged.size_bytes
        if entries and size_bytes > limit_bytes:
            break
        entry = cast("AuditEntry", {**logged.content, "index": index})
        if proof:
            entry["proof"] = InclusionProof(size=len(log), path=logged.path)
        entries.append(entry)
    left = indexes[len(entries) :]
    return AuditPart(entries, len(indexes), left[0] if left else None)


def _matching(log: BakedLog, wanted: AuditFilter) -> list[int]:
    since = "" if wanted.since is None else _utc(wanted.since)
    timestamps, actions, categories = log.index
    return [
        index
        for index in range(wanted.start, len(timestamps))
        if timestamps[index] >= since
        and wanted.category in (None, categories[index])
        and wanted.action in (None, actions[index])
    ]


def _utc(time: str) -> str:
    """`time` as entries state theirs, rounded up to seconds; without an offset it is UTC."""
    from datetime import UTC, datetime, timedelta  # few requests need it

    try:
        parsed = datetime.fromisoformat(time)
        if parsed.tzinfo is not None:
            parsed = parsed.astimezone(UTC)
        if parsed.microsecond:
            parsed = parsed.replace(microsecond=0) + timedelta(seconds=1)
    except (ValueError, OverflowError):
        raise ValueError(NO_SUCH_TIME) from None
    return f"{parsed:%Y-%m-%dT%H:%M:%S}Z"
