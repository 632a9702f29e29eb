"""API Gateway REST API with payload format 1.0; its replies are those of an HTTP API."""

from collections.abc import Mapping
from typing import Any

from mcpcore.http import HttpRequest
from mcpcore_aws.event_sources.http_api import to_reply
from mcpcore_aws.event_sources.parsing import body_of, headers_of

__all__ = ["to_reply", "to_request"]


def to_request(event: Mapping[str, Any]) -> HttpRequest:
    """The HTTP request in `event`."""
    return HttpRequest(event["httpMethod"], headers_of(event), body_of(event))
