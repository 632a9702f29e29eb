"""Opens a baked registry and reads from it what a request needs."""

import json
import zlib
from collections.abc import Iterator
from functools import cached_property, lru_cache
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from sources.baked.errors import FormatMismatch, RegistryDamaged, RegistryMissing
from sources.baked.files import ANSWERS, CANONICAL, FORMAT, LEXICON, MANIFEST, PAGES, PHRASES
from sources.baked.lexicon import Lexicon
from sources.baked.phrases import PhraseLine, read_phrases
from sources.baked.table import Entry, Table

# Answers that are kept parsed, those asked for last: some 4 KB each.
_MOST_KEPT: Final = 100

_GZIP: Final = zlib.MAX_WBITS | 16  # the gzip module would do the same, and import more


class Manifest(NamedTuple):
    """What is known of a registry without looking into it.

    `digest` is `sha256:` and hexadecimal digits, `signature` `ed25519:` and hexadecimal digits, or `None` if
    the registry was baked without a key. `categories` and `endorsements` are how many there are.
    """

    version: str
    updated: str
    curator_name: str
    curator_pubkey: str
    digest: str
    signature: str | None
    categories: int
    endorsements: int


class Answer(NamedTuple):
    """A rendered answer: structured content, which nobody may change, as others hold it too; and as text."""

    structured: dict[str, Any]
    text: str


class BakedRegistry:
    """The registry as a request sees it. Answers are read one by one, straight from the mapped files."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.manifest = manifest
        self._folder = folder
        self._kept_answer = lru_cache(_MOST_KEPT)(self._read_answer)

    @classmethod
    def open(cls, folder: Path | str) -> Self:
        """The registry that was baked into `folder`: its manifest is read, the other files only measured.

        Raises:
            RegistryMissing: there is no manifest in `folder`.
            FormatMismatch: it was baked by another version of this code.
            RegistryDamaged: the manifest makes no sense, or a file is not as long as it says.
        """
        folder = Path(folder)
        manifest = _read_manifest(folder)
        return cls(folder, manifest)

    def answer(self, slug: str) -> Answer | None:
        """What a category answers, whatever the query; `None` if there is no such category."""
        try:
            return self._kept_answer(slug)
        except KeyError:
            return None

    def page(self, name: str) -> Answer:
        """One of the answers that are the same for everyone: `categories`, `endorsements` or `provenance`."""
        return _answer(self._pages.find(name), name)

    def answer_at(self, place: int) -> Answer:
        """What the category at `place` answers, slugs ascending, the first one being 0."""
        return _answer(self._answers.at(place), place)

    def slugs(self) -> Iterator[str]:
        """The slugs of all categories, ascending."""
        return self._answers.keys()

    def slug_at(self, place: int) -> str:
        """The slug of the category at `place`, slugs ascending, the first one being 0."""
        return self._answers.key_at(place)

    def lexicon(self) -> Lexicon:
        """The vocabulary that queries are compared with."""
        return self._lexicon

    def phrases(self) -> Iterator[PhraseLine]:
        """The phrases that queries are compared with, category by category, slugs ascending."""
        return read_phrases((self._folder / PHRASES).read_bytes())

    def canonical(self) -> bytes:
        """The bytes that the digest and the signature are about."""
        return zlib.decompress((self._folder / CANONICAL).read_bytes(), wbits=_GZIP)

    def _read_answer(self, slug: str) -> Answer:
        return _answer(self._answers.find(slug), slug)

    @cached_property
    def _answers(self) -> Table:
        return Table(_map(self._folder / ANSWERS))

    @cached_property
    def _pages(self) -> Table:
        return Table(_map(self._folder / PAGES))

    @cached_property
    def _lexicon(self) -> Lexicon:
        try:
            lexicon = Lexicon(_map(self._folder / LEXICON))
        except (OSError, ValueError, TypeError) as error:
            raise RegistryDamaged(self._folder, file=LEXICON) from error
        if lexicon.categories != self.manifest.categories:
            raise RegistryDamaged(self._folder, file=LEXICON)
        return lexicon


def _answer(entry: Entry | None, key: object) -> Answer:
    if entry is None:
        raise KeyError(key)
    return Answer(json.loads(entry.structured), entry.text)


def _map(file: Path) -> mmap:
    with file.open("rb") as opened:
        # The mapping outlives the descriptor, and pages in only what is read.
        return mmap(opened.fileno(), 0, access=ACCESS_READ)


def _read_manifest(folder: Path) -> Manifest:
    try:
        content = json.loads((folder / MANIFEST).read_bytes())
        found = content["format"]
        if found != FORMAT:
            raise FormatMismatch(folder, found=found, expected=FORMAT)
        _check_sizes(folder, content["files"])
        return _manifest(content)
    except (FileNotFoundError, NotADirectoryError):
        raise RegistryMissing(folder) from None
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise RegistryDamaged(folder, file=MANIFEST) from error


def _manifest(content: dict[str, Any]) -> Manifest:
    return Manifest(
        version=content["version"],
        updated=content["updated"],
        curator_name=content["curator"]["name"],
        curator_pubkey=content["curator"]["pubkey"],
        digest=content["digest"],
        signature=content["signature"],
        categories=content["categories"],
        endorsements=content["endorsements"],
    )


def _check_sizes(folder: Path, sizes: dict[str, int]) -> None:
    """A deployment cut short is found here, not by the first request that misses an answer."""
    for name, size in sizes.items():
        try:
            complete = (folder / name).stat().st_size == size
        except OSError as error:
            raise RegistryDamaged(folder, file=name) from error
        if not complete:
            raise RegistryDamaged(folder, file=name)
