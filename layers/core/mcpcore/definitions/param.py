"""Limits and a description of a parameter, declared without importing pydantic."""

from collections.abc import Callable
from math import inf
from typing import Any, Final, NamedTuple

_LENGTHS: Final = ("min_length", "max_length")
_BOUNDS: Final = ("ge", "le", "gt", "lt")
_LIMITED_BY: Final = {"str": _LENGTHS, "list": _LENGTHS, "int": _BOUNDS, "float": _BOUNDS}


class Param(NamedTuple):
    """Limits and a description, for `Annotated[str, Param("The city.", max_length=80)]`.

    Lengths count the characters of a string or the items of a list; `ge`, `le`, `gt` and `lt` bound a number.
    If the type allows None too, they bound the other values. Pydantic's `Field` does the same and more, but a
    module that uses it imports pydantic, which makes a cold start slow.
    """

    description: str = ""
    min_length: int | None = None
    max_length: int | None = None
    ge: float | None = None
    le: float | None = None
    gt: float | None = None
    lt: float | None = None

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        """The schema of the type with these limits (pydantic, "Custom types").

        Raises:
            TypeError: the type has no such limits, or the description is not a string.
        """
        if not isinstance(self.description, str):
            raise TypeError(f"Param's description must be a string, not {self.description!r}")
        names = (*_LENGTHS, *_BOUNDS)
        limits = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        return _limited(handler(source), limits)

    def __get_pydantic_json_schema__(self, schema: Any, handler: Callable[[Any], Any]) -> Any:
        """The JSON Schema of the type with the description."""
        described = {"description": self.description} if self.description else {}
        return {**handler(schema), **described}


def _limited(schema: Any, limits: dict[str, float]) -> Any:
    if schema["type"] == "nullable":
        return {**schema, "schema": _limited(schema["schema"], limits)}
    kind = schema["type"]
    for name, limit in limits.items():
        if name not in _LIMITED_BY.get(kind, ()):
            raise TypeError(f"Param's {name} does not apply to {kind}; pydantic's Field may")
        if not _is_limit(name, limit, kind):
            raise TypeError(f"Param's {name} of {kind} cannot be {limit!r}")
    return {**schema, **limits}


def _is_limit(name: str, limit: Any, kind: str) -> bool:
    """True for a length that is a count, and for a bound that is a finite number, whole for integers."""
    if name in _LENGTHS:
        return type(limit) is int and limit >= 0
    return type(limit) in (int, float) and abs(limit) < inf and (kind == "float" or limit == int(limit))
