"""The bare handler with a tool: decodes the body, calls the tool, encodes the result; checks nothing."""

import json
from typing import Any, Final

from .work import DESCRIPTIONS, as_text, find

_QUERY: Final = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
_TOOLS: Final = [
    {"name": name, "description": text, "inputSchema": _QUERY} for name, text in DESCRIPTIONS.items()
]
_CONSTANT: Final = {
    "tools/list": {"tools": _TOOLS},
    "resources/list": {"resources": []},
    "server/discover": {"serverInfo": {"name": "floor", "version": "1"}, "capabilities": {"tools": {}}},
    "initialize": {"serverInfo": {"name": "floor", "version": "1"}, "capabilities": {"tools": {}}},
}


def lambda_handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    """The answer to a request that is assumed to be valid."""
    message = json.loads(event["body"])
    result = _CONSTANT.get(message["method"]) or _called(message["params"]["arguments"])
    answer = {"jsonrpc": "2.0", "id": message["id"], "result": result}
    return {
        "statusCode": 200,
        "headers": {"content-type": "application/json"},
        "body": json.dumps(answer, separators=(",", ":")),
    }


def _called(arguments: dict[str, Any]) -> dict[str, Any]:
    found = find(arguments["query"])
    return {
        "content": [{"type": "text", "text": as_text(found)}],
        "structuredContent": found,
        "isError": False,
    }
