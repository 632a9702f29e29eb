"""resources/subscribe of the legacy era and subscriptions/listen of the modern one, without an open stream.

A reply is complete when it is sent, so no notification can follow it; the server declares none.
"""

from collections.abc import Mapping
from typing import Final

from mcpcore.methods.call import Call, MethodResult, empty
from mcpcore.protocol.errors import InvalidParams
from mcpcore.protocol.jsonrpc import encode

__all__ = ["listen", "subscribe"]

_SUBSCRIPTION_KEY: Final = "io.modelcontextprotocol/subscriptionId"


def subscribe(call: Call) -> MethodResult:
    """Subscribe to a resource, or unsubscribe; nothing is stored.

    Raises:
        InvalidParams: the URI is missing.
    """
    call.text_param("uri")
    return empty(call)


def listen(call: Call) -> MethodResult:
    """Acknowledge a subscription to none of the wanted notifications, and end it gracefully.

    Spec 2026-07-28, basic/patterns/subscriptions, "Acknowledgment" and "Graceful Closure".

    Raises:
        InvalidParams: the filter of notifications is not an object.
    """
    wanted = call.params.get("notifications")
    if not isinstance(wanted, Mapping):
        raise InvalidParams("Invalid params: notifications must be an object, the filter of a subscription")
    subscription = {_SUBSCRIPTION_KEY: call.run.request_id}
    call.run.notify("notifications/subscriptions/acknowledged", {"_meta": subscription, "notifications": {}})
    tail = call.server.modern_tail
    return MethodResult(encode({**tail, "_meta": {**tail["_meta"], **subscription}}))
