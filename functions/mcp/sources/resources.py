"""The resources: the whole registry, and each category of it."""

import json
from collections.abc import Mapping, Sequence
from typing import Final, overload

from mcpcore import ResourceInfo
from sources.baked import BakedRegistry
from sources.completing import beginning_first

REGISTRY_URI: Final = "registry://registry"
CATEGORY_TEMPLATE: Final = "registry://categories/{slug}"

_JSON: Final = "application/json"


class RegistryResources:
    """What can be read of a registry."""

    def __init__(self, registry: BakedRegistry) -> None:
        self._registry = registry

    def registry(self) -> str:
        """The canonical JSON."""
        return self._registry.canonical().decode("utf-8")

    def category(self, slug: str) -> str | None:
        """A category and its sources as JSON; None when there is no such category."""
        answer = self._registry.answer(slug)
        return None if answer is None else json.dumps(answer.structured, ensure_ascii=False)

    def categories(self) -> Sequence[ResourceInfo]:
        """Every category as a listed resource; only those of a page are read."""
        return _Categories(self._registry)

    def complete_slug(self, value: str, arguments: Mapping[str, str]) -> Sequence[str]:
        """The slugs that begin with `value`, then those that hold it elsewhere."""
        del arguments  # a slug depends on nothing else
        return beginning_first(value, self._registry.slugs())


class _Categories(Sequence[ResourceInfo]):
    def __init__(self, registry: BakedRegistry) -> None:
        self._registry = registry

    def __len__(self) -> int:
        return self._registry.manifest.categories

    @overload
    def __getitem__(self, place: int) -> ResourceInfo: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[ResourceInfo]: ...

    def __getitem__(self, place: int | slice) -> ResourceInfo | Sequence[ResourceInfo]:
        if isinstance(place, slice):
            return [self[index] for index in range(*place.indices(len(self)))]
        if not 0 <= place < len(self):
            raise IndexError(place)
        category = self._registry.answer_at(place).structured["category"]
        return ResourceInfo(
            uri=CATEGORY_TEMPLATE.replace("{slug}", category["slug"]),
            name=category["slug"],
            title=category["name"],
            description=category["description"],
            mime_type=_JSON,
        )
