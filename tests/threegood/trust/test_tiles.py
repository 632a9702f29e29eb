"""The layout of tiles and bundles, by the examples of the specification."""

import pytest

from threegood.trust.tiles import MAX_ENTRY_BYTES, entries_of, tile_paths, tiles_of, widths


def test_a_tree_of_seventy_thousand_has_the_tiles_of_the_specifications_example() -> None:
    hashes = [path for path in tile_paths(70_000) if not path.startswith("tile/entries/")]
    full = [path for path in hashes if ".p/" not in path]

    assert len([path for path in full if path.startswith("tile/0/")]) == 273
    assert [path for path in full if not path.startswith("tile/0/")] == ["tile/1/000"]
    assert [path for path in hashes if ".p/" in path] == [
        "tile/0/273.p/112",
        "tile/1/001.p/17",
        "tile/2/000.p/1",
    ]


def test_a_tree_of_256_has_a_full_tile_and_one_above_it() -> None:
    assert list(tile_paths(256)) == ["tile/0/000", "tile/entries/000", "tile/1/000.p/1"]
    assert list(tile_paths(0)) == []


def test_large_indexes_are_written_in_groups_of_three() -> None:
    assert list(tile_paths(256 * 1_235))[2 * 1_234] == "tile/0/x001/234"
    assert widths("tile/0/x001/x234/067", 256 * 1_234_067 + 5) == 5


@pytest.mark.parametrize("size", [1, 255, 256, 257, 70])
def test_entries_come_back_from_their_bundles(size: int) -> None:
    entries = [bytes([index % 256]) * index for index in range(size)]

    tiles = tiles_of(entries)

    assert entries_of(tiles, size) == entries
    assert all(
        len(tiles[f"tile/0/{index:03}"]) == 32 * widths(f"tile/0/{index:03}", size)
        for index in range(size // 257)
    )


@pytest.mark.parametrize("bundle", [b"", b"\0\1", b"\0\1a\0", b"\0\1a\0\1b\0"])
def test_a_bundle_that_is_cut_off_or_too_long_is_refused(bundle: bytes) -> None:
    with pytest.raises(ValueError, match="tile/entries/000"):
        entries_of({"tile/entries/000": bundle}, 2)


def test_an_entry_longer_than_its_length_can_say_is_refused() -> None:
    assert entries_of(tiles_of([b"x" * MAX_ENTRY_BYTES]), 1) == [b"x" * MAX_ENTRY_BYTES]
    with pytest.raises(ValueError, match="too long"):
        tiles_of([b"x" * (MAX_ENTRY_BYTES + 1)])
