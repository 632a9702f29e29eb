"""Writes a registry to the folder that becomes `/opt/registry`: same registry and signature, same bytes."""

import gzip
import hashlib
import json
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from sources.baked import (
    ANSWERS,
    CANONICAL,
    FORMAT,
    LEXICON,
    LOG,
    MANIFEST,
    PAGES,
    PHRASES,
    PROOFS,
    SIGNATURE,
)
from sources.baked.registry import checksum_of
from threegood.baking.lexicon import bake_lexicon
from threegood.baking.log import bake_log
from threegood.baking.packing import pack_table, with_checksums
from threegood.baking.phrases import bake_phrases
from threegood.baking.proofs import bake_proofs
from threegood.baking.provenance import render_provenance
from threegood.baking.render import (
    render_categories,
    render_category,
    render_endorsements,
    render_registry,
)
from threegood.baking.subjects import general_words
from threegood.registry.records import Registry
from threegood.trust.canonical import canonical_bytes, digest_of
from threegood.trust.checks import UNSIGNED, Signing, signing_of
from threegood.trust.log import Log
from threegood.trust.statement import RegistrySignature, root_of

# The function runs as another user than the one who bakes, and must be able to read the files.
_FOLDER_MODE: Final = 0o755
_FILE_MODE: Final = 0o644


class ForeignFiles(Exception):
    """The folder to bake into holds files that are not part of a baked registry."""


def bake(
    registry: Registry, folder: Path, signature: RegistrySignature | None = None, log: Log | None = None
) -> Signing:
    """Writes the baked registry to `folder`, replacing a former one, and gives how it is signed.

    The replacement is atomic: everything is written beside the folder first, and a former registry is removed
    when the new one is in place. `signature` is the content of `registry.sig`; a registry that was edited
    since it was signed is baked without.

    Raises:
        ForeignFiles: `folder` holds other files; nothing was changed.
        SignatureInvalid: the signature is one of this registry, and a check of it fails; nothing was changed.
    """
    folder = folder.resolve()
    _refuse_foreign_files(folder)
    signing = signing_of(registry, digest_of(canonical_bytes(registry)), signature)
    _replace(folder, baked_files(registry, signing, log=log))
    return signing


def baked_files(
    registry: Registry,
    signing: Signing = UNSIGNED,
    *,
    log: Log | None = None,
    canonical: bytes = b"",
    lexicon: bytes = b"",
) -> dict[str, bytes]:
    """The files of the baked registry and of its log, by name.

    A registry that is known only by its `canonical` bytes has no vocabulary: then `lexicon` is the file that
    was made of it.
    """
    canonical = canonical or canonical_bytes(registry)
    digest = digest_of(canonical)
    signed = signing.signature and signing.signature.content()
    in_parts = {
        ANSWERS: _answers(registry),
        PROOFS: bake_proofs(registry, signed),
        PAGES: _pages(registry, signing, digest=digest),
        LOG: bake_log(log),
    }
    contents = {
        CANONICAL: gzip.compress(canonical, mtime=0),
        PHRASES: bake_phrases(registry),
        LEXICON: lexicon or with_checksums(LEXICON, bake_lexicon(registry, general_words(registry)), digest),
        **{name: with_checksums(name, content, digest) for name, content in in_parts.items()},
    }
    if signing.signature is not None:
        contents[SIGNATURE] = signing.signature.to_bytes()
    return {**contents, MANIFEST: _manifest(registry, signing, contents, digest=digest)}


def _answers(registry: Registry) -> bytes:
    return pack_table(
        (slug, *render_category(slug, category)) for slug, category in registry.categories.items()
    )


def _pages(registry: Registry, signing: Signing, *, digest: str) -> bytes:
    return pack_table(
        [
            ("categories", *render_categories(registry)),
            ("endorsements", *render_endorsements(registry)),
            ("provenance", *render_provenance(registry, signing, digest=digest, root=root_of(registry))),
            ("registry", *render_registry(registry, signing, digest=digest)),
        ]
    )


def _manifest(registry: Registry, signing: Signing, contents: Mapping[str, bytes], *, digest: str) -> bytes:
    signature = signing.signature
    manifest: dict[str, Any] = {
        "format": FORMAT,
        "version": registry.version,
        "updated": registry.updated,
        "curator": {"name": registry.curator.name, "pubkey": registry.curator.pubkey},
        "digest": digest,
        "status": signing.status,
        "expires_at": None if signature is None else signature.statement.expires_at,
        "demonstration": signature is not None and signature.statement.demonstration,
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
