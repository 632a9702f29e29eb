"""The inputs of a request from outside the core: the time, ids, keys, and a function that runs handlers."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from mcpcore.protocol.errors import InternalError
from mcpcore.protocol.jsonrpc import RequestId
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
    `DeadlineExceeded` after `seconds`. `state_keys` seal what a client brings back: the first seals, each of
    them opens.
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
    state_keys: Sequence[bytes] = ()
    cancelled: Callable[[RequestId], bool] = lambda _request_id: False
    transport: object = None

    def sealing_key(self) -> bytes:
        """The key that seals.

        Raises:
            InternalError: none is configured.
        """
        if not self.state_keys:
            raise InternalError(
                "a handler asked the client, and no state key is configured to seal its state"
            )
        return self.state_keys[0]
