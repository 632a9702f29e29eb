"""Entries of the log, in the form of the reference implementation (johnzilla/3goodsources, src/audit).

What is signed is `timestamp|action|category|SHA-256 of the data|actor`. So a signature covers neither `id`
nor `previous_hash`: those, and the order of the entries, are covered by the signed root of the tree. A leaf
of the tree is the canonical form of an entry (RFC 8785).
"""

import json
import re
import uuid
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final, NamedTuple, cast

import rfc8785

from threegood.trust.keys import PublicKey
from threegood.trust.signer import Signer
from threegood.trust.tiles import MAX_ENTRY_BYTES

REFERENCE_ACTIONS: Final = (
    *("source_added", "source_updated", "source_removed"),
    *("category_added", "category_updated", "category_removed"),
    *("identity_registered", "identity_updated"),
    *("proposal_submitted", "proposal_status_changed", "vote_cast"),
)
"""The actions that readers of the reference know; one of them refuses a log with another."""

_ID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_TIMESTAMP: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_HASH: Final = re.compile(r"[0-9a-f]{64}")
_SIGNATURE: Final = re.compile(r"[0-9a-f]{128}")


class EntryInvalid(ValueError):
    """A line that is no entry, or an entry that cannot be logged; the message has the reason."""


class Change(NamedTuple):
    """What an entry says: an action, the slug of the category that it concerns, if any, and data."""

    action: str
    category: str | None
    data: dict[str, Any]


class Entry(NamedTuple):
    """An entry, its members in the order in which the reference writes them.

    `timestamp` is UTC, as in 2026-02-03T00:00:00Z; `actor`, `signature` and `previous_hash` are hexadecimal.
    """

    id: str
    timestamp: str
    action: str
    category: str | None
    data: dict[str, Any]
    actor: str
    signature: str
    previous_hash: str | None

    @property
    def change(self) -> Change:
        """What it says."""
        return Change(self.action, self.category, self.data)

    @property
    def line(self) -> bytes:
        """Its canonical form (RFC 8785): a leaf of the tree, and a line of the file."""
        return rfc8785.dumps(self._asdict())

    @property
    def message(self) -> bytes:
        """What its signature is of."""
        data = sha256(_compact(self.data).encode()).hexdigest()
        return "|".join((self.timestamp, self.action, self.category or "", data, self.actor)).encode()

    @property
    def hash(self) -> str:
        """What the next entry states as `previous_hash`: the hash of its JSON as the reference writes it."""
        members = ((name, _sorted(value)) for name, value in self._asdict().items())
        return sha256(
            json.dumps(dict(members), separators=(",", ":"), ensure_ascii=False).encode()
        ).hexdigest()

    def is_signed(self) -> bool:
        """Whether its signature is of it, by its actor."""
        return PublicKey(bytes.fromhex(self.actor)).verifies(bytes.fromhex(self.signature), self.message)


def signed_entry(change: Change, *, signer: Signer, now: datetime, previous: Entry | None) -> Entry:
    """The entry of `change`, signed, to follow `previous`.

    Its id is derived from the rest, so that the same update gives the same log.

    Raises:
        EntryInvalid: it would be too long.
        KeyUnusable: `signer` did not sign.
    """
    timestamp = now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    previous_hash = None if previous is None else previous.hash
    draft = Entry("", timestamp, *change, signer.public.hex, "", previous_hash)
    signature = signer.sign(draft.message).hex()
    own_id = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{previous_hash} {signature}"))
    entry = draft._replace(id=own_id, signature=signature)
    if len(entry.line) > MAX_ENTRY_BYTES:
        raise EntryInvalid(
            f"{change.action} {change.category or ''}: the entry would have {len(entry.line)} bytes, and "
            f"the log takes {MAX_ENTRY_BYTES}. Shorten its descriptions or patterns."
        )
    return entry


def parse_entry(line: bytes) -> Entry:
    """The entry in a line.

    Raises:
        EntryInvalid: it is no entry in canonical form.
    """
    try:
        entry = entry_of(json.loads(line))
        canonical = entry.line
    except (ValueError, RecursionError) as error:
        raise EntryInvalid(str(error)) from None
    if canonical != line:
        raise EntryInvalid("it is not in canonical form (RFC 8785)")
    return entry


def entry_of(content: object) -> Entry:
    """The entry in parsed JSON; other members than an entry's are ignored.

    Raises:
        EntryInvalid: a member is missing or invalid.
    """
    if not isinstance(content, dict):
        raise EntryInvalid("it is no JSON object")
    members = {name: content.get(name) for name in Entry._fields}
    patterns = {"id": _ID, "timestamp": _TIMESTAMP, "actor": _HASH, "signature": _SIGNATURE}
    if members["previous_hash"] is not None:
        patterns["previous_hash"] = _HASH
    for name, pattern in patterns.items():
        if not (isinstance(members[name], str) and pattern.fullmatch(cast("str", members[name]))):
            raise EntryInvalid(f'its member "{name}" is missing or invalid')
    if not isinstance(members["action"], str) or not isinstance(members["data"], dict):
        raise EntryInvalid('its member "action" or "data" is missing or invalid')
    if not isinstance(members["category"], str | None):
        raise EntryInvalid('its member "category" is neither a slug nor null')
    return Entry(**cast("dict[str, Any]", members))


def _compact(content: object) -> str:
    """JSON as the reference serialises it: compact, the members of objects sorted."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _sorted(content: object) -> Any:
    return json.loads(_compact(content))
