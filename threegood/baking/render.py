"""The answers of the tools as structured content and as text, rendered at build time."""

from collections.abc import Iterator
from typing import Final

from sources.answers import (
    CategoriesResult,
    CategoryAnswer,
    CategorySummary,
    EndorsementEntry,
    EndorsementsResult,
    RankedSource,
)
from sources.resources import CATEGORY_TEMPLATE
from threegood.baking.rendered import Rendered, paragraphs, rendered
from threegood.registry.records import Category, Endorsement, Registry, Source
from threegood.trust.checks import Signing

# The resource stays small however large the registry is; resources/list pages through all of them.
MAX_CATEGORY_URIS: Final = 1000


def render_category(slug: str, category: Category) -> Rendered:
    """The three sources of a category; the tool adds what depends on the query."""
    structured = CategoryAnswer(
        category=_summary(slug, category),
        sources=[_ranked(source) for source in category.sources],
    )
    return rendered(
        structured, paragraphs(f"{category.name}\n{category.description}", *_source_texts(category))
    )


def render_categories(registry: Registry) -> Rendered:
    """The list of all categories, in the order of their slugs."""
    categories = sorted(registry.categories.items())
    structured = CategoriesResult(
        count=len(categories),
        categories=[_summary(slug, category) for slug, category in categories],
    )
    lines = (f"{slug}: {category.name}. {category.description}" for slug, category in categories)
    return rendered(
        structured, paragraphs(f"{_counted(len(categories), 'category', 'categories')}:", "\n".join(lines))
    )


def render_endorsements(registry: Registry) -> Rendered:
    """The endorsements of the registry; if it has none, a sentence."""
    structured = EndorsementsResult(
        count=len(registry.endorsements),
        endorsements=[_entry(endorsement) for endorsement in registry.endorsements],
    )
    if not registry.endorsements:
        return rendered(structured, f"Nobody has endorsed the registry of {registry.curator.name} yet.")
    heading = f"{_counted(len(registry.endorsements), 'endorsement', 'endorsements')}:"
    return rendered(structured, paragraphs(heading, *map(_endorsement_text, registry.endorsements)))


def render_registry(registry: Registry, signing: Signing, *, digest: str) -> Rendered:
    """The resource of the registry, but for the address of its whole text; it has no text of its own."""
    curator, signature = registry.curator, signing.signature
    facts = {
        "version": registry.version,
        "updated": registry.updated,
        "curator": {"name": curator.name, "pubkey": curator.pubkey},
        "digest": digest,
        "status": signing.status,
        "signature": None if signature is None else signature.signed.signature,
        "endorsements": len(registry.endorsements),
        "categories": len(registry.categories),
        "category_uris": [
            CATEGORY_TEMPLATE.replace("{slug}", slug)
            for slug in sorted(registry.categories)[:MAX_CATEGORY_URIS]
        ],
    }
    return rendered(facts, "")


def _summary(slug: str, category: Category) -> CategorySummary:
    return CategorySummary(slug=slug, name=category.name, description=category.description)


def _ranked(source: Source) -> RankedSource:
    ranked = RankedSource(
        rank=source.rank, name=source.name, url=source.url, type=source.type, why=source.why
    )
    if source.http_reason:
        ranked["http_reason"] = source.http_reason
    return ranked


def _source_texts(category: Category) -> Iterator[str]:
    for source in category.sources:
        lines = [f"{source.rank}. {source.name} ({source.type})", source.url, f"Why: {source.why}"]
        if source.http_reason:
            lines.append(f"Plain http, because: {source.http_reason}")
        yield "\n   ".join(lines)


def _entry(endorsement: Endorsement) -> EndorsementEntry:
    return EndorsementEntry(
        name=endorsement.name, url=endorsement.url, since=endorsement.since, statement=endorsement.statement
    )


def _endorsement_text(endorsement: Endorsement) -> str:
    return f"{endorsement.name} (since {endorsement.since}), {endorsement.url}\n{endorsement.statement}"


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
