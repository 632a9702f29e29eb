"""One run of a handler: what it can see, and what it has said, counted, saved and asked so far."""

from collections.abc import Mapping
from typing import Any

from mcpcore.protocol.jsonrpc import RequestId, encode
from mcpcore.questions.replay import ReplayState
from mcpcore.request.envelope import Envelope
from mcpcore.request.environment import RequestEnvironment

__all__ = ["HandlerRun"]

_NOTHING_REPLAYED = ReplayState()


class HandlerRun:
    """The state of one run. `Context` shows a handler the part of it that a handler may use.

    `received` has the client's answers that this run has read, `saved` the values of `context.once`.
    """

    def __init__(
        self,
        request_id: RequestId,
        envelope: Envelope,
        environment: RequestEnvironment,
        replay: ReplayState = _NOTHING_REPLAYED,
    ) -> None:
        self.request_id = request_id
        self.envelope = envelope
        self.environment = environment
        self.replay = replay
        self.counts: dict[str, int] = {}
        self.log_fields: dict[str, str] = {}
        self.notifications: list[bytes] = []
        self.saved: dict[str, Any] = dict(replay.saved)
        self.received: dict[str, Any] = {}

    def notify(self, method: str, params: Mapping[str, Any]) -> None:
        """Add a notification to send before the answer."""
        self.notifications.append(encode({"jsonrpc": "2.0", "method": method, "params": params}))
