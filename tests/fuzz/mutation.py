"""Changes a JSON document by some steps: its structure, its values, the bytes of its texts."""

import json
import random
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias

__all__ = ["MutateBytes", "Pool", "as_sent", "changed"]

MutateBytes: TypeAlias = Callable[[bytes], bytes]
"""Changes bytes at the fuzzer's choice."""

_MAX_STEPS: Final = 4
_ODD: Final[tuple[Any, ...]] = (
    None,
    True,
    0,
    -1,
    1.0,
    1e308,
    2**63,
    "",
    "\x00",
    "\ud800",
    "é",
    [],
    {},
    [[]],
    "a" * 300,
)


class Pool:
    """The values and names that occur in some documents, to be put into others."""

    def __init__(self, documents: Iterable[Any]) -> None:
        self.documents = list(documents)
        self.values: list[Any] = list(_ODD)
        self.names: list[str] = [""]
        for document in self.documents:
            self._take(document)

    def _take(self, value: Any) -> None:
        self.values.append(value)
        if isinstance(value, dict):
            self.names += value
        for inner in _children(value):
            self._take(inner)


def as_sent(content: Any) -> bytes:
    """A text as it is, other content as JSON; U+DC80 to U+DCFF stand for bytes that are no UTF-8."""
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def changed(data: bytes, *, pool: Pool, seed: int, mutate_bytes: MutateBytes) -> bytes:
    """The document in `data` with some changes; one of the pool if `data` is no JSON."""
    chance = random.Random(seed)
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        document = chance.choice(pool.documents)
    # A copy: parts of the pool must not change.
    root = [json.loads(json.dumps(document))]
    for _ in range(chance.randint(1, _MAX_STEPS)):
        _step(root, pool, chance, mutate_bytes)
    return json.dumps(root[0]).encode("ascii")


def _step(root: list[Any], pool: Pool, chance: random.Random, mutate_bytes: MutateBytes) -> None:
    parent, key = chance.choice(list(_places(root)))
    value = parent[key]
    kind = chance.randrange(6)
    if kind == 0 and parent is not root:
        del parent[key]
    elif kind == 1 and isinstance(value, dict):
        value[chance.choice(pool.names)] = _copy(chance.choice(pool.values))
    elif kind == 1 and isinstance(value, list):
        value.insert(chance.randint(0, len(value)), _copy(chance.choice([*value, *pool.values])))
    elif kind == 2:
        parent[key] = _copy(chance.choice(pool.values))
    elif kind == 3 and parent is not root:
        parent[key] = json.dumps(value)
    else:
        parent[key] = _other(value, pool, chance, mutate_bytes)


def _other(value: Any, pool: Pool, chance: random.Random, mutate_bytes: MutateBytes) -> Any:
    if isinstance(value, str):
        return mutate_bytes(as_sent(value)).decode("utf-8", "surrogateescape")
    if isinstance(value, bool) or not isinstance(value, int | float):
        return _copy(chance.choice(pool.values))
    return value + chance.choice((-1, 1, 0.5, 10**6))


def _copy(value: Any) -> Any:
    return json.loads(json.dumps(value))


def _places(parent: Any) -> Iterable[tuple[Any, Any]]:
    """Every place of a value below `parent`: what holds it, and its key there."""
    keys = range(len(parent)) if isinstance(parent, list) else parent if isinstance(parent, dict) else ()
    for key in keys:
        yield parent, key
        yield from _places(parent[key])


def _children(value: Any) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
