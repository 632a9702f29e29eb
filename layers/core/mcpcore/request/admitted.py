"""An admitted request: one of the six things that a client can send, whatever the transport."""

from typing import NamedTuple, TypeAlias

from mcpcore.protocol.errors import McpError
from mcpcore.protocol.jsonrpc import Notification, Request, Response
from mcpcore.request.envelope import Envelope
from mcpcore.sessions.ids import ExchangeId, SessionId

__all__ = ["Admitted", "AnswerTo", "EndSession", "Legacy", "Modern", "Resume", "Unresumable"]


class Modern(NamedTuple):
    """A request of the modern era: it carries its own envelope, and has no session."""

    request: Request
    envelope: Envelope


class Legacy(NamedTuple):
    """A message of the legacy era. Only `initialize`, `ping` and notifications may have no session id.

    `resumable_versions` are the versions whose clients resume an answer that ends early on this transport.
    """

    message: Request | Notification
    session_id: SessionId | None
    resumable_versions: frozenset[str]


class AnswerTo(NamedTuple):
    """The client's response to the question that an exchange asked under `key`."""

    response: Response
    session_id: SessionId
    exchange_id: ExchangeId
    key: str


class Resume(NamedTuple):
    """The client wants the events of an exchange after the first `position`; None is after all sent so far.

    None is for a connection that stays open, on which no event is lost; `resumable_versions` as in `Legacy`.
    """

    session_id: SessionId
    exchange_id: ExchangeId
    position: int | None
    resumable_versions: frozenset[str]


class Unresumable(NamedTuple):
    """The client wants events of a session, but names no stream that can be resumed; `refusal` says why.

    It is admitted because an unknown session, which only the engine can tell, comes before the refusal.
    """

    session_id: SessionId
    refusal: McpError


class EndSession(NamedTuple):
    """The client ends its session."""

    session_id: SessionId


Admitted: TypeAlias = Modern | Legacy | AnswerTo | Resume | Unresumable | EndSession
