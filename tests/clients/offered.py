"""What the product offers, as its registry says it, to compare with what a client was given."""

from typing import Any, Final

from mcpcore.testing import Client
from mcpcore_aws import EnvironmentReader
from sources.catalog import open_server
from sources.settings import read_settings
from tests.support.published import CATEGORIES, baked_folder

__all__ = ["CATEGORY", "FOUND", "PROMPT", "RESOURCES", "SERVER", "TEMPLATE", "TEXT", "TOOLS", "URI"]

_RUST: Final[dict[str, Any]] = CATEGORIES["rust-learning"]

SERVER: Final = ["three-good-sources", "Three Good Sources"]  # name and title
TOOLS: Final = [
    "get_sources",
    "list_categories",
    "search_categories",
    "get_provenance",
    "get_endorsements",
    "get_audit_log",
]
TEMPLATE: Final = "registry://categories/{slug}"
RESOURCES: Final = [
    "registry://registry",
    *(f"registry://categories/{slug}" for slug in sorted(CATEGORIES)),
]

# The resource that the clients read, and what a call finds with the query "learning rust".
URI: Final = "registry://categories/rust-learning"
CATEGORY: Final = {
    "category": {"slug": "rust-learning", "name": _RUST["name"], "description": _RUST["description"]},
    "sources": _RUST["sources"],
}


def _product() -> Client:
    """The product itself, for what depends on the way of matching."""
    settings = read_settings(EnvironmentReader({"REGISTRY_DIR": str(baked_folder())}))
    return Client(open_server(settings))


_ANSWER: Final = _product().call_tool("get_sources", query="learning rust")
FOUND: Final = {**CATEGORY, "match": _ANSWER.structured["match"], "alternatives": []}
TEXT: Final = _ANSWER.text
PROMPT: Final = [
    message["content"]["text"] for message in _product().get_prompt("research_topic", topic="rust")
]
