"""Checks a log as it is published: every entry, the signed head, the tiles, the registry, and the past."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from threegood.trust.changes import state_of
from threegood.trust.keys import PublicKey
from threegood.trust.merkle import root_of
from threegood.trust.notes import Checkpoint, NoteInvalid, NoteKey, open_note, unverified_text
from threegood.trust.replay import Failure, Replay, replayed
from threegood.trust.tiles import tiles_of

CHECKS: Final = {
    "entry-size": "every entry has at most 65,535 bytes",
    "entry-form": "every entry has all members, in canonical form",
    "entry-id": "no id stands twice",
    "entry-order": "no entry is older than the one before it",
    "entry-future": "no entry is of a time to come",
    "entry-key": "every entry is by a key that the log trusts there",
    "entry-signature": "every signature is of its entry",
    "previous-hash": "every entry names the hash of the one before it",
    "change": "every change fits what was logged before",
    "checkpoint-form": "the checkpoint is a signed note",
    "checkpoint-key": "the curator's key has signed the checkpoint",
    "tree-size": "there are as many entries as the checkpoint says",
    "tree-root": "the entries have the root that was signed",
    "tiles": "the tiles are those of the entries",
    "registry": "the registry states what the log says",
    "same-log": "it is the log that was seen before",
    "rolled-back": "it is no shorter than it was",
    "forked": "its beginning is what was seen before",
    "key-changed": "if the key is another than before, the log says since when",
}
"""Every check by its name, and what holds when it passes."""


class Seen(NamedTuple):
    """The head of a log when it was verified last, and the key that had signed it (`ed25519:…`)."""

    origin: str
    size: int
    root: str
    key: str


class Published(NamedTuple):
    """A log as it is published: entries, checkpoint, tiles and bundles by name, and the registry beside it.

    `tiles` and `registry` are None if they were not asked for.
    """

    entries: tuple[bytes, ...]
    checkpoint: bytes
    tiles: Mapping[str, bytes] | None = None
    registry: Mapping[str, Any] | None = None


class Verified(NamedTuple):
    """What the checks found: failures in the order of `CHECKS`; the head to remember if there are none."""

    failures: tuple[Failure, ...]
    head: Seen | None
    replay: Replay


def verify_log(
    log: Published, *, now: datetime, seen: Seen | None = None, key: PublicKey | None = None
) -> Verified:
    """Every check of `log`; `seen` is what was remembered of it, `key` the curator's, if it is known."""
    replay = replayed(log.entries, now)
    failures = list(replay.failures)
    head = None
    try:
        head = Checkpoint.parse(unverified_text(log.checkpoint))
    except NoteInvalid as invalid:
        failures.append(Failure("checkpoint-form", str(invalid)))
    signer = key or replay.key
    if head is not None:
        failures += _head_faults(log, head, signer)
        failures += [] if seen is None else _past_faults(log, head, seen, replay)
    failures += _content_faults(log, replay)
    order = list(CHECKS)
    found = tuple(sorted(failures, key=lambda failure: order.index(failure.check)))
    if found or head is None or signer is None:
        return Verified(found, None, replay)
    return Verified((), Seen(head.origin, head.size, head.root.hex(), str(signer)), replay)


def _head_faults(log: Published, head: Checkpoint, signer: PublicKey | None) -> Iterator[Failure]:
    if signer is None:
        yield Failure("checkpoint-key", "the log has no entry that says whose it is")
    else:
        try:
            open_note(log.checkpoint, NoteKey(head.origin, signer))
        except NoteInvalid as invalid:
            yield Failure("checkpoint-key", str(invalid))
    if head.size != len(log.entries):
        yield Failure(
            "tree-size", f"the checkpoint is of {head.size} entries, and there are {len(log.entries)}"
        )
    elif head.root != root_of(log.entries):
        yield Failure(
            "tree-root", "an entry was changed, removed, added or moved since the checkpoint was signed"
        )


def _past_faults(log: Published, head: Checkpoint, seen: Seen, replay: Replay) -> Iterator[Failure]:
    if head.origin != seen.origin:
        yield Failure("same-log", f"it was {seen.origin}, and is {head.origin} now")
        return
    if head.size < seen.size:
        yield Failure("rolled-back", f"it had {seen.size} entries, and has {head.size} now")
    elif len(log.entries) >= seen.size and root_of(log.entries[: seen.size]).hex() != seen.root:
        yield Failure("forked", f"the first {seen.size} entries are others than those seen before")
    if replay.key is not None and str(replay.key) != seen.key and not _introduced(replay, seen.key):
        yield Failure(
            "key-changed", f"it was {seen.key}, and the log does not say that {replay.key} follows it"
        )


def _introduced(replay: Replay, former: str) -> bool:
    """Whether `former` has signed entries of this log, so that the keys after it go back to it."""
    return any(f"ed25519:{entry.actor}" == former for entry in replay.entries)


def _content_faults(log: Published, replay: Replay) -> Iterator[Failure]:
    if log.tiles is not None:
        expected = tiles_of([entry for entry in log.entries if len(entry) < 1 << 16])
        for name in sorted(expected.keys() | log.tiles.keys()):
            if expected.get(name) != log.tiles.get(name):
                yield Failure("tiles", f"{name} is not of these entries")
    if log.registry is not None:
        stated = dict(state_of(log.registry))
        for key in sorted(stated.keys() | replay.state.keys()):
            if stated.get(key) != replay.state.get(key):
                yield Failure("registry", f"{' '.join(key)} is not in the registry as the log says")
