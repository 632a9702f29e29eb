"""The proofs that `get_sources` gives: for each category, that it is in the tree whose root is signed."""

import json
from collections.abc import Iterator

from sources.answers import CategoryProof, SignedStatement
from threegood.baking.packing import pack_table
from threegood.registry.records import Registry
from threegood.trust.category_tree import category_tree


def bake_proofs(registry: Registry, signed: SignedStatement | None) -> bytes:
    """The table of the proofs by slug (`sources.baked.files`); `signed` is the content of `registry.sig`."""
    return pack_table(_entries(registry, signed))


def _entries(registry: Registry, signed: SignedStatement | None) -> Iterator[tuple[str, bytes, str]]:
    tree = category_tree(registry)
    for each in tree.proofs():
        proof = CategoryProof(
            category=each.leaf.decode("utf-8"),
            index=each.leaf_index,
            size=len(tree.leaves),
            path=[node.hex() for node in each.path],
            signed=signed,
        )
        yield each.slug, json.dumps(proof, separators=(",", ":"), ensure_ascii=False).encode("utf-8"), ""
