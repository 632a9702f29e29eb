"""How a request ended: what to send, what to store, and what there is to tell about it."""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from mcpcore.protocol.errors import McpError
from mcpcore.protocol.jsonrpc import NoId, RequestId
from mcpcore.protocol.versions import Era
from mcpcore.sessions.store import Action

__all__ = ["Completed", "Event", "Failed", "NoReply", "Outcome", "Reply", "RequestRecord", "Stream"]


class Completed(NamedTuple):
    """The request is answered by `result`, the bytes of a JSON object.

    `notifications` are encoded messages that belong before it; a door that cannot send them leaves them out.
    """

    request_id: RequestId
    result: bytes
    notifications: tuple[bytes, ...] = ()


class Failed(NamedTuple):
    """The request is refused."""

    request_id: RequestId | NoId
    error: McpError


class NoReply(NamedTuple):
    """Nothing is answered: a notification was taken, or a session ended."""


class Event(NamedTuple):
    """A message of a stream that can be resumed after it; `data` may be empty."""

    id: str
    data: str


class Stream(NamedTuple):
    """Part of an answer. The client comes back for the rest after `retry_ms`; None when this is the end."""

    events: tuple[Event, ...]
    retry_ms: int | None


Reply: TypeAlias = Completed | Failed | NoReply | Stream


class RequestRecord(NamedTuple):
    """What the edge may log and count of a request. Names are a client's words: bound them first.

    `counts` are what a tool counted, `notes` what it has to say in the log, `tool_failed` is True for a tool
    error, `cause` is the exception behind an answer that hides it.
    """

    kind: str
    era: Era | None = None
    version: str = ""
    method: str = ""
    tool: str = ""
    tool_failed: bool = False
    client_name: str = ""
    client_version: str = ""
    trace: Mapping[str, str] = {}
    counts: Mapping[str, int] = {}
    notes: Mapping[str, str] = {}
    cause: BaseException | None = None


class Outcome(NamedTuple):
    """How a request ended: the reply to send, what there is to tell, what the store should do."""

    reply: Reply
    record: RequestRecord
    actions: tuple[Action, ...] = ()
