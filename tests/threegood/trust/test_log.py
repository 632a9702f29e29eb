"""How a log is continued: what changed is logged, by the curator's key, and nothing else."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.support.logs import (
    CURATOR,
    FIRST,
    GROWN,
    LATER,
    LOG,
    ORIGIN,
    SECOND,
    STRANGER,
    a_registry_content,
    head_of,
    published,
)
from threegood.trust.log import (
    CHECKPOINT,
    ENTRIES,
    Log,
    LogRefused,
    default_origin,
    read_log,
    updated,
    write_log,
)
from threegood.trust.log_checks import verify_log
from threegood.trust.signer import KeyUnusable


def said(log: Log, since: Log = Log()) -> list[tuple[str, str | None, str | None]]:  # noqa: B008
    """Action, category and name of each entry that was added."""
    entries = [json.loads(line) for line in log.lines[len(since.lines) :]]
    return [(each["action"], each["category"], each["data"].get("name")) for each in entries]


def changed(registry: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {**json.loads(json.dumps(registry)), **changes}


def continued(registry: dict[str, Any]) -> list[tuple[str, str | None, str | None]]:
    return said(updated(LOG, registry, signer=CURATOR, now=LATER), LOG)


def test_a_new_log_says_who_curates_then_the_categories_then_their_sources() -> None:
    sources = ["Source 1", "Source 2", "Source 3"]

    assert said(LOG) == [
        ("identity_registered", None, "Ada"),
        ("category_added", "apples", "Apples"),
        ("category_added", "bread", "Bread"),
        *(("source_added", slug, name) for slug in ("apples", "bread") for name in sources),
    ]


def test_what_goes_away_is_logged_before_what_is_new() -> None:
    assert [(action, slug) for action, slug, _ in said(GROWN, LOG)] == [
        *[("source_removed", "bread")] * 3,
        ("category_removed", "bread"),
        ("category_added", "cheese"),
        *[("source_added", "cheese")] * 3,
    ]


def test_nothing_is_logged_if_nothing_changed() -> None:
    assert updated(LOG, FIRST, signer=CURATOR, now=LATER) is LOG
    assert updated(LOG, {**FIRST, "version": "2.0.0"}, signer=CURATOR, now=LATER) is LOG


def test_a_changed_category_source_curator_or_endorsement_is_an_update() -> None:
    registry = changed(FIRST)
    registry["categories"]["bread"]["description"] = "Another one."
    registry["categories"]["bread"]["sources"][1]["why"] = "For another reason."
    registry["curator"]["name"] = "Ada L."
    registry["endorsements"] = [
        {"name": "Eve", "url": "https://eve.example", "since": "2026-01-01", "statement": "So."}
    ]

    assert continued(registry) == [
        ("identity_updated", None, "Ada L."),
        ("category_updated", "bread", "Bread"),
        ("source_updated", "bread", "Source 2"),
        ("endorsement_added", None, "Eve"),
    ]


def test_sources_that_change_their_ranks_are_updates() -> None:
    registry = changed(FIRST)
    first, second, third = registry["categories"]["bread"]["sources"]
    registry["categories"]["bread"]["sources"] = [{**second, "rank": 1}, {**first, "rank": 2}, third]

    assert continued(registry) == [
        ("source_updated", "bread", "Source 2"),
        ("source_updated", "bread", "Source 1"),
    ]


def test_the_old_key_signs_the_new_one_which_removes_it() -> None:
    registry = a_registry_content("apples", "bread", pubkey=str(STRANGER.public))

    log = updated(LOG, registry, signer=STRANGER, now=LATER, former=CURATOR)

    assert [action for action, _, _ in said(log, LOG)] == ["key_added", "identity_updated", "key_removed"]
    actors = [json.loads(line)["actor"] for line in log.lines[len(LOG.lines) :]]
    assert actors == [CURATOR.public.hex, STRANGER.public.hex, STRANGER.public.hex]
    assert verify_log(published(log, registry), now=LATER, seen=head_of(LOG, FIRST)).failures == ()


def test_the_old_key_signs_nothing_any_more_once_it_is_removed() -> None:
    registry = a_registry_content("apples", "bread", pubkey=str(STRANGER.public))
    log = updated(LOG, registry, signer=STRANGER, now=LATER, former=CURATOR)

    with pytest.raises(LogRefused, match="trusts ed25519:"):
        updated(log, FIRST, signer=CURATOR, now=LATER)


@pytest.mark.parametrize("former", [None, STRANGER])
def test_a_new_key_needs_the_old_one(former: Any) -> None:
    registry = a_registry_content("apples", pubkey=str(STRANGER.public))

    with pytest.raises(LogRefused, match="Name the former key by --former-key"):
        updated(LOG, registry, signer=STRANGER, now=LATER, former=former)


def test_the_key_must_be_the_curators() -> None:
    with pytest.raises(KeyUnusable, match=r"but curator\.pubkey in the registry is"):
        updated(LOG, SECOND, signer=STRANGER, now=LATER)


def test_a_clock_that_went_back_gives_no_earlier_entry() -> None:
    log = updated(GROWN, FIRST, signer=CURATOR, now=LATER - timedelta(minutes=2))

    assert json.loads(log.lines[-1])["timestamp"] == json.loads(GROWN.lines[-1])["timestamp"]


@pytest.mark.parametrize(
    ("log", "reason"),
    [
        (Log(LOG.lines[1:], LOG.checkpoint), "The log has faults. entry 0:"),
        (Log(LOG.lines[:-1], LOG.checkpoint), "The checkpoint is not of these entries"),
        (Log(LOG.lines, GROWN.checkpoint), "The checkpoint is not of these entries"),
        (Log(LOG.lines, b"nothing"), "The log's checkpoint is invalid"),
    ],
)
def test_a_log_with_faults_is_not_continued(log: Log, reason: str) -> None:
    with pytest.raises(LogRefused, match=reason):
        updated(log, SECOND, signer=CURATOR, now=LATER)


def test_a_log_keeps_its_origin() -> None:
    assert updated(LOG, FIRST, signer=CURATOR, now=LATER, origin=ORIGIN) is LOG
    with pytest.raises(LogRefused, match="a log keeps its origin"):
        updated(LOG, FIRST, signer=CURATOR, now=LATER, origin="example.com/other")
    with pytest.raises(LogRefused, match='cannot be the origin of a log: it has no spaces and no "\\+"'):
        updated(None, FIRST, signer=CURATOR, now=LATER, origin="a b")


@pytest.mark.parametrize(("name", "origin"), [("Ada Lovelace", "ada-lovelace/log"), ("李", "curator/log")])
def test_a_log_without_an_origin_is_named_after_its_curator(name: str, origin: str) -> None:
    assert default_origin(name) == origin


def test_a_log_is_read_as_it_was_written(tmp_path: Path) -> None:
    assert read_log(tmp_path) is None

    write_log(tmp_path, LOG)

    assert read_log(tmp_path) == LOG
    assert sorted(file.name for file in tmp_path.iterdir()) == [CHECKPOINT, ENTRIES]


def test_a_log_that_is_cut_off_is_not_read(tmp_path: Path) -> None:
    write_log(tmp_path, LOG)
    (tmp_path / ENTRIES).write_bytes((tmp_path / ENTRIES).read_bytes()[:-1])
    with pytest.raises(LogRefused, match="may be cut off"):
        read_log(tmp_path)

    (tmp_path / ENTRIES).unlink()
    with pytest.raises(LogRefused, match=r"there is a checkpoint, but no entries\.jsonl"):
        read_log(tmp_path)
