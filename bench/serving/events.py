"""The requests that every target is measured with, as Lambda events of an HTTP API."""

import json
from typing import Any, Final

from tests.support.http_api import event
from tests.support.processes import ROOT

__all__ = ["CALL", "CONSTANT", "INITIALIZE", "LEGACY", "LEGACY_CALL", "MODERN", "queries", "request"]

CALL: Final = "2026 tools/call"
LEGACY_CALL: Final = "2025 tools/call"
INITIALIZE: Final = "2025 initialize"
CONSTANT: Final = ("2026 tools/list", "2026 server/discover", "2026 resources/list")
"""Requests whose result never changes."""

MODERN: Final = (*CONSTANT, CALL)
LEGACY: Final = ("2025 tools/list", LEGACY_CALL)
"""Requests in a session."""

_MODERN_VERSION: Final = "2026-07-28"
_LEGACY_VERSION: Final = "2025-11-25"
_CLIENT: Final = {"name": "bench", "version": "1"}
_META: Final = {
    "io.modelcontextprotocol/protocolVersion": _MODERN_VERSION,
    "io.modelcontextprotocol/clientInfo": _CLIENT,
    "io.modelcontextprotocol/clientCapabilities": {},
}

_PARAMS: Final[dict[str, dict[str, Any]]] = {
    "tools/call": {"name": "get_sources", "arguments": {"query": "how do I learn rust"}},
    "initialize": {"protocolVersion": _LEGACY_VERSION, "capabilities": {}, "clientInfo": _CLIENT},
}


def request(kind: str) -> dict[str, Any]:
    """The event of one request; `kind` is the year of the revision and the method: `2026 tools/call`."""
    year, method = kind.split()
    params = _PARAMS.get(method, {})
    headers = {} if method == "initialize" else {"mcp-protocol-version": _LEGACY_VERSION}
    if year == "2026":
        params = params | {"_meta": _META}
        headers = {"mcp-protocol-version": _MODERN_VERSION, "mcp-method": method}
        if method == "tools/call":
            headers["mcp-name"] = params["name"]
    return event({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, headers)


def queries() -> list[str]:
    """The labelled queries that the matching is tuned on, without duplicates."""
    lines = (ROOT / "tests" / "eval" / "sets" / "tuning.jsonl").read_text().splitlines()
    return list(dict.fromkeys(json.loads(line)["query"] for line in lines))
