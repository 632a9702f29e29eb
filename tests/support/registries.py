"""Small registries for tests: as JSON content, as files, and baked."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sources.baked import BakedRegistry
from threegood.baking.bake import baked_files
from threegood.registry.records import Registry
from threegood.registry.validate import validate
from threegood.trust.canonical import canonical_bytes
from threegood.trust.checks import UNSIGNED, Signing
from threegood.trust.log import Log
from threegood.trust.private_keys import FileSigner
from threegood.trust.signer import Signer
from threegood.trust.statement import Signed, sign_registry

FIXTURES: Final = Path(__file__).parents[1] / "fixtures" / "registries"
VOCABULARIES: Final = FIXTURES.with_name("vocabularies")

# The first test vector of RFC 8032, section 7.1; `valid.json` names its public half.
CURATORS_KEY: Final = Ed25519PrivateKey.from_private_bytes(
    bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
)
CURATOR: Final = FileSigner(CURATORS_KEY)
SIGNED_AT: Final = 1_795_305_600  # 2026-11-22T00:00:00Z
VALID_SECONDS: Final = 100 * 365 * 86_400  # a test does not fail on the day when a fixture expires


def fixture(name: str) -> bytes:
    """The bytes of a registry file among the fixtures."""
    return (FIXTURES / f"{name}.json").read_bytes()


def vocabulary_fixture(name: str) -> dict[str, bytes]:
    """The files of a vocabulary among the fixtures, by path; they belong to the registry `valid`."""
    return {f"vocabulary/{file.name}": file.read_bytes() for file in sorted((VOCABULARIES / name).iterdir())}


def content_of(name: str) -> dict[str, Any]:
    """The content of a registry file of the fixtures; tests may modify it."""
    content: dict[str, Any] = json.loads(fixture(name))
    return content


def a_source(rank: int, **changes: Any) -> dict[str, Any]:
    """A source that breaks no rule, but for the changes."""
    return {
        "rank": rank,
        "name": f"Source {rank}",
        "url": f"https://example.org/{rank}",
        "type": "article",
        "why": f"What readers learn from source {rank} on the topic.",
        **changes,
    }


def a_category(name: str, *patterns: str, **changes: Any) -> dict[str, Any]:
    """A category of that name; without patterns it gets three of its own.

    Its aliases and keywords, if the changes have them, become a file of the vocabulary.
    """
    return {
        "name": name,
        "description": f"All about {name}.",
        "query_patterns": list(patterns or (f"{name} one", f"{name} two", f"{name} three")),
        "sources": [a_source(rank) for rank in (1, 2, 3)],
        **changes,
    }


def a_registry(categories: dict[str, dict[str, Any]], **changes: Any) -> Registry:
    """A registry of those categories, without endorsements; see `files_with`."""
    data, vocabulary = files_with(categories, **changes)
    return validate(data, vocabulary)


def write_registry(folder: Path, categories: dict[str, dict[str, Any]], **changes: Any) -> Path:
    """The files of such a registry, in `folder` under their usual names; the path of the first."""
    data, vocabulary = files_with(categories, **changes)
    for path, words in {"registry.json": data, **vocabulary}.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_bytes(words)
    return folder / "registry.json"


def files_with(
    categories: dict[str, dict[str, Any]], *, outside: Sequence[dict[str, Any]] = (), **changes: Any
) -> tuple[bytes, dict[str, bytes]]:
    """The registry file of those categories, and the files of its vocabulary, by path."""
    texts = {
        slug: {name: value for name, value in category.items() if name not in _WORDS}
        for slug, category in categories.items()
    }
    words: dict[str, dict[str, Any]] = {
        f"vocabulary/{slug}.json": {name: category[name] for name in _WORDS if name in category}
        for slug, category in categories.items()
    }
    if outside:
        words["vocabulary/out-of-scope.json"] = {"topics": list(outside)}
    content = {**content_of("valid"), "endorsements": [], "categories": texts, **changes}
    return _bytes(content), {file: _bytes(each) for file, each in words.items() if each}


def _bytes(content: Any) -> bytes:
    return json.dumps(content, ensure_ascii=False).encode("utf-8")


def baked(folder: Path, registry: Registry, signing: Signing = UNSIGNED) -> BakedRegistry:
    """The registry, baked into a folder below `folder` and opened."""
    (folder / "registry").mkdir(parents=True)
    for name, data in files_of(registry, signing).items():
        (folder / "registry" / name).write_bytes(data)
    return BakedRegistry.open(folder / "registry")


def signing_by(
    signer: Signer,
    registry: Registry,
    *,
    now: float = SIGNED_AT,
    valid_seconds: float = VALID_SECONDS,
    rotations: tuple[Signed, ...] = (),
) -> Signing:
    """How `registry` is signed if its curator signs it so, on 22 November 2026 unless told otherwise."""
    return Signing(
        "signed",
        sign_registry(registry, signer, now=now, valid_seconds=valid_seconds, rotations=rotations),
    )


def files_of(registry: Registry, signing: Signing = UNSIGNED, *, log: Log | None = None) -> dict[str, bytes]:
    """The result of `baked_files`, which is kept, since a vocabulary takes half a second."""
    known_by = canonical_bytes(registry), signing, log
    if known_by not in _BAKED:
        _BAKED[known_by] = baked_files(registry, signing, log=log)
    return dict(_BAKED[known_by])


_WORDS: Final = ("aliases", "keywords")
_BAKED: Final[dict[tuple[bytes, Signing, Log | None], dict[str, bytes]]] = {}
