"""Bytes of a baked registry are changed at many places: an answer stays as it was, or is a clear error."""

import json
import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import pytest

from sources.baked import LEXICON, BakedRegistry, Lexicon, RecordDamaged
from sources.baked.checked import BLOCK, CHECKSUM_SIZE, CheckedFile
from sources.baked.registry import checksum_of
from tests.support.damage import DAMAGED, REGISTRY, answers, reads
from tests.support.registries import files_of
from threegood.baking.packing import Term, pack_lexicon, pack_posting, with_checksums

TOPICS: Final = 2000
BYTES_CHANGED: Final = 4


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    baked = tmp_path_factory.mktemp("registry")
    for name, data in files_of(REGISTRY).items():
        (baked / name).write_bytes(data)
    return baked


def places(folder: Path, name: str) -> Iterator[int]:
    """Places all over a file; of the vocabulary, in the blocks that the reads need."""
    size = (folder / name).stat().st_size
    if name != LEXICON:
        yield from range(0, size - BYTES_CHANGED, 11)
        return
    registry = BakedRegistry.open(folder)
    for read in reads(registry):
        read()
    file = registry.vocabulary()._file
    for block in range(len(file.content) // BLOCK):
        if file.checked[block]:
            yield from range(block * BLOCK + block % 97, (block + 1) * BLOCK - BYTES_CHANGED, 1021)
            yield len(file.content) + CHECKSUM_SIZE * block


def change(file: Path, place: int, mask: int) -> bytes:
    """Change bytes of a file; returns those that were there."""
    with file.open("r+b") as opened:
        opened.seek(place)
        before = opened.read(BYTES_CHANGED)
        opened.seek(place)
        opened.write(bytes(byte ^ mask for byte in before))
    return before


@pytest.mark.parametrize("name", sorted(files_of(REGISTRY)))
def test_changed_bytes_give_the_same_answer_or_a_clear_error_and_never_another_answer(
    folder: Path, name: str
) -> None:
    intact = answers(folder)
    unnoticed = 0
    for place in places(folder, name):
        mask = random.Random(place).choice((0x01, 0x20, 0x80, 0xFF))
        change(folder / name, place, mask)
        found = answers(folder)
        change(folder / name, place, mask)
        unnoticed += found == intact
        assert all(each in (DAMAGED, before) for each, before in zip(found, intact, strict=False)), place

    assert unnoticed == 0
    assert answers(folder) == intact


def lookups(lexicon: Lexicon) -> Iterator[Any]:
    """What can be asked of a vocabulary, about a key with more postings than are read, and others."""
    for key in ("long", "short", "unknown"):
        row = lexicon.find(key)
        yield row
        if row is not None:
            yield lexicon.weight(row), lexicon.is_common(row), lexicon.is_complete(row)
            yield list(lexicon.strongest_postings(row))
            yield [lexicon.posting(row, topic) for topic in (0, 700, TOPICS - 1, TOPICS)]
    yield from (sorted(lexicon.spellings_with(variant)) for variant in ("lon", "shrt", "none"))
    yield lexicon.out_of_scope_name(TOPICS)


def looked_up(data: bytes) -> list[Any]:
    """The lookups up to the first that meets damage."""
    found: list[Any] = []
    with suppress(RecordDamaged):
        found.extend(lookups(Lexicon(CheckedFile(LEXICON, data, "a digest"))))
    return found


def test_a_changed_byte_of_a_vocabulary_with_many_postings_gives_no_other_lookup() -> None:
    own = [pack_posting(topic, "keyword", topic % 100 / 100) for topic in range(TOPICS)]
    terms = {
        "long": Term(0.5, own),
        "short": Term(0.9, own[:3]),
        **{f"k{n}": Term(1, ()) for n in range(900)},
    }
    content = pack_lexicon(
        categories=TOPICS,
        out_of_scope=["Cars"],
        terms=terms,
        spellings={"long": "long", "short": "short"},
        variants=[("lon", "long"), ("shrt", "short")],
    )
    data = with_checksums(LEXICON, content, "a digest")
    intact = looked_up(data)

    for place in range(0, len(data), 7):
        damaged = data[:place] + bytes([data[place] ^ 0x10]) + data[place + 1 :]
        found = looked_up(damaged)
        assert found == intact[: len(found)], place
    assert len(intact) == 13


def test_four_changed_bytes_of_an_address_are_an_error_that_names_file_and_offset_in_its_reason_alone(
    folder: Path,
) -> None:
    place = (folder / "answers.bin").read_bytes().index(b"https://example.org/2")
    change(folder / "answers.bin", place, 0x01)
    with pytest.raises(RecordDamaged) as damage:
        BakedRegistry.open(folder).answer("learn-rust")
    found = BakedRegistry.open(folder).damaged_files()
    change(folder / "answers.bin", place, 0x01)

    assert "answers.bin" in damage.value.reason
    assert str(place // BLOCK * BLOCK) in damage.value.reason
    assert "answers" not in damage.value.message
    assert (found, BakedRegistry.open(folder).damaged_files()) == (["answers.bin"], [])


def test_a_manifest_whose_checksum_is_made_anew_still_needs_files_with_its_digests(folder: Path) -> None:
    file = folder / "manifest.json"
    before = file.read_bytes()
    manifest = json.loads(before)
    del manifest["checksum"]
    manifest["files"]["phrases.txt"]["sha256"] = "0" * 64
    file.write_text(json.dumps({**manifest, "checksum": checksum_of(manifest)}))
    registry = BakedRegistry.open(folder)
    file.write_bytes(before)

    with pytest.raises(RecordDamaged):
        registry.phrases()
    assert registry.damaged_files() == ["phrases.txt"]
