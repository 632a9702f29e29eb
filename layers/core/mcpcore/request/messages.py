"""A transport of bare JSON-RPC messages, such as stdio: messages to admitted values, outcomes to messages.

Nothing is repeated in headers, so a message is admitted by its body alone.
"""

from collections.abc import Iterator
from typing import assert_never

from mcpcore.protocol.error_map import encode_error
from mcpcore.protocol.errors import McpError
from mcpcore.protocol.jsonrpc import (
    DecodeError,
    Message,
    Notification,
    Request,
    Response,
    decode,
    result_bytes,
)
from mcpcore.protocol.versions import Era
from mcpcore.request.admitted import Admitted, AnswerTo, Legacy, Modern
from mcpcore.request.envelope import (
    envelope_from_metadata,
    has_modern_metadata,
    is_modern,
    require_supported_version,
)
from mcpcore.request.outcome import (
    Completed,
    Failed,
    NoReply,
    Outcome,
    RequestKind,
    RequestRecord,
    Stream,
    failure,
)
from mcpcore.sessions.ids import SessionId, parse_question_id

__all__ = ["admit_message", "decode_message", "encode_messages"]


def decode_message(data: bytes) -> Message | Outcome:
    """The message in `data`, or the outcome that refuses it."""
    try:
        return decode(data)
    except DecodeError as refusal:
        era = Era.MODERN if has_modern_metadata(refusal.params) else None
        return failure(refusal.request_id, refusal.error, RequestRecord(RequestKind.REFUSAL, era))


def admit_message(
    message: Message, session_id: SessionId | None, resumable_versions: frozenset[str]
) -> Admitted | Outcome:
    """`message` as the engine takes it, or its outcome if the engine has nothing to do.

    `session_id` is the connection's session, if one is open; `resumable_versions` as in `Legacy`.
    """
    match message:
        case Request(_, method, params) if is_modern(method, params, in_session=session_id is not None):
            return _admit_modern(message)
        case Notification(method, params) if has_modern_metadata(params):
            return Outcome(NoReply(), RequestRecord(RequestKind.NOTIFICATION, Era.MODERN, method=method))
        case Request() | Notification():
            return Legacy(message, session_id, resumable_versions)
        case Response(answered):
            question = parse_question_id(answered)
            if session_id is None or question is None:
                return Outcome(NoReply(), RequestRecord(RequestKind.ANSWER, session_id=session_id))
            return AnswerTo(message, session_id, *question)
        case never:
            assert_never(never)


def encode_messages(outcome: Outcome) -> Iterator[bytes]:
    """The JSON-RPC messages of an outcome, in the order in which they are sent."""
    match outcome.reply:
        case Completed(request_id, result, notifications):
            yield from notifications
            yield result_bytes(request_id, result)
        case Stream(events):
            yield from (event.data.encode("ascii") for event in events if event.data)
        case Failed(request_id, error):
            yield encode_error(error, request_id, outcome.record.era)
        case NoReply():
            pass
        case never:
            assert_never(never)


def _admit_modern(request: Request) -> Modern | Outcome:
    try:
        envelope = envelope_from_metadata(request.params)
        require_supported_version(envelope.version)
    except McpError as error:
        record = RequestRecord(RequestKind.REFUSAL, Era.MODERN, method=request.method)
        return failure(request.id, error, record)
    return Modern(request, envelope)
