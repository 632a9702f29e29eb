"""Application Load Balancer with a Lambda function as its target."""

from collections.abc import Mapping
from typing import Any

from mcpcore.http import HttpResponse
from mcpcore_aws.event_sources.http_api import body_members
from mcpcore_aws.event_sources.parsing import is_format_1
from mcpcore_aws.event_sources.parsing import request_of_format_1 as to_request

__all__ = ["peer_of", "recognizes", "to_reply", "to_request"]


def recognizes(event: Mapping[str, Any]) -> bool:
    """True for an event of a load balancer."""
    return is_format_1(event) and "elb" in event["requestContext"]


def to_reply(response: HttpResponse, event: Mapping[str, Any]) -> dict[str, Any]:
    """The reply from which the load balancer makes the HTTP response.

    A target group with multi-value headers enabled sends events with them and ignores `headers` in replies.
    """
    from http import HTTPStatus  # no other event source needs it

    reply: dict[str, Any] = {
        "statusCode": response.status,
        "statusDescription": f"{response.status} {HTTPStatus(response.status).phrase}",
        **body_members(response),
    }
    if "multiValueHeaders" in event:
        reply["multiValueHeaders"] = {name: [value] for name, value in response.headers.items()}
    else:
        reply["headers"] = dict(response.headers)
    return reply


def peer_of(_event: Mapping[str, Any]) -> str:
    """Nothing: the load balancer appends the address that connected to X-Forwarded-For."""
    return ""
