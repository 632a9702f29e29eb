"""The resources: what the registry is and where its whole text is, and each category of it."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, overload

from mcpcore import Context, ResourceInfo
from sources.baked import BakedRegistry
from sources.finding import complete

REGISTRY_URI: Final = "registry://registry"
REGISTRY_PATH: Final = "/registry"
"""Where a deployed node serves the whole text: too much for one result, and a page can be cached."""
SIGNATURE_PATH: Final = "/registry.sig"
"""Where it serves the curator's signature."""
HEALTH_PATH: Final = "/health"
"""Where it says that it works, and what it serves."""
CATEGORY_TEMPLATE: Final = "registry://categories/{slug}"

_JSON: Final = "application/json"


BaseUrl = Callable[[Any], str]
"""The URL that the path of a page is added to, by the transport of a request; empty if it is not known."""


class RegistryResources:
    """The resources of one registry."""

    def __init__(self, registry: BakedRegistry, base_url: BaseUrl = lambda _: "") -> None:
        self._registry = registry
        self._base_url = base_url

    def registry(self, context: Context) -> str:
        """The registry's version, digest, address of its whole text, and categories, as JSON."""
        facts = self._registry.page("registry").structured
        address = f"{self._base_url(context.transport)}{REGISTRY_PATH}"
        return json.dumps({**facts, "document": address}, ensure_ascii=False)

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
