"""Opens a baked registry and reads from it what a request needs, checked before it is used."""

import json
import zlib
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from hashlib import sha256
from mmap import ACCESS_READ, mmap
from time import gmtime, strftime
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from sources.baked.checked import CheckedFile
from sources.baked.errors import FormatMismatch, RecordDamaged, RegistryDamaged, RegistryMissing
from sources.baked.files import (
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
from sources.baked.lexicon import Lexicon
from sources.baked.phrases import PhraseLine, read_phrases
from sources.baked.table import Table, TableEntry

if TYPE_CHECKING:
    from pathlib import Path

    from sources.baked.log import BakedLog

# Parsed answers in the cache, the least recently used leave it: some 4 KB each.
_MAX_CACHED: Final = 100

_FILE_END: Final = 2  # `whence` of seek
_GZIP: Final = zlib.MAX_WBITS | 16  # the gzip module would do the same, and import more


class Manifest(NamedTuple):
    """The facts about a registry that its manifest states.

    `digest` is `sha256:` and hexadecimal digits. `status` is signed, edited (since it was signed) or
    unsigned; a signature holds until `expires_at` (UTC, as `2026-11-22T00:00:00Z`), and `demonstration` is
    whether a key made it that anyone can use. `categories` and `endorsements` are counts.
    """

    version: str
    updated: str
    curator_name: str
    curator_pubkey: str
    digest: str
    status: str
    expires_at: str | None
    demonstration: bool
    categories: int
    endorsements: int

    def status_at(self, now: float) -> str:
        """The status at a time in seconds since the epoch: also `expired`."""
        moment = strftime("%Y-%m-%dT%H:%M:%SZ", gmtime(now))
        return "expired" if self.expires_at is not None and self.expires_at <= moment else self.status


class BakedAnswer(NamedTuple):
    """An answer rendered at build time. Requests share its structured content: do not change it."""

    structured: dict[str, Any]
    text: str


class BakedFile(NamedTuple):
    """Length and SHA-256 digest (hexadecimal) of a file, as the manifest states them."""

    size: int
    sha256: str


class BakedRegistry:
    """A baked registry. Answers are read one by one, straight from the mapped files.

    Every method raises `RecordDamaged` if what it reads is not as it was baked.
    """

    def __init__(self, folder: str, manifest: Manifest, files: Mapping[str, BakedFile]) -> None:
        self.manifest = manifest
        self._folder = folder
        self._files = files
        self._cached_answer = lru_cache(_MAX_CACHED)(self._read_answer)

    @classmethod
    def open(cls, folder: "Path | str") -> Self:
        """The registry that was baked into `folder`: reads its manifest, and checks the other files' sizes.

        Raises:
            RegistryMissing: there is no manifest in `folder`.
            FormatMismatch: it was baked by another version of this code.
            RegistryDamaged: the manifest is invalid, or a file has another length than it states.
        """
        folder = str(folder)
        return cls(folder, *_read_manifest(folder))

    def damaged_files(self) -> list[str]:
        """The names of the files that are not as they were baked; every byte of them is read."""
        return [name for name in self._files if not self._is_intact(name)]

    def answer(self, slug: str) -> BakedAnswer | None:
        """The answer of a category, the same for every query; `None` if there is no such category."""
        try:
            return self._cached_answer(slug)
        except KeyError:
            return None

    def page(self, name: str) -> BakedAnswer:
        """An answer that is the same for everyone: `categories`, `endorsements`, `provenance`, `registry`."""
        return _answer(self._pages.find(name), name)

    def answer_at(self, index: int) -> BakedAnswer:
        """The answer of the category at `index`, slugs ascending, counted from 0."""
        return _answer(self._answers.at(index), index)

    def proof(self, slug: str) -> dict[str, Any]:
        """The proof that a category is in the signed tree.

        Raises:
            KeyError: there is no such category.
        """
        return _answer(self._proofs.find(slug), slug).structured

    def slugs(self) -> Iterator[str]:
        """The slugs of all categories, ascending."""
        return self._answers.keys()

    def slug_at(self, index: int) -> str:
        """The slug of the category at `index`, slugs ascending, counted from 0."""
        return self._answers.key_at(index)

    def vocabulary(self) -> Lexicon:
        """The vocabulary that the strategy `lexicon` compares queries with."""
        return self._lexicon

    def log(self) -> "BakedLog":
        """The transparency log; without entries if the curator keeps none."""
        return self._log

    def phrases(self) -> Iterator[PhraseLine]:
        """The phrases that the strategy `reference` compares queries with, slugs ascending."""
        return read_phrases(self._whole(PHRASES))

    def canonical(self) -> bytes:
        """The bytes that digest and signature cover."""
        return zlib.decompress(self.compressed_canonical(), wbits=_GZIP)

    def compressed_canonical(self) -> bytes:
        """The bytes that digest and signature cover, compressed (RFC 1952)."""
        return self._whole(CANONICAL)

    def signature(self) -> bytes | None:
        """The file `registry.sig`; None if the registry is not signed."""
        return self._whole(SIGNATURE) if SIGNATURE in self._files else None

    def _read_answer(self, slug: str) -> BakedAnswer:
        return _answer(self._answers.find(slug), slug)

    def _whole(self, name: str) -> bytes:
        data = _read(f"{self._folder}/{name}")
        if sha256(data).hexdigest() != self._files[name].sha256:
            raise RecordDamaged(name)
        return data

    def _is_intact(self, name: str) -> bool:
        try:
            self._whole(name)
        except (OSError, RecordDamaged):
            return False
        return True

    def _mapped(self, name: str) -> CheckedFile:
        return CheckedFile(name, _map(f"{self._folder}/{name}"), self.manifest.digest)

    @cached_property
    def _answers(self) -> Table:
        return Table(self._mapped(ANSWERS))

    @cached_property
    def _pages(self) -> Table:
        return Table(self._mapped(PAGES))

    @cached_property
    def _proofs(self) -> Table:
        return Table(self._mapped(PROOFS))

    @cached_property
    def _lexicon(self) -> Lexicon:
        return Lexicon(self._mapped(LEXICON))

    @cached_property
    def _log(self) -> "BakedLog":
        from sources.baked.log import BakedLog  # few requests read it

        return BakedLog(Table(self._mapped(LOG)))


def _answer(entry: TableEntry | None, key: object) -> BakedAnswer:
    if entry is None:
        raise KeyError(key)
    return BakedAnswer(json.loads(entry.structured), entry.text)


# Files are named by strings: importing pathlib would take a twentieth of a cold start.
def _read(file: str) -> bytes:
    with open(file, "rb") as opened:
        return opened.read()


def _map(file: str) -> mmap:
    with open(file, "rb") as opened:
        # The mapping outlives the descriptor, and pages in only what is read.
        return mmap(opened.fileno(), 0, access=ACCESS_READ)


def _read_manifest(folder: str) -> tuple[Manifest, dict[str, BakedFile]]:
    try:
        content = json.loads(_read(f"{folder}/{MANIFEST}"))
        found = content["format"]
        if found != FORMAT:
            raise FormatMismatch(folder, found=found, expected=FORMAT)
        if content.pop("checksum") != checksum_of(content):
            raise RegistryDamaged(folder, file=MANIFEST)
        files = {name: BakedFile(each["size"], each["sha256"]) for name, each in content["files"].items()}
        _check_sizes(folder, files)
        return _manifest(content), files
    except (FileNotFoundError, NotADirectoryError):
        raise RegistryMissing(folder) from None
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise RegistryDamaged(folder, file=MANIFEST) from error


def checksum_of(manifest: Mapping[str, Any]) -> int:
    """The CRC-32 of the members of a manifest, without its own."""
    return zlib.crc32(json.dumps(manifest).encode("ascii"))


def _manifest(content: dict[str, Any]) -> Manifest:
    return Manifest(
        version=content["version"],
        updated=content["updated"],
        curator_name=content["curator"]["name"],
        curator_pubkey=content["curator"]["pubkey"],
        digest=content["digest"],
        status=content["status"],
        expires_at=content["expires_at"],
        demonstration=content["demonstration"],
        categories=content["categories"],
        endorsements=content["endorsements"],
    )


def _check_sizes(folder: str, files: Mapping[str, BakedFile]) -> None:
    """Refuses an incomplete deployment when it is opened, before a request misses an answer."""
    for name, file in files.items():
        try:
            with open(f"{folder}/{name}", "rb") as opened:
                complete = opened.seek(0, _FILE_END) == file.size
        except OSError as error:
            raise RegistryDamaged(folder, file=name) from error
        if not complete:
            raise RegistryDamaged(folder, file=name)
