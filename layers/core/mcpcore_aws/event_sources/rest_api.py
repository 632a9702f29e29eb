"""API Gateway REST API, payload format 1.0; it takes the same replies as an HTTP API."""

from collections.abc import Mapping
from typing import Any

from mcpcore.http import HttpRequest
from mcpcore_aws.event_sources.body import body_bytes, joined
from mcpcore_aws.event_sources.http_api import to_reply

__all__ = ["to_reply", "to_request"]


def to_request(event: Mapping[str, Any]) -> HttpRequest:
    """The request that the event carries."""
    return HttpRequest(event["httpMethod"], joined(event), body_bytes(event))
