"""Opening and reading a baked registry, and the errors if it cannot be opened."""

import json
from pathlib import Path
from typing import Any

import pytest

from sources.baked import (
    BakedRegistry,
    BakedRegistryError,
    FormatMismatch,
    Manifest,
    PhraseLine,
    RecordDamaged,
    RegistryDamaged,
    RegistryMissing,
)
from sources.baked.postings import topic_of
from sources.baked.registry import checksum_of
from tests.support.registries import (
    CURATOR,
    SIGNED_AT,
    baked,
    content_of,
    files_of,
    fixture,
    signing_by,
)
from threegood.baking.bake import bake
from threegood.registry.validate import validate

REGISTRY = validate(fixture("valid"))
FILES = ("answers.bin", "canonical.json.gz", "lexicon.bin", "pages.bin", "phrases.txt", "proofs.bin")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    baked(tmp_path, REGISTRY)
    return tmp_path / "registry"


def change_manifest(folder: Path, **changes: Any) -> None:
    """Change members of the manifest, and its checksum with them."""
    file = folder / "manifest.json"
    changed = {**json.loads(file.read_bytes()), **changes}
    del changed["checksum"]
    file.write_text(json.dumps({**changed, "checksum": checksum_of(changed)}))


def refusal_of(folder: Path) -> BakedRegistryError:
    with pytest.raises(BakedRegistryError) as refusal:
        BakedRegistry.open(folder)
    return refusal.value


def test_the_manifest_is_read_at_once(tmp_path: Path) -> None:
    signing = signing_by(CURATOR, REGISTRY, valid_seconds=86_400)
    manifest = baked(tmp_path, REGISTRY, signing).manifest

    assert manifest == Manifest(
        version="1.2.0",
        updated="2026-03-31",
        curator_name="Ada Example",
        curator_pubkey=content_of("valid")["curator"]["pubkey"],
        digest=manifest.digest,
        status="signed",
        expires_at="2026-11-23T00:00:00Z",
        demonstration=False,
        categories=2,
        endorsements=1,
    )
    assert [manifest.status_at(SIGNED_AT + seconds) for seconds in (0, 86_399, 86_400)] == [
        "signed",
        "signed",
        "expired",
    ]


def test_the_answer_of_a_category_is_found_by_its_slug(folder: Path) -> None:
    answer = BakedRegistry.open(folder).answer("learn-rust")

    assert answer is not None
    assert answer.structured["category"]["name"] == "Learning Rust"
    assert answer.text.startswith("Learning Rust\n")
    assert BakedRegistry.open(folder).answer("learn-cobol") is None


def test_each_caller_gets_its_own_copy_of_a_page(folder: Path) -> None:
    registry = BakedRegistry.open(folder)

    registry.page("categories").structured.clear()

    assert registry.page("categories").structured["count"] == 2


def test_an_answer_is_read_once(folder: Path) -> None:
    registry = BakedRegistry.open(folder)

    assert registry.answer("learn-rust") is registry.answer("learn-rust")


def test_an_unknown_page_is_a_key_error(folder: Path) -> None:
    with pytest.raises(KeyError, match="prices"):
        BakedRegistry.open(folder).page("prices")


def test_phrases_are_read_category_by_category(folder: Path) -> None:
    lines = BakedRegistry.open(folder).phrases()

    assert [line._replace(phrases=line.phrases[:4]) for line in lines] == [
        PhraseLine(
            "learn-rust",
            ("learn rust", "learning rust", "get started rust", "rust beginners"),
        ),
        PhraseLine(
            "sourdough-bread", ("sourdough bread", "bake sourdough", "sourdough starter", "bread yeast")
        ),
    ]


def test_the_topics_of_the_vocabulary_are_indexes_of_categories(folder: Path) -> None:
    registry = BakedRegistry.open(folder)

    row = registry.vocabulary().find("sourdough")

    assert row is not None
    assert [
        registry.slug_at(topic_of(posting)) for posting in registry.vocabulary().strongest_postings(row)
    ] == ["sourdough-bread"]
    assert registry.vocabulary().categories == 2


def test_opening_reads_only_the_manifest(folder: Path) -> None:
    registry = BakedRegistry.open(folder)
    for file in folder.iterdir():
        file.unlink()

    assert registry.manifest.categories == 2


def test_an_open_registry_outlives_the_bake_that_replaces_it(folder: Path) -> None:
    registry = BakedRegistry.open(folder)
    before = registry.answer("learn-rust")
    rust = registry.vocabulary().find("rust")

    bake(validate(fixture("valid").replace(b"Learning Rust", b"Rust, Learned")), folder)

    assert registry.answer("learn-rust") == before
    assert rust is not None
    assert registry.vocabulary().find("rust") == rust


@pytest.mark.parametrize("name", ["nowhere", "a-file", "empty"])
def test_a_folder_without_a_registry_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "a-file").touch()
    (tmp_path / "empty").mkdir()

    refusal = refusal_of(tmp_path / name)

    assert isinstance(refusal, RegistryMissing)
    assert str(refusal) == f"{tmp_path / name}: there is no baked registry here. Run `make bake`."


@pytest.mark.parametrize("found", [0, 3, 5, "4", None])
def test_a_registry_of_another_format_is_refused(folder: Path, found: object) -> None:
    change_manifest(folder, format=found)

    refusal = refusal_of(folder)

    assert isinstance(refusal, FormatMismatch)
    assert str(refusal) == (
        f"{folder}: this registry was baked in format {found}, but this code reads format 4. Run `make bake`."
    )


@pytest.mark.parametrize("manifest", ["", "[]", "{", '{"format": 4}', '{"format": 4, "checksum": 0}'])
def test_an_invalid_manifest_is_refused(folder: Path, manifest: str) -> None:
    (folder / "manifest.json").write_text(manifest)

    refusal = refusal_of(folder)

    assert isinstance(refusal, RegistryDamaged)
    assert str(refusal) == f"{folder}: manifest.json is missing or not as it was baked. Run `make bake`."


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_too_short_or_missing_is_refused(folder: Path, name: str) -> None:
    (folder / name).write_bytes((folder / name).read_bytes()[:-1])
    too_short = refusal_of(folder)
    (folder / name).unlink()
    missing = refusal_of(folder)

    assert [type(refusal) for refusal in (too_short, missing)] == [RegistryDamaged] * 2
    assert [str(refusal) for refusal in (too_short, missing)] == [
        f"{folder}: {name} is missing or not as it was baked. Run `make bake`."
    ] * 2


@pytest.mark.parametrize("name", ["answers.bin", "pages.bin", "lexicon.bin"])
def test_an_intact_file_of_another_registry_is_no_part_of_this_one(folder: Path, name: str) -> None:
    """Its blocks have the right checksums, but for another digest."""
    other = files_of(validate(fixture("valid").replace(b"1.2.0", b"1.2.1")))[name]
    assert len(other) == (folder / name).stat().st_size
    (folder / name).write_bytes(other)
    registry = BakedRegistry.open(folder)

    with pytest.raises(RecordDamaged) as damage:
        read_from(registry, name)
    assert damage.value.file == name


def read_from(registry: BakedRegistry, name: str) -> object:
    match name:
        case "answers.bin":
            return registry.answer("learn-rust")
        case "pages.bin":
            return registry.page("categories")
        case _:
            return registry.vocabulary()
