"""What the product offers, as its registry says it, to compare with what a client was given."""

import json
from typing import Any, Final

from tests.support.processes import ROOT

__all__ = ["CATEGORY", "FOUND", "RESOURCES", "SERVER", "TEMPLATE", "TEXT", "TOOLS", "URI"]

_REGISTRY: Final[dict[str, Any]] = json.loads((ROOT / "registry.json").read_text())
_RUST: Final[dict[str, Any]] = _REGISTRY["categories"]["rust-learning"]

SERVER: Final = ["three-good-sources", "Three Good Sources"]  # name and title
TOOLS: Final = ["get_sources", "list_categories", "get_provenance", "get_endorsements"]
TEMPLATE: Final = "registry://categories/{slug}"
RESOURCES: Final = [
    "registry://registry",
    *(f"registry://categories/{slug}" for slug in sorted(_REGISTRY["categories"])),
]

# The resource that the clients read, and what a call finds with the query "learning rust".
URI: Final = "registry://categories/rust-learning"
CATEGORY: Final = {
    "category": {"slug": "rust-learning", "name": _RUST["name"], "description": _RUST["description"]},
    "sources": _RUST["sources"],
}
FOUND: Final = {
    **CATEGORY,
    "match": {
        "score": 1,
        "strategy": "reference",
        "phrase": "learning rust",
        "terms": ["rust", "learning"],
    },
}


def _as_text(source: dict[str, Any]) -> str:
    return (
        f"{source['rank']}. {source['name']} ({source['type']})\n   {source['url']}\n   Why: {source['why']}"
    )


TEXT: Final = "\n\n".join(
    [f"{_RUST['name']}\n{_RUST['description']}", *(_as_text(source) for source in _RUST["sources"])]
)
