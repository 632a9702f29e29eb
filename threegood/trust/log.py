"""The log of a registry as its curator keeps it: a folder with the entries and the signed checkpoint.

    entries.jsonl   an entry a line, in canonical form
    checkpoint      the signed head of the tree over them

Both are made to be committed. Whoever deploys checks them and needs no private key.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from threegood.trust.changes import KEY_ADDED, KEY_REMOVED, changes, state_of
from threegood.trust.entries import Change, Entry, signed_entry
from threegood.trust.keys import PublicKey
from threegood.trust.merkle import root_of
from threegood.trust.notes import Checkpoint, NoteInvalid, sign_note, unverified_text, valid_name
from threegood.trust.replay import Replay, replayed
from threegood.trust.signer import KeyUnusable, Signer

ENTRIES: Final = "entries.jsonl"
CHECKPOINT: Final = "checkpoint"


class LogRefused(Exception):
    """The log cannot be read or continued; the message has the reason and the remedy."""


class Log(NamedTuple):
    """The lines of a log, without newlines, and its checkpoint, a signed note; empty before there is one."""

    lines: tuple[bytes, ...] = ()
    checkpoint: bytes = b""

    @property
    def origin(self) -> str | None:
        """The name of the log, which its checkpoint states; None before there is one.

        Raises:
            NoteInvalid: the checkpoint is malformed.
        """
        return Checkpoint.parse(unverified_text(self.checkpoint)).origin if self.checkpoint else None


def read_log(folder: Path) -> Log | None:
    """The log in `folder`; None if there is none.

    Raises:
        LogRefused: of the two files there is only one.
        OSError: a file cannot be read.
    """
    entries, checkpoint = folder / ENTRIES, folder / CHECKPOINT
    if not entries.exists() and not checkpoint.exists():
        return None
    if not entries.exists():
        raise LogRefused(f"{folder}: there is a checkpoint, but no {ENTRIES}. Restore it.")
    content = entries.read_bytes()
    if content and not content.endswith(b"\n"):
        raise LogRefused(f"{entries}: the last line has no newline, so it may be cut off. Restore the file.")
    return Log(tuple(content.split(b"\n")[:-1]), checkpoint.read_bytes() if checkpoint.exists() else b"")


def write_log(folder: Path, log: Log) -> None:
    """Replace the files of the log in `folder`, each at once."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in ((ENTRIES, b"".join(line + b"\n" for line in log.lines)), (CHECKPOINT, log.checkpoint)):
        scratch = folder / f".{name}.new"
        scratch.write_bytes(data)
        os.replace(scratch, folder / name)


def default_origin(curator: str) -> str:
    """The name of a curator's log if no other is given, such as `ada-lovelace/log`."""
    return f"{re.sub(r'[^a-z0-9]+', '-', curator.lower()).strip('-') or 'curator'}/log"


def updated(
    log: Log | None,
    registry: Mapping[str, Any],
    *,
    signer: Signer,
    now: datetime,
    former: Signer | None = None,
    origin: str | None = None,
) -> Log:
    """`log`, continued so that it says what `registry` states; the same if it does already.

    `registry` is the content of a `registry.json`. `signer` has its curator's key; `former` the key before,
    which adds the new one if the log does not know it. `origin` names a new log.

    Raises:
        LogRefused: the log has faults, trusts another key, or has another origin.
        KeyUnusable: the key is not the registry's, or did not sign.
        EntryInvalid: an entry would be too long.
    """
    log = log or Log()
    replay = _sound(log, now)
    name = _origin(log, origin, registry)
    _check_key(registry, signer)
    count = len(replay.entries)
    for change, key in _pending(replay, registry, signer, former):
        replay.add_entry(
            signed_entry(change, signer=key, now=_not_before(replay.last, now), previous=replay.last)
        )
    if replay.failures:
        raise LogRefused(f"The log cannot be continued. {replay.failures[0].says}.")
    if len(replay.entries) == count and log.checkpoint:
        return log
    lines = tuple(entry.line for entry in replay.entries)
    return Log(lines, signed_checkpoint(lines, signer=signer, origin=name))


def signed_checkpoint(lines: Sequence[bytes], *, signer: Signer, origin: str) -> bytes:
    """The signed head of the tree over `lines`."""
    return sign_note(Checkpoint(origin, len(lines), root_of(lines)).text, signer, name=origin)


def _sound(log: Log, now: datetime) -> Replay:
    """The replay of a log that has no faults and is as long as its checkpoint says."""
    replay = replayed(log.lines, now)
    if replay.failures:
        raise LogRefused(
            f"The log has faults. {replay.failures[0].says}. Restore its files from their history."
        )
    if log.checkpoint:
        try:
            head = Checkpoint.parse(unverified_text(log.checkpoint))
        except NoteInvalid as invalid:
            raise LogRefused(f"The log's checkpoint is invalid: {invalid}. Restore the file.") from None
        if (head.size, head.root) != (len(log.lines), root_of(log.lines)):
            raise LogRefused("The checkpoint is not of these entries. Restore both files from their history.")
    return replay


def _origin(log: Log, origin: str | None, registry: Mapping[str, Any]) -> str:
    known = log.origin
    if known is not None and origin not in (None, known):
        raise LogRefused(
            f"The log is {known}, and a log keeps its origin. Leave --origin out, or begin a new log."
        )
    name = known or origin or default_origin(registry["curator"]["name"])
    if not valid_name(name):
        raise LogRefused(f'"{name}" cannot be the origin of a log: it has no spaces and no "+".')
    return name


def _check_key(registry: Mapping[str, Any], signer: Signer) -> None:
    stated = PublicKey.parse(registry["curator"]["pubkey"])
    if stated != signer.public:
        raise KeyUnusable(
            f"The private key belongs to {signer.public}, but curator.pubkey in the registry is {stated}. "
            "Use the key of that curator, or change curator.pubkey."
        )


def _pending(
    replay: Replay, registry: Mapping[str, Any], signer: Signer, former: Signer | None
) -> Iterator[tuple[Change, Signer]]:
    """The changes to log, each with who signs it; a new key is added first, and the former removed last."""
    old = replay.key
    is_new = bool(replay.keys) and signer.public not in replay.keys
    if is_new:
        if former is None or former.public not in replay.keys:
            raise LogRefused(
                f"The log trusts {', '.join(sorted(map(str, replay.keys)))}, and not {signer.public}. Name "
                "the former key by --former-key of `threegood log update`: it signs the new one. Without it, "
                "begin a new log."
            )
        yield Change(KEY_ADDED, None, {"pubkey": str(signer.public)}), former
    yield from ((change, signer) for change in changes(dict(replay.state), state_of(registry)))
    if old is not None and old != signer.public and old in replay.keys:
        yield Change(KEY_REMOVED, None, {"pubkey": str(old)}), signer


def _not_before(last: Entry | None, now: datetime) -> datetime:
    """`now`, or the time of the last entry if a clock went back."""
    if last is None:
        return now
    return max(now, datetime.strptime(last.timestamp, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC))
