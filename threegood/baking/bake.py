"""Writes a registry to the folder that becomes `/opt/registry`: same registry and key, same bytes."""

import gzip
import hashlib
import json
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sources.answers import SignedStatement
from sources.baked import ANSWERS, CANONICAL, FORMAT, LEXICON, LOG, MANIFEST, PAGES, PHRASES, PROOFS
from sources.baked.registry import checksum_of
from threegood.baking.canonical import canonical_bytes, digest_of
from threegood.baking.lexicon import bake_lexicon
from threegood.baking.log import bake_log
from threegood.baking.packing import pack_table, with_checksums
from threegood.baking.phrases import bake_phrases
from threegood.baking.proofs import bake_proofs
from threegood.baking.render import (
    render_categories,
    render_category,
    render_endorsements,
    render_provenance,
    render_registry,
)
from threegood.baking.sign import sign
from threegood.baking.subjects import general_words
from threegood.registry.records import Registry
from threegood.trust.log import Log

# The function runs as another user than the one who bakes, and must be able to read the files.
_FOLDER_MODE: Final = 0o755
_FILE_MODE: Final = 0o644


class ForeignFiles(Exception):
    """The folder to bake into holds files that are not part of a baked registry."""


class SignatureWouldBeLost(Exception):
    """The folder holds a signed registry, which an unsigned one would replace."""


def bake(
    registry: Registry,
    folder: Path,
    *,
    key: Ed25519PrivateKey | None = None,
    log: Log | None = None,
    allow_unsigned: bool = False,
) -> None:
    """Writes the baked registry to `folder`, replacing a former one.

    The replacement is atomic: everything is written beside the folder first, and a former registry is removed
    when the new one is in place. Without `key` the registry is not signed, and replaces a signed one only if
    `allow_unsigned`.

    Raises:
        KeyUnusable: `key` is not the one that the registry names.
        ForeignFiles: `folder` holds other files; nothing was changed.
        SignatureWouldBeLost: `folder` holds a signed registry, and there is no `key`; nothing was changed.
    """
    folder = folder.resolve()
    _refuse_foreign_files(folder)
    if key is None and not allow_unsigned and _signed(folder):
        raise SignatureWouldBeLost(f"{folder} holds a signed registry, which an unsigned one would replace.")
    _replace(folder, baked_files(registry, key=key, log=log))


def baked_files(
    registry: Registry,
    *,
    key: Ed25519PrivateKey | None = None,
    signed: SignedStatement | None = None,
    log: Log | None = None,
) -> dict[str, bytes]:
    """The files of the baked registry and of its log, by name; `signed` is the content of `registry.sig`."""
    canonical = canonical_bytes(registry)
    digest = digest_of(canonical)
    signature = None if key is None else sign(canonical, key, pubkey=registry.curator.pubkey)
    in_parts = {
        LEXICON: bake_lexicon(registry, general_words(registry)),
        ANSWERS: _answers(registry),
        PROOFS: bake_proofs(registry, signed),
        PAGES: _pages(registry, digest=digest, signature=signature),
        LOG: bake_log(log),
    }
    contents = {
        CANONICAL: gzip.compress(canonical, mtime=0),
        PHRASES: bake_phrases(registry),
        **{name: with_checksums(name, content, digest) for name, content in in_parts.items()},
    }
    return {**contents, MANIFEST: _manifest(registry, contents, digest=digest, signature=signature)}


def _answers(registry: Registry) -> bytes:
    return pack_table(
        (slug, *render_category(slug, category)) for slug, category in registry.categories.items()
    )


def _pages(registry: Registry, *, digest: str, signature: str | None) -> bytes:
    return pack_table(
        [
            ("categories", *render_categories(registry)),
            ("endorsements", *render_endorsements(registry)),
            ("provenance", *render_provenance(registry, digest=digest, signature=signature)),
            ("registry", *render_registry(registry, digest=digest, signature=signature)),
        ]
    )


def _manifest(
    registry: Registry, contents: Mapping[str, bytes], *, digest: str, signature: str | None
) -> bytes:
    manifest: dict[str, Any] = {
        "format": FORMAT,
        "version": registry.version,
        "updated": registry.updated,
        "curator": {"name": registry.curator.name, "pubkey": registry.curator.pubkey},
        "digest": digest,
        "signature": signature,
        "categories": len(registry.categories),
        "endorsements": len(registry.endorsements),
        "files": {
            name: {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            for name, data in contents.items()
        },
    }
    manifest["checksum"] = checksum_of(manifest)
    return (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode("utf-8")


def _replace(folder: Path, contents: Mapping[str, bytes]) -> None:
    _refuse_foreign_files(folder)  # again: files may have appeared while baking, which takes seconds
    folder.parent.mkdir(parents=True, exist_ok=True)
    # A sibling is on the same file system, so that renaming it is atomic.
    scratch = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    fresh, former = scratch / "fresh", scratch / "former"
    try:
        _write(fresh, contents)
        _swap(folder, fresh=fresh, former=former)
    finally:
        # If the former registry could not be restored, it stays in the scratch folder.
        if folder.exists() or not former.exists():
            shutil.rmtree(scratch)


def _refuse_foreign_files(folder: Path) -> None:
    if not folder.exists():
        return
    if not folder.is_dir():
        raise ForeignFiles(f"{folder} is a file. Name a folder to bake into.")
    foreign = sorted({entry.name for entry in folder.iterdir()} - _baked_names(folder))
    if foreign:
        raise ForeignFiles(
            f"{folder} holds {foreign[0]}, which is no part of a baked registry. "
            "Baking replaces the whole folder: name another one, or empty this one yourself."
        )


def _baked_names(folder: Path) -> frozenset[str]:
    """The names of the files of a former registry, whatever its format."""
    try:
        return frozenset({MANIFEST, *_former_manifest(folder)["files"]})
    except (TypeError, KeyError):
        return frozenset()


def _signed(folder: Path) -> bool:
    return _former_manifest(folder).get("signature") is not None


def _former_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a former registry; empty if there is none."""
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError):
        return {}
    return manifest if isinstance(manifest, dict) else {}


def _write(folder: Path, contents: Mapping[str, bytes]) -> None:
    folder.mkdir()
    for name, data in contents.items():
        file = folder / name
        file.write_bytes(data)
        file.chmod(_FILE_MODE)
    folder.chmod(_FOLDER_MODE)


def _swap(folder: Path, *, fresh: Path, former: Path) -> None:
    if not folder.exists():
        fresh.rename(folder)
        return
    folder.rename(former)
    try:
        fresh.rename(folder)
    except OSError:
        former.rename(folder)
        raise
