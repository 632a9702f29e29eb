"""A small registry, and everything that a request may read of it once it is baked and damaged."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from sources.baked import BakedRegistry, BakedRegistryError, RecordDamaged
from sources.matching import build_strategy
from tests.support.registries import a_category, a_registry

__all__ = ["DAMAGED", "REGISTRY", "answers", "reads"]

# With an out-of-scope topic, misspelt queries, words that are unknown, and one with many postings.
CATEGORIES: Final = {
    slug: a_category(name, keywords=words)
    for slug, name, words in (
        ("learn-rust", "Learning Rust", ["borrow checker", "cargo", "ownership"]),
        ("sourdough-bread", "Sourdough Bread", ["starter", "rye", "baguette"]),
        ("home-network", "Home Networks", ["router", "wireless", "firewall"]),
    )
}
REGISTRY: Final = a_registry(
    CATEGORIES, outside=[{"name": "Cars", "keywords": ["gearbox", "clutch", "carburettor"]}]
)
QUERIES: Final = ("learn rust", "sourdogh starter", "borow cheker", "clutch and gearbox", "xylophone", "rye")
DAMAGED: Final = "damaged"


def reads(registry: BakedRegistry) -> Iterator[Callable[[], Any]]:
    """Everything that a request may read of a registry."""
    yield lambda: registry.manifest
    yield lambda: list(registry.slugs())
    for slug in (*CATEGORIES, "unknown"):
        yield partial(registry.answer, slug)
    for slug in CATEGORIES:
        yield partial(registry.proof, slug)
    for page in ("categories", "endorsements", "provenance"):
        yield partial(registry.page, page)
    for name in ("lexicon", "reference"):
        for query in QUERIES:
            yield partial(build_strategy(name, registry).rank, query, limit=3)
    yield registry.canonical
    yield registry.compressed_canonical
    yield lambda: registry.log().checkpoint()
    yield lambda: registry.log().index


def answers(folder: Path) -> list[Any]:
    """What each read gives, or `DAMAGED`; empty if the registry does not open."""
    try:
        registry = BakedRegistry.open(folder)
    except BakedRegistryError:
        return []
    return [_answer(read) for read in reads(registry)]


def _answer(read: Callable[[], Any]) -> Any:
    try:
        return read()
    except RecordDamaged:
        return DAMAGED
