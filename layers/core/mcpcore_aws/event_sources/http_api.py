"""API Gateway HTTP API with payload format 2.0, which Lambda Function URLs use too."""

import base64
from collections.abc import Mapping
from typing import Any

from mcpcore.http import HttpRequest, HttpResponse
from mcpcore_aws.event_sources.parsing import body_of, headers_of

__all__ = ["body_members", "peer_of", "recognizes", "to_reply", "to_request"]


def recognizes(event: Mapping[str, Any]) -> bool:
    """True for an event of an HTTP API with payload format 2.0, or of a Function URL."""
    return event.get("version") == "2.0" and "http" in event["requestContext"]


def to_request(event: Mapping[str, Any]) -> HttpRequest:
    """The HTTP request in `event`. The gateway has already joined repeated headers."""
    method = event["requestContext"]["http"]["method"]
    path, query = event.get("rawPath") or "", event.get("rawQueryString") or ""
    return HttpRequest(method, headers_of(event), body_of(event), path, query)


def to_reply(response: HttpResponse, _event: Mapping[str, Any]) -> dict[str, Any]:
    """The reply from which the gateway makes the HTTP response."""
    return {
        "statusCode": response.status,
        "headers": dict(response.headers),
        **body_members(response),
    }


def peer_of(event: Mapping[str, Any]) -> str:
    """The address that connected to the gateway."""
    return str(event["requestContext"]["http"].get("sourceIp", ""))


def body_members(response: HttpResponse) -> dict[str, Any]:
    """The members of a reply that carry the body: as text, or as Base64 if it is any bytes."""
    if response.is_text:
        return {"body": response.body.decode("utf-8"), "isBase64Encoded": False}
    return {"body": base64.b64encode(response.body).decode("ascii"), "isBase64Encoded": True}
