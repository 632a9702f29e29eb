"""The Merkle tree over the categories of a registry, whose root the curator signs.

A leaf is the canonical form (RFC 8785) of a category as `registry.json` states it, with one member more, its
`slug`. Leaves stand in the order of their slugs.
"""

from collections.abc import Iterator
from typing import NamedTuple

import rfc8785

from threegood.registry.records import Category, Registry
from threegood.trust.merkle import inclusion_proof_of_hashes, leaf_hash, root_of_hashes


class CategoryProof(NamedTuple):
    """What shows that a category is in the tree: its leaf, and the way from there to the root."""

    slug: str
    leaf: bytes
    leaf_index: int
    path: list[bytes]


class CategoryTree(NamedTuple):
    """The leaves, slugs ascending, and their hashes."""

    slugs: list[str]
    leaves: list[bytes]
    hashes: list[bytes]

    @property
    def root(self) -> bytes:
        """The root of the tree."""
        return root_of_hashes(self.hashes)

    def proofs(self) -> Iterator[CategoryProof]:
        """A proof for each category."""
        for index, (slug, leaf) in enumerate(zip(self.slugs, self.leaves, strict=True)):
            yield CategoryProof(slug, leaf, index, inclusion_proof_of_hashes(self.hashes, index))


def category_tree(registry: Registry) -> CategoryTree:
    """The tree over the categories of `registry`."""
    slugs = sorted(registry.categories)
    leaves = [category_leaf(slug, registry.categories[slug]) for slug in slugs]
    return CategoryTree(slugs, leaves, [leaf_hash(leaf) for leaf in leaves])


def category_root(registry: Registry) -> bytes:
    """The root of the tree over the categories of `registry`: 32 bytes."""
    return category_tree(registry).root


def category_leaf(slug: str, category: Category) -> bytes:
    """The canonical form of a category."""
    return rfc8785.dumps({"slug": slug, **category.model_dump(mode="json", exclude_unset=True)})
