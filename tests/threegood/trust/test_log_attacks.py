"""Attacks on the log: each is caught by a check that is named for what it finds."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final, NamedTuple

import pytest

from tests.support.logs import (
    CURATOR,
    FIRST,
    GROWN,
    LATER,
    LOG,
    NOW,
    ORIGIN,
    SECOND,
    STRANGER,
    a_registry_content,
    head_of,
    published,
)
from threegood.trust.changes import state_of
from threegood.trust.entries import Change, parse_entry, signed_entry
from threegood.trust.log import Log, signed_checkpoint, updated
from threegood.trust.log_checks import CHECKS, Published, Seen, verify_log
from threegood.trust.notes import Checkpoint, sign_note
from threegood.trust.tiles import MAX_ENTRY_BYTES

SEEN: Final = head_of(LOG, FIRST)
ENTRIES: Final = [parse_entry(line) for line in GROWN.lines]


class Attack(NamedTuple):
    """A log as an attacker would publish it, and the checks that must fail, all of them."""

    log: Published
    caught_by: set[str]
    seen: Seen | None = SEEN


def forged(lines: list[bytes], registry: dict[str, Any] = SECOND, **changes: Any) -> Published:
    """These entries under a new checkpoint by the curator, as if its key signed whatever it gets."""
    log = Log(tuple(lines), signed_checkpoint(lines, signer=changes.pop("signer", CURATOR), origin=ORIGIN))
    return published(log, registry)._replace(**changes)


def with_entry(index: int, **changes: Any) -> list[bytes]:
    """The lines of the log with one entry changed, by somebody who has no key."""
    lines = list(GROWN.lines)
    lines[index] = ENTRIES[index]._replace(**changes).line
    return lines


def appended(change: Change, *, signer: Any = CURATOR, ahead: timedelta = timedelta(0)) -> list[bytes]:
    """The lines of the log with one more entry, signed."""
    entry = signed_entry(change, signer=signer, now=LATER + ahead, previous=ENTRIES[-1])
    return [*GROWN.lines, entry.line]


def oversized() -> list[bytes]:
    """The lines of the log with one that is too long, which nothing of ours would sign."""
    change = Change("category_updated", "apples", {"name": "x" * MAX_ENTRY_BYTES})
    draft = ENTRIES[-1]._replace(action=change.action, category=change.category, data=change.data)
    draft = draft._replace(id=ENTRIES[0].id[:-1] + "0", previous_hash=ENTRIES[-1].hash)
    return [*GROWN.lines, draft._replace(signature=CURATOR.sign(draft.message).hex()).line]


def one_log_signed_by(signer: Any) -> Log:
    registry = {**SECOND, "curator": {"name": "Ada", "pubkey": str(signer.public)}}
    return updated(None, registry, signer=signer, now=LATER, origin=ORIGIN)


def byte_flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def swapped(lines: tuple[bytes, ...], index: int) -> list[bytes]:
    return [*lines[:index], lines[index + 1], lines[index], *lines[index + 2 :]]


SOUND: Final = published(GROWN, SECOND)
ENDORSED: Final = Change(
    "endorsement_added", None, {"name": "Eve", "url": "https://eve.example", "since": "2026-11-22"}
)
HEAD: Final = Checkpoint(ORIGIN, len(GROWN.lines), bytes(32))
REMOVED: Final = [*GROWN.lines[:2], *GROWN.lines[3:]]
TILES: Final = dict(SOUND.tiles or {})
NEW_KEY: Final = Change("key_added", None, {"pubkey": str(STRANGER.public)})

ATTACKS: Final[dict[str, Callable[[], Attack]]] = {
    "an entry is removed": lambda: Attack(
        SOUND._replace(entries=tuple(REMOVED)), {"previous-hash", "change", "tree-size", "tiles", "forked"}
    ),
    "an entry is removed and the head signed again": lambda: Attack(
        forged(REMOVED), {"previous-hash", "change", "forked"}
    ),
    "two entries change places": lambda: Attack(forged(swapped(GROWN.lines, 2)), {"previous-hash", "forked"}),
    "the data of an entry is changed": lambda: Attack(
        forged(with_entry(1, data={**ENTRIES[1].data, "name": "Pears"})),
        {"entry-signature", "previous-hash", "registry", "forked"},
    ),
    "the id of an entry is changed, which its signature does not cover": lambda: Attack(
        forged(with_entry(len(ENTRIES) - 1, id=ENTRIES[0].id)), {"entry-id"}, seen=None
    ),
    "an entry is forged with a key that the log does not trust": lambda: Attack(
        forged(appended(ENDORSED, signer=STRANGER), {**SECOND, "endorsements": [ENDORSED.data]}),
        {"entry-key"},
    ),
    "a signature is replaced by another of the same key": lambda: Attack(
        forged(with_entry(len(ENTRIES) - 1, signature=ENTRIES[0].signature)), {"entry-signature"}
    ),
    "the last entries are cut off": lambda: Attack(
        SOUND._replace(entries=GROWN.lines[:-3]), {"tree-size", "tiles", "registry"}
    ),
    "the log is rolled back to an earlier head": lambda: Attack(
        published(LOG, FIRST), {"rolled-back"}, seen=head_of(GROWN, SECOND)
    ),
    "the log forks: another history of the same length by the curator": lambda: Attack(
        published(updated(None, SECOND, signer=CURATOR, now=NOW, origin=ORIGIN), SECOND), {"forked"}
    ),
    "another key signs the head": lambda: Attack(
        SOUND._replace(checkpoint=signed_checkpoint(GROWN.lines, signer=STRANGER, origin=ORIGIN)),
        {"checkpoint-key"},
    ),
    "a whole log by another key takes its place": lambda: Attack(
        published(
            one_log_signed_by(STRANGER),
            {**SECOND, "curator": {"name": "Ada", "pubkey": str(STRANGER.public)}},
        ),
        {"forked", "key-changed"},
    ),
    "a key adds itself": lambda: Attack(forged(appended(NEW_KEY, signer=STRANGER)), {"entry-key"}),
    "the curator is replaced without a key_added": lambda: Attack(
        forged(
            appended(Change("identity_updated", None, {**ENTRIES[0].data, "pubkey": str(STRANGER.public)})),
            {**SECOND, "curator": {"name": "Ada", "pubkey": str(STRANGER.public)}},
            signer=STRANGER,
        ),
        {"change", "checkpoint-key"},
    ),
    "another log is served under the address": lambda: Attack(
        published(updated(None, SECOND, signer=CURATOR, now=NOW, origin="example.com/other"), SECOND),
        {"same-log"},
    ),
    "an entry has a time to come": lambda: Attack(
        forged(appended(ENDORSED, ahead=timedelta(hours=1)), {**SECOND, "endorsements": [ENDORSED.data]}),
        {"entry-future"},
    ),
    "an entry is dated back": lambda: Attack(
        forged(appended(ENDORSED, ahead=-timedelta(hours=1)), {**SECOND, "endorsements": [ENDORSED.data]}),
        {"entry-order"},
    ),
    "an entry is too long": lambda: Attack(forged_without_tiles(oversized()), {"entry-size", "registry"}),
    "an entry has white space that a reader would skip": lambda: Attack(
        forged([*GROWN.lines[:-1], GROWN.lines[-1].replace(b'":"', b'": "', 1)]), {"entry-form", "registry"}
    ),
    "a source is removed that was never added": lambda: Attack(
        forged(appended(Change("source_removed", "apples", {"url": "https://eve.example"}))), {"change"}
    ),
    "an action is made up": lambda: Attack(
        forged(appended(Change("source_blessed", "apples", {}))), {"change"}
    ),
    "the head claims another root": lambda: Attack(
        SOUND._replace(checkpoint=sign_note(HEAD.text, CURATOR, name=ORIGIN)), {"tree-root"}
    ),
    "the head is no note": lambda: Attack(
        SOUND._replace(checkpoint=GROWN.checkpoint.replace(b"\n\n", b"\n")), {"checkpoint-form"}
    ),
    "a byte of the head is flipped": lambda: Attack(
        SOUND._replace(checkpoint=byte_flipped(GROWN.checkpoint, len(ORIGIN) + 8)),
        {"checkpoint-key", "tree-root"},
    ),
    "a byte of a tile is flipped": lambda: Attack(
        SOUND._replace(tiles={**TILES, "tile/0/000": byte_flipped(TILES["tile/0/000"], 40)}), {"tiles"}
    ),
    "the registry was changed and the log was not": lambda: Attack(
        SOUND._replace(registry=a_registry_content("apples")), {"registry"}
    ),
    "the registry has another rank than the log": lambda: Attack(
        SOUND._replace(
            registry=json.loads(json.dumps(SECOND).replace('"type": "article"', '"type": "video"', 1))
        ),
        {"registry"},
    ),
}


def forged_without_tiles(lines: list[bytes]) -> Published:
    """As `forged`; no bundle could hold these entries."""
    checkpoint = signed_checkpoint(lines, signer=CURATOR, origin=ORIGIN)
    return Published(tuple(lines), checkpoint, None, SECOND)


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_caught_by_the_checks_that_are_named_for_it(name: str) -> None:
    attack = ATTACKS[name]()

    verified = verify_log(attack.log, now=LATER, seen=attack.seen)

    assert {failure.check for failure in verified.failures} == attack.caught_by
    assert verified.head is None


def test_a_log_that_has_grown_passes_every_check() -> None:
    verified = verify_log(SOUND, now=LATER, seen=SEEN, key=CURATOR.public)

    assert verified.failures == ()
    assert dict(verified.replay.state) == state_of(SECOND)


def test_every_check_is_shown_to_catch_something() -> None:
    caught = {check for make in ATTACKS.values() for check in make().caught_by}

    assert caught == set(CHECKS)


def test_a_key_known_from_elsewhere_is_compared() -> None:
    verified = verify_log(SOUND, now=LATER, key=STRANGER.public)

    assert [failure.check for failure in verified.failures] == ["checkpoint-key"]
