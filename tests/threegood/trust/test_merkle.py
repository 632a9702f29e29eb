"""The Merkle tree, compared with pymerkle, and with definition and examples of RFC 6962, section 2.1."""

from collections.abc import Sequence
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymerkle import InmemoryTree

from threegood.trust.merkle import (
    ProofInvalid,
    consistency_proof,
    inclusion_proof,
    leaf_hash,
    node_hash,
    root_from_inclusion,
    root_of,
    verify_consistency,
)

SIZES = range(71)
leaves_of_any_size = st.integers(1, 700).map(lambda size: leaves_of(size))


def test_the_empty_tree_is_the_hash_of_nothing() -> None:
    assert root_of([]) == sha256().digest()


@pytest.mark.parametrize("size", SIZES[1:])
def test_roots_and_audit_paths_are_those_of_pymerkle(size: int) -> None:
    leaves = leaves_of(size)
    theirs = tree_of(leaves)

    assert root_of(leaves) == theirs.get_root()
    assert [inclusion_proof(leaves, index) for index in range(size)] == [
        theirs.prove_inclusion(index + 1).path[1:] for index in range(size)
    ]


@given(leaves_of_any_size, st.data())
def test_a_leaf_of_a_tree_of_any_size_leads_to_its_root_and_another_leaf_does_not(
    leaves: list[bytes], data: st.DataObject
) -> None:
    index = data.draw(st.integers(0, len(leaves) - 1))
    path = inclusion_proof(leaves, index)

    assert root_reached(leaves[index], index, len(leaves), path) == tree_of(leaves).get_root()
    assert root_reached(b"forged", index, len(leaves), path) != root_of(leaves)


