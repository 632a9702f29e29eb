"""Subscribing in both eras, which is acknowledged although no notification can follow."""

from typing import Any

import pytest

from mcpcore.http import HttpResponse
from tests.support.messages import (
    LEGACY_VERSIONS,
    SERVER_INFO_KEY,
    error,
    events,
    modern,
    notification,
    result,
)
from tests.support.servers import FIXTURE_INFO, Wire, full_server
from tests.support.versions import ask

SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId"


@pytest.mark.requirement("subscribe")
@pytest.mark.parametrize("method", ["resources/subscribe", "resources/unsubscribe"])
@pytest.mark.parametrize("version", LEGACY_VERSIONS)
@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({"uri": "book://motto"}, result(1, {})),
        ({"uri": "book://nope"}, result(1, {})),
        ({}, error(200, 1, -32602, "Invalid params: uri must be a string")),
    ],
)
def test_subscribing_is_answered_by_an_empty_object_for_every_uri(
    version: str, method: str, params: dict[str, Any], expected: HttpResponse
) -> None:
    wire = Wire(full_server())

    assert [ask(wire, version, method, params) for _ in range(2)] == [expected, expected]


@pytest.mark.requirement("listen")
@pytest.mark.parametrize("request_id", [1, "listen:0"])
def test_a_subscription_is_acknowledged_for_nothing_and_ended_at_once(request_id: object) -> None:
    tail = {"resultType": "complete", "_meta": {SERVER_INFO_KEY: FIXTURE_INFO, SUBSCRIPTION_KEY: request_id}}
    acknowledged = {"_meta": {SUBSCRIPTION_KEY: request_id}, "notifications": {}}

    params = {"notifications": {"toolsListChanged": True}}
    sent = Wire().send(modern("subscriptions/listen", params, request_id=request_id))

    assert sent == events(
        notification("notifications/subscriptions/acknowledged", acknowledged),
        {"jsonrpc": "2.0", "id": request_id, "result": tail},
    )


@pytest.mark.parametrize("params", [{}, {"notifications": None}, {"notifications": []}])
def test_a_subscription_without_a_filter_is_refused(params: dict[str, Any]) -> None:
    expected = "Invalid params: notifications must be an object, the filter of a subscription"

    assert Wire().send(modern("subscriptions/listen", params)) == error(200, 1, -32602, expected)
