"""The folder that a bake writes, and what it never replaces."""

import hashlib
import json
import os
from collections.abc import Iterator
from gzip import decompress
from pathlib import Path

import pytest

from sources.baked.registry import checksum_of
from tests.support.registries import (
    CURATOR,
    a_category,
    a_registry,
    content_of,
    files_of,
    fixture,
    signing_by,
)
from threegood.baking.bake import ForeignFiles, bake, baked_files
from threegood.registry.records import Registry
from threegood.registry.validate import validate
from threegood.trust.canonical import canonical_bytes, digest_of
from threegood.trust.checks import SignatureInvalid, Signing
from threegood.trust.statement import RegistrySignature

REGISTRY = validate(fixture("valid"))
SIGNING = signing_by(CURATOR, REGISTRY)
OTHER = a_registry({"apples": a_category("Apples")})


def files_in(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.fixture(autouse=True)
def _made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bakes each registry once, since its files are the same every time."""
    monkeypatch.setattr("threegood.baking.bake.baked_files", files_of)


@pytest.fixture
def tight_umask() -> Iterator[None]:
    before = os.umask(0o077)
    yield
    os.umask(before)


@pytest.fixture
def former(tmp_path: Path) -> Path:
    """A folder with a registry that was baked before."""
    bake(OTHER, tmp_path / "registry")
    return tmp_path / "registry"


def test_the_same_registry_gives_the_same_bytes_in_any_order_and_spacing() -> None:
    content = content_of("valid")
    content["categories"] = dict(reversed(content["categories"].items()))
    reordered = validate(json.dumps(content, indent=4).encode())

    assert baked_files(reordered, SIGNING) == files_of(REGISTRY, SIGNING)


def test_the_manifest_describes_the_other_files() -> None:
    files = files_of(REGISTRY, SIGNING)
    manifest = json.loads(files.pop("manifest.json"))
    checksum = manifest.pop("checksum")
    assert checksum == checksum_of(manifest)

    assert manifest == {
        "format": 4,
        "version": "1.2.0",
        "updated": "2026-03-31",
        "curator": content_of("valid")["curator"],
        "digest": digest_of(canonical_bytes(REGISTRY)),
        "status": "signed",
        "expires_at": "2126-10-29T00:00:00Z",
        "demonstration": False,
        "categories": 2,
        "endorsements": 1,
        "files": {
            name: {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            for name, data in files.items()
        },
    }
    assert decompress(files["canonical.json.gz"]) == canonical_bytes(REGISTRY)
    assert json.loads(files_of(REGISTRY)["manifest.json"])["status"] == "unsigned"


@pytest.mark.usefixtures("tight_umask")
def test_the_files_are_directly_in_the_folder_and_everybody_may_read_them(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "registry"

    bake(REGISTRY, folder)

    assert files_in(folder) == files_of(REGISTRY)
    assert folder.stat().st_mode & 0o777 == 0o755
    assert {file.stat().st_mode & 0o777 for file in folder.iterdir()} == {0o644}


def test_a_former_registry_is_replaced_and_nothing_else_is_left(former: Path) -> None:
    bake(REGISTRY, former)

    assert files_in(former) == files_of(REGISTRY)
    assert [entry.name for entry in former.parent.iterdir()] == ["registry"]


def test_a_registry_is_baked_with_the_signature_that_it_has(former: Path) -> None:
    signature = SIGNING.signature

    assert bake(REGISTRY, former, signature) == SIGNING
    assert files_in(former) == files_of(REGISTRY, SIGNING)
    assert signature is not None
    assert RegistrySignature.from_bytes((former / "registry.sig").read_bytes()) == signature

    assert bake(OTHER, former, signature) == Signing("edited")
    assert files_in(former) == files_of(OTHER, Signing("edited"))
    assert "registry.sig" not in files_in(former)


def test_a_wrong_signature_bakes_nothing(former: Path) -> None:
    signature = SIGNING.signature
    assert signature is not None
    forged = RegistrySignature(signature.signed._replace(signature="A" * 86 + "=="))

    with pytest.raises(SignatureInvalid, match="signature: It does not verify with its key"):
        bake(REGISTRY, former, forged)
    assert files_in(former) == files_of(OTHER)


def test_a_link_to_a_folder_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")

    bake(REGISTRY, tmp_path / "link")

    assert (tmp_path / "link").is_symlink()
    assert files_in(tmp_path / "real") == files_of(REGISTRY)


def test_a_folder_with_another_file_is_left_alone(former: Path) -> None:
    (former / "thesis.txt").write_text("years of work")

    with pytest.raises(ForeignFiles) as refusal:
        bake(REGISTRY, former)

    assert str(refusal.value) == (
        f"{former} holds thesis.txt, which is no part of a baked registry. "
        "Baking replaces the whole folder: name another one, or empty this one yourself."
    )
    assert files_in(former) == {**files_of(OTHER), "thesis.txt": b"years of work"}


@pytest.mark.parametrize("manifest", ["", "[]", "{}", '{"files": 1}'])
def test_a_folder_with_another_manifest_json_is_left_alone(tmp_path: Path, manifest: str) -> None:
    (tmp_path / "manifest.json").write_text(manifest)

    with pytest.raises(ForeignFiles, match=r"holds manifest\.json"):
        bake(REGISTRY, tmp_path)


def test_a_file_in_place_of_the_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "registry").write_text("a file")

    with pytest.raises(ForeignFiles, match="is a file"):
        bake(REGISTRY, tmp_path / "registry")

    assert (tmp_path / "registry").read_text() == "a file"


def test_a_refusal_comes_before_the_seconds_of_baking(former: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("threegood.baking.bake.baked_files")

    with pytest.raises(ForeignFiles):
        bake(REGISTRY, former.parent)


def test_a_file_that_appears_during_baking_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slowly(registry: Registry, signing: Signing, *, log: None) -> dict[str, bytes]:
        (tmp_path / ".notes").write_text("mine")
        return files_of(registry, signing, log=log)

    monkeypatch.setattr("threegood.baking.bake.baked_files", slowly)

    with pytest.raises(ForeignFiles, match=r"holds \.notes"):
        bake(REGISTRY, tmp_path)

    assert files_in(tmp_path) == {".notes": b"mine"}


def test_a_bake_that_fails_while_writing_leaves_the_former_registry(
    former: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unwritable = {"answers.bin": b"half", "no-such-folder/pages.bin": b""}
    monkeypatch.setattr("threegood.baking.bake.baked_files", lambda *_, **__: unwritable)

    with pytest.raises(FileNotFoundError):
        bake(REGISTRY, former)

    assert files_in(former) == files_of(OTHER)
    assert [entry.name for entry in former.parent.iterdir()] == ["registry"]


def test_a_bake_that_fails_while_replacing_restores_the_former_registry(
    former: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename = Path.rename

    def rename_all_but_the_new(path: Path, target: Path) -> Path:
        if path.name == "fresh":
            raise OSError(28, "No space left on device")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", rename_all_but_the_new)

    with pytest.raises(OSError, match="No space left"):
        bake(REGISTRY, former)

    assert files_in(former) == files_of(OTHER)
    assert [entry.name for entry in former.parent.iterdir()] == ["registry"]
