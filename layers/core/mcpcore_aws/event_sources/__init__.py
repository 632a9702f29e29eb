"""Lambda's front doors: each kind of event to a request, and a response to what that door expects."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from mcpcore.http import HttpRequest, HttpResponse
from mcpcore_aws.event_sources import alb, http_api, rest_api

__all__ = ["Door", "Event", "UnknownEvent", "door_of"]

Event: TypeAlias = Mapping[str, Any]


class UnknownEvent(Exception):
    """The function was not called by one of its doors: there is nobody to answer over HTTP."""

    def __init__(self) -> None:
        super().__init__(
            "The event is none of API Gateway HTTP API, Function URL, REST API or ALB; "
            "call the function through one of them"
        )


class Door(NamedTuple):
    """Two pure functions, each the other's way back. `to_reply` takes the event that is answered too."""

    name: str
    to_request: Callable[[Event], HttpRequest]
    to_reply: Callable[[HttpResponse, Event], dict[str, Any]]


_HTTP_API = Door("http api", http_api.to_request, http_api.to_reply)
_REST_API = Door("rest api", rest_api.to_request, rest_api.to_reply)
_ALB = Door("alb", alb.to_request, alb.to_reply)


def door_of(event: object) -> Door:
    """The door that made `event`; a Function URL's events are those of an HTTP API (payload 2.0).

    Raises:
        UnknownEvent: none of them did.
    """
    if isinstance(event, dict) and isinstance(event.get("requestContext"), dict):
        if event.get("version") == "2.0" and "http" in event["requestContext"]:
            return _HTTP_API
        if isinstance(event.get("httpMethod"), str):
            return _ALB if "elb" in event["requestContext"] else _REST_API
    raise UnknownEvent
