"""Small registries for tests: as JSON content, as bytes, and baked."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sources.baked import BakedRegistry
from threegood.baking.bake import baked_files
from threegood.baking.canonical import canonical_bytes
from threegood.registry.records import Registry
from threegood.registry.validate import validate

FIXTURES: Final = Path(__file__).parents[1] / "fixtures" / "registries"

# The first test vector of RFC 8032, section 7.1; `valid.json` names its public half.
CURATORS_KEY: Final = Ed25519PrivateKey.from_private_bytes(
    bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
)


def fixture(name: str) -> bytes:
    """The bytes of a registry file among the fixtures."""
    return (FIXTURES / f"{name}.json").read_bytes()


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
        "why": f"Reason {rank}.",
        **changes,
    }


def a_category(name: str, *patterns: str, **changes: Any) -> dict[str, Any]:
    """A category of that name; without patterns it gets three of its own."""
    return {
        "name": name,
        "description": f"All about {name}.",
        "query_patterns": list(patterns or (f"{name} one", f"{name} two", f"{name} three")),
        "sources": [a_source(rank) for rank in (1, 2, 3)],
        **changes,
    }


def a_registry(categories: dict[str, dict[str, Any]], **changes: Any) -> Registry:
    """A registry of those categories, without endorsements."""
    content = {**content_of("valid"), "endorsements": [], "categories": categories, **changes}
    return validate(json.dumps(content).encode("utf-8"))


def baked(folder: Path, registry: Registry, *, key: Ed25519PrivateKey | None = None) -> BakedRegistry:
    """The registry, baked into a folder below `folder` and opened."""
    (folder / "registry").mkdir(parents=True)
    for name, data in files_of(registry, key=key).items():
        (folder / "registry" / name).write_bytes(data)
    return BakedRegistry.open(folder / "registry")


def files_of(registry: Registry, *, key: Ed25519PrivateKey | None = None) -> dict[str, bytes]:
    """The cached result of `baked_files`: a vocabulary takes half a second."""
    return dict(_files_of(canonical_bytes(registry), key))


@cache
def _files_of(canonical: bytes, key: Ed25519PrivateKey | None) -> Mapping[str, bytes]:
    return baked_files(validate(canonical), key=key)
