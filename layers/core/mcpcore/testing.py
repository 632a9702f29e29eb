"""A `Context` for tests of functions that want one. Not for servers: nothing here is imported by them."""

from collections.abc import Mapping
from typing import Any, Final

from mcpcore.protocol.versions import STATELESS_VERSIONS, Era
from mcpcore.questions.question import ReplayState
from mcpcore.request.context import Context, RequestEnvironment
from mcpcore.request.envelope import Envelope
from mcpcore.sessions.store import SessionId

__all__ = ["context_with"]

_EVERYTHING: Final[Mapping[str, Any]] = {
    "elicitation": {"form": {}, "url": {}},
    "sampling": {"tools": {}},
    "roots": {},
}


def context_with(
    answers: Mapping[str, Any] | None = None, *, capabilities: Mapping[str, Any] = _EVERYTHING
) -> Context:
    """The context of a call by a client that hears of everything and has given these answers already.

    `answers` has the client's result for the key of each question: `{"ask-1": {"action": "decline"}}`, or the
    key that the function gives its question. A question without an answer ends the call with
    `InputRequired`, which has the `questions`. `capabilities` is what the client can be asked.
    """
    envelope = Envelope(
        Era.MODERN,
        STATELESS_VERSIONS[-1],
        client_name="test",
        client_version="",
        capabilities=capabilities,
        trace={},
        progress_token="test",
        log_level="debug",
    )
    environment = RequestEnvironment(
        0, lambda: SessionId("test"), session_ttl_seconds=0, state_keys=(b"test",)
    )
    return Context(envelope, environment, ReplayState(answers or {}))
