"""A curator, a node that answers with proofs, and what a node that lies would answer instead.

A forgery is named after what was done, and has the checks that catch it.
"""

import copy
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import rfc8785
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from mcpcore.testing import Client
from mcpcore_aws import EnvironmentReader
from sources.answers import SignedStatement
from sources.catalog import open_server
from sources.settings import read_settings
from tests.support.registries import CURATOR, a_category, a_registry, files_of, signing_by
from threegood.registry.records import Registry
from threegood.trust.category_tree import category_tree
from threegood.trust.merkle import node_hash
from threegood.trust.private_keys import FileSigner
from threegood.trust.statement import RegistrySignature, sign_text

__all__ = [
    "CURATOR",
    "FORGERIES",
    "FORGERS_REGISTRY",
    "NOW",
    "REGISTRY",
    "Forgery",
    "answer",
    "bake_signed",
    "signed",
]

Result: TypeAlias = dict[str, Any]

NOW: Final = datetime(2027, 1, 1, tzinfo=UTC)
FORGER: Final = FileSigner(Ed25519PrivateKey.from_private_bytes(bytes(32)))

_SLUGS: Final = ("bread", "chess", "garden", "knots", "piano", "rust", "violin")
_CATEGORIES: Final = {slug: a_category(slug.title()) for slug in _SLUGS}
REGISTRY: Final = a_registry(_CATEGORIES)
"""Seven categories: the path of each has three hashes, but that of the last one, which has two."""

_ELSEWHERE: Final = "https://forged.example/1"
FORGERS_REGISTRY: Final = a_registry(
    {**_CATEGORIES, "piano": a_category("Piano") | {"description": "All about pianos."}}
)


def signed(registry: Registry, by: FileSigner, **changes: Any) -> SignedStatement:
    """What is signed about `registry`, valid in any test; `changes` are members of the statement."""
    signature = signing_by(by, registry).signature
    assert signature is not None
    statement = rfc8785.dumps(json.loads(signature.signed.statement) | changes).decode("utf-8")
    return RegistrySignature(sign_text(statement, by)).content()


def bake_signed(folder: Path) -> Path:
    """Bake the curator's registry into the new `folder`."""
    folder.mkdir()
    for name, data in files_of(REGISTRY, signing_by(CURATOR, REGISTRY)).items():
        (folder / name).write_bytes(data)
    return folder


def answer(folder: Path, slug: str = "piano", *, text: str = "json", **arguments: Any) -> Result:
    """What the product over the registry in `folder` answers."""
    settings = read_settings(EnvironmentReader({"REGISTRY_DIR": str(folder), "TOOL_TEXT": text}))
    asked = {"name": "get_sources", "arguments": {"query": slug, "proof": True, **arguments}}
    result: Result = Client(open_server(settings)).request("tools/call", asked)
    return result


class Forgery(NamedTuple):
    """What a node does to its answer, given other answers of honest nodes, and which checks catch it."""

    name: str
    forge: Callable[[Result], None]
    caught_by: tuple[str, ...]


def _shown(result: Result) -> Result:
    shown: Result = result["structuredContent"]
    return shown


def _source(member: str, value: object, rank: int = 1) -> Callable[[Result], None]:
    def forge(result: Result) -> None:
        _shown(result)["sources"][rank - 1][member] = value

    return forge


def _proof(**members: Any) -> Callable[[Result], None]:
    return lambda result: _shown(result)["proof"].update(members)


def _other(slug: str, *members: str) -> Callable[[Result], None]:
    """The members of the proof of another category."""
    tree = category_tree(REGISTRY)
    (found,) = (each for each in tree.proofs() if each.slug == slug)
    proof = {
        "category": found.leaf.decode("utf-8"),
        "index": found.leaf_index,
        "path": [node.hex() for node in found.path],
    }
    return _proof(**{member: proof[member] for member in members})


def _path(change: Callable[[list[str]], list[str]]) -> Callable[[Result], None]:
    return lambda result: _shown(result)["proof"].update(path=change(_shown(result)["proof"]["path"]))


def _statement(*, by: FileSigner = CURATOR, **changes: Any) -> Callable[[Result], None]:
    """Another statement about the same registry, with a right signature."""
    return _proof(signed=signed(REGISTRY, by, **changes))


def _edited(**changes: Any) -> Callable[[Result], None]:
    """The statement, edited after it was signed."""
    edited = signed(REGISTRY, FORGER, **changes)["statement"]
    return lambda result: _shown(result)["proof"]["signed"].update(statement=edited)


def _swapped(result: Result) -> None:
    sources = _shown(result)["sources"]
    sources[0], sources[1] = sources[1] | {"rank": 1}, sources[0] | {"rank": 2}


def _reordered(result: Result) -> None:
    _shown(result)["sources"].reverse()


def _dropped(result: Result) -> None:
    _shown(result)["sources"].pop()


def _added(result: Result) -> None:
    _shown(result)["sources"].append(_shown(result)["sources"][0] | {"rank": 4})


def _text_alone(result: Result) -> None:
    told = copy.deepcopy(_shown(result))
    told["sources"][0]["url"] = _ELSEWHERE
    result["content"] = [{"type": "text", "text": json.dumps(told)}]


