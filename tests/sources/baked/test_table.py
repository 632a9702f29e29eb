"""A table of answers, of which one is read without the rest."""

import pytest

from sources.baked.table import Table, TableEntry
from threegood.baking.packing import MAX_PLAIN_TABLE_BYTES, pack_table

ENTRIES = [("b", b"{}", "text of b"), ("a", b'{"a":1}', "täxt"), ("c-d", b"[]", "")]


class Watched:
    """Bytes that remember how many of them were read."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.read = 0

    def __getitem__(self, span: slice, /) -> bytes:
        part = self._data[span]
        self.read += len(part)
        return part


@pytest.mark.parametrize("largest_plain", [MAX_PLAIN_TABLE_BYTES, 0])
def test_every_answer_is_found_under_its_key(largest_plain: int) -> None:
    table = Table(pack_table(ENTRIES, max_plain_bytes=largest_plain))

    assert [table.find(key) for key, _, _ in ENTRIES] == [TableEntry(*entry) for entry in ENTRIES]


@pytest.mark.parametrize("largest_plain", [MAX_PLAIN_TABLE_BYTES, 0])
@pytest.mark.parametrize("key", ["", "0", "aa", "c", "z", "ä", "\x00", "\ud800"])
def test_a_key_that_is_not_there_finds_nothing(key: str, largest_plain: int) -> None:
    assert Table(pack_table(ENTRIES, max_plain_bytes=largest_plain)).find(key) is None


def test_a_table_is_compressed_if_its_answers_are_larger_than_the_largest_that_stays_plain() -> None:
    entries = [("key", b"x" * 500, "y" * 500)]

    plain, compressed = (pack_table(entries, max_plain_bytes=size) for size in (1003, 1002))

    assert b"x" * 500 in plain
    assert len(compressed) < 100
    assert Table(compressed).at(0) == Table(plain).at(0) == TableEntry(*entries[0])


def test_an_empty_table_finds_nothing() -> None:
    table = Table(pack_table([]))

    assert (table.find("a"), list(table.keys())) == (None, [])


@pytest.mark.parametrize("largest_plain", [MAX_PLAIN_TABLE_BYTES, 0])
def test_the_keys_ascend_whatever_order_they_came_in(largest_plain: int) -> None:
    packed = pack_table(ENTRIES, max_plain_bytes=largest_plain)

    assert list(Table(packed).keys()) == ["a", "b", "c-d"]
    assert packed == pack_table(reversed(ENTRIES), max_plain_bytes=largest_plain)


def test_finding_one_of_a_thousand_answers_reads_a_hundredth_of_the_table() -> None:
    data = pack_table((f"key-{number:04}", b"x" * 500, "y" * 500) for number in range(1000))
    watched = Watched(data)

    assert Table(watched).find("key-0777") == TableEntry("key-0777", b"x" * 500, "y" * 500)
    assert watched.read < len(data) / 100
