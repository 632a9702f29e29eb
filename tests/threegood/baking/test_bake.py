"""The folder that a bake leaves, and what it never leaves."""

import json
import os
from collections.abc import Iterator
from gzip import decompress
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.support.registries import CURATORS_KEY, a_category, a_registry, content_of, files_of, fixture
from threegood.baking.bake import ForeignFiles, SignatureWouldBeLost, bake, baked_files
from threegood.baking.canonical import canonical_bytes, digest_of
from threegood.baking.sign import verified
from threegood.registry.records import Registry
from threegood.registry.validate import validate

REGISTRY = validate(fixture("valid"))
OTHER = a_registry({"apples": a_category("Apples")})


def files_in(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.fixture(autouse=True)
def _made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same registries are baked again and again here, and their files are the same each time."""
    monkeypatch.setattr("threegood.baking.bake.baked_files", files_of)


@pytest.fixture
def tight_umask() -> Iterator[None]:
    before = os.umask(0o077)
    yield
    os.umask(before)


def test_the_files_lie_directly_in_the_folder(tmp_path: Path) -> None:
    bake(REGISTRY, tmp_path / "new" / "registry")

    assert files_in(tmp_path / "new" / "registry") == files_of(REGISTRY)


def test_the_same_registry_gives_the_same_bytes_whatever_its_order_and_spacing() -> None:
    content = content_of("valid")
    content["categories"] = dict(reversed(content["categories"].items()))
    turned_round = validate(json.dumps(content, indent=4).encode())

    assert baked_files(turned_round, key=CURATORS_KEY) == files_of(REGISTRY, key=CURATORS_KEY)


def test_the_manifest_says_what_was_baked() -> None:
    files = files_of(REGISTRY, key=CURATORS_KEY)
    manifest = json.loads(files.pop("manifest.json"))
    signature = manifest.pop("signature")

    assert manifest == {
        "format": 2,
        "version": "1.2.0",
        "updated": "2026-03-31",
        "curator": content_of("valid")["curator"],
        "digest": digest_of(canonical_bytes(REGISTRY)),
        "categories": 2,
        "endorsements": 1,
        "files": {name: len(data) for name, data in files.items()},
    }
    assert set(files) == {"answers.bin", "canonical.json.gz", "lexicon.bin", "pages.bin", "phrases.txt"}
    assert verified(decompress(files["canonical.json.gz"]), signature, pubkey=REGISTRY.curator.pubkey)


@pytest.mark.usefixtures("tight_umask")
def test_everybody_may_read_what_was_baked_whoever_baked_it(tmp_path: Path) -> None:
    folder = tmp_path / "registry"

    bake(REGISTRY, folder)

    assert folder.stat().st_mode & 0o777 == 0o755
    assert {file.stat().st_mode & 0o777 for file in folder.iterdir()} == {0o644}


def test_a_former_registry_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    bake(OTHER, tmp_path / "registry")

    bake(REGISTRY, tmp_path / "registry")

    assert files_in(tmp_path / "registry") == files_of(REGISTRY)
    assert [entry.name for entry in tmp_path.iterdir()] == ["registry"]


def test_a_signed_registry_is_not_replaced_by_an_unsigned_one_unawares(tmp_path: Path) -> None:
    bake(REGISTRY, tmp_path / "registry", key=CURATORS_KEY)

    with pytest.raises(SignatureWouldBeLost) as refusal:
        bake(OTHER, tmp_path / "registry")

    assert str(refusal.value) == (
        f"{tmp_path / 'registry'} holds a signed registry, which an unsigned one would replace."
    )
    assert files_in(tmp_path / "registry") == files_of(REGISTRY, key=CURATORS_KEY)
    assert [entry.name for entry in tmp_path.iterdir()] == ["registry"]


def test_a_link_to_a_folder_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")

    bake(REGISTRY, tmp_path / "link")

    assert (tmp_path / "link").is_symlink()
    assert files_in(tmp_path / "real") == files_of(REGISTRY)


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "thesis.txt").write_text("years of work")

    with pytest.raises(ForeignFiles) as refusal:
        bake(REGISTRY, folder)

    assert str(refusal.value) == (
        f"{folder} holds thesis.txt, which is no part of a baked registry. "
        "Baking replaces the whole folder: name another one, or empty this one yourself."
    )
    assert files_in(folder) == {"thesis.txt": b"years of work"}
    assert [entry.name for entry in tmp_path.iterdir()] == ["work"]


def test_what_is_refused_is_refused_before_seconds_of_baking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bake(REGISTRY, tmp_path / "signed", key=CURATORS_KEY)
    (tmp_path / "thesis.txt").write_text("years of work")
    monkeypatch.delattr("threegood.baking.bake.baked_files")

    with pytest.raises(ForeignFiles):
        bake(REGISTRY, tmp_path)
    with pytest.raises(SignatureWouldBeLost):
        bake(REGISTRY, tmp_path / "signed")


def test_a_file_that_appears_while_the_registry_is_baked_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slowly(registry: Registry, *, key: Ed25519PrivateKey | None) -> dict[str, bytes]:
        (tmp_path / ".notes").write_text("mine")
        return files_of(registry, key=key)

    monkeypatch.setattr("threegood.baking.bake.baked_files", slowly)

    with pytest.raises(ForeignFiles, match=r"holds \.notes"):
        bake(REGISTRY, tmp_path)

    assert files_in(tmp_path) == {".notes": b"mine"}


@pytest.mark.parametrize("manifest", ["", "[]", "{}", '{"files": 1}'])
def test_a_manifest_that_is_not_ours_does_not_open_the_folder(tmp_path: Path, manifest: str) -> None:
    (tmp_path / "manifest.json").write_text(manifest)

    with pytest.raises(ForeignFiles, match=r"holds manifest\.json"):
        bake(REGISTRY, tmp_path)


def test_a_file_in_the_way_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "registry").write_text("a file")

    with pytest.raises(ForeignFiles, match="is a file"):
        bake(REGISTRY, tmp_path / "registry")

    assert (tmp_path / "registry").read_text() == "a file"


def test_a_bake_that_fails_while_writing_leaves_the_former_registry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bake(OTHER, tmp_path / "registry")
    monkeypatch.setattr("threegood.baking.bake._write", _disk_full)

    with pytest.raises(OSError, match="No space left"):
        bake(REGISTRY, tmp_path / "registry")

    assert files_in(tmp_path / "registry") == files_of(OTHER)
    assert [entry.name for entry in tmp_path.iterdir()] == ["registry"]


def test_a_bake_that_fails_while_swapping_puts_the_former_registry_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bake(OTHER, tmp_path / "registry")
    monkeypatch.setattr("threegood.baking.bake._write", _lost)

    with pytest.raises(FileNotFoundError):
        bake(REGISTRY, tmp_path / "registry")

    assert files_in(tmp_path / "registry") == files_of(OTHER)
    assert [entry.name for entry in tmp_path.iterdir()] == ["registry"]


def _disk_full(folder: Path, contents: dict[str, bytes]) -> None:
    folder.mkdir()
    (folder / next(iter(contents))).write_bytes(b"half")
    raise OSError(28, "No space left on device")


def _lost(folder: Path, contents: dict[str, bytes]) -> None:
    """Writes nothing, so that there is nothing to put in the former registry's place."""
