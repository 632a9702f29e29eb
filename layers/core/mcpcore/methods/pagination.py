"""Lists by pages: the items of a page, and the cursor of the next (spec server/utilities/pagination)."""

from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar, overload

from mcpcore.methods.cursors import mint_cursor, open_cursor

__all__ = ["Chain", "Page", "page_at"]

T = TypeVar("T")


class Page(NamedTuple, Generic[T]):
    """Some items of a list in order, and the cursor of the page after them, if there is one."""

    items: Sequence[T]
    next_cursor: str | None


class Chain(Sequence[T]):
    """Several sequences one after the other, without copying them."""

    def __init__(self, parts: Sequence[Sequence[T]]) -> None:
        self._parts = parts

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    @overload
    def __getitem__(self, place: int) -> T: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[T]: ...

    def __getitem__(self, place: int | slice) -> T | Sequence[T]:
        if isinstance(place, slice):
            return [self[index] for index in range(*place.indices(len(self)))]
        place = range(len(self))[place]
        for part in self._parts:
            if place < len(part):
                return part[place]
            place -= len(part)
        raise IndexError


def page_at(items: Sequence[T], cursor: object, *, first: bool, size: int, name: str) -> Page[T]:
    """The page that `cursor` asks for; the first one when `first` says that none was sent.

    A cursor holds for one list of one length: when the list has changed, it is refused like a forged one.

    Raises:
        InvalidParams: we did not give out this cursor.
    """
    seal = f"{name} {len(items)} {size}".encode()
    start = 0 if first else open_cursor(cursor, seal=seal)
    end = start + size
    return Page(items[start:end], mint_cursor(end, seal=seal) if end < len(items) else None)
