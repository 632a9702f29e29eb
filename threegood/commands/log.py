"""`threegood log`: shows, verifies and continues the transparency log, and reads that of the reference."""

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click

from threegood.commands.log_beside import content_of
from threegood.commands.output import CannotBegin, counted, remark, show
from threegood.commands.registry_file import A_PATH, default_registry, load_registry, registry_argument
from threegood.commands.signing_key import passphrase_file_option, signer_from_file
from threegood.node.published_log import NotPublished, published_log
from threegood.node.seen_logs import default_folder, remember, seen_at
from threegood.trust.entries import Entry, EntryInvalid, entry_of
from threegood.trust.keys import NoPublicKey, PublicKey
from threegood.trust.log import Log, LogRefused, read_log, updated, write_log
from threegood.trust.log_checks import Published, Verified, verify_log
from threegood.trust.notes import NoteKey
from threegood.trust.replay import Replay, replayed

_MAX_FAILURES: Final = 20


def default_log() -> Path:
    """The folder of the log: `log` beside the registry file."""
    return default_registry().parent / "log"


@click.group(help="The transparency log: every change to the registry, signed, in a tree that only grows.")
def log() -> None:
    """Hold the commands of the log."""


@log.command("show", epilog="Example: threegood log show https://example.com/mcp")
@click.argument("place", default=lambda: str(default_log()))
@click.option("--last", type=click.IntRange(min=1), default=20, show_default=True, help="How many entries.")
@click.option("--token", envvar="MCP_TOKEN", default="", help="An access token or API key [MCP_TOKEN].")
def show_log(place: str, last: int, token: str) -> None:
    """Show the last entries of a log, its head, and its verifier key. Nothing is verified.

    PLACE is the URL of a node, a baked folder, or the folder of a log.
    """
    published = _published(place, token)
    replay = replayed(published.entries, datetime.now(UTC))
    show(_entry_line(index, entry) for index, entry in list(enumerate(replay.entries))[-last:])
    head, *_ = published.checkpoint.decode("utf-8", "replace").split("\n")
    if replay.key is not None:
        show([f"{head}, entries: {len(published.entries)}; verifier key: {NoteKey(head, replay.key)}"])


@log.command(epilog="Example: threegood log verify https://example.com/mcp --key ed25519:ca29…")
@click.argument("place", default=lambda: str(default_log()))
@click.option("--key", metavar="KEY", help="The curator's public key, if you know it from elsewhere.")
@click.option("--state", type=A_PATH, default=default_folder, help="The folder that remembers what was seen.")
@click.option("--token", envvar="MCP_TOKEN", default="", help="An access token or API key [MCP_TOKEN].")
def verify(place: str, key: str | None, state: Path, token: str) -> None:
    """Replay a whole log, and compare it with its signed head, the registry, and what was seen before.

    PLACE is the URL of a node, a baked folder, or the folder of a log. The exit code is 1 if a check fails.
    """
    try:
        seen = seen_at(state, place)
        known = None if key is None else PublicKey.read(key)
    except (ValueError, NoPublicKey) as error:
        raise CannotBegin(str(error)) from error
    verified = verify_log(_published(place, token), now=datetime.now(UTC), seen=seen, key=known)
    for failure in verified.failures[:_MAX_FAILURES]:
        remark(f"FAILED {failure.check}: {failure.says}")
    if verified.failures:
        failures = counted(len(verified.failures), "failure")
        remark(f"{place}: {failures}; docs/transparency-log.md says what each means")
        sys.exit(1)
    _report(place, verified, state, first=seen is None)


@log.command(epilog="Example: threegood log update --key ~/three-good-sources.key")
@registry_argument
@click.option("--key", "key_file", metavar="FILE", required=True, help="The curator's private key.")
@click.option("--former-key", metavar="FILE", help="The key before, which signs the new one.")
@click.option("--folder", type=A_PATH, help="The folder of the log  [default: log beside REGISTRY]")
@click.option("--origin", help="The name of a new log, best an address: example.com/log")
@passphrase_file_option
def update(
    registry: Path,
    key_file: str,
    former_key: str | None,
    folder: Path | None,
    origin: str | None,
    passphrase_file: str | None,
) -> None:
    """Log what has changed in the registry since the log was updated last, each change signed."""
    signer = signer_from_file(key_file, passphrase_file)
    former = None if former_key is None else signer_from_file(former_key, passphrase_file)
    content, place = content_of(load_registry(registry)), folder or registry.parent / "log"
    try:
        before = read_log(place)
        after = updated(before, content, signer=signer, now=datetime.now(UTC), former=former, origin=origin)
    except (LogRefused, EntryInvalid) as error:
        raise CannotBegin(f"{place}: {error}") from error
    write_log(place, after)
    added = len(after.lines) - (0 if before is None else len(before.lines))
    show([f"{place}: {added} added, {len(after.lines)} in all"])


@log.command("import", epilog="Example: threegood log import audit_log.json")
@click.argument("file", type=A_PATH)
@click.option("--out", type=A_PATH, help="The folder of a new log, to begin with these entries.")
def import_log(file: Path, out: Path | None) -> None:
    """Verify an audit_log.json of the reference implementation: every signature, hash and change.

    With --out its entries begin a log, which the same key continues by `threegood log update`.
    """
    replay = _replayed_file(file)
    for failure in replay.failures[:_MAX_FAILURES]:
        remark(f"FAILED {failure.check}: {failure.says}")
    if replay.failures:
        remark(f"{file}: {counted(len(replay.failures), 'failure')}")
        sys.exit(1)
    show(
        [f"{file}: {len(replay.entries)} entries, every signature and hash is right; signed by {replay.key}"]
    )
    if out is not None:
        if read_log(out) is not None:
            raise CannotBegin(f"{out}: there is a log here already. Name another folder.")
        write_log(out, Log(tuple(entry.line for entry in replay.entries)))
        show([f"{out}: written. `threegood log update` with this key signs its checkpoint."])


def _published(place: str, token: str) -> Published:
    try:
        return published_log(place, token=token)
    except LogRefused as error:
        raise CannotBegin(str(error)) from error
    except NotPublished as error:
        remark(f"FAILED published: {error}")
        sys.exit(1)


def _report(place: str, verified: Verified, state: Path, *, first: bool) -> None:
    head = verified.head
    if head is None:
        return
    remember(state, place, head)
    show(
        [
            f"ok     {head.origin}: {head.size} entries, root sha256:{head.root}",
            "ok     every entry, the tree, the registry, and what was seen before",
            f"signed by {head.key}",
        ]
    )
    if first:
        show(["This log was seen for the first time: from now on it is compared with what it is today."])


def _replayed_file(file: Path) -> Replay:
    replay = Replay(datetime.now(UTC))
    try:
        content = json.loads(file.read_bytes())
        for each in content if isinstance(content, list) else [content]:
            replay.add_entry(entry_of(each))
    except (ValueError, TypeError) as error:
        raise CannotBegin(f"{file}: this is no audit log: entry {len(replay.entries)}: {error}.") from error
    return replay


def _entry_line(index: int, entry: Entry) -> str:
    about = entry.data.get("name") or entry.data.get("pubkey") or ""
    return f"{index:6}  {entry.timestamp}  {entry.action:20} {entry.category or '':30} {about}"
