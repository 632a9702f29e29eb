"""Replace a reply that its transport cannot carry by an error of its request."""

import json
from typing import Final

from mcpcore.definitions.built import BuiltServer
from mcpcore.methods.call import encode_result
from mcpcore.protocol.content import Text, block_to_wire
from mcpcore.protocol.error_map import OutcomeKind, encode_error
from mcpcore.protocol.errors import ReplyTooLarge
from mcpcore.protocol.jsonrpc import NoId, RequestId, result_bytes
from mcpcore.request.outcome import (
    Completed,
    Event,
    Failed,
    Outcome,
    RequestRecord,
    Stream,
    failure,
    with_error,
)

__all__ = ["replaced_by"]

_CALL: Final = "tools/call"


def replaced_by(error: ReplyTooLarge, outcome: Outcome, server: BuiltServer) -> Outcome:
    """`outcome` with `error` in place of its reply; for a call it is a tool error, which the model reads.

    What the handler has done is done, and what the outcome stored stays stored.
    """
    reply, record = outcome.reply, with_error(outcome.record, error)
    if record.method == _CALL:
        record = record._replace(outcome=OutcomeKind.TOOL_ERROR)
    match reply:
        case Completed(request_id) if record.method == _CALL:
            return outcome._replace(
                reply=Completed(request_id, _tool_error(error, record, server)), record=record
            )
        case Completed(request_id) | Failed(request_id):
            return outcome._replace(reply=Failed(request_id, error), record=record)
        case Stream(events, None) if events:
            last = Event(events[-1].id, _response(events[-1], error, record, server).decode("ascii"))
            return outcome._replace(reply=Stream((last,), None), record=record)
        case _:  # questions that are too large: no response, so no id
            return failure(NoId.ABSENT, error, outcome.record)


def _response(event: Event, error: ReplyTooLarge, record: RequestRecord, server: BuiltServer) -> bytes:
    """The error response that replaces the response in `event`."""
    request_id: RequestId = json.loads(event.data)["id"]
    if record.method == _CALL:
        return result_bytes(request_id, _tool_error(error, record, server))
    return encode_error(error, request_id, record.era)


def _tool_error(error: ReplyTooLarge, record: RequestRecord, server: BuiltServer) -> bytes:
    members = {"content": [block_to_wire(Text(error.message), record.version)], "isError": True}
    return encode_result(server, record.version, members)
