"""Entries in the form of the reference: its own log verifies, and ours is read by what reads its."""

import json
from datetime import UTC, datetime
from typing import Any, Final

import pytest

from tests.support.logs import CURATOR, LOG, NOW
from tests.support.processes import ROOT
from threegood.trust.entries import (
    REFERENCE_ACTIONS,
    Change,
    Entry,
    EntryInvalid,
    entry_of,
    parse_entry,
    signed_entry,
)
from threegood.trust.replay import Replay
from threegood.trust.tiles import MAX_ENTRY_BYTES

# audit_log.json of johnzilla/3goodsources, as it is published there (MIT).
REFERENCE: Final[list[dict[str, Any]]] = json.loads(
    (ROOT / "tests/fixtures/reference_audit_log.json").read_bytes()
)


def test_the_forty_signatures_and_hashes_of_the_reference_are_right() -> None:
    replay = Replay(datetime(2026, 11, 22, tzinfo=UTC))
    for each in REFERENCE:
        replay.add_entry(entry_of(each))

    assert (len(replay.entries), replay.failures) == (40, [])
    assert replay.key is not None
    assert replay.key.hex == REFERENCE[0]["actor"]


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("timestamp", "2026-02-03T00:00:01Z"),
        ("action", "category_updated"),
        ("category", "another"),
        ("data", {"name": "another"}),
        ("actor", CURATOR.public.hex),
        ("signature", "0" * 128),
    ],
)
def test_a_signature_covers_these_members(member: str, value: object) -> None:
    entry = entry_of(REFERENCE[0])

    assert entry.is_signed()
    assert not Entry(**{**entry._asdict(), member: value}).is_signed()


def test_the_message_is_what_the_reference_signs() -> None:
    change = Change("source_added", "rust-learning", {"rank": 1, "name": "Ünïcode \u0001"})
    entry = signed_entry(change, signer=CURATOR, now=NOW, previous=None)

    # `printf '{"name":"Ünïcode \\\\u0001","rank":1}' | sha256sum`
    data = "be1168bbe423d6a063b833fa3434cda29fae2caa23f20d336a9051932a21dc9a"
    message = f"2026-11-22T12:00:00Z|source_added|rust-learning|{data}|{CURATOR.public.hex}"
    assert entry.message == message.encode()


def test_a_reader_of_the_reference_knows_every_action_of_a_log_without_endorsements_and_new_keys() -> None:
    assert {parse_entry(line).action for line in LOG.lines} <= set(REFERENCE_ACTIONS)


def test_the_same_change_gives_the_same_entry() -> None:
    change = Change("source_added", "rust-learning", {"rank": 1})
    first, second = (signed_entry(change, signer=CURATOR, now=NOW, previous=None) for _ in range(2))

    assert first == second
    assert parse_entry(first.line) == first


def test_an_entry_that_is_too_long_is_not_signed() -> None:
    change = Change("category_added", "long", {"description": "x" * MAX_ENTRY_BYTES})

    with pytest.raises(EntryInvalid, match=r"category_added long: the entry would have \d+ bytes, and"):
        signed_entry(change, signer=CURATOR, now=NOW, previous=None)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"[]",
        b"{",
        b"\xff",
        b"[" * 100_000,
        LOG.lines[0] + b" ",
        LOG.lines[0].replace(b'"action"', b'"Action"'),
        LOG.lines[0].replace(b'"previous_hash":null', b'"previous_hash":1'),
        LOG.lines[0].replace(b'"category":null', b'"category":1'),
        LOG.lines[0].replace(b"T12:00:00Z", b"T12:00:00.5Z"),
        LOG.lines[0].replace(b'"data":{', b'"data":{"number":1e400,'),
        LOG.lines[0].replace(b'{"action"', b'{"more":1,"action"'),
    ],
)
def test_a_line_in_another_form_is_refused(line: bytes) -> None:
    with pytest.raises(EntryInvalid):
        parse_entry(line)
