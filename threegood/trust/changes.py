"""What a registry states, thing by thing, and the changes that lead from one statement to the next.

A thing is named by its kind and what tells it apart: a category by its slug, a source by category and URL, an
endorsement by URL and name, the curator as the identity with that role.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from threegood.trust.entries import Change

Key: TypeAlias = tuple[str, ...]
State: TypeAlias = Mapping[Key, dict[str, Any]]

NOTHING: Final[State] = MappingProxyType({})

# Kind → what adding, updating and removing one is called. The reference knows those of the first three lines,
# but no removal of an identity.
ACTIONS: Final[dict[str, tuple[str, str, str]]] = {
    "identity": ("identity_registered", "identity_updated", "identity_removed"),
    "category": ("category_added", "category_updated", "category_removed"),
    "source": ("source_added", "source_updated", "source_removed"),
    "endorsement": ("endorsement_added", "endorsement_updated", "endorsement_removed"),
}
KEY_ADDED: Final = "key_added"
KEY_REMOVED: Final = "key_removed"

_ADDED, _UPDATED, _REMOVED = range(3)
_BY_ACTION: Final = {
    action: (kind, how) for kind, actions in ACTIONS.items() for how, action in enumerate(actions)
}
_CURATOR: Final = "curator"


class ChangeRefused(ValueError):
    """A change that does not fit what the log has said before; the message has the reason."""


def state_of(registry: Mapping[str, Any]) -> State:
    """What a registry states, from the content of its `registry.json` or of its canonical form."""
    curator = registry["curator"]
    state: dict[Key, dict[str, Any]] = {("identity", _CURATOR): {**curator, "role": _CURATOR}}
    for slug, category in registry["categories"].items():
        facts = {name: value for name, value in category.items() if name != "sources"}
        state["category", slug] = facts
        for source in category["sources"]:
            state["source", slug, source["url"]] = source
    for endorsement in registry["endorsements"]:
        state["endorsement", endorsement["url"], endorsement["name"]] = endorsement
    return state


def curators_key(state: State) -> str | None:
    """The curator's public key as the registry states it; None before there is one."""
    curator = state.get(("identity", _CURATOR))
    return None if curator is None else str(curator["pubkey"])


def changes(old: State, new: State) -> Iterator[Change]:
    """What leads from `old` to `new`: what goes away first, then kind by kind what is new or other."""
    for key in sorted(old.keys() - new.keys(), key=lambda key: (_rank(key), key), reverse=True):
        yield _change(key, old[key], _REMOVED)
    for key in sorted(new, key=lambda key: (_rank(key), *_order(key, new[key]))):
        if key not in old:
            yield _change(key, new[key], _ADDED)
        elif old[key] != new[key]:
            yield _change(key, new[key], _UPDATED)


def applied(change: Change, state: dict[Key, dict[str, Any]]) -> None:
    """Make `change` to `state`.

    Raises:
        ChangeRefused: the action is unknown, or does not fit what there is.
    """
    kind, how = _BY_ACTION.get(change.action, ("", -1))
    key = _key(kind, change)
    known = state.get(key)
    fits = {
        _ADDED: known is None and _has_place(key, state),
        _UPDATED: known is not None and known != change.data,
        _REMOVED: known is not None and known == change.data and not _has_parts(key, state),
    }
    if not fits[how]:
        raise ChangeRefused(f"{change.action} of {' '.join(key[1:])} does not fit what is logged")
    if how == _REMOVED:
        del state[key]
    else:
        state[key] = change.data


def _key(kind: str, change: Change) -> Key:
    members = {"identity": ("role",), "source": ("url",), "endorsement": ("url", "name")}.get(kind, ())
    if (kind in ("category", "source")) != (change.category is not None):
        raise ChangeRefused(f"{change.action} is unknown, or not of a category")
    parts = [change.data.get(member) for member in members]
    if not kind or not all(isinstance(part, str) for part in parts):
        raise ChangeRefused(f"{change.action} is unknown, or its data does not say what it is about")
    slug = () if change.category is None else (change.category,)
    return (kind, *slug, *map(str, parts))


def _has_place(key: Key, state: State) -> bool:
    """Whether a source that is added has a category."""
    return key[0] != "source" or ("category", key[1]) in state


def _has_parts(key: Key, state: State) -> bool:
    """Whether a category that is removed still has sources."""
    return key[0] == "category" and any(other[:2] == ("source", key[1]) for other in state)


def _change(key: Key, data: dict[str, Any], how: int) -> Change:
    category = key[1] if key[0] in ("category", "source") else None
    return Change(ACTIONS[key[0]][how], category, data)


def _rank(key: Key) -> int:
    return list(ACTIONS).index(key[0])


def _order(key: Key, data: Mapping[str, Any]) -> tuple[str, int, Key]:
    """Sources stand in the order of their ranks; everything else, of its name."""
    return key[1], data.get("rank", 0), key
