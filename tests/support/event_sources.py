"""Requests sent to a Lambda handler through any of its event sources."""

import time

from mcpcore_local import Handler, InvocationContext
from tests.support.events import captured, headers_of, with_body, with_headers
from tests.support.exchanges import Reply, Send, Sent, body_of

__all__ = ["through_event_source"]


def through_event_source(handler: Handler, source: str, *, remaining_seconds: float = 29) -> Send:
    """Calls `handler` with the events that `source` makes of requests, with so much time for each."""

    def send(sent: Sent) -> Reply:
        event = with_headers(with_body(captured(source), sent.body.decode()), dict(sent.headers))
        event["httpMethod"] = sent.method
        event["requestContext"].get("http", {})["method"] = sent.method
        invocation = InvocationContext("an id", time.monotonic() + remaining_seconds)
        reply = dict(handler(event, invocation))
        return Reply(reply["statusCode"], headers_of(reply), body_of(reply))

    return send
