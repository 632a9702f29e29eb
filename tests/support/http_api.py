"""Requests to /mcp as the events that API Gateway's HTTP API (payload 2.0) makes of them."""

import json
from typing import Any, Final

_HEADERS: Final = {
    "accept": "application/json, text/event-stream",
    "content-type": "application/json",
    "host": "abc123.execute-api.us-east-1.amazonaws.com",
    "user-agent": "tests",
    "x-forwarded-proto": "https",
}


def event(body: object, headers: dict[str, str], *, method: str = "POST") -> dict[str, Any]:
    """The event of one request to /mcp; no body when `body` is None."""
    made: dict[str, Any] = {
        "version": "2.0",
        "routeKey": "ANY /mcp",
        "rawPath": "/mcp",
        "rawQueryString": "",
        "headers": _HEADERS | headers,
        "requestContext": {
            "accountId": "123456789012",
            "apiId": "abc123",
            "domainName": _HEADERS["host"],
            "domainPrefix": "abc123",
            "http": {
                "method": method,
                "path": "/mcp",
                "protocol": "HTTP/1.1",
                "sourceIp": "192.0.2.1",
                "userAgent": "tests",
            },
            "requestId": "JKJaXmPLvHcESHA=",
            "routeKey": "ANY /mcp",
            "stage": "$default",
            "time": "21/Nov/2026:12:00:00 +0000",
            "timeEpoch": 1795262400000,
        },
        "isBase64Encoded": False,
    }
    return made if body is None else made | {"body": json.dumps(body)}
