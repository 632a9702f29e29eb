"""`python -m bench.tokens.texts`: the text of some results with each setting of TOOL_TEXT, as JSON."""

import json
import sys
from pathlib import Path
from typing import Any, Final, get_args

from mcpcore import ToolText
from mcpcore.testing import Client
from mcpcore_aws import EnvironmentReader
from sources.catalog import open_server
from sources.settings import read_settings

__all__ = ["CALLS", "texts"]

_REGISTRY: Final = str(Path(__file__).parents[2] / "layers" / "registry" / "baked")
CALLS: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("get_sources", {"query": "how do I get started with rust"}),
    ("get_sources", {"query": "self-hosted email", "alternatives": 3}),
    ("get_sources", {"query": "how do I get started with rust", "proof": True}),
    ("search_categories", {"query": "self-hosted email"}),
    ("list_categories", {}),
    ("get_provenance", {}),
    ("get_audit_log", {"category": "rust-learning"}),
)


def texts() -> dict[str, dict[str, str]]:
    """The text of each call's result, by call and setting."""
    found: dict[str, dict[str, str]] = {}
    for setting in get_args(ToolText):
        settings = read_settings(EnvironmentReader({"REGISTRY_DIR": _REGISTRY, "TOOL_TEXT": setting}))
        client = Client(open_server(settings))
        for tool, arguments in CALLS:
            call = f"{tool} {json.dumps(arguments)}" if arguments else tool
            found.setdefault(call, {})[setting] = client.call_tool(tool, arguments).text
    return found


if __name__ == "__main__":
    json.dump(texts(), sys.stdout)
