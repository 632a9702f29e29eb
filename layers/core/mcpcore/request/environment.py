"""The inputs of a request from outside the core: the time, ids, keys, and a function that runs handlers."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from mcpcore.protocol.errors import InternalError
from mcpcore.protocol.jsonrpc import RequestId
from mcpcore.request.principal import Principal
from mcpcore.sessions.ids import SessionId

__all__ = ["RequestEnvironment", "run_directly"]


def run_directly(work: Callable[[], Any], _seconds: float) -> Any:
    """Run `work` without a time limit; an `async def` handler needs a runner with an event loop."""
    return work()


class RequestEnvironment(NamedTuple):
    """The values that the transport passes in with a request. Times are seconds since the epoch.

    `deadline` is when a handler is stopped, `ends_at` when nothing of this request can still be running.
    `seconds_left()` is the time until the reply must be made.
    `run(work, seconds)` calls `work`, runs a coroutine that it returns to its end, and raises
    `DeadlineExceeded` after `seconds`. `state_secrets()` protect what a client brings back: the first seals,
    each of them opens; a source that can change is read again once those that it knew were taken. It may
    raise `StoreUnavailable`, and is None if no handler can ask.
    `principal` is who the request is from, None without authorization: then no scope is required.
    `principal_digest` is a keyed digest of it, to which sessions and states are bound.
    `cancelled` says whether the client has cancelled a request. `transport` is the edge's own object, which
    handlers can read as `context.transport`.
    """

    now: float
    new_session_id: Callable[[], SessionId]
    session_ttl_seconds: int
    deadline: float = float("inf")
    ends_at: float = float("inf")
    seconds_left: Callable[[], float] = lambda: float("inf")
    run: Callable[[Callable[[], Any], float], Any] = run_directly
    state_secrets: Callable[[], Iterable[bytes]] | None = None
    principal: Principal | None = None
    principal_digest: str = ""
    cancelled: Callable[[RequestId], bool] = lambda _request_id: False
    transport: object = None

    def newest_secret(self) -> bytes:
        """The state secret that seals.

        Raises:
            InternalError: none is configured.
            StoreUnavailable: it could not be read.
        """
        if self.state_secrets is None:
            raise InternalError(
                "a handler asked the client, and no state secret is configured to seal its state"
            )
        return next(iter(self.state_secrets()))
