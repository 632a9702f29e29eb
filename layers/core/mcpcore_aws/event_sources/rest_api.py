"""API Gateway REST API with payload format 1.0; its replies are those of an HTTP API."""

from collections.abc import Mapping
from typing import Any

from mcpcore_aws.event_sources.http_api import to_reply
from mcpcore_aws.event_sources.parsing import is_format_1
from mcpcore_aws.event_sources.parsing import request_of_format_1 as to_request

__all__ = ["peer_of", "recognizes", "to_reply", "to_request"]


def recognizes(event: Mapping[str, Any]) -> bool:
    """True for an event of a REST API."""
    return is_format_1(event) and "elb" not in event["requestContext"]


def peer_of(event: Mapping[str, Any]) -> str:
    """The address that connected to the gateway."""
    return str((event["requestContext"].get("identity") or {}).get("sourceIp", ""))
