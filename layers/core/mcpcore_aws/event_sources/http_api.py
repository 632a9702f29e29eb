"""API Gateway HTTP API, payload format 2.0, and Lambda Function URLs, which use the same."""

from collections.abc import Mapping
from typing import Any

from mcpcore.http import HttpRequest, HttpResponse
from mcpcore_aws.event_sources.body import body_bytes

__all__ = ["to_reply", "to_request"]


def to_request(event: Mapping[str, Any]) -> HttpRequest:
    """The request that the event carries; the gateway has joined repeated headers."""
    headers = {name.lower(): value for name, value in (event.get("headers") or {}).items()}
    return HttpRequest(event["requestContext"]["http"]["method"], headers, body_bytes(event))


def to_reply(response: HttpResponse, _event: Mapping[str, Any]) -> dict[str, Any]:
    """What the gateway makes an HTTP response of."""
    return {
        "statusCode": response.status,
        "headers": dict(response.headers),
        "body": response.body.decode("utf-8"),
        "isBase64Encoded": False,
    }
