"""The resources: the whole registry, and each category of it."""

import json
from collections.abc import Mapping, Sequence
from typing import Final, overload

from mcpcore import ResourceInfo
from sources.baked import BakedRegistry
from sources.finding import complete

REGISTRY_URI: Final = "registry://registry"
CATEGORY_TEMPLATE: Final = "registry://categories/{slug}"

_JSON: Final = "application/json"


class RegistryResources:
    """The resources of one registry."""

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
        """Every category as an entry of a resource list; each is read when its page is asked for."""
        return _Categories(self._registry)

    def complete_slug(self, value: str, arguments: Mapping[str, str]) -> Sequence[str]:
        """The slugs that contain `value`: those that begin with it first."""
        del arguments  # a slug depends on nothing else
        return complete(value, self._registry.slugs())


class _Categories(Sequence[ResourceInfo]):
    def __init__(self, registry: BakedRegistry) -> None:
        self._registry = registry

    def __len__(self) -> int:
        return self._registry.manifest.categories

    @overload
    def __getitem__(self, index: int) -> ResourceInfo: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[ResourceInfo]: ...

    def __getitem__(self, index: int | slice) -> ResourceInfo | Sequence[ResourceInfo]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        if not 0 <= index < len(self):
            raise IndexError(index)
        category = self._registry.answer_at(index).structured["category"]
        return ResourceInfo(
            uri=CATEGORY_TEMPLATE.replace("{slug}", category["slug"]),
            name=category["slug"],
            title=category["name"],
            description=category["description"],
            mime_type=_JSON,
        )
