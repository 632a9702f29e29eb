"""The outcome of a request: the reply to send, the record for log and metrics, and what to store."""

import enum
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from mcpcore.protocol.error_map import ErrorKind, OutcomeKind, row_of
from mcpcore.protocol.errors import (
    AuthorizationError,
    InternalError,
    McpError,
    SessionError,
    StoreUnavailable,
    ToolError,
)
from mcpcore.protocol.jsonrpc import NoId, RequestId
from mcpcore.protocol.versions import Era
from mcpcore.sessions.ids import SessionId

if TYPE_CHECKING:
    from mcpcore.sessions.store import StoreAction

__all__ = [
    "Completed",
    "Event",
    "Failed",
    "NoReply",
    "Outcome",
    "Reply",
    "RequestKind",
    "RequestRecord",
    "SessionEvent",
    "Stream",
    "failure",
    "with_error",
]


class Completed(NamedTuple):
    """The request is answered by `result`, the bytes of a JSON object.

    `notifications` are encoded messages to send before it; a transport that cannot carry them omits them.
    """

    request_id: RequestId
    result: bytes
    notifications: tuple[bytes, ...] = ()


class Failed(NamedTuple):
    """The request is answered by an error."""

    request_id: RequestId | NoId
    error: McpError


class NoReply(NamedTuple):
    """The message has no answer: a notification, a response of the client, or the end of a session."""


class Event(NamedTuple):
    """A message of a stream that can be resumed after it; `data` may be empty."""

    id: str
    data: str


class Stream(NamedTuple):
    """Part of an answer. The client resumes after `retry_ms`; None marks the last part.

    `ready` is True when resuming continues at once, because no question waits for an answer.
    """

    events: tuple[Event, ...]
    retry_ms: int | None
    ready: bool = False


Reply: TypeAlias = Completed | Failed | NoReply | Stream


class RequestKind(enum.Enum):
    """The kind of the handled message; the `message` of its log line."""

    REQUEST = "request"
    NOTIFICATION = "notification"
    ANSWER = "answer"
    RESUME = "resume"
    SESSION_END = "session end"
    PREFLIGHT = "preflight"
    PAGE = "page"
    """A request beside MCP, which the core never sees."""
    REFUSAL = "refusal"
    """A message that was refused before its method was looked at."""
    FAULT = "fault"
    """A request that ended by a fault of the server or its store."""


class SessionEvent(enum.Enum):
    """The effect of a request on a session, for the metrics."""

    OPENED = "opened"
    ENDED = "ended"
    REJECTED = "rejected"
    """The session id was missing, unknown, expired or ended."""


class RequestRecord(NamedTuple):
    """The fields of one request for its log line and metrics. Names come from the client: truncate them.

    `error` is finer than a JSON-RPC code, which several errors share. `reason` is a sentence for the log
    alone, `cause` the exception behind a generic reply. `counts` and `log_fields` are what a
    handler added. `principal` is the digest of who sent the request.
    """

    kind: RequestKind
    era: Era | None = None
    version: str = ""
    method: str = ""
    tool: str = ""
    outcome: OutcomeKind = OutcomeKind.OK
    error: ErrorKind | None = None
    reason: str = ""
    cause: BaseException | None = None
    client_name: str = ""
    client_version: str = ""
    session_id: SessionId | None = None
    session_event: SessionEvent | None = None
    trace: Mapping[str, str] = {}
    counts: Mapping[str, int] = {}
    log_fields: Mapping[str, str] = {}
    principal: str = ""


class Outcome(NamedTuple):
    """How a request ended.

    `required` must be stored before the client is answered; storing `best_effort` may fail.
    """

    reply: Reply
    record: RequestRecord
    required: "StoreAction | None" = None
    best_effort: "StoreAction | None" = None


def with_error(record: RequestRecord, error: McpError) -> RequestRecord:
    """`record` of a request that ended by `error`.

    What a `ToolError` or a refused authorization was raised from is an ordinary event, no fault to log.
    """
    row = row_of(error)
    return record._replace(
        outcome=row.outcome,
        error=row.error,
        reason=error.reason if isinstance(error, InternalError | StoreUnavailable) else "",
        cause=None if isinstance(error, ToolError | AuthorizationError) else error.__cause__,
        session_event=SessionEvent.REJECTED if isinstance(error, SessionError) else record.session_event,
    )


def failure(request_id: RequestId | NoId, error: McpError, record: RequestRecord) -> Outcome:
    """The outcome of a request that is answered by `error`."""
    return Outcome(Failed(request_id, error), with_error(record, error))
