"""Compares a baked folder with what the registry and the signature within it give when they are baked again.

The manifest beside the files is not trusted: whoever changes a file can change it too. The vocabulary is
known by its digest alone, so `lexicon.bin` is compared with the manifest, unless the registry's own files are
given.
"""

import gzip
import json
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from sources.baked import LEXICON, MANIFEST, BakedRegistry, RecordDamaged
from threegood.baking.bake import baked_files
from threegood.baking.log import log_in
from threegood.registry.records import Registry
from threegood.trust.canonical import canonical_bytes, digest_of, registry_in
from threegood.trust.checks import UNSIGNED, Finding, Signing, check_signature
from threegood.trust.keys import PublicKey
from threegood.trust.log import Log
from threegood.trust.log_checks import Published, verify_log
from threegood.trust.statement import MalformedSignature, RegistrySignature

__all__ = ["compare_folder"]

_OF_FILES: Final = ("files", "checksum")


def compare_folder(
    folder: Path, *, now: float, source: Registry | None, unsigned: bool, pinned: PublicKey | None
) -> Iterator[Finding]:
    """All checks of a baked folder.

    With `source`, the registry that it should be of, every file is compared. With `unsigned` a registry that
    is not signed, was edited since or has expired passes.

    Raises:
        BakedRegistryError: it is no baked folder of this version.
    """
    baked = BakedRegistry.open(folder)
    damaged = baked.damaged_files()
    yield Finding(
        "bytes", not damaged, _list(damaged, "not as it was baked") or "every byte is as it was baked"
    )
    try:
        canonical = baked.canonical()
        registry = registry_in(canonical)
        data = baked.signature()
        signature = None if data is None else RegistrySignature.from_bytes(data)
        log = log_in(baked.log())
    except (ValueError, RecordDamaged, MalformedSignature, zlib.error) as error:
        yield Finding("canonical form", False, f"{type(error).__name__}: {error}")
        return
    digest = digest_of(canonical)
    yield from _signature(baked, registry, digest, signature, now=now, unsigned=unsigned, pinned=pinned)
    if source is not None:
        same = canonical_bytes(source) == canonical
        yield Finding(
            "source", same, "as the registry's files" if same else "Another registry than its files."
        )
        registry = source
    if log is not None:
        yield _log(log, canonical, now, unsigned=unsigned)
    yield _files(folder, registry, canonical, _signing(baked, signature), log, whole=source is not None)


def _signature(
    baked: BakedRegistry,
    registry: Registry,
    digest: str,
    signature: RegistrySignature | None,
    *,
    now: float,
    unsigned: bool,
    pinned: PublicKey | None,
) -> Iterator[Finding]:
    if signature is None:
        status = baked.manifest.status
        yield Finding("signature", unsigned, f"The registry is {status}: run `threegood sign`.")
        return
    for found in check_signature(registry, digest, signature, now=now, pinned=pinned):
        yield found._replace(ok=True) if unsigned and found.check == "expiry" else found


def _signing(baked: BakedRegistry, signature: RegistrySignature | None) -> Signing:
    if signature is not None:
        return Signing("signed", signature)
    return Signing("edited") if baked.manifest.status == "edited" else UNSIGNED


def _log(log: Log, canonical: bytes, now: float, *, unsigned: bool) -> Finding:
    """Whether the log is sound; that of an unsigned registry may lag behind it."""
    published = Published(log.lines, log.checkpoint, registry=json.loads(canonical))
    failures = verify_log(published, now=datetime.fromtimestamp(now, UTC)).failures
    faults = [
        f"{each.check}: {each.says}" for each in failures if not (unsigned and each.check == "registry")
    ]
    return Finding("log", not faults, "; ".join(faults[:3]) or f"{len(log.lines)} entries, signed")


def _files(
    folder: Path, registry: Registry, canonical: bytes, signing: Signing, log: Log | None, *, whole: bool
) -> Finding:
    """Whether the files are what the registry gives when it is baked again."""
    lexicon = b"" if whole else (folder / LEXICON).read_bytes()
    again = baked_files(registry, signing, log=log, canonical=canonical, lexicon=lexicon)
    manifests = [json.loads(each) for each in (again.pop(MANIFEST), (folder / MANIFEST).read_bytes())]
    facts = [{name: each[name] for name in each if name not in _OF_FILES} for each in manifests]
    others = [name for name, data in again.items() if not _same(folder / name, data)]
    others += [MANIFEST] if facts[0] != facts[1] else []
    says = _list(others, "not what the registry gives") or "as the registry gives them"
    unproven = "" if whole else f"; {LEXICON} by the manifest alone (--registry compares it too)"
    return Finding("answers", not others, f"{says}{unproven}")


def _same(file: Path, data: bytes) -> bool:
    found = file.read_bytes() if file.exists() else b""
    # Two versions of zlib may compress the same bytes to different ones.
    return found == data or (file.suffix == ".gz" and gzip.decompress(found) == gzip.decompress(data))


def _list(names: list[str], what: str) -> str:
    return f"{', '.join(names)}: {what}" if names else ""
