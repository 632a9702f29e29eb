"""The Merkle tree over the categories of a registry."""

import json

from tests.support.registries import content_of, fixture
from threegood.registry.validate import validate
from threegood.trust.category_tree import category_root, category_tree
from threegood.trust.merkle import leaf_hash, node_hash, root_from_inclusion, root_of


def test_a_leaf_is_the_canonical_category_with_its_slug() -> None:
    slugs = sorted(content_of("valid")["categories"])

    assert category_tree(validate(fixture("valid"))).leaves == [
        sorted_json({"slug": slug, **content_of("valid")["categories"][slug]}) for slug in slugs
    ]


def test_the_order_in_the_file_does_not_matter_but_every_word_of_a_category_does() -> None:
    content = content_of("valid")
    turned = {**content, "categories": dict(reversed(content["categories"].items()))}
    first = next(iter(content["categories"]))
    changed = content_of("valid")
    changed["categories"][first]["sources"][0]["why"] = "Another reason, which nobody signed."

    assert category_root(validate(as_json(turned))) == category_root(validate(as_json(content)))
    assert category_root(validate(as_json(changed))) != category_root(validate(as_json(content)))


def test_every_proof_leads_to_the_root() -> None:
    registry = validate(fixture("valid"))
    tree = category_tree(registry)

    reached = {
        root_from_inclusion(
            leaf_hash(proof.leaf), index=proof.leaf_index, size=len(tree.leaves), path=proof.path
        )
        for proof in tree.proofs()
    }

    assert reached == {category_root(registry)} == {root_of(tree.leaves)}
    assert [proof.slug for proof in tree.proofs()] == sorted(registry.categories)


def test_a_tree_of_two_categories_by_hand() -> None:
    first, second = category_tree(validate(fixture("valid"))).hashes[:2]

    assert node_hash(first, second) == root_of(category_tree(validate(fixture("valid"))).leaves[:2])


def as_json(content: object) -> bytes:
    return json.dumps(content).encode()


def sorted_json(content: object) -> bytes:
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
