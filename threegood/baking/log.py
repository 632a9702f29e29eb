"""The table of the transparency log (`sources.baked.log`)."""

import json
from collections.abc import Iterator, Sequence

from sources.baked.log import BUNDLES, CHECKPOINT, INDEX, BakedLog, entry_key
from threegood.baking.packing import pack_table
from threegood.trust.entries import Entry, parse_entry
from threegood.trust.log import Log
from threegood.trust.merkle import inclusion_proofs, leaf_hash
from threegood.trust.notes import Checkpoint, unverified_text
from threegood.trust.tiles import entries_of, tile_paths, tiles_of


def bake_log(log: Log | None) -> bytes:
    """The file of `log`; without rows if there is none."""
    return pack_table([] if log is None or not log.checkpoint else _rows(log))


def log_in(baked: BakedLog) -> Log | None:
    """The log that was baked; None if there was none.

    Raises:
        ValueError: a part of it is missing or malformed.
        RecordDamaged: a part of it is not as it was baked.
    """
    checkpoint = baked.checkpoint()
    if checkpoint is None:
        return None
    size = Checkpoint.parse(unverified_text(checkpoint)).size
    bundles = {path: baked.tile(path) or b"" for path in tile_paths(size) if path.startswith(BUNDLES)}
    by_name = {path.partition(".p/")[0]: content for path, content in bundles.items()}
    return Log(tuple(entries_of(by_name, size)), checkpoint)


def _rows(log: Log) -> Iterator[tuple[str, bytes, str]]:
    yield CHECKPOINT, log.checkpoint, ""
    for name, content in tiles_of(log.lines).items():
        yield name, content, ""
    entries = [parse_entry(line) for line in log.lines]
    yield INDEX, _index(entries), ""
    paths = inclusion_proofs([leaf_hash(line) for line in log.lines])
    for index, (line, path) in enumerate(zip(log.lines, paths, strict=True)):
        yield entry_key(index), line, json.dumps([each.hex() for each in path])


def _index(entries: Sequence[Entry]) -> bytes:
    columns = [[getattr(each, name) for each in entries] for name in ("timestamp", "action", "category")]
    return json.dumps(columns, separators=(",", ":")).encode()
