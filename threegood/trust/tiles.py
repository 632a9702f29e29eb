"""A log as static files (C2SP tlog-tiles): the hashes of its tree in tiles, and its entries in bundles.

A tile has up to 256 neighbouring hashes; each hash above level 0 is the root of a whole tile below it. Names
have no suffix for the width here: a narrower tile is the beginning of a wider one, so whoever serves the last
tile of a level serves all widths that it ever had.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from threegood.trust.merkle import leaf_hash, root_of_hashes

TILE_WIDTH: Final = 256
MAX_ENTRY_BYTES: Final = 65_535
"""The most that the length before an entry of a bundle can say."""


def tiles_of(entries: Sequence[bytes]) -> dict[str, bytes]:
    """The tiles and bundles of a log by name, such as `tile/0/000` and `tile/entries/000`.

    Raises:
        ValueError: an entry is too long.
    """
    return {**dict(_tiles(entries)), **dict(_bundles(entries))}


def widths(name: str, size: int) -> int:
    """How many hashes or entries a tile or bundle has in a log of `size` entries; 0 if it has no such."""
    level, _, index = name.removeprefix("tile/").partition("/")
    height = 0 if level == "entries" else int(level)
    in_level = size >> 8 * height
    return max(0, min(TILE_WIDTH, in_level - TILE_WIDTH * _index(index)))


def tile_paths(size: int) -> Iterator[str]:
    """The path of each tile and bundle that a log of `size` entries must serve, with its width."""
    for name in _names(size):
        width = widths(name, size)
        yield name if width == TILE_WIDTH else f"{name}.p/{width}"


def entries_of(bundles: Mapping[str, bytes], size: int) -> list[bytes]:
    """The entries of a log of `size` from its bundles by name.

    Raises:
        ValueError: a bundle is missing, cut off, or longer than its entries.
    """
    entries: list[bytes] = []
    for name in _names(size):
        if name.startswith("tile/entries/"):
            entries += _unbundled(bundles.get(name, b""), widths(name, size), name)
    return entries


def _unbundled(bundle: bytes, count: int, name: str) -> Iterator[bytes]:
    position = 0
    for _ in range(count):
        length = int.from_bytes(bundle[position : position + 2], "big")
        entry = bundle[position + 2 : position + 2 + length]
        if position + 2 + length > len(bundle):
            raise ValueError(f"{name} ends before its {count} entries do")
        position += 2 + length
        yield entry
    if position != len(bundle):
        raise ValueError(f"{name} has more than its {count} entries")


def _names(size: int) -> Iterator[str]:
    level, in_level = 0, size
    while in_level:
        for index in range(-(-in_level // TILE_WIDTH)):
            yield f"tile/{level}/{_path(index)}"
            if level == 0:
                yield f"tile/entries/{_path(index)}"
        level, in_level = level + 1, in_level // TILE_WIDTH


def _tiles(entries: Sequence[bytes]) -> Iterator[tuple[str, bytes]]:
    level, hashes = 0, [leaf_hash(entry) for entry in entries]
    while hashes:
        groups = list(_groups(hashes))
        for index, group in enumerate(groups):
            yield f"tile/{level}/{_path(index)}", b"".join(group)
        level, hashes = level + 1, [root_of_hashes(each) for each in groups if len(each) == TILE_WIDTH]


def _bundles(entries: Sequence[bytes]) -> Iterator[tuple[str, bytes]]:
    for index, group in enumerate(_groups(entries)):
        yield f"tile/entries/{_path(index)}", b"".join(map(_with_length, group))


def _groups(items: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    return (items[begin : begin + TILE_WIDTH] for begin in range(0, len(items), TILE_WIDTH))


def _with_length(entry: bytes) -> bytes:
    if len(entry) > MAX_ENTRY_BYTES:
        raise ValueError(f"an entry of {len(entry)} bytes is too long, {MAX_ENTRY_BYTES} are possible")
    return len(entry).to_bytes(2, "big") + entry


def _path(index: int) -> str:
    """The index of a tile as groups of three digits, all but the last with an `x` before."""
    groups = [f"{index % 1000:03}"]
    while index := index // 1000:
        groups.insert(0, f"x{index % 1000:03}")
    return "/".join(groups)


def _index(path: str) -> int:
    return int(path.replace("x", "").replace("/", ""))
