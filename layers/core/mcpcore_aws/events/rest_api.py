"""API Gateway REST API, payload format 1.0."""

from collections.abc import Mapping
from typing import Any

from mcpcore.http import HttpRequest, HttpResponse
from mcpcore_aws.events.body import body_bytes, joined

__all__ = ["to_reply", "to_request"]


def to_request(event: Mapping[str, Any]) -> HttpRequest:
    """The request that the event carries."""
    return HttpRequest(event["httpMethod"], joined(event), body_bytes(event))


def to_reply(response: HttpResponse, _event: Mapping[str, Any]) -> dict[str, Any]:
    """What the gateway makes an HTTP response of."""
    return {
        "statusCode": response.status,
        "headers": dict(response.headers),
        "body": response.body.decode("utf-8"),
        "isBase64Encoded": False,
    }
