"""The HTTP event sources of Lambda: each turns its events into requests, and responses into its replies."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from mcpcore.http import HttpRequest, HttpResponse
from mcpcore_aws.event_sources import alb, http_api, rest_api

__all__ = ["Event", "EventSource", "UnknownEvent", "event_source_of"]

Event: TypeAlias = Mapping[str, Any]


class UnknownEvent(Exception):
    """The event comes from no supported HTTP event source, so there is no HTTP reply."""

    def __init__(self) -> None:
        super().__init__(
            "The event is none of API Gateway HTTP API, Function URL, REST API or ALB; "
            "call the function through one of them"
        )


class EventSource(NamedTuple):
    """Converts between Lambda events and HTTP messages. `to_reply` also gets the event that it replies to."""

    name: str
    to_request: Callable[[Event], HttpRequest]
    to_reply: Callable[[HttpResponse, Event], dict[str, Any]]


_HTTP_API = EventSource("http api", http_api.to_request, http_api.to_reply)
_REST_API = EventSource("rest api", rest_api.to_request, rest_api.to_reply)
_ALB = EventSource("alb", alb.to_request, alb.to_reply)


def event_source_of(event: object) -> EventSource:
    """The source of `event`. A Function URL sends the same events as an HTTP API (payload format 2.0).

    Raises:
        UnknownEvent: `event` comes from none of them.
    """
    if isinstance(event, dict) and isinstance(event.get("requestContext"), dict):
        if event.get("version") == "2.0" and "http" in event["requestContext"]:
            return _HTTP_API
        if isinstance(event.get("httpMethod"), str):
            return _ALB if "elb" in event["requestContext"] else _REST_API
    raise UnknownEvent
