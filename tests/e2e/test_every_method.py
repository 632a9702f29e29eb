"""Every method of every version, answered by the conformance fixture over HTTP."""

from typing import Any, Final

import pytest

from mcpcore.engine.dispatch import METHODS
from mcpcore.protocol.versions import HANDSHAKE_VERSIONS, Era
from tests.support.exchanges import initialize, legacy, modern, over_http
from tests.support.judge import messages_in
from tests.support.serving import Served

WATCHED: Final = {"uri": "test://watched-resource"}
PARAMS: Final[dict[str, dict[str, Any]]] = {
    "logging/setLevel": {"level": "info"},
    "subscriptions/listen": {"notifications": {}},
    "resources/subscribe": WATCHED,
    "resources/unsubscribe": WATCHED,
    "resources/read": WATCHED,
    "tools/call": {"name": "test_simple_text"},
    "prompts/get": {"name": "test_simple_prompt"},
    "completion/complete": {
        "ref": {"type": "ref/prompt", "name": "test_prompt_with_arguments"},
        "argument": {"name": "arg1", "value": "par"},
    },
}


@pytest.mark.parametrize("version", HANDSHAKE_VERSIONS)
def test_a_session_of_any_version_has_every_method(fixture_served: Served, version: str) -> None:
    send = over_http(fixture_served.url)
    session = send(initialize(version)).headers["mcp-session-id"]
    for method in _methods(Era.LEGACY) - {"initialize"}:
        reply = send(legacy(method, session=session, **PARAMS.get(method, {})))
        assert (method, reply.status, "result" in messages_in(reply)[-1]) == (method, 200, True)


def test_the_version_without_sessions_has_every_method(fixture_served: Served) -> None:
    for method in _methods(Era.MODERN):
        reply = over_http(fixture_served.url)(modern(method, **PARAMS.get(method, {})))
        assert (method, reply.status, "result" in messages_in(reply)[-1]) == (method, 200, True)


def _methods(era: Era) -> set[str]:
    return {method for of_era, method in METHODS if of_era is era}
