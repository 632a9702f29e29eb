"""How a request ended: what to send, what to store, and what there is to tell about it."""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from mcpcore.errors import McpError
from mcpcore.jsonrpc import NoId, RequestId
from mcpcore.versions import Era

__all__ = ["Completed", "Failed", "NoReply", "Reply", "Told"]


class Completed(NamedTuple):
    """The request is answered by `result`, the bytes of a JSON object."""

    request_id: RequestId
    result: bytes


class Failed(NamedTuple):
    """The request is refused."""

    request_id: RequestId | NoId
    error: McpError


class NoReply(NamedTuple):
    """Nothing is answered: a notification was taken, or a session ended."""


Reply: TypeAlias = Completed | Failed | NoReply


class Told(NamedTuple):
    """What the edge may log and count of a request. Names are a client's words: bound them first.

    `counts` are what a tool counted, `tool_failed` is True for a tool error, `cause` is the exception
    behind an answer that hides it.
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
    cause: BaseException | None = None
