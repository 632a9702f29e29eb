"""What is sent in place of a reply that is too large for its transport."""

import json
from typing import Any

import pytest

from mcpcore import Server
from mcpcore.engine.oversized import replaced_by
from mcpcore.protocol.error_map import OutcomeKind
from mcpcore.protocol.errors import ReplyTooLarge
from mcpcore.protocol.jsonrpc import NoId, encode
from mcpcore.protocol.versions import Era
from mcpcore.request.outcome import (
    Completed,
    Event,
    Failed,
    Outcome,
    Reply,
    RequestKind,
    RequestRecord,
    Stream,
)

ERROR = ReplyTooLarge(20, 10)
SERVER = Server("any", version="1").build()
TEXT = "The result is too large to send: 20 bytes of at most 10. Ask for less"
AS_RESULT = {"content": [{"type": "text", "text": TEXT}], "isError": True}
AS_ERROR = {"code": -32603, "message": TEXT}


def replaced(reply: Reply, method: str) -> Outcome:
    """The outcome of a legacy request of `method`, whose reply was too large."""
    record = RequestRecord(RequestKind.REQUEST, Era.LEGACY, "2025-11-25", method)
    return replaced_by(ERROR, Outcome(reply, record), SERVER)


def event(place: int, message: dict[str, Any]) -> Event:
    """An event of a stream."""
    return Event(f"x.{place}", encode({"jsonrpc": "2.0", **message}).decode("ascii"))


@pytest.mark.parametrize(
    ("method", "kind", "members"),
    [
        ("tools/call", OutcomeKind.TOOL_ERROR, {"result": AS_RESULT}),
        ("prompts/get", OutcomeKind.INTERNAL_ERROR, {"error": AS_ERROR}),
    ],
)
def test_the_end_of_a_resumed_stream_becomes_an_error_of_the_same_request(
    method: str, kind: OutcomeKind, members: dict[str, Any]
) -> None:
    progress = event(1, {"method": "notifications/progress", "params": {}})
    outcome = replaced(Stream((progress, event(2, {"id": "a", "result": {}})), None), method)

    assert isinstance(outcome.reply, Stream)
    (last,) = outcome.reply.events
    assert (last.id, outcome.reply.retry_ms) == ("x.2", None)
    assert json.loads(last.data) == {"jsonrpc": "2.0", "id": "a", **members}
    assert (outcome.record.outcome, outcome.record.error) == (kind, "ReplyTooLarge")


def test_questions_that_are_too_large_end_without_an_id() -> None:
    question = event(1, {"id": "x.key", "method": "elicitation/create", "params": {}})
    assert replaced(Stream((question,), 500), "tools/call").reply == Failed(NoId.ABSENT, ERROR)


def test_a_result_of_another_method_becomes_an_error() -> None:
    assert replaced(Completed(7, b"{}"), "resources/read").reply == Failed(7, ERROR)
