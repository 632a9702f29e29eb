"""The HTTP event sources of Lambda: each turns its events into requests, and responses into its replies."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from mcpcore.http import HttpRequest, HttpResponse
from mcpcore_aws.event_sources import alb, http_api, rest_api

__all__ = ["Event", "EventSource", "UnknownEvent", "event_source_of"]

Event: TypeAlias = Mapping[str, Any]


class EventSource(NamedTuple):
    """Converts between Lambda events and HTTP messages.

    `recognizes` is true for its own events; all sources have a `requestContext`. `to_reply` also gets the
    event that it replies to. `peer_of` gives the address that connected; empty if the source appends it to
    X-Forwarded-For. `name` is its name in log and metrics, `title` its name at AWS.
    `max_reply_bytes` is the size of a serialized reply above which there is no response to the client.
    `takes_bytes` is False if a body in Base64 needs a setting at AWS, and would reach the client as Base64.
    """

    name: str
    title: str
    recognizes: Callable[[Event], bool]
    to_request: Callable[[Event], HttpRequest]
    to_reply: Callable[[HttpResponse, Event], dict[str, Any]]
    peer_of: Callable[[Event], str]
    max_reply_bytes: int
    takes_bytes: bool

    def excess(self, response: HttpResponse, reply: dict[str, Any]) -> int | None:
        """The size of `reply`, made of `response`, if it is too large to send.

        Serializing a reply again takes as long as all our other work, so it is done only if the body could
        exceed the limit: a byte of it becomes six at most.
        """
        if len(response.body) * _MAX_ESCAPE_BYTES + _MAX_HEADERS_BYTES <= self.max_reply_bytes:
            return None
        size = len(json.dumps(reply))
        return size if size > self.max_reply_bytes else None


_MAX_ESCAPE_BYTES: Final = len(r"\u0000")
_MAX_HEADERS_BYTES: Final = 32_768

# The quota for a reply, as the runtime enforces it (Lambda developer guide, "Lambda quotas").
_LAMBDA_LIMIT_BYTES: Final = 6_291_556
# A load balancer takes 1 MB (guide of Application Load Balancers, "Lambda functions as targets").
_ALB_LIMIT_BYTES: Final = 1_000_000

_SOURCES: Final = (
    EventSource(
        "http api",
        "API Gateway HTTP API or Function URL",
        http_api.recognizes,
        http_api.to_request,
        http_api.to_reply,
        http_api.peer_of,
        _LAMBDA_LIMIT_BYTES,
        takes_bytes=True,
    ),
    EventSource(
        "rest api",
        "API Gateway REST API",
        rest_api.recognizes,
        rest_api.to_request,
        rest_api.to_reply,
        rest_api.peer_of,
        _LAMBDA_LIMIT_BYTES,
        takes_bytes=False,  # `binaryMediaTypes`
    ),
    EventSource(
        "alb",
        "Application Load Balancer",
        alb.recognizes,
        alb.to_request,
        alb.to_reply,
        alb.peer_of,
        _ALB_LIMIT_BYTES,
        takes_bytes=True,
    ),
)


class UnknownEvent(Exception):
    """The event comes from no supported HTTP event source, so there is no HTTP reply."""

    def __init__(self) -> None:
        titles = ", ".join(source.title for source in _SOURCES)
        super().__init__(f"The event is of none of these sources: {titles}; call the function through one")


def event_source_of(event: object) -> EventSource:
    """The source of `event`.

    Raises:
        UnknownEvent: `event` comes from none of them.
    """
    if isinstance(event, dict) and isinstance(event.get("requestContext"), dict):
        for source in _SOURCES:
            if source.recognizes(event):
                return source
    raise UnknownEvent
