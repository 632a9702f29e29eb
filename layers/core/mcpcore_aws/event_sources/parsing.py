"""Parsing shared by several event sources."""

import base64
import binascii
from collections.abc import Mapping
from typing import Any

from mcpcore.http import HttpRequest

__all__ = ["body_of", "headers_of", "is_format_1", "request_of_format_1"]


def is_format_1(event: Mapping[str, Any]) -> bool:
    """True for payload format 1.0, which REST APIs and load balancers share."""
    return isinstance(event.get("httpMethod"), str)


def request_of_format_1(event: Mapping[str, Any]) -> HttpRequest:
    """The HTTP request in an event of format 1.0."""
    path, query = event.get("path") or "", _query_of(event)
    return HttpRequest(event["httpMethod"], headers_of(event), body_of(event), path, query)


def _query_of(event: Mapping[str, Any]) -> str:
    """The query, encoded again: a REST API decodes it, and a load balancer leaves it as it is."""
    parameters: Mapping[str, list[str]] = event.get("multiValueQueryStringParameters") or {
        name: [value] for name, value in (event.get("queryStringParameters") or {}).items()
    }
    if not parameters:
        return ""
    if "elb" in event["requestContext"]:
        return "&".join(f"{name}={value}" for name, values in parameters.items() for value in values)
    from urllib.parse import urlencode  # requests to /mcp have no query

    return urlencode(parameters, doseq=True)


def headers_of(event: Mapping[str, Any]) -> dict[str, str]:
    """The headers with their names in lower case; several values of one header are joined by commas."""
    multiple: Mapping[str, list[str]] | None = event.get("multiValueHeaders")
    if multiple:
        return {name.lower(): ",".join(values) for name, values in multiple.items()}
    single: Mapping[str, str] = event.get("headers") or {}
    return {name.lower(): value for name, value in single.items()}


def body_of(event: Mapping[str, Any]) -> bytes | None:
    """The body; None if the event declares Base64 and the body is not valid Base64."""
    body: str = event.get("body") or ""
    if not event.get("isBase64Encoded"):
        # An event source that decodes bytes as text may leave lone surrogates; the JSON parser rejects them.
        return body.encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode(body, validate=True)
    except (binascii.Error, ValueError):
        return None
