"""The transparency log: the static files that are published of it, and each entry with its proof.

The rows of its table, each without a text but where one is named:

    checkpoint          the signed head of the tree
    tile/0/000 …        the tiles and bundles, each in its last width
    index               what entries are found by: a JSON array of times, one of actions, one of categories
    entry/00000000 …    an entry in canonical form; its text is the path to the root, a JSON array of hashes
"""

import json
from functools import cached_property
from typing import Any, Final, NamedTuple

from sources.baked.table import Table

CHECKPOINT: Final = "checkpoint"
INDEX: Final = "index"
BUNDLES: Final = "tile/entries/"
TILE_WIDTH: Final = 256

_TILES: Final = "tile/"
_HASH_BYTES: Final = 32
_LENGTH_BYTES: Final = 2


def entry_key(index: int) -> str:
    """The key of the row of an entry."""
    return f"entry/{index:08}"


class LogIndex(NamedTuple):
    """Time, action and category (or None) of every entry, in their order."""

    timestamps: list[str]
    actions: list[str]
    categories: list[str | None]


class LoggedEntry(NamedTuple):
    """An entry, and the hashes from it to the root of the tree, hexadecimal, the nearest first."""

    content: dict[str, Any]
    size_bytes: int
    path: list[str]


class BakedLog:
    """The log of a baked registry. What it has is read when it is asked for."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def __len__(self) -> int:
        """How many entries there are."""
        return len(self.index.timestamps)

    def checkpoint(self) -> bytes | None:
        """The signed head of the tree; None if there is no log."""
        return self._content(CHECKPOINT)

    def tile(self, name: str) -> bytes | None:
        """The tile or bundle of that name (tlog-tiles), such as `tile/0/000.p/5`; None if there is none.

        A narrower one than there is today is its beginning, so every width that there ever was is there.
        """
        stem, dot, width_text = name.partition(".p/")
        width = _width(width_text) if dot else TILE_WIDTH
        content = self._content(stem) if stem.startswith(_TILES) and width else None
        if content is None:
            return None
        length = _bundle_length(content, width) if stem.startswith(BUNDLES) else width * _HASH_BYTES
        return content[:length] if 0 < length <= len(content) else None

    def entry(self, index: int) -> LoggedEntry:
        """The entry at `index`, which must exist."""
        row = self._table.find(entry_key(index))
        if row is None:
            raise IndexError(index)
        return LoggedEntry(json.loads(row.structured), len(row.structured), json.loads(row.text))

    @cached_property
    def index(self) -> LogIndex:
        """What entries are found by."""
        return LogIndex(*json.loads(self._content(INDEX) or b"[[], [], []]"))

    def _content(self, key: str) -> bytes | None:
        row = self._table.find(key)
        return None if row is None else row.structured


def _width(text: str) -> int:
    """The width of a partial tile; 0 if the text is none."""
    valid = text.isascii() and text.isdigit() and not text.startswith("0") and len(text) <= len("255")
    return int(text) if valid and int(text) < TILE_WIDTH else 0


def _bundle_length(bundle: bytes, entries: int) -> int:
    """How many bytes the first `entries` of a bundle take; 0 if there are fewer."""
    position = 0
    for _ in range(entries):
        if position >= len(bundle):
            return 0
        begin = position + _LENGTH_BYTES
        position = begin + int.from_bytes(bundle[position:begin], "big")
    return position
