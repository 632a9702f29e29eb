"""The answers of the tools as structured content and as text, rendered at build time."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from sources.answers import (
    CategoriesResult,
    CategoryAnswer,
    CategorySummary,
    CuratorKey,
    EndorsementEntry,
    EndorsementsResult,
    ProvenanceResult,
    RankedSource,
)
from sources.resources import CATEGORY_TEMPLATE
from threegood.registry.records import Category, Endorsement, Registry, Source

# The resource stays small however large the registry is; resources/list pages through all of them.
MAX_CATEGORY_URIS: Final = 1000


class Rendered(NamedTuple):
    """One answer: the JSON of `structuredContent`, and the content of the text block."""

    structured: bytes
    text: str


def render_category(slug: str, category: Category) -> Rendered:
    """The three sources of a category; the tool adds what depends on the query."""
    structured = CategoryAnswer(
        category=_summary(slug, category),
        sources=[_ranked(source) for source in category.sources],
    )
    return _rendered(
        structured, _paragraphs(f"{category.name}\n{category.description}", *_source_texts(category))
    )


def render_categories(registry: Registry) -> Rendered:
    """The list of all categories, in the order of their slugs."""
    categories = sorted(registry.categories.items())
    structured = CategoriesResult(
        count=len(categories),
        categories=[_summary(slug, category) for slug, category in categories],
    )
    lines = (f"{slug}: {category.name}. {category.description}" for slug, category in categories)
    return _rendered(
        structured, _paragraphs(f"{_counted(len(categories), 'category', 'categories')}:", "\n".join(lines))
    )


def render_endorsements(registry: Registry) -> Rendered:
    """The endorsements of the registry; if it has none, a sentence."""
    structured = EndorsementsResult(
        count=len(registry.endorsements),
        endorsements=[_entry(endorsement) for endorsement in registry.endorsements],
    )
    if not registry.endorsements:
        return _rendered(structured, f"Nobody has endorsed the registry of {registry.curator.name} yet.")
    heading = f"{_counted(len(registry.endorsements), 'endorsement', 'endorsements')}:"
    return _rendered(structured, _paragraphs(heading, *map(_endorsement_text, registry.endorsements)))


def render_provenance(registry: Registry, *, digest: str, signature: str | None) -> Rendered:
    """The registry's curator, version, digest and signature, and how to verify them."""
    curator = registry.curator
    structured = ProvenanceResult(
        curator=CuratorKey(name=curator.name, pubkey=curator.pubkey),
        version=registry.version,
        updated=registry.updated,
        digest=digest,
        signature=signature,
        categories=len(registry.categories),
        endorsements=len(registry.endorsements),
        verification=_verification(registry, signature),
    )
    lines = (
        f"Curator: {curator.name}",
        f"Public key: {curator.pubkey}",
        f"Registry version: {registry.version}, updated {registry.updated}",
        f"Categories: {len(registry.categories)}; endorsements: {len(registry.endorsements)}",
        f"Digest: {digest}",
        f"Signature: {signature or 'none'}",
    )
    return _rendered(structured, _paragraphs("\n".join(lines), structured["verification"]))


def render_registry(registry: Registry, *, digest: str, signature: str | None) -> Rendered:
    """The resource of the registry, but for the address of its whole text; it has no text of its own."""
    curator = registry.curator
    facts = {
        "version": registry.version,
        "updated": registry.updated,
        "curator": {"name": curator.name, "pubkey": curator.pubkey},
        "digest": digest,
        "signature": signature,
        "endorsements": len(registry.endorsements),
        "categories": len(registry.categories),
        "category_uris": [
            CATEGORY_TEMPLATE.replace("{slug}", slug)
            for slug in sorted(registry.categories)[:MAX_CATEGORY_URIS]
        ],
    }
    return _rendered(facts, "")


def _verification(registry: Registry, signature: str | None) -> str:
    words = ", and the digest of its vocabulary is added as docs/curate.md says"
    canonical = (
        "The document that the resource registry://registry names is the registry in canonical form "
        "(RFC 8785: members sorted by name, no white space). The registry.json that the curator publishes "
        "with this project gives the same bytes when it is put into that form without its member $schema"
        f"{words if registry.vocabulary.model_fields_set else ''}. The SHA-256 hash of these bytes is the "
        "digest."
    )
    if signature is None:
        return (
            f"{canonical} This build is not signed, so the digest shows what was published, but not by whom."
        )
    return (
        f"{canonical} The signature is Ed25519 (RFC 8032) over the same bytes, in hexadecimal; verify it "
        "with the public key, and compare that key with one that you have from the curator."
    )


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


def _paragraphs(*parts: str) -> str:
    return "\n\n".join(parts)


def _rendered(structured: Mapping[str, Any], text: str) -> Rendered:
    data = json.dumps(structured, separators=(",", ":"), ensure_ascii=False).encode("utf-8")
    return Rendered(data, text)
