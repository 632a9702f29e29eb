"""docs/supported.md says what the code does: its versions, methods and refusals. What it links is there."""

import json
import re
from typing import Any, Final

import pytest

from mcpcore import MemorySessions, Server
from mcpcore.engine.dispatch import METHODS
from mcpcore.protocol.versions import SUPPORTED_VERSIONS
from mcpcore_aws.adapter import LambdaAdapter
from tests.support.exchanges import Send, Sent, initialize, legacy, modern, through_handler
from tests.support.processes import ROOT

TEXT: Final = (ROOT / "docs" / "supported.md").read_text()
DEPRECATED: Final = (ROOT / "docs" / "deprecated.md").read_text()
_METHOD: Final = re.compile(r"`([a-z]+/[a-zA-Z/]+)`")

REFUSED: Final = {
    "tasks/get": 404,
    "tasks/list": 404,
    "initialize": 404,
    "ping": 404,
}


def test_the_versions_are_the_ones_that_are_spoken() -> None:
    assert set(re.findall(r"20\d\d-\d\d-\d\d", TEXT)) == set(SUPPORTED_VERSIONS)


@pytest.mark.parametrize("method", sorted(set(_METHOD.findall(TEXT)) - {"application/json"}))
def test_a_method_that_is_told_of_is_served_or_refused_as_told(method: str) -> None:
    served = {name for _, name in METHODS}
    assert method in served or method in REFUSED or method.startswith("notifications/")


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^)#:]+)[)#]", TEXT + DEPRECATED))))
def test_what_is_linked_is_there(link: str) -> None:
    assert (ROOT / "docs" / link).exists()


@pytest.fixture(name="send")
def _send() -> Send:
    made = Server("small", version="1")

    @made.tool()
    def say(text: str) -> str:
        """Say it."""
        return text

    return through_handler(LambdaAdapter(made, sessions=MemorySessions()))


@pytest.mark.requirement("method-not-found")
@pytest.mark.parametrize(("method", "status"), REFUSED.items())
def test_what_is_refused_in_the_modern_era_is_an_unknown_method(send: Send, method: str, status: int) -> None:
    reply = send(modern(method))
    assert (reply.status, reply.message()["error"]["code"]) == (status, -32601)


@pytest.mark.requirement("batch-refused")
@pytest.mark.parametrize("version", SUPPORTED_VERSIONS[1:])
def test_a_batch_is_refused_in_every_revision(send: Send, version: str) -> None:
    session = send(initialize(version)).headers["mcp-session-id"]
    batch = json.dumps([{"jsonrpc": "2.0", "id": 1, "method": "ping"}]).encode()
    reply = send(legacy("", session=session)._replace(body=batch))
    assert (reply.status, reply.message()["error"]["code"]) == (400, -32600)


@pytest.mark.requirement("task-ignored")
def test_a_task_is_ignored_where_tasks_are_not_declared(send: Send) -> None:
    session = send(initialize()).headers["mcp-session-id"]
    called: dict[str, Any] = {"name": "say", "arguments": {"text": "hi"}, "task": {"ttl": 60_000}}
    result = send(legacy("tools/call", session=session, **called)).message()["result"]
    assert result == {"content": [{"type": "text", "text": "hi"}], "isError": False}


@pytest.mark.requirement("get-refused")
def test_a_stream_is_not_opened_by_get(send: Send) -> None:
    session = send(initialize()).headers["mcp-session-id"]
    reply = send(Sent(b"", {"accept": "text/event-stream", "mcp-session-id": session}, "GET"))
    assert (reply.status, reply.headers["allow"]) == (405, "GET, POST, DELETE")
