"""The phrases that the strategy `reference` compares queries with, normalised at build time."""

from sources.baked import PhraseLine
from sources.matching.normalise import normalise
from threegood.baking.packing import pack_phrases
from threegood.registry.records import Category, Registry


def bake_phrases(registry: Registry) -> bytes:
    """The file of phrases: every category, in the order of their slugs."""
    return pack_phrases(
        PhraseLine(slug, _phrases(slug, category)) for slug, category in sorted(registry.categories.items())
    )


def _phrases(slug: str, category: Category) -> tuple[str, ...]:
    """The words of the slug, always first and perhaps empty, then every other phrase once."""
    first = normalise(slug.replace("-", " "))
    others = map(normalise, (category.name, *category.query_patterns))
    return (first, *dict.fromkeys(other for other in others if other and other != first))
