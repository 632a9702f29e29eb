"""The table of the transparency log (`sources.baked.log`)."""

import base64
import json
from collections.abc import Iterator, Sequence

from sources.baked.log import CHECKPOINT, INDEX, entry_key
from threegood.baking.packing import pack_table
from threegood.trust.entries import Entry, parse_entry
from threegood.trust.log import Log
from threegood.trust.merkle import inclusion_proofs, leaf_hash
from threegood.trust.tiles import tiles_of


def bake_log(log: Log | None) -> bytes:
    """The file of `log`; without rows if there is none."""
    return pack_table([] if log is None or not log.checkpoint else _rows(log))


def _rows(log: Log) -> Iterator[tuple[str, bytes, str]]:
    yield CHECKPOINT, log.checkpoint, ""
    for name, content in tiles_of(log.lines).items():
        yield name, content, ""
    entries = [parse_entry(line) for line in log.lines]
    yield INDEX, _index(entries), ""
    paths = inclusion_proofs([leaf_hash(line) for line in log.lines])
    for index, (line, path) in enumerate(zip(log.lines, paths, strict=True)):
        yield entry_key(index), line, json.dumps([base64.b64encode(each).decode("ascii") for each in path])


def _index(entries: Sequence[Entry]) -> bytes:
    columns = [[getattr(each, name) for each in entries] for name in ("timestamp", "action", "category")]
    return json.dumps(columns, separators=(",", ":")).encode()