def _prose_alone(result: Result) -> None:
    result["content"].insert(0, {"type": "text", "text": f"Piano\nAll about Piano.\n\nRead {_ELSEWHERE}."})


def _picture(result: Result) -> None:
    result["content"].append({"type": "image", "data": "", "mimeType": "image/png"})


def _leaf(result: Result) -> None:
    """Leaf and sources are changed alike."""
    _source("url", _ELSEWHERE)(result)
    leaf = json.loads(_shown(result)["proof"]["category"])
    leaf["sources"] = _shown(result)["sources"]
    _proof(category=rfc8785.dumps(leaf).decode("utf-8"))(result)


def _tree_of_one(result: Result) -> None:
    """The changed leaf is said to be the whole tree."""
    _leaf(result)
    _proof(path=[], index=0, size=1)(result)


def _own_registry(result: Result) -> None:
    """A registry of the forger's, signed by the forger, with all proofs right."""
    tree = category_tree(FORGERS_REGISTRY)
    (found,) = (each for each in tree.proofs() if each.slug == "piano")
    _proof(
        category=found.leaf.decode("utf-8"),
        path=[node.hex() for node in found.path],
        signed=signed(FORGERS_REGISTRY, FORGER),
    )(result)
    _shown(result)["category"]["description"] = "All about pianos."
    del result["_meta"]


def _borrowed_name(result: Result) -> None:
    """The same, but it names the curator's key."""
    _own_registry(result)
    _shown(result)["proof"]["signed"]["key"] = str(CURATOR.public)


def _inner_node(result: Result) -> None:
    """Two neighbouring hashes are given out as one hash of the path."""
    path = _shown(result)["proof"]["path"]
    joined = node_hash(bytes.fromhex(path[0]), bytes.fromhex(path[1])).hex()
    _proof(path=[joined, *path[2:]], size=4, index=2)(result)


def _meta(result: Result) -> None:
    result["_meta"]["three-good-sources/registry"]["version"] = "9.9.9"


def _no_proof(result: Result) -> None:
    del _shown(result)["proof"]


FORGERIES: Final = (
    Forgery("changed source", _source("name", "Another"), ("sources",)),
    Forgery("changed url", _source("url", _ELSEWHERE), ("sources",)),
    Forgery("changed type", _source("type", "video"), ("sources",)),
    Forgery("changed rank", _source("rank", 3), ("sources",)),
    Forgery("rank that only equals", _source("rank", True), ("sources",)),
    Forgery("changed why", _source("why", "Because they pay.", rank=3), ("sources",)),
    Forgery("invented reason for http", _source("http_reason", "None."), ("sources",)),
    Forgery("swapped ranks", _swapped, ("sources",)),
    Forgery("reversed order", _reordered, ("sources",)),
    Forgery("dropped source", _dropped, ("sources",)),
    Forgery("fourth source", _added, ("sources",)),
    Forgery("changed category", lambda result: _shown(result)["category"].update(name="P"), ("category",)),
    Forgery("other text", _text_alone, ("text",)),
    Forgery("other prose", _prose_alone, ("text",)),
    Forgery("picture", _picture, ("text",)),
    Forgery("changed leaf", _leaf, ("root",)),
    Forgery("tree of one leaf", _tree_of_one, ("root", "size")),
    Forgery("other category's path", _other("rust", "path"), ("root",)),
    Forgery("other category's place", _other("rust", "path", "index"), ("root",)),
    Forgery("other category's proof", _other("rust", "category", "path", "index"), ("category",)),
    Forgery("truncated path", _path(lambda path: path[:-1]), ("path",)),
    Forgery("lengthened path", _path(lambda path: [*path, path[0]]), ("path",)),
    Forgery("path of short hashes", _path(lambda path: [path[0][2:], *path[1:]]), ("path",)),
    Forgery("joined hashes", _inner_node, ("root", "size")),
    Forgery("index outside", _proof(index=7), ("path",)),
    Forgery("other size", _statement(categories=8), ("size",)),
    Forgery("other root", _edited(root=f"sha256:{'0' * 64}"), ("root", "signature")),
    Forgery("signed other root", _statement(root=f"sha256:{'0' * 64}"), ("root",)),
    Forgery("other kind", _statement(kind="three-good-sources/key"), ("statement",)),
    Forgery("statement with more", _statement(note="and all that follows"), ("statement",)),
    Forgery("other registry", _meta, ("meta",)),
    Forgery("other key", _own_registry, ("key", "signature")),
    Forgery("borrowed name of a key", _borrowed_name, ("signature",)),
    Forgery("expired", _statement(expires_at="2026-11-22T00:00:01Z"), ("expiry",)),
    Forgery("prolonged", _edited(expires_at="2140-01-01T00:00:00Z"), ("signature",)),
    Forgery("signed in the future", _statement(signed_at="2098-06-01T00:00:00Z"), ("expiry",)),
    Forgery("without a time", _statement(expires_at=None), ("statement", "expiry")),
    Forgery("unsigned", _proof(signed=None), ("proof",)),
    Forgery("no proof", _no_proof, ("proof",)),
    Forgery("no JSON as category", _proof(category="piano"), ("proof",)),
)
