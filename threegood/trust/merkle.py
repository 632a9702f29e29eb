"""Merkle trees over SHA-256 as Certificate Transparency has them (RFC 6962, section 2.1).

Leaves are bytes, hashes 32 bytes, and indexes count from 0. A proof is a list of hashes, those nearest the
leaves first. It depends on nothing but its leaves: the trees of categories and of the log share it.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

HASH_BYTES: Final = 32

# They keep a leaf from being taken for a node, and the other way round.
_LEAF: Final = b"\0"
_NODE: Final = b"\1"


class ProofInvalid(ValueError):
    """A proof that cannot belong to a tree of the size that is claimed; the message has the reason."""


def leaf_hash(leaf: bytes) -> bytes:
    """The hash of one leaf."""
    return sha256(_LEAF + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of a node over the hashes of its two halves."""
    return sha256(_NODE + left + right).digest()


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The hash of the tree over `leaves`; that of no leaves is the hash of nothing."""
    return root_of_hashes([leaf_hash(leaf) for leaf in leaves])


def root_of_hashes(hashes: Sequence[bytes]) -> bytes:
    """The hash of the tree over leaves with these hashes."""
    if not hashes:
        return sha256().digest()
    return _root(hashes, 0, len(hashes))


def inclusion_proof(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """The audit path of the leaf at `index` (section 2.1.1).

    Raises:
        IndexError: there is no such leaf.
    """
    return inclusion_proof_of_hashes([leaf_hash(leaf) for leaf in leaves], index)


def inclusion_proof_of_hashes(hashes: Sequence[bytes], index: int) -> list[bytes]:
    """As `inclusion_proof`, for leaves with these hashes."""
    if not 0 <= index < len(hashes):
        raise IndexError(f"There is no leaf {index} in a tree of {len(hashes)}.")
    path = []
    begin, end = 0, len(hashes)
    while end - begin > 1:
        middle = begin + _left_size(end - begin)
        if index < middle:
            path.append(_root(hashes, middle, end))
            end = middle
        else:
            path.append(_root(hashes, begin, middle))
            begin = middle
    return path[::-1]


def inclusion_proofs(hashes: Sequence[bytes]) -> list[list[bytes]]:
    """The audit paths of all leaves with these hashes, each node hashed once."""
    return _with_paths(hashes)[1] if hashes else []


def root_from_inclusion(hashed_leaf: bytes, *, index: int, size: int, path: Sequence[bytes]) -> bytes:
    """The root that `path` leads to from the leaf at `index` in a tree of `size` (RFC 9162, 2.1.3.2).

    The leaf is in the tree if this is the tree's root.

    Raises:
        ProofInvalid: the tree has no such leaf, or the path of that leaf has another length.
    """
    if not 0 <= index < size:
        raise ProofInvalid(f"There is no leaf {index} in a tree of {size}.")
    node, last, root = index, size - 1, hashed_leaf
    for sibling in path:
        if last == 0:
            raise ProofInvalid(f"A path of {len(path)} hashes is too long for leaf {index} of {size}.")
        if node & 1 or node == last:
            root = node_hash(sibling, root)
            while not node & 1 and node:  # levels in which the last node has no sibling
                node, last = node >> 1, last >> 1
        else:
            root = node_hash(root, sibling)
        node, last = node >> 1, last >> 1
    if last:
        raise ProofInvalid(f"A path of {len(path)} hashes is too short for leaf {index} of {size}.")
    return root


def consistency_proof(leaves: Sequence[bytes], old_size: int) -> list[bytes]:
    """What proves that the tree over the first `old_size` leaves grew into this one (section 2.1.2).

    Raises:
        ValueError: `old_size` is not from 1 to the number of leaves.
    """
    return consistency_proof_of_hashes([leaf_hash(leaf) for leaf in leaves], old_size)


def consistency_proof_of_hashes(hashes: Sequence[bytes], old_size: int) -> list[bytes]:
    """As `consistency_proof`, for leaves with these hashes."""
    if not 0 < old_size <= len(hashes):
        raise ValueError(f"A tree of {len(hashes)} did not grow from one of {old_size}.")
    proof = []
    begin, end = 0, len(hashes)
    while old_size != end:
        middle = begin + _left_size(end - begin)
        if old_size <= middle:
            proof.append(_root(hashes, middle, end))
            end = middle
        else:
            proof.append(_root(hashes, begin, middle))
            begin = middle
    if begin:  # else what remains is the old tree, whose root the verifier has
        proof.append(_root(hashes, begin, end))
    return proof[::-1]


def verify_consistency(
    *, old_size: int, old_root: bytes, size: int, root: bytes, proof: Sequence[bytes]
) -> bool:
    """Whether `proof` shows that the tree with `old_root` grew into that with `root` (RFC 9162, 2.1.4.2).

    Every tree grew from the empty one, and from itself, by an empty proof.
    """
    if old_size == 0 or old_size == size:
        same = old_root == (root if old_size else root_of([]))
        return same and not proof and size >= old_size
    if not 0 < old_size < size or not proof:
        return False
    nodes = [old_root, *proof] if old_size & (old_size - 1) == 0 else list(proof)
    node, last = old_size - 1, size - 1
    while node & 1:
        node, last = node >> 1, last >> 1
    return _roots(nodes, node=node, last=last) == (old_root, root)


def _roots(nodes: Sequence[bytes], *, node: int, last: int) -> tuple[bytes, bytes] | None:
    """Old and new root from the nodes of a proof; `None` if it has too many or too few."""
    old = new = nodes[0]
    for sibling in nodes[1:]:
        if last == 0:
            return None
        if node & 1 or node == last:
            old, new = node_hash(sibling, old), node_hash(sibling, new)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            new = node_hash(new, sibling)
        node, last = node >> 1, last >> 1
    return None if last else (old, new)


def _root(hashes: Sequence[bytes], begin: int, end: int) -> bytes:
    if end - begin == 1:
        return hashes[begin]
    middle = begin + _left_size(end - begin)
    return node_hash(_root(hashes, begin, middle), _root(hashes, middle, end))


def _with_paths(hashes: Sequence[bytes]) -> tuple[bytes, list[list[bytes]]]:
    if len(hashes) == 1:
        return hashes[0], [[]]
    middle = _left_size(len(hashes))
    (left, left_paths), (right, right_paths) = _with_paths(hashes[:middle]), _with_paths(hashes[middle:])
    paths = [*([*path, right] for path in left_paths), *([*path, left] for path in right_paths)]
    return node_hash(left, right), paths


def _left_size(size: int) -> int:
    """The size of the left half: the largest power of two that is smaller than `size`, which is 2 or more."""
    return 1 << (size - 1).bit_length() - 1