@pytest.mark.parametrize("size", SIZES[2:])
def test_a_path_leads_to_the_root_from_its_own_leaf_only(size: int) -> None:
    leaves = leaves_of(size)
    path = inclusion_proof(leaves, size // 2)

    reached = [index for index in range(size) if reaches_root(leaves, index, path)]

    assert reached == [size // 2]


@pytest.mark.parametrize("size", SIZES[2:])
def test_a_path_that_is_cut_or_lengthened_is_refused(size: int) -> None:
    leaves = leaves_of(size)
    path = inclusion_proof(leaves, size - 1)

    with pytest.raises(ProofInvalid, match="too short"):
        root_reached(leaves[-1], size - 1, size, path[:-1])
    with pytest.raises(ProofInvalid, match="too long"):
        root_reached(leaves[-1], size - 1, size, [*path, bytes(32)])


@pytest.mark.parametrize("index", [-1, 5])
def test_a_leaf_that_is_not_in_the_tree_is_refused(index: int) -> None:
    with pytest.raises(ProofInvalid, match=f"no leaf {index} in a tree of 5"):
        root_reached(b"", index, 5, [])
    with pytest.raises(IndexError, match=f"no leaf {index} in a tree of 5"):
        inclusion_proof(leaves_of(5), index)


@pytest.mark.parametrize("size", SIZES[1:])
def test_consistency_proofs_are_those_of_the_definition_and_verify(size: int) -> None:
    leaves = leaves_of(size)

    for old_size in range(1, size + 1):
        proof = consistency_proof(leaves, old_size)
        assert proof == subproof(old_size, leaves, whole=True)
        assert consistent(leaves, old_size, proof)


@given(leaves_of_any_size, st.data())
def test_a_tree_of_any_size_grew_from_any_smaller_one(leaves: list[bytes], data: st.DataObject) -> None:
    old_size = data.draw(st.integers(0, len(leaves)))
    proof = consistency_proof(leaves, old_size) if old_size else []

    assert consistent(leaves, old_size, proof)


@given(leaves_of_any_size, st.data())
def test_a_tree_with_an_earlier_leaf_changed_did_not_grow_from_the_old_one(
    leaves: list[bytes], data: st.DataObject
) -> None:
    old_size = data.draw(st.integers(1, len(leaves)))
    changed = list(leaves)
    changed[data.draw(st.integers(0, old_size - 1))] = b"changed"

    assert not verify_consistency(
        old_size=old_size,
        old_root=root_of(leaves[:old_size]),
        size=len(leaves),
        root=root_of(changed),
        proof=consistency_proof(changed, old_size),
    )


@pytest.mark.parametrize("old_size", [1, 2, 3, 4, 5, 6])
def test_a_consistency_proof_that_is_cut_or_lengthened_is_refused(old_size: int) -> None:
    leaves = leaves_of(7)
    proof = consistency_proof(leaves, old_size)

    assert not consistent(leaves, old_size, proof[:-1])
    assert not consistent(leaves, old_size, proof[1:])
    assert not consistent(leaves, old_size, [*proof, bytes(32)])
    assert not consistent(leaves, old_size, [])


def test_a_tree_does_not_shrink() -> None:
    leaves = leaves_of(7)

    assert not verify_consistency(
        old_size=7, old_root=root_of(leaves), size=6, root=root_of(leaves[:6]), proof=[bytes(32)]
    )
    with pytest.raises(ValueError, match="A tree of 7 did not grow from one of 8"):
        consistency_proof(leaves, 8)


def test_the_tree_of_seven_leaves_that_the_rfc_draws() -> None:
    """RFC 6962, section 2.1.3: its proofs, by the names of the nodes in its drawing."""
    leaves = leaves_of(7)
    a, b, c, d, e, f, j = map(leaf_hash, leaves)
    g, h, i = node_hash(a, b), node_hash(c, d), node_hash(e, f)
    k, ell = node_hash(g, h), node_hash(i, j)

    assert inclusion_proof(leaves, 0) == [b, h, ell]
    assert inclusion_proof(leaves, 3) == [c, g, ell]
    assert inclusion_proof(leaves, 4) == [f, j, k]
    assert inclusion_proof(leaves, 6) == [i, k]
    assert consistency_proof(leaves, 3) == [c, d, g, ell]
    assert consistency_proof(leaves, 4) == [ell]
    assert consistency_proof(leaves, 6) == [i, j, k]


def leaves_of(size: int) -> list[bytes]:
    return [b"leaf %d" % index for index in range(size)]


def tree_of(leaves: Sequence[bytes]) -> InmemoryTree:
    tree = InmemoryTree(algorithm="sha256")
    for leaf in leaves:
        tree.append_entry(leaf)
    return tree


def root_reached(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes:
    return root_from_inclusion(leaf_hash(leaf), index=index, size=size, path=path)


def reaches_root(leaves: Sequence[bytes], index: int, path: Sequence[bytes]) -> bool:
    try:
        return root_reached(leaves[index], index, len(leaves), path) == root_of(leaves)
    except ProofInvalid:
        return False


def consistent(leaves: Sequence[bytes], old_size: int, proof: Sequence[bytes]) -> bool:
    """Whether `proof` shows that the tree over all leaves grew from that over the first of them."""
    return verify_consistency(
        old_size=old_size,
        old_root=root_of(leaves[:old_size]),
        size=len(leaves),
        root=root_of(leaves),
        proof=proof,
    )


def subproof(old_size: int, leaves: Sequence[bytes], *, whole: bool) -> list[bytes]:
    """SUBPROOF of RFC 6962, section 2.1.2; every root is pymerkle's."""
    if old_size == len(leaves):
        return [] if whole else [tree_of(leaves).get_root()]
    left = 1
    while left * 2 < len(leaves):
        left *= 2
    if old_size <= left:
        return [*subproof(old_size, leaves[:left], whole=whole), tree_of(leaves[left:]).get_root()]
    return [
        *subproof(old_size - left, leaves[left:], whole=False),
        tree_of(leaves[:left]).get_root(),
    ]
