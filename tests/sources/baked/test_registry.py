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
    RegistryDamaged,
    RegistryMissing,
)
from sources.baked.postings import topic_of
from tests.support.registries import (
    CURATORS_KEY,
    a_category,
    a_registry,
    baked,
    content_of,
    files_of,
    fixture,
)
from threegood.baking.bake import bake
from threegood.registry.validate import validate

REGISTRY = validate(fixture("valid"))
FILES = ("answers.bin", "canonical.json.gz", "lexicon.bin", "pages.bin", "phrases.txt")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    baked(tmp_path, REGISTRY)
    return tmp_path / "registry"


def change_manifest(folder: Path, **changes: Any) -> None:
    file = folder / "manifest.json"
    file.write_text(json.dumps({**json.loads(file.read_bytes()), **changes}))


def refusal_of(folder: Path) -> BakedRegistryError:
    with pytest.raises(BakedRegistryError) as refusal:
        BakedRegistry.open(folder)
    return refusal.value


def test_the_manifest_is_read_at_once(tmp_path: Path) -> None:
    manifest = baked(tmp_path, REGISTRY, key=CURATORS_KEY).manifest

    assert manifest == Manifest(
        version="1.2.0",
        updated="2026-03-31",
        curator_name="Ada Example",
        curator_pubkey=content_of("valid")["curator"]["pubkey"],
        digest=manifest.digest,
        signature=manifest.signature,
        categories=2,
        endorsements=1,
    )
    assert manifest.signature is not None


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


@pytest.mark.parametrize("found", [0, 1, 3, "2", None])
def test_a_registry_of_another_format_is_refused(folder: Path, found: object) -> None:
    change_manifest(folder, format=found)

    refusal = refusal_of(folder)

    assert isinstance(refusal, FormatMismatch)
    assert str(refusal) == (
        f"{folder}: this registry was baked in format {found}, but this code reads format 2. Run `make bake`."
    )


@pytest.mark.parametrize("manifest", ["", "[]", "{", '{"format": 2}', '{"format": 2, "files": 1}'])
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


@pytest.mark.parametrize(
    "lexicon", [b"", bytes(1000), files_of(a_registry({"bread": a_category("Bread")}))["lexicon.bin"]]
)
def test_a_lexicon_of_another_registry_or_none_is_refused_when_it_is_read(
    folder: Path, lexicon: bytes
) -> None:
    sizes = json.loads((folder / "manifest.json").read_bytes())["files"]
    (folder / "lexicon.bin").write_bytes(lexicon)
    change_manifest(folder, files={**sizes, "lexicon.bin": len(lexicon)})
    registry = BakedRegistry.open(folder)

    with pytest.raises(RegistryDamaged, match=r"lexicon\.bin"):
        registry.vocabulary()
