"""Application Load Balancer, as the target group of a Lambda function."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from mcpcore.http import HttpRequest, HttpResponse
from mcpcore_aws.event_sources.body import body_bytes, joined

__all__ = ["to_reply", "to_request"]


def to_request(event: Mapping[str, Any]) -> HttpRequest:
    """The request that the event carries."""
    return HttpRequest(event["httpMethod"], joined(event), body_bytes(event))


def to_reply(response: HttpResponse, event: Mapping[str, Any]) -> dict[str, Any]:
    """What the balancer makes an HTTP response of.

    A target group with multi-value headers switched on sends them so and ignores single ones in the reply.
    """
    reply: dict[str, Any] = {
        "statusCode": response.status,
        "statusDescription": f"{response.status} {HTTPStatus(response.status).phrase}",
        "body": response.body.decode("utf-8"),
        "isBase64Encoded": False,
    }
    if "multiValueHeaders" in event:
        reply["multiValueHeaders"] = {name: [value] for name, value in response.headers.items()}
    else:
        reply["headers"] = dict(response.headers)
    return reply
