"""Replays a log entry by entry: what it says in the end, and each rule that an entry breaks.

The first key is that of the first entry. A key that the log trusts adds others and removes them, but not
itself: so a curator changes keys by an entry that the old key has signed.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from threegood.trust.changes import KEY_ADDED, KEY_REMOVED, ChangeRefused, Key, applied, curators_key
from threegood.trust.entries import Change, Entry, EntryInvalid, parse_entry
from threegood.trust.keys import NoPublicKey, PublicKey
from threegood.trust.tiles import MAX_ENTRY_BYTES

# Clocks of curator and verifier may differ by this much.
MAX_AHEAD: Final = timedelta(minutes=5)


class Failure(NamedTuple):
    """A check that failed, by its name, and what it found."""

    check: str
    says: str


class Replay:
    """What a log says after the entries that were added."""

    def __init__(self, now: datetime) -> None:
        self.entries: list[Entry] = []
        self.state: dict[Key, dict[str, Any]] = {}
        self.keys: set[PublicKey] = set()
        self.failures: list[Failure] = []
        self._ids: set[str] = set()
        self._lines = 0
        self._latest = (now.astimezone(UTC) + MAX_AHEAD).strftime("%Y-%m-%dT%H:%M:%SZ")

    @property
    def last(self) -> Entry | None:
        """The last entry."""
        return self.entries[-1] if self.entries else None

    @property
    def key(self) -> PublicKey | None:
        """The trusted key that the log ends with: the curator's as it is stated, else that of an entry."""
        stated = curators_key(self.state)
        named = [] if stated is None else [stated]
        keys = map(PublicKey.parse, (*named, *(entry.actor for entry in reversed(self.entries))))
        return next((key for key in keys if key in self.keys), None)

    def add(self, line: bytes) -> None:
        """Replay the entry in `line`; each rule that it breaks becomes a failure."""
        if len(line) > MAX_ENTRY_BYTES:
            self._fail("entry-size", f"it has {len(line)} bytes, and {MAX_ENTRY_BYTES} are possible")
        try:
            entry = parse_entry(line)
        except EntryInvalid as invalid:
            self._fail("entry-form", str(invalid))
            self._lines += 1
            return
        self.add_entry(entry)

    def add_entry(self, entry: Entry) -> None:
        """Replay `entry`; each rule that it breaks becomes a failure."""
        for check, says in self._faults(entry):
            self._fail(check, says)
        try:
            self._apply(entry.change, PublicKey.parse(entry.actor))
        except (ChangeRefused, NoPublicKey) as refused:
            self._fail("change", str(refused))
        self.entries.append(entry)
        self._lines += 1
        self._ids.add(entry.id)

    def _fail(self, check: str, says: str) -> None:
        self.failures.append(Failure(check, f"entry {self._lines}: {says}"))

    def _faults(self, entry: Entry) -> Iterator[tuple[str, str]]:
        expected = None if self.last is None else self.last.hash
        if entry.previous_hash != expected:
            yield "previous-hash", "it does not follow the entry before it: one was changed, removed or moved"
        if entry.id in self._ids:
            yield "entry-id", f"the id {entry.id} is taken"
        if self.last is not None and entry.timestamp < self.last.timestamp:
            yield "entry-order", f"it is of {entry.timestamp}, before the entry before it"
        if entry.timestamp > self._latest:
            yield "entry-future", f"it is of {entry.timestamp}, which has not come yet"
        if self.keys and PublicKey.parse(entry.actor) not in self.keys:
            yield "entry-key", f"the log does not trust the key {entry.actor}"
        if not entry.is_signed():
            yield "entry-signature", "its signature is not of its content, or not by its actor"

    def _apply(self, change: Change, actor: PublicKey) -> None:
        if not self.keys:
            self.keys.add(actor)
        if change.action not in (KEY_ADDED, KEY_REMOVED):
            self._change_state(change)
            return
        key = PublicKey.parse(str(change.data.get("pubkey")))
        if change.action == KEY_ADDED and key not in self.keys:
            self.keys.add(key)
        elif change.action == KEY_REMOVED and key in self.keys and key != actor:
            self.keys.remove(key)
        else:
            raise ChangeRefused(f"{change.action} of {key} does not fit the keys that are trusted")

    def _change_state(self, change: Change) -> None:
        applied(change, self.state)
        stated = curators_key(self.state)
        if stated is not None and PublicKey.parse(stated) not in self.keys:
            raise ChangeRefused(f"{change.action} names the key {stated}, which the log does not trust")


def replayed(lines: Iterable[bytes], now: datetime) -> Replay:
    """The replay of all these entries."""
    replay = Replay(now)
    for line in lines:
        replay.add(line)
    return replay
